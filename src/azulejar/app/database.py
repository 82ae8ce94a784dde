"""The database of one project: its tables, and what its errors mean."""

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from azulejar.app.refusals import Unready
from azulejar.errors import AzulejarError
from azulejar.system.transactions import Transactions, connect

NAME = "project.db"
FORMAT = 1
_SETTINGS = ("journal_mode = WAL", "foreign_keys = ON")

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


class Database(Transactions):
    """The database in a project's folder."""

    def __init__(self, path: Path) -> None:
        try:
            super().__init__(path)
            for setting in _SETTINGS:
                self._connection.execute(f"PRAGMA {setting}")
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
        connection = connect(path)
        connection.executescript(f"BEGIN;{_TABLES}PRAGMA user_version = {FORMAT};COMMIT;")
        connection.close()
        return cls(path)

    @contextmanager
    def explained(self) -> Iterator[None]:
        """See ``Transactions``."""
        try:
            yield
        except sqlite3.Error as error:
            raise Unready(
                f"The project could not be read or saved: {error}.",
                "Check that the disk has room and can be written to, and do it again.",
            ) from error
