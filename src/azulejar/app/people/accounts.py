"""Accounts of the people who use a server, and their logins.

Passwords are hashed with argon2; only a checksum of a login's secret is stored.
A name that nobody has is answered like a wrong password: as late, and locked after as many tries.
"""

import hashlib
import secrets
import sqlite3
import threading
import time
import unicodedata
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from argon2 import PasswordHasher
from argon2.exceptions import VerificationError

from azulejar.app.http.errors import (
    Conflict,
    InvalidRequest,
    NotFound,
    TooManyRequests,
    Unauthorized,
    Unavailable,
)
from azulejar.app.people.roles import Person, Role
from azulejar.app.schemas.people import AccountRow, HistoryEntry
from azulejar.system.transactions import Transactions, create_database, now

NAME = ".people.db"
SHORTEST = 10  # characters of a password
LOGIN = 12 * 3600  # seconds that a login lasts
MOST_TRIES = 5
LOCKED = 15 * 60  # seconds after so many tries
MOST_NAMES = 10_000  # whose tries are remembered
AT_ONCE = 2  # passwords that are checked at the same time; each takes 64 MB
SHOWN = 500  # entries of the history
_KEPT = 60.0  # seconds that a login is believed without looking it up again

_TABLES = """
CREATE TABLE people (
    person INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT NOT NULL, key TEXT NOT NULL UNIQUE,
    role INTEGER NOT NULL, password TEXT NOT NULL, created TEXT NOT NULL
);
CREATE TABLE logins (
    secret TEXT PRIMARY KEY, person INTEGER NOT NULL REFERENCES people ON DELETE CASCADE,
    expires REAL NOT NULL
);
CREATE TABLE tries (key TEXT PRIMARY KEY, count INTEGER NOT NULL, latest REAL NOT NULL);
CREATE TABLE history (
    entry INTEGER PRIMARY KEY, at TEXT NOT NULL, who TEXT NOT NULL, what TEXT NOT NULL,
    about TEXT NOT NULL
);
"""

_hasher = PasswordHasher()
_checking = threading.BoundedSemaphore(AT_ONCE)


