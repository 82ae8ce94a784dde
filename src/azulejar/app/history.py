"""The board in the database, with every action that led to it."""

import sqlite3

from azulejar.app.board import Change, changed, difference
from azulejar.app.refusals import Clash
from azulejar.app.schemas import Board


def revision(db: sqlite3.Connection) -> int:
    """How often the board was changed."""
    return int(db.execute("SELECT revision FROM board").fetchone()["revision"])


def read(db: sqlite3.Connection) -> Board:
    return Board.model_validate_json(db.execute("SELECT board FROM board").fetchone()["board"])


def write(db: sqlite3.Connection, board: Board) -> int:
    """Put down the board; gives its revision."""
    text = board.model_dump_json()
    db.execute("UPDATE board SET revision = revision + 1, board = ?", (text,))
    return revision(db)


def record(db: sqlite3.Connection, label: str, before: Board, after: Board) -> None:
    """Enter an action that can be undone; what had been undone before is forgotten."""
    done = _done(db)
    forward, backward = difference(before, after), difference(after, before)
    db.execute("DELETE FROM actions WHERE action > ?", (done,))
    values = (done + 1, label, forward.model_dump_json(), backward.model_dump_json())
    db.execute("INSERT INTO actions VALUES (?, ?, ?, ?)", values)
    db.execute("UPDATE board SET done = done + 1")


def undone(db: sqlite3.Connection, board: Board) -> Board:
    """The board before the latest action, which is marked as undone."""
    row = _action(db, _done(db))
    if row is None:
        raise Clash("There is nothing to undo.", "Load the board again.")
    db.execute("UPDATE board SET done = done - 1")
    return changed(board, Change.model_validate_json(row["backward"]))


def redone(db: sqlite3.Connection, board: Board) -> Board:
    """The board after the action that was undone last, which is marked as done."""
    row = _action(db, _done(db) + 1)
    if row is None:
        raise Clash("There is nothing to redo.", "Load the board again.")
    db.execute("UPDATE board SET done = done + 1")
    return changed(board, Change.model_validate_json(row["forward"]))


def labels(db: sqlite3.Connection) -> tuple[str | None, str | None]:
    """Of what undo and redo would do."""
    done = _done(db)
    undo, redo = _action(db, done), _action(db, done + 1)
    return (undo["label"] if undo else None), (redo["label"] if redo else None)


def _done(db: sqlite3.Connection) -> int:
    """The number of the latest action that is not undone."""
    return int(db.execute("SELECT done FROM board").fetchone()["done"])


def _action(db: sqlite3.Connection, action: int) -> sqlite3.Row | None:
    return db.execute("SELECT * FROM actions WHERE action = ?", (action,)).fetchone()
