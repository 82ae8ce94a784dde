"""The database of a collection: its tables, and what its errors mean to a user."""

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from azulejar.errors import AzulejarError
from azulejar.system.transactions import Transactions, connect
from azulejar.version import __version__

NAME = "collection.db"
FORMAT = "azulejar-collection/1"

# A path is relative to the collection's folder; a stamp holds size and time of the picture's file.
_TABLES = """
CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL);
CREATE TABLE tiles (
    number INTEGER PRIMARY KEY, inventory TEXT NOT NULL UNIQUE, crate TEXT NOT NULL,
    path TEXT NOT NULL, stamp TEXT NOT NULL, sha256 TEXT NOT NULL UNIQUE, record TEXT NOT NULL,
    added TEXT NOT NULL
);
CREATE INDEX tiles_by_path ON tiles (path);
CREATE INDEX tiles_by_crate ON tiles (crate);
"""


class CatalogueDatabase(Transactions):
    """The database in a collection's folder."""

    def __init__(self, path: Path) -> None:
        with self.explained():
            super().__init__(path)
            try:
                self._check_format()
            except BaseException:
                self._connection.close()
                raise

    @classmethod
    def create(cls, path: Path) -> None:
        """Create a database with empty tables, all of it in one file."""
        connection = connect(path)
        connection.execute("PRAGMA journal_mode = WAL")
        connection.executescript(f"BEGIN;{_TABLES}COMMIT;")
        values = [("format", FORMAT), ("version", __version__)]
        connection.executemany("INSERT INTO meta VALUES (?, ?)", values)
        connection.close()

    def meta(self, key: str) -> str | None:
        """Return the value that is stored under a key, if any."""
        with self.reading() as db:
            row = db.execute("SELECT value FROM meta WHERE key = ?", (key,)).fetchone()
        return None if row is None else str(row["value"])

    def put_meta(self, key: str, value: str) -> None:
        """Store a value under a key, in place of the one before."""
        with self.changing() as db:
            db.execute("INSERT OR REPLACE INTO meta VALUES (?, ?)", (key, value))

    def _check_format(self) -> None:
        found = self.meta("format")
        if found != FORMAT:
            wrote = f", written by azulejar {self.meta('version')}" if found else ""
            raise AzulejarError(
                "collection-format",
                "The collection in {folder} has the format {found}; {readable} can be read here.",
                "Install the newest azulejar.",
                folder=str(self.path.parent),
                found=f"{found}{wrote}",
                readable=FORMAT,
            )

    @contextmanager
    def explained(self) -> Iterator[None]:
        """See ``Transactions``."""
        try:
            yield
        except sqlite3.OperationalError as error:
            raise AzulejarError(
                "catalogue-unusable",
                "{path} could not be read or written: {reason}.",
                "What was added before is kept. Check that the disk has room and can be written "
                "to, and do it again.",
                path=str(self.path),
                reason=str(error),
            ) from error
        except sqlite3.DatabaseError as error:
            raise AzulejarError(
                "catalogue-damaged",
                "{path} is damaged: {reason}.",
                "Take the whole folder from a copy, or create a new collection and add the "
                "crates again.",
                path=str(self.path),
                reason=str(error),
            ) from error
