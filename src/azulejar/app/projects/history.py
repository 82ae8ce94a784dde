"""The history of a project: who did what and when, and what each person can undo.

Undo takes back the latest action of one person. What others have done since stays; if they have
changed the same tiles, nothing is undone.
"""

import json
import sqlite3
from collections.abc import Sequence

from azulejar.app.http.errors import Conflict
from azulejar.app.projects.board_changes import (
    Change,
    apply_change,
    find_change,
    is_still,
    make_room,
)
from azulejar.app.projects.database import read_tile, write_tiles
from azulejar.app.schemas.boards import Board
from azulejar.app.schemas.people import HistoryEntry
from azulejar.app.schemas.tiles import ProjectTile
from azulejar.system.transactions import now

SHOWN = 200  # entries of a page
TOGETHER = 600  # seconds within which entries of the same kind are counted together
COUNTED = ("upload",)


def log(db: sqlite3.Connection, who: str, what: str, about: str = "") -> None:
    """Add an entry; consecutive uploads are merged into one."""
    if what in COUNTED:
        found = db.execute(
            "SELECT entry, who, what, about FROM history "
            "WHERE entry = (SELECT max(entry) FROM history) AND who = ? AND what = ? "
            "AND unixepoch(at) > unixepoch('now') - ?",
            (who, what, TOGETHER),
        ).fetchone()
        if found is not None:
            count = str(int(found["about"]) + int(about))
            db.execute(
                "UPDATE history SET about = ?, at = ? WHERE entry = ?",
                (count, now(), found["entry"]),
            )
            return
    values = (now(), who, what, about[:200])
    db.execute("INSERT INTO history (at, who, what, about) VALUES (?, ?, ?, ?)", values)


def read_history(db: sqlite3.Connection, before: int | None = None) -> list[HistoryEntry]:
    """Return the latest entries, or those before a given one, newest first."""
    found = db.execute(
        "SELECT * FROM history WHERE entry < ? ORDER BY entry DESC LIMIT ?",
        (before if before is not None else 2**62, SHOWN),
    )
    return [HistoryEntry(**row) for row in found]


# Actions


def record_action(
    db: sqlite3.Connection,
    who: str,
    label: str,
    before: Board,
    after: Board,
    records: tuple[Sequence[ProjectTile], Sequence[ProjectTile]] = ((), ()),
    move: str | None = None,
    join: tuple[str, bool | None, bool | None] | None = None,
) -> None:
    """Record an action, and discard the actions that the same person had undone.

    ``records``: tiles whose records it has changed, before and after. ``move``: the move of tiles
    in a museum of which it is a part. ``join``: a join of fragments, and what was said of it
    before and after.
    """
    forward, backward = find_change(before, after), find_change(after, before)
    backward.records, forward.records = map(list, records)
    forward.move = move
    if join is not None:
        name, backward_verdict, verdict = join
        backward.join, forward.join = (name, backward_verdict), (name, verdict)
    insert_action(db, who, label, forward.model_dump_json(), backward.model_dump_json())


def insert_action(
    db: sqlite3.Connection, who: str, label: str, forward: str, backward: str
) -> None:
    """Insert an action, and discard the actions that the same person had undone."""
    db.execute("DELETE FROM actions WHERE who = ? AND undone", (who,))
    values = (who, label, forward, backward)
    db.execute("INSERT INTO actions (who, label, forward, backward) VALUES (?, ?, ?, ?)", values)
    log(db, who, "edit", label)


def find_move(db: sqlite3.Connection, move: str, *, undone: bool) -> sqlite3.Row | None:
    """Return the action that is part of a move, and has been undone or not."""
    return db.execute(
        "SELECT * FROM actions WHERE json_extract(forward, '$.move') = ? AND undone = ?",
        (move, undone),
    ).fetchone()


def move_of(db: sqlite3.Connection, who: str, *, undone: bool) -> str | None:
    """Return the move of which the action is a part that a person would redo or undo next."""
    row = _undone(db, who) if undone else _latest(db, who)
    return None if row is None else json.loads(row["forward"]).get("move")


def join_of(db: sqlite3.Connection, who: str, *, undone: bool) -> tuple[str, bool | None] | None:
    """Return the join that a person's next undo or redo changes, and its verdict after that."""
    row = _undone(db, who) if undone else _latest(db, who)
    said = None if row is None else json.loads(row["forward" if undone else "backward"]).get("join")
    return None if said is None else (said[0], said[1])


def mark_action(db: sqlite3.Connection, row: sqlite3.Row, *, undone: bool) -> None:
    """Store that an action is undone, or done again."""
    db.execute("UPDATE actions SET undone = ? WHERE action = ?", (undone, row["action"]))
    log(db, row["who"], "undo" if undone else "redo", row["label"])


def changed_since() -> Conflict:
    """Return the error for an action that can no longer be undone or redone."""
    return Conflict(
        "action-changed-since",
        "Somebody else has changed the same tiles since.",
        "Change them by hand, or go back to a version.",
    )


def undo_action(db: sqlite3.Connection, who: str, board: Board) -> tuple[Board, bool]:
    """Mark the latest action of a person as undone.

    Return the board without it, and whether it has changed the records of tiles.
    """
    row = _latest(db, who)
    if row is None:
        raise nothing_left(undone=True)
    return replay_action(db, row, board, undone=True)


def redo_action(db: sqlite3.Connection, who: str, board: Board) -> tuple[Board, bool]:
    """Redo the action that a person undid last; return the same as ``undo_action``."""
    row = _undone(db, who)
    if row is None:
        raise nothing_left(undone=False)
    return replay_action(db, row, board, undone=False)


def nothing_left(*, undone: bool) -> Conflict:
    """Return the error for an undo or redo when there is nothing left."""
    if undone:
        return Conflict("nothing-to-undo", "There is nothing to undo.", "Load the board again.")
    return Conflict("nothing-to-redo", "There is nothing to redo.", "Load the board again.")


def history_labels(db: sqlite3.Connection, who: str) -> tuple[str | None, str | None]:
    """Return the labels of the actions that a person's undo and redo would affect."""
    undo, redo = _latest(db, who), _undone(db, who)
    return (undo["label"] if undo else None), (redo["label"] if redo else None)


def _latest(db: sqlite3.Connection, who: str) -> sqlite3.Row | None:
    return db.execute(
        "SELECT * FROM actions WHERE who = ? AND NOT undone ORDER BY action DESC LIMIT 1", (who,)
    ).fetchone()


def _undone(db: sqlite3.Connection, who: str) -> sqlite3.Row | None:
    return db.execute(
        "SELECT * FROM actions WHERE who = ? AND undone ORDER BY action LIMIT 1", (who,)
    ).fetchone()


def replay_action(
    db: sqlite3.Connection, row: sqlite3.Row, board: Board, *, undone: bool
) -> tuple[Board, bool]:
    """Undo an action, or redo it; return the same as ``undo_action``."""
    wanted = check_replay(db, row, board, undone=undone)
    write_tiles(db, wanted.records)
    mark_action(db, row, undone=undone)
    return apply_change(board, wanted), bool(wanted.records)


def check_replay(db: sqlite3.Connection, row: sqlite3.Row, board: Board, *, undone: bool) -> Change:
    """Return the change that undoes or redoes an action; raise if tiles were changed since."""
    there, back = ("forward", "backward") if undone else ("backward", "forward")
    left, wanted = (Change.model_validate_json(row[name]) for name in (there, back))
    wanted = make_room(board, wanted)
    same = all(read_tile(db, record.tile) == record for record in left.records)
    if not same or not is_still(board, left, wanted):
        raise changed_since()
    return wanted
