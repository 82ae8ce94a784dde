"""The database of one project: its tables, and transactions that are kept whole."""

import sqlite3
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from azulejar.app.refusals import Unready
from azulejar.errors import AzulejarError

NAME = "project.db"
FORMAT = 1
PATIENCE = 10.0  # seconds to wait for another process that writes

_TABLES = """
CREATE TABLE project (
    name TEXT NOT NULL, created TEXT NOT NULL, changed TEXT NOT NULL,
    settings TEXT NOT NULL, source TEXT, stamp TEXT
);
CREATE TABLE tiles (
    tile INTEGER PRIMARY KEY AUTOINCREMENT, file TEXT NOT NULL UNIQUE, number TEXT NOT NULL,
    crate TEXT, code TEXT, note TEXT, doubt TEXT
);
-- One row: the board as JSON, how often it was changed, and which actions are done.
CREATE TABLE board (revision INTEGER NOT NULL, done INTEGER NOT NULL, board TEXT NOT NULL);
CREATE TABLE actions (
    action INTEGER PRIMARY KEY, label TEXT NOT NULL, forward TEXT NOT NULL, backward TEXT NOT NULL
);
CREATE TABLE versions (
    version INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT NOT NULL, source TEXT NOT NULL,
    created TEXT NOT NULL, panels INTEGER NOT NULL, placed INTEGER NOT NULL, confidence REAL,
    board TEXT NOT NULL
);
CREATE TABLE jobs (job INTEGER PRIMARY KEY AUTOINCREMENT, data TEXT NOT NULL);
"""


class Database:
    """One connection behind a lock, so that threads take turns."""

    def __init__(self, path: Path) -> None:
        self._lock = threading.RLock()
        try:
            self._connection = _connect(path)
            found = self._connection.execute("PRAGMA user_version").fetchone()[0]
        except sqlite3.Error as error:
            raise AzulejarError(
                f"The project in {path.parent} cannot be opened: {error}.",
                "Take the folder from a copy, or move it away.",
            ) from error
        if found != FORMAT:
            self._connection.close()
            raise AzulejarError(
                f"The project in {path.parent} is of format {found}; {FORMAT} can be read here.",
                "Install the newest azulejar.",
            )

    @classmethod
    def create(cls, path: Path) -> "Database":
        """A new one with empty tables."""
        connection = _connect(path)
        connection.executescript(f"BEGIN;{_TABLES}PRAGMA user_version = {FORMAT};COMMIT;")
        connection.close()
        return cls(path)

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

    def close(self) -> None:
        """Everything goes into the one file; the log beside it is emptied."""
        with self._lock:
            self._connection.close()

    @contextmanager
    def _transaction(self, begin: str) -> Iterator[sqlite3.Connection]:
        connection = self._connection
        try:
            connection.execute(begin)
            try:
                yield connection
                connection.execute("COMMIT")
            finally:
                if connection.in_transaction:
                    connection.execute("ROLLBACK")
        except sqlite3.Error as error:
            raise Unready(
                f"The project could not be read or saved: {error}.",
                "Check that the disk has room and can be written to, and do it again.",
            ) from error


def _connect(path: Path) -> sqlite3.Connection:
    connection = sqlite3.connect(
        path, timeout=PATIENCE, isolation_level=None, check_same_thread=False
    )
    connection.row_factory = sqlite3.Row
    # With FULL, what was answered as saved outlives even a power cut.
    for setting in ("journal_mode = WAL", "synchronous = FULL", "foreign_keys = ON"):
        connection.execute(f"PRAGMA {setting}")
    return connection
