"""The board of a project, with unlimited undo.

Each method is one transaction and may be called from any thread. ``who`` is the name of the person
who does it, empty for the only one.
"""

import sqlite3
from collections.abc import Callable, Container

from azulejar.app.http.errors import NotFound
from azulejar.app.projects import database, history
from azulejar.app.projects.board import add_to_tray, apply_edit, merge_boards
from azulejar.app.projects.board_file import REFERENCES, Change, Latest, action_of
from azulejar.app.projects.tile_store import ProjectTiles
from azulejar.app.schemas.boards import Board, BoardState, Edit, PanelReference, Version
from azulejar.app.schemas.people import HistoryEntry
from azulejar.app.schemas.tiles import NewProjectTile

_Replay = Callable[[sqlite3.Connection, str, Board], tuple[Board, bool]]


class ProjectBoard(ProjectTiles):
    """The tiles and the board of a project."""

    def state(self, who: str = "") -> BoardState:
        """Return the current board, and what a person's undo and redo would do."""
        with self._database.reading() as db:
            return self._state(db, self._read(db), who)

    def edit(
        self, edit: Edit, who: str = "", move: str | None = None, new: Container[int] = ()
    ) -> BoardState:
        """Apply a change by hand; to undo it removes the tiles that are ``new`` with it."""
        for each in edit.references:
            if each.file is not None and not (self.folder / REFERENCES / each.file).is_file():
                raise NotFound(
                    "reference-unknown", "There is no such old picture.", "Load the project again."
                )
        act = action_of(who, edit.label, lambda now: apply_edit(now, edit), move, new)
        state = self._change(act, edit.revision, who)
        return state.model_copy(update={"tiles_changed": True}) if edit.remove else state

    def put_reference(self, reference: PanelReference, label: str, who: str = "") -> BoardState:
        """Give a panel an old picture whose file is already in place; undoable."""
        edit = Edit.model_validate({"revision": 0, "label": label, "references": [reference]})
        with self._changing_board() as db:
            latest = self._changed(db, action_of(who, label, lambda now: apply_edit(now, edit)))
            return self._state(db, latest, who)

    def undo(self, revision: int, who: str = "") -> BoardState:
        """Undo the latest action of a person."""
        return self._replay(history.undo_action, revision, who)

    def redo(self, revision: int, who: str = "") -> BoardState:
        """Redo the action that a person undid last."""
        return self._replay(history.redo_action, revision, who)

    def move_of(self, who: str, *, undone: bool) -> str | None:
        """Return the move of tiles in a museum that a person's undo, or redo, would affect."""
        with self._database.reading() as db:
            return history.move_of(db, who, undone=undone)

    def join_of(self, who: str, *, undone: bool) -> tuple[str, bool | None] | None:
        """Return the join that a person's next undo or redo changes, and its verdict after that."""
        with self._database.reading() as db:
            return history.join_of(db, who, undone=undone)

    def record_join(
        self,
        join: tuple[str, bool | None, bool | None],
        label: str,
        who: str = "",
        *,
        put: NewProjectTile | None = None,
        take: int | None = None,
    ) -> BoardState:
        """Record a changed verdict on a join of fragments as an action that can be undone.

        Args:
            join: The name of the join, its old verdict and its new one.
            label: What the history calls the action.
            who: Who did it.
            put: The joined tile, if it is to be added to the tray.
            take: The id of the joined tile, if it is to be removed.
        """
        with self._changing_board() as db:
            before = self._read(db)[1]
            if put is not None:
                new = database.insert_tile(db, put)
                self._changed(db, lambda _, board: add_to_tray(board, [new]))
            if take is not None:
                edit = Edit.model_validate({"revision": 0, "label": label, "remove": [take]})
                self._changed(db, lambda _, board: apply_edit(board, edit))
            latest = self._read(db)
            history.record_action(db, who, label, before, latest[1], join=join)
            return self._state(db, latest, who)

    def record_move(self, who: str, label: str, data: str) -> None:
        """Record a move as an action of the museum's own project; ``data`` is JSON."""
        with self._database.changing() as db:
            history.insert_action(db, who, label, data, "{}")

    def find_move(self, move: str, *, undone: bool) -> tuple[str, str, str] | None:
        """Return who made a move that is undone, or not, its label and its JSON."""
        with self._database.reading() as db:
            row = history.find_move(db, move, undone=undone)
        return None if row is None else (row["who"], row["label"], row["forward"])

    def mark_move(self, move: str, data: str, *, undone: bool) -> None:
        """Store that a move is undone, or done again, and its JSON."""
        with self._database.changing() as db:
            row = history.find_move(db, move, undone=not undone)
            if row is not None:
                db.execute("UPDATE actions SET forward = ? WHERE action = ?", (data, row["action"]))
                history.mark_action(db, row, undone=undone)

    def rewrite_moves(self, rewrite: Callable[[str], str]) -> None:
        """Change the JSON of all recorded moves of the museum's own project."""
        with self._database.changing() as db:
            rows = db.execute("SELECT action, forward FROM actions").fetchall()
            told = [(rewrite(row["forward"]), row["action"]) for row in rows]
            db.executemany("UPDATE actions SET forward = ? WHERE action = ?", told)

    def replay_move(self, move: str, *, undone: bool, check: bool = False) -> BoardState | None:
        """Undo, or redo, what a move has changed on this board; None if that is nothing.

        With ``check`` nothing is changed; an error is raised if it cannot be.
        """
        with self._changing_board() as db:
            row = history.find_move(db, move, undone=not undone)
            if row is None:
                return None
            before = self._read(db)[1]
            if check:
                history.check_replay(db, row, before, undone=undone)
                return None
            after, records = history.replay_action(db, row, before, undone=undone)
            latest = self._changed(db, lambda _, now: after)
            return self._replayed(db, latest, row["who"], before, records)

    def history(self, before: int | None = None) -> list[HistoryEntry]:
        """Return the latest history entries, or those before a given one, newest first."""
        with self._database.reading() as db:
            return history.read_history(db, before)

    def log(self, who: str, what: str, about: str = "") -> None:
        """Add an entry to the history."""
        with self._database.changing() as db:
            history.log(db, who, what, about)

    def put_board(
        self,
        board: Board,
        label: str,
        source: str,
        confidence: float | None = None,
        keep: bool = True,
        who: str = "",
        move: str | None = None,
    ) -> tuple[BoardState, Version | None]:
        """Apply the board that a job has made as one action; save it as a version if ``keep``.

        Tiles that ``board`` does not hold stay where they are, unless one of its own lies there.
        """
        act = action_of(who, label, lambda now: merge_boards(now, board), move)
        with self._changing_board() as db:
            latest = self._changed(db, act)
            version = (
                database.insert_version(db, latest[1], label, source, confidence) if keep else None
            )
            return self._state(db, latest, who), version

    def open_board(self, board: Board, confidence: float | None = None) -> None:
        """Apply a board that was made outside the project, and save it as a version.

        It shows in the history, but it is nobody's own action, so that no undo takes it back.
        """
        with self._changing_board() as db:
            latest = self._changed(db, lambda _, now: merge_boards(now, board))
            database.insert_version(db, latest[1], "open", "open", confidence)
            history.log(db, "", "edit", "open")

    def _change(self, change: Change, expected: int, who: str) -> BoardState:
        with self._changing_board() as db:
            return self._state(db, self._changed(db, change, expected), who)

    def _replay(self, act: _Replay, expected: int, who: str) -> BoardState:
        with self._changing_board() as db:
            before = self._read(db, expected)[1]
            after, records = act(db, who, before)
            latest = self._changed(db, lambda _, now: after)
            return self._replayed(db, latest, who, before, records)

    def _replayed(
        self,
        db: sqlite3.Connection,
        latest: Latest,
        who: str,
        before: Board,
        records: bool,
    ) -> BoardState:
        changed = records or len(latest[1].placed) != len(before.placed)
        return self._state(db, latest, who).model_copy(update={"tiles_changed": changed})
