"""Read-only links to one panel, which work without an account until they are withdrawn.

The secret of a link is shown once, to whoever makes it; only its checksum is stored.
"""

import hashlib
import secrets
import sqlite3

from azulejar.app.http.errors import NotFound
from azulejar.app.projects.database import ProjectDatabase
from azulejar.app.projects.history import log
from azulejar.app.schemas.people import SharedLink
from azulejar.system.transactions import now

_COLUMNS = "link, panel, name, who, created"


class Links:
    """The links of one project."""

    def __init__(self, database: ProjectDatabase) -> None:
        self._database = database

    def share(self, panel: int, name: str, who: str = "") -> tuple[SharedLink, str]:
        """Create a link to a panel; return it and its secret. ``name`` tells whom it is for."""
        secret = secrets.token_urlsafe(32)
        with self._database.changing() as db:
            number = db.execute(
                "INSERT INTO links (secret, panel, name, who, created) VALUES (?, ?, ?, ?, ?)",
                (_checksum(secret), panel, name, who, now()),
            ).lastrowid
            log(db, who, "link", name)
            return _find(db, "link = ?", number), secret

    def all(self) -> list[SharedLink]:
        """Return the active links, oldest first."""
        with self._database.reading() as db:
            found = db.execute(
                f"SELECT {_COLUMNS} FROM links WHERE withdrawn IS NULL ORDER BY link"
            )
            return [SharedLink(**row) for row in found]

    def withdraw(self, link: int, who: str = "") -> None:
        """Withdraw a link permanently."""
        with self._database.changing() as db:
            name = _find(db, "link = ?", link).name
            db.execute("UPDATE links SET withdrawn = ? WHERE link = ?", (now(), link))
            log(db, who, "link-withdrawn", name)

    def open(self, secret: str) -> SharedLink:
        """Return the active link with this secret."""
        with self._database.reading() as db:
            return _find(db, "secret = ?", _checksum(secret))


def _find(db: sqlite3.Connection, where: str, value: object) -> SharedLink:
    row = db.execute(
        f"SELECT {_COLUMNS} FROM links WHERE withdrawn IS NULL AND {where}", (value,)
    ).fetchone()
    if row is None:
        raise NotFound("link-unknown", "There is no such link.", "Load the list again.")
    return SharedLink(**row)


def _checksum(secret: str) -> str:
    """Return the hash that is stored, so that a leaked database reveals no link."""
    return hashlib.sha256(secret.encode("utf-8", "surrogatepass")).hexdigest()
