"""The database of one project: its tables, their rows, and the history of the board."""

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path

from azulejar.app.board import Change, apply_change, find_change
from azulejar.app.http_errors import Conflict, NotFound, Unavailable
from azulejar.app.schemas import LOOSE, Board, NewProjectTile, Version
from azulejar.errors import AzulejarError
from azulejar.system.transactions import ConnectionLimit, Transactions, connect

NAME = "project.db"
FORMAT = 1
VERSION_COLUMNS = "version, name, source, created, panels, placed, confidence"
MOST_CONNECTED = 16  # projects whose files are open at once
_LIMIT = ConnectionLimit(MOST_CONNECTED)
_PRAGMAS = ("journal_mode = WAL", "foreign_keys = ON")

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


class ProjectDatabase(Transactions):
    """Transactions on the database in a project's folder."""

    def __init__(self, path: Path) -> None:
        try:
            super().__init__(path, _LIMIT)
            found = self._connection.execute("PRAGMA user_version").fetchone()[0]
        except sqlite3.Error as error:
            raise AzulejarError(
                "project-unreadable",
                "The project in {folder} cannot be opened: {reason}.",
                "Take the folder from a copy, or move it away.",
                folder=str(path.parent),
                reason=str(error),
            ) from error
        if found > FORMAT:
            self.close()
            raise AzulejarError(
                "project-format-newer",
                "The project in {folder} is of format {found}; up to {known} can be read here.",
                "Install the newest azulejar.",
                folder=str(path.parent),
                found=found,
                known=FORMAT,
            )
        if found < FORMAT:
            self.close()
            raise AzulejarError(
                "project-format-unknown",
                "{file} in {folder} holds no project of azulejar.",
                "Take the folder from a copy, or move it away.",
                file=path.name,
                folder=str(path.parent),
            )

    def _connect(self) -> sqlite3.Connection:
        connection = super()._connect()
        try:
            for pragma in _PRAGMAS:
                connection.execute(f"PRAGMA {pragma}")
        except BaseException:
            connection.close()
            raise
        return connection

    @classmethod
    def create(cls, path: Path) -> "ProjectDatabase":
        """Create a database with empty tables."""
        connection = connect(path)
        connection.executescript(f"BEGIN;{_TABLES}PRAGMA user_version = {FORMAT};COMMIT;")
        connection.close()
        return cls(path)

    @contextmanager
    def explained(self) -> Iterator[None]:
        """See ``Transactions``."""
        try:
            yield
        # The latter stands for a message of SQLite that quotes damaged names.
        except (sqlite3.Error, UnicodeDecodeError) as error:
            raise Unavailable(
                "project-unsaved",
                "The project could not be read or saved: {reason}.",
                "Check that the disk has room and can be written to, and do it again.",
                reason=str(error),
            ) from error


# Rows


def find_row(
    db: sqlite3.Connection, table: str, key: str, number: int, columns: str = "*"
) -> sqlite3.Row:
    """Return the row of that number, or raise NotFound."""
    row = db.execute(f"SELECT {columns} FROM {table} WHERE {key} = ?", (number,)).fetchone()
    if row is not None:
        return row
    if table == "versions":
        raise NotFound(
            "version-unknown",
            "There is no version {number}.",
            "Load the project again.",
            number=number,
        )
    raise NotFound(
        "job-unknown", "There is no job {number}.", "Load the project again.", number=number
    )


def insert_tile(db: sqlite3.Connection, tile: NewProjectTile) -> int:
    """Insert a tile, or update the one with the same file; return its id."""
    values = (tile.file, tile.number, tile.crate, tile.code, tile.note, tile.doubt)
    found = db.execute(
        "INSERT INTO tiles (file, number, crate, code, note, doubt) VALUES (?, ?, ?, ?, ?, ?) "
        "ON CONFLICT (file) DO UPDATE SET number = excluded.number, crate = excluded.crate, "
        "code = excluded.code, note = excluded.note, doubt = coalesce(excluded.doubt, doubt) "
        "RETURNING tile",
        values,
    )
    return int(found.fetchone()["tile"])


def insert_version(
    db: sqlite3.Connection, board: Board, name: str, source: str, confidence: float | None
) -> Version:
    """Save a board as a version."""
    placed = sum(each.panel != LOOSE for each in board.placed)
    values = (name, source, now(), count_panels(board), placed, confidence, board.model_dump_json())
    number = db.execute(
        f"INSERT INTO versions ({VERSION_COLUMNS}, board) VALUES (NULL, ?, ?, ?, ?, ?, ?, ?)",
        values,
    ).lastrowid
    return Version(**find_row(db, "versions", "version", number or 0, VERSION_COLUMNS))


def count_panels(board: Board) -> int:
    """Return how many panels hold tiles."""
    return len({each.panel for each in board.placed if each.panel != LOOSE})


def now() -> str:
    """Return the present time (UTC) as ISO 8601."""
    return datetime.now(UTC).isoformat(timespec="seconds")


# The board and its history


def board_revision(db: sqlite3.Connection) -> int:
    """Return how often the board has been changed."""
    return int(db.execute("SELECT revision FROM board").fetchone()["revision"])


def read_board(db: sqlite3.Connection) -> Board:
    return Board.model_validate_json(db.execute("SELECT board FROM board").fetchone()["board"])


def write_board(db: sqlite3.Connection, board: Board) -> int:
    """Write the board; return its new revision."""
    text = board.model_dump_json()
    db.execute("UPDATE board SET revision = revision + 1, board = ?", (text,))
    return board_revision(db)


def record_action(db: sqlite3.Connection, label: str, before: Board, after: Board) -> None:
    """Add an action to the history; actions that were undone before are forgotten."""
    done = _last_done(db)
    forward, backward = find_change(before, after), find_change(after, before)
    db.execute("DELETE FROM actions WHERE action > ?", (done,))
    values = (done + 1, label, forward.model_dump_json(), backward.model_dump_json())
    db.execute("INSERT INTO actions VALUES (?, ?, ?, ?)", values)
    db.execute("UPDATE board SET done = done + 1")


def undo_action(db: sqlite3.Connection, board: Board) -> Board:
    """Mark the latest action as undone; return the board before it."""
    row = _read_action(db, _last_done(db))
    if row is None:
        raise Conflict("nothing-to-undo", "There is nothing to undo.", "Load the board again.")
    db.execute("UPDATE board SET done = done - 1")
    return apply_change(board, Change.model_validate_json(row["backward"]))


def redo_action(db: sqlite3.Connection, board: Board) -> Board:
    """Mark the action that was undone last as done; return the board after it."""
    row = _read_action(db, _last_done(db) + 1)
    if row is None:
        raise Conflict("nothing-to-redo", "There is nothing to redo.", "Load the board again.")
    db.execute("UPDATE board SET done = done + 1")
    return apply_change(board, Change.model_validate_json(row["forward"]))


def history_labels(db: sqlite3.Connection) -> tuple[str | None, str | None]:
    """Return the labels of the actions that undo and redo would apply to."""
    done = _last_done(db)
    undo, redo = _read_action(db, done), _read_action(db, done + 1)
    return (undo["label"] if undo else None), (redo["label"] if redo else None)


def _last_done(db: sqlite3.Connection) -> int:
    """Return the number of the latest action that is not undone."""
    return int(db.execute("SELECT done FROM board").fetchone()["done"])


def _read_action(db: sqlite3.Connection, action: int) -> sqlite3.Row | None:
    return db.execute("SELECT * FROM actions WHERE action = ?", (action,)).fetchone()