class Accounts:
    """The accounts of a workspace; their file is created with the first account."""

    def __init__(self, folder: Path, clock: Callable[[], float] = time.time) -> None:
        self._path = folder / NAME
        self._clock = clock
        self._lock = threading.RLock()
        self._seen: dict[str, tuple[Person, float]] = {}  # logins, with the time they were checked
        self._nobody = ""  # the hash of no password, for names that nobody has
        self._database = _Database(self._path) if self._path.is_file() else None
        self.exist = bool(self.people())  # whether people have to log in

    def close(self) -> None:
        if self._database is not None:
            self._database.close()

    # People

    def people(self) -> list[AccountRow]:
        """List all accounts by name."""
        if self._database is None:
            return []
        with self._database.reading() as db:
            found = db.execute("SELECT person, name, role, created FROM people ORDER BY key")
            return [_account(row) for row in found]

    def add(self, name: str, role: Role, password: str, who: str = "") -> AccountRow:
        """Add an account; the name must be free."""
        hashed = _hash(password)
        with self._changing() as db:
            try:
                number = db.execute(
                    "INSERT INTO people (name, key, role, password, created) "
                    "VALUES (?, ?, ?, ?, ?)",
                    (_clean(name), _key(name), int(role), hashed, now()),
                ).lastrowid
            except sqlite3.IntegrityError:
                raise Conflict(
                    "account-name-taken",
                    "There is an account {name} already.",
                    "Choose another name.",
                    name=_clean(name),
                ) from None
            _log(db, who, "account-new", name)
            added = _account(_find(db, number or 0))
        self.exist = True
        return added

    def change(
        self, person: int, who: str, role: Role | None = None, password: str | None = None
    ) -> AccountRow:
        """Change the role or the password of an account; a new password ends its logins."""
        hashed = None if password is None else _hash(password)
        with self._changing() as db:
            row = _find(db, person)
            if role is not None:
                _keep_a_manager(db, row, role)
                db.execute("UPDATE people SET role = ? WHERE person = ?", (int(role), person))
                _log(db, who, "account-role", f"{row['name']}: {role.name.lower()}")
            if hashed is not None:
                db.execute("UPDATE people SET password = ? WHERE person = ?", (hashed, person))
                db.execute("DELETE FROM logins WHERE person = ?", (person,))
                db.execute("DELETE FROM tries WHERE key = ?", (row["key"],))
                _log(db, who, "account-password", row["name"])
            return _account(_find(db, person))

    def remove(self, person: int, who: str) -> str:
        """Remove an account and end its logins; return the name, which the history keeps."""
        with self._changing() as db:
            row = _find(db, person)
            _keep_a_manager(db, row, Role.NOBODY)
            db.execute("DELETE FROM people WHERE person = ?", (person,))
            _log(db, who, "account-removed", row["name"])
            return str(row["name"])

    def put_manager(self, name: str, password: str) -> None:
        """Create a manager, or promote the account of that name and reset its password."""
        found = next((each for each in self.people() if _key(each.name) == _key(name)), None)
        if found is None:
            self.add(name, Role.MANAGE, password)
        else:
            self.change(found.person, "", Role.MANAGE, password)

    # Logins

    def log_in(self, name: str, password: str) -> str:
        """Return the secret of a new login; raise if the password is wrong."""
        key = _key(name)
        if not self.exist:
            raise _wrong()
        with self._changing() as db:
            _check_tries(db, key, self._clock())
            row = db.execute("SELECT * FROM people WHERE key = ?", (key,)).fetchone()
        right = self._is_right(row["password"] if row else None, password)
        with self._changing() as db:
            if not right:
                _count_try(db, key, self._clock())
                # What was typed for a name that nobody has may be a password.
                _log(db, "", *(("login-failed", row["name"]) if row else ("login-unknown", "")))
            else:
                secret = secrets.token_urlsafe(32)
                until = self._clock() + LOGIN
                db.execute("DELETE FROM tries WHERE key = ?", (key,))
                db.execute("DELETE FROM logins WHERE expires < ?", (self._clock(),))
                values = (_checksum(secret), row["person"], until)
                db.execute("INSERT INTO logins VALUES (?, ?, ?)", values)
                _log(db, row["name"], "login", "")
        if not right:
            raise _wrong()
        return secret

    def change_own_password(self, name: str, old: str, new: str) -> str:
        """Check the old password, set the new one, and return the secret of a new login."""
        self.log_in(name, old)
        found = next(each for each in self.people() if _key(each.name) == _key(name))
        self.change(found.person, name, password=new)
        return self.log_in(name, new)

    def log_out(self, secret: str) -> None:
        """Delete a login."""
        if self._database is not None:
            with self._changing() as db:
                db.execute("DELETE FROM logins WHERE secret = ?", (_checksum(secret),))

    def person_of(self, secret: str) -> Person | None:
        """Return the person a login belongs to, or None if it is unknown or has expired."""
        if self._database is None or not secret:
            return None
        key = _checksum(secret)
        with self._lock:
            known = self._seen.get(key)
            if known is not None and self._clock() - known[1] < _KEPT:
                return known[0]
            self._seen.pop(key, None)
            with self._database.reading() as db:
                row = db.execute(
                    "SELECT name, role, expires FROM logins JOIN people USING (person) "
                    "WHERE secret = ?",
                    (key,),
                ).fetchone()
            if row is None or row["expires"] < self._clock():
                return None
            person = Person(row["name"], Role(row["role"]))
            self._seen[key] = person, min(self._clock(), row["expires"] - _KEPT)
            return person

    def history(self) -> list[HistoryEntry]:
        """Return recent logins and account changes, newest first."""
        if self._database is None:
            return []
        with self._database.reading() as db:
            found = db.execute("SELECT * FROM history ORDER BY entry DESC LIMIT ?", (SHOWN,))
            return [HistoryEntry(**row) for row in found]

    def _is_right(self, hashed: str | None, password: str) -> bool:
        """Verify a password; take equally long if there is no account."""
        with _checking:
            if not self._nobody:
                self._nobody = _hasher.hash(secrets.token_urlsafe(16))
            try:
                return _hasher.verify(hashed or self._nobody, password) and hashed is not None
            except VerificationError:
                return False

    @contextmanager
    def _changing(self) -> Iterator[sqlite3.Connection]:
        """Open a write transaction, and clear the cache of logins afterwards."""
        with self._lock:
            if self._database is None:
                self._database = _Database.create(self._path)
            try:
                with self._database.changing() as db:
                    yield db
            finally:
                self._seen.clear()


