"""The database of a collection: its tables, and transactions that are kept whole."""

import sqlite3
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from azulejar.errors import AzulejarError
from azulejar.version import __version__

NAME = "collection.db"
FORMAT = "azulejar-collection/1"
PATIENCE = 10.0  # seconds to wait for another process that writes

# A path is relative to the collection's folder; a stamp tells size and time of the picture's file.
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


class Database:
    """One connection behind a lock, so that threads take turns."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._lock = threading.RLock()
        with self._explained():
            self._connection = _connect(path)
            try:
                self._check_format()
            except BaseException:
                self._connection.close()
                raise

    @classmethod
    def create(cls, path: Path) -> None:
        """Write a new one with empty tables, all of it in one file."""
        connection = _connect(path)
        connection.execute("PRAGMA journal_mode = WAL")
        connection.executescript(f"BEGIN;{_TABLES}COMMIT;")
        values = [("format", FORMAT), ("version", __version__)]
        connection.executemany("INSERT INTO meta VALUES (?, ?)", values)
        connection.close()

    @contextmanager
    def reading(self) -> Iterator[sqlite3.Connection]:
        """Rows that belong together: nobody writes in between."""
        with self._lock, self._transaction("BEGIN") as connection:
            yield connection

    @contextmanager
    def changing(self) -> Iterator[sqlite3.Connection]:
        """All of the block is saved once it ends well, or nothing."""
        with self._lock, self._transaction("BEGIN IMMEDIATE") as connection:
            yield connection

    def meta(self, key: str) -> str | None:
        """What is written under a name, if anything."""
        with self.reading() as db:
            row = db.execute("SELECT value FROM meta WHERE key = ?", (key,)).fetchone()
        return None if row is None else str(row["value"])

    def put_meta(self, key: str, value: str) -> None:
        """Write under a name, in the place of what was there."""
        with self.changing() as db:
            db.execute("INSERT OR REPLACE INTO meta VALUES (?, ?)", (key, value))

    def close(self) -> None:
        """Everything goes into the one file; the log beside it is emptied."""
        with self._lock:
            self._connection.close()

    def _check_format(self) -> None:
        found = self.meta("format")
        if found != FORMAT:
            wrote = f", written by azulejar {self.meta('version')}" if found else ""
            raise AzulejarError(
                f"The collection in {self.path.parent} has the format {found}{wrote}; "
                f"{FORMAT} can be read here.",
                "Install the newest azulejar.",
            )

    @contextmanager
    def _transaction(self, begin: str) -> Iterator[sqlite3.Connection]:
        connection = self._connection
        with self._explained():
            connection.execute(begin)
            try:
                yield connection
                connection.execute("COMMIT")
            finally:
                if connection.in_transaction:
                    connection.execute("ROLLBACK")

    @contextmanager
    def _explained(self) -> Iterator[None]:
        try:
            yield
        except sqlite3.OperationalError as error:
            raise AzulejarError(
                f"{self.path} could not be read or written: {error}.",
                "What was added before is kept. Check that the disk has room and can be written "
                "to, and do it again.",
            ) from error
        except sqlite3.DatabaseError as error:
            raise AzulejarError(
                f"{self.path} is damaged: {error}.",
                "Take the whole folder from a copy, or create a new collection and add the "
                "crates again.",
            ) from error


def _connect(path: Path) -> sqlite3.Connection:
    connection = sqlite3.connect(
        path, timeout=PATIENCE, isolation_level=None, check_same_thread=False
    )
    connection.row_factory = sqlite3.Row
    # With FULL, what was told as added outlives even a power cut.
    connection.execute("PRAGMA synchronous = FULL")
    return connection
