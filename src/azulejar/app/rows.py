"""Rows of a project's database."""

import sqlite3
from datetime import UTC, datetime

from azulejar.app.refusals import NotFound
from azulejar.app.schemas import LOOSE, Board, NewTile, Version

VERSION = "version, name, source, created, panels, placed, confidence"


def keep(
    db: sqlite3.Connection, board: Board, name: str, source: str, confidence: float | None
) -> Version:
    """Keep a board as a version."""
    placed = sum(each.panel != LOOSE for each in board.placed)
    used, text = panels_used(board), board.model_dump_json()
    values = (name, source, now(), used, placed, confidence, text)
    number = db.execute(
        f"INSERT INTO versions ({VERSION}, board) VALUES (NULL, ?, ?, ?, ?, ?, ?, ?)", values
    ).lastrowid
    return Version(**find(db, "versions", "version", number or 0, VERSION))


def find(
    db: sqlite3.Connection, table: str, key: str, number: int, columns: str = "*"
) -> sqlite3.Row:
    """The row of that number, or NotFound."""
    row = db.execute(f"SELECT {columns} FROM {table} WHERE {key} = ?", (number,)).fetchone()
    if row is None:
        raise NotFound(f"There is no {key} {number}.", "Load the project again.")
    return row


def enter(db: sqlite3.Connection, tile: NewTile) -> int:
    """Enter a tile or renew its record; gives its number."""
    values = (tile.file, tile.number, tile.crate, tile.code, tile.note, tile.doubt)
    found = db.execute(
        "INSERT INTO tiles (file, number, crate, code, note, doubt) VALUES (?, ?, ?, ?, ?, ?) "
        "ON CONFLICT (file) DO UPDATE SET number = excluded.number, crate = excluded.crate, "
        "code = excluded.code, note = excluded.note, doubt = coalesce(excluded.doubt, doubt) "
        "RETURNING tile",
        values,
    )
    return int(found.fetchone()["tile"])


def panels_used(board: Board) -> int:
    """How many panels hold tiles."""
    return len({each.panel for each in board.placed if each.panel != LOOSE})


def now() -> str:
    """The time, as it is written down."""
    return datetime.now(UTC).isoformat(timespec="seconds")
