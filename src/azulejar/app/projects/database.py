"""The database of one project: its tables and their rows."""

import sqlite3
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

from azulejar.app.http.errors import NotFound, Unavailable
from azulejar.app.schemas.boards import LOOSE, Board, Version
from azulejar.app.schemas.tiles import NewProjectTile, ProjectTile
from azulejar.errors import AzulejarError
from azulejar.system.transactions import ConnectionLimit, Transactions, create_database, now

NAME = "project.db"
FORMAT = 3
VERSION_COLUMNS = "version, name, source, created, panels, placed, confidence"
MOST_CONNECTED = 16  # projects whose files are open at once
_RECORD = tuple(NewProjectTile.model_fields)
_LIMIT = ConnectionLimit(MOST_CONNECTED)
_PRAGMAS = ("journal_mode = WAL", "foreign_keys = ON")

_TABLES = """
CREATE TABLE project (
    name TEXT NOT NULL, created TEXT NOT NULL, changed TEXT NOT NULL,
    settings TEXT NOT NULL, source TEXT, stamp TEXT, archived TEXT
);
CREATE TABLE tiles (
    tile INTEGER PRIMARY KEY AUTOINCREMENT, file TEXT NOT NULL UNIQUE, number TEXT NOT NULL,
    crate TEXT, code TEXT, note TEXT, doubt TEXT, thickness REAL, outer TEXT
);
-- One row: the board as JSON, and how often it was changed.
CREATE TABLE board (revision INTEGER NOT NULL, board TEXT NOT NULL);
CREATE TABLE versions (
    version INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT NOT NULL, source TEXT NOT NULL,
    created TEXT NOT NULL, panels INTEGER NOT NULL, placed INTEGER NOT NULL, confidence REAL,
    board TEXT NOT NULL
);
CREATE TABLE jobs (job INTEGER PRIMARY KEY AUTOINCREMENT, data TEXT NOT NULL);
"""
# Since format 2, for people who share a project.
_SHARED = """
-- What each person can undo, and what they have undone.
CREATE TABLE actions (
    action INTEGER PRIMARY KEY AUTOINCREMENT, who TEXT NOT NULL, label TEXT NOT NULL,
    forward TEXT NOT NULL, backward TEXT NOT NULL, undone INTEGER NOT NULL DEFAULT 0
);
CREATE INDEX actions_of ON actions (who, undone, action);
CREATE TABLE history (
    entry INTEGER PRIMARY KEY, at TEXT NOT NULL, who TEXT NOT NULL, what TEXT NOT NULL,
    about TEXT NOT NULL
);
-- Each on a tile, on a joint (two sides of two tiles) or on a panel.
CREATE TABLE notes (
    note INTEGER PRIMARY KEY AUTOINCREMENT, at TEXT NOT NULL, who TEXT NOT NULL, text TEXT NOT NULL,
    tile INTEGER, side INTEGER, other INTEGER, other_side INTEGER, panel INTEGER, removed TEXT
);
CREATE TABLE links (
    link INTEGER PRIMARY KEY AUTOINCREMENT, secret TEXT NOT NULL UNIQUE, panel INTEGER NOT NULL,
    name TEXT NOT NULL, who TEXT NOT NULL, created TEXT NOT NULL, withdrawn TEXT
);
-- Where in which photograph a file was cut out.
CREATE TABLE sources (
    file TEXT PRIMARY KEY, folder TEXT NOT NULL, photo TEXT NOT NULL, corners TEXT NOT NULL
);
-- Pictures that tiles had before they were replaced or cut again; undo needs them.
CREATE TABLE former_files (file TEXT PRIMARY KEY);
"""
_UPGRADES = {1: f"""
ALTER TABLE project ADD COLUMN archived TEXT;
ALTER TABLE tiles ADD COLUMN thickness REAL;
ALTER TABLE actions RENAME TO old_actions;
{_SHARED}
INSERT INTO actions (who, label, forward, backward, undone)
    SELECT '', label, forward, backward, action > (SELECT done FROM board)
    FROM old_actions ORDER BY action;
DROP TABLE old_actions;
ALTER TABLE board DROP COLUMN done;
""", 2: "ALTER TABLE tiles ADD COLUMN outer TEXT;"}  # fmt: skip


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
        if 0 < found < FORMAT:
            self._upgrade(found)
        elif found < FORMAT:
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

    def _upgrade(self, found: int) -> None:
        """Upgrade a project from the format that was found, in one transaction."""
        steps = "".join(_UPGRADES[step] for step in range(found, FORMAT))
        with self.explained():
            script = f"BEGIN IMMEDIATE;{steps}PRAGMA user_version = {FORMAT};COMMIT;"
            self._connection.executescript(script)

    @classmethod
    def create(cls, path: Path) -> "ProjectDatabase":
        """Create a database with empty tables."""
        create_database(path, f"{_TABLES}{_SHARED}PRAGMA user_version = {FORMAT};")
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
    found = db.execute(
        f"INSERT INTO tiles ({', '.join(_RECORD)}) VALUES ({', '.join('?' * len(_RECORD))}) "
        "ON CONFLICT (file) DO UPDATE SET number = excluded.number, crate = excluded.crate, "
        "code = excluded.code, note = excluded.note, doubt = coalesce(excluded.doubt, doubt), "
        "thickness = coalesce(excluded.thickness, thickness), "
        "outer = coalesce(excluded.outer, outer) RETURNING tile",
        [getattr(tile, name) for name in _RECORD],
    )
    return int(found.fetchone()["tile"])


def read_tile(db: sqlite3.Connection, tile: int) -> ProjectTile:
    """Return the record of a tile, or raise NotFound."""
    row = db.execute("SELECT * FROM tiles WHERE tile = ?", (tile,)).fetchone()
    if row is None:
        raise NotFound("tile-unknown", "There is no such tile.", "Load the project again.")
    return ProjectTile(**row)


def write_tiles(db: sqlite3.Connection, tiles: Iterable[ProjectTile]) -> None:
    """Update tile records; remember the file names they had before."""
    for tile in tiles:
        before = read_tile(db, tile.tile).file
        if before != tile.file:
            db.execute("INSERT OR IGNORE INTO former_files VALUES (?)", (before,))
        values = [getattr(tile, name) for name in _RECORD]
        db.execute(
            f"UPDATE tiles SET {', '.join(f'{name} = ?' for name in _RECORD)} WHERE tile = ?",
            (*values, tile.tile),
        )


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


# The board


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