class _Database(Transactions):
    """The accounts database."""

    def __init__(self, path: Path) -> None:
        super().__init__(path)
        self._connection.execute("PRAGMA foreign_keys = ON")

    @classmethod
    def create(cls, path: Path) -> "_Database":
        """Create the file with empty tables, readable by its owner only."""
        path.touch(0o600)
        create_database(path, _TABLES)
        return cls(path)

    @contextmanager
    def explained(self) -> Iterator[None]:
        """See ``Transactions``."""
        try:
            yield
        except sqlite3.Error as error:
            raise Unavailable(
                "accounts-unsaved",
                "The accounts could not be read or saved: {reason}.",
                "Check that the disk has room and can be written to, and do it again.",
                reason=str(error),
            ) from error


def _account(row: sqlite3.Row) -> AccountRow:
    return AccountRow(
        person=row["person"],
        name=row["name"],
        role=Role(row["role"]).name.lower(),  # type: ignore[arg-type]
        created=row["created"],
    )


def _find(db: sqlite3.Connection, person: int) -> sqlite3.Row:
    row = db.execute("SELECT * FROM people WHERE person = ?", (person,)).fetchone()
    if row is None:
        raise NotFound("account-unknown", "There is no such account.", "Load the list again.")
    return row


def _keep_a_manager(db: sqlite3.Connection, row: sqlite3.Row, role: Role) -> None:
    """Raise if no manager would be left."""
    others = "SELECT count(*) AS count FROM people WHERE role = ? AND person <> ?"
    left = db.execute(others, (int(Role.MANAGE), row["person"])).fetchone()["count"]
    if role < Role.MANAGE and row["role"] == Role.MANAGE and not left:
        raise Conflict(
            "account-last-manager",
            "{name} is the only manager.",
            "Make somebody else a manager first.",
            name=row["name"],
        )


def _check_tries(db: sqlite3.Connection, key: str, clock: float) -> None:
    db.execute("DELETE FROM tries WHERE latest < ?", (clock - LOCKED,))
    row = db.execute("SELECT count FROM tries WHERE key = ?", (key,)).fetchone()
    if row is not None and row["count"] >= MOST_TRIES:
        raise TooManyRequests(
            "login-locked",
            "There were {most} wrong passwords for this name.",
            "Wait {minutes} minutes, or ask a manager for a new password.",
            most=MOST_TRIES,
            minutes=LOCKED // 60,
        )


def _count_try(db: sqlite3.Connection, key: str, clock: float) -> None:
    db.execute(
        "INSERT INTO tries VALUES (?, 1, ?) "
        "ON CONFLICT (key) DO UPDATE SET count = count + 1, latest = excluded.latest",
        (key, clock),
    )
    db.execute(
        "DELETE FROM tries WHERE key NOT IN (SELECT key FROM tries ORDER BY latest DESC LIMIT ?)",
        (MOST_NAMES,),
    )


def _log(db: sqlite3.Connection, who: str, what: str, about: str) -> None:
    values = (now(), who, what, about[:120])
    db.execute("INSERT INTO history (at, who, what, about) VALUES (?, ?, ?, ?)", values)


def _hash(password: str) -> str:
    if len(password) < SHORTEST:
        raise InvalidRequest(
            "password-too-short",
            "The password has fewer than {shortest} characters.",
            "Choose a longer one, such as a few words.",
            shortest=SHORTEST,
        )
    with _checking:
        return _hasher.hash(password)


def _wrong() -> Unauthorized:
    return Unauthorized(
        "login-wrong", "Name or password is wrong.", "Try again, or ask a manager for a new one."
    )


def _clean(name: str) -> str:
    return " ".join(unicodedata.normalize("NFC", name).split())


def _key(name: str) -> str:
    """Return the form in which names are compared."""
    return unicodedata.normalize("NFKC", _clean(name)).casefold()


def _checksum(secret: str) -> str:
    return hashlib.sha256(secret.encode("utf-8", "surrogatepass")).hexdigest()
