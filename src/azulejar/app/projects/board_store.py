"""The tiles of a project and the board on which they lie, with unlimited undo.

Each method is one transaction and may be called from any thread. ``who`` is the name of the person
who does it, empty for the only one.
"""

import json
import sqlite3
import threading
from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path

from pydantic import TypeAdapter

from azulejar.app.http.errors import Conflict, NotFound
from azulejar.app.projects import database, history
from azulejar.app.projects.board import add_to_tray, apply_edit, merge_boards
from azulejar.app.projects.database import ProjectDatabase
from azulejar.app.schemas.boards import Board, BoardState, Edit, PanelReference, Version
from azulejar.app.schemas.people import HistoryEntry
from azulejar.app.schemas.tiles import NewProjectTile, ProjectTile, Side, TileChange, TileSource
from azulejar.core.edges import SIDES
from azulejar.imaging.picture import is_picture
from azulejar.system.natural_order import natural_order

_TILES = TypeAdapter(list[ProjectTile])
_Latest = tuple[int, Board]  # with its revision
_Change = Callable[[sqlite3.Connection, Board], Board]
_Replay = Callable[[sqlite3.Connection, str, Board], tuple[Board, bool]]

REFERENCES = "references"  # folder of old pictures
FOLDERS = ("tiles", "photographs", "panel", REFERENCES, "scores", "atlas", "exports", "work")


class ProjectBoard:
    """Tiles and board of the project in ``folder``."""

    def __init__(self, folder: Path) -> None:
        self.folder = Path(folder)
        if not (self.folder / database.NAME).is_file():
            raise NotFound(
                "project-folder-empty",
                "There is no project in {folder}.",
                "Check the path.",
                folder=str(folder),
            )
        for name in FOLDERS:
            (self.folder / name).mkdir(exist_ok=True)
        self._database = ProjectDatabase(self.folder / database.NAME)
        self._latest: _Latest | None = None
        self.files_lock = threading.RLock()  # held while files are moved into the project
        self._sizes: dict[str, dict[str, int]] = {}  # bytes of files by folder and name

    def close(self) -> None:
        self._database.close()

    @property
    def connected(self) -> bool:
        """Whether the database is open; it is reopened on demand."""
        return self._database.connected

    # Tiles

    def photographs(self) -> list[str]:
        """Return the names of the uploaded photographs of several tiles."""
        names = [path.name for path in (self.folder / "photographs").iterdir() if is_picture(path)]
        return sorted(names, key=natural_order)

    def names_by_size(self, folder: str, names: Iterable[str]) -> dict[int, list[str]]:
        """Return files of a folder by size; sizes are cached, as files never change."""
        known = self._sizes.setdefault(folder, {})
        by_size: dict[int, list[str]] = {}
        for name in names:
            if name not in known:
                path = self.folder / folder / name
                known[name] = path.stat().st_size if path.is_file() else -1
            by_size.setdefault(known[name], []).append(name)
        return by_size

    def tiles(self) -> list[ProjectTile]:
        """Return all tiles that were not removed, in order of arrival."""
        with self._database.reading() as db:
            found = db.execute("SELECT * FROM tiles ORDER BY tile").fetchall()
            here = {each.tile for each in self._read(db)[1].placed}
        return _TILES.validate_python([dict(row) for row in found if row["tile"] in here])

    def tile_files(self) -> list[str]:
        """Return the file names of all tiles, which is faster than ``tiles``."""
        with self._database.reading() as db:
            found = db.execute("SELECT tile, file FROM tiles ORDER BY tile").fetchall()
            here = {each.tile for each in self._read(db)[1].placed}
        return [row["file"] for row in found if row["tile"] in here]

    def removed_tiles(self) -> list[ProjectTile]:
        """Return the tiles that were removed, in order of arrival."""
        with self._database.reading() as db:
            found = db.execute("SELECT * FROM tiles ORDER BY tile").fetchall()
            here = {each.tile for each in self._read(db)[1].placed}
        return _TILES.validate_python([dict(row) for row in found if row["tile"] not in here])

    def bring_back(
        self, tiles: Sequence[int], label: str, who: str = "", move: str | None = None
    ) -> BoardState:
        """Put removed tiles into the tray, as an action that can be undone."""
        act = action_of(who, label, lambda now: add_to_tray(now, tiles), move)
        with self._changing_board() as db:
            state = self._state(db, self._changed(db, act), who)
        return state.model_copy(update={"tiles_changed": True})

    def taken_files(self) -> set[str]:
        """Return the file names that are in use or needed by undo."""
        with self._database.reading() as db:
            found = db.execute("SELECT file FROM tiles UNION SELECT file FROM former_files")
            return {row["file"] for row in found}

    def add_tiles(
        self, tiles: Iterable[NewProjectTile], who: str = "", label: str = "csv"
    ) -> list[ProjectTile]:
        """Put tiles into the tray; the records of known files are updated, which can be undone."""
        with self._changing_board() as db:
            known = {row["file"]: ProjectTile(**row) for row in db.execute("SELECT * FROM tiles")}
            here = {each.tile for each in self._read(db)[1].placed}
            ids = [database.insert_tile(db, tile) for tile in tiles]
            self._changed(db, lambda _, board: add_to_tray(board, ids))
            found = [database.read_tile(db, tile) for tile in ids]
            old = [known[tile.file] for tile in found if tile.file in known and tile.tile in here]
            self._record_tiles(db, who, label, old)
            if len(found) > len(old):
                history.log(db, who, "upload", str(len(found) - len(old)))
            return found

    def change_tiles(
        self, change: TileChange, who: str = "", move: str | None = None
    ) -> BoardState:
        """Change fields of tiles by hand, as an action that can be undone.

        ``move`` names the change of records in a museum of which it is a part.
        """
        values = change.values()
        with self._changing_board() as db:
            here = {each.tile: each.turn for each in self._read(db)[1].placed}
            old = [database.read_tile(db, tile) for tile in dict.fromkeys(change.tiles)]
            if any(tile.tile not in here for tile in old):
                raise NotFound("tile-unknown", "There is no such tile.", "Load the project again.")
            if values.get("number"):
                _check_number(db, str(values["number"]), old, set(here))
            else:
                values.pop("number", None)
            new = []
            for tile in old:
                outer = _outer_sides(tile.outer, change.outer or {}, here[tile.tile])
                new.append(tile.model_copy(update=values | {"outer": outer}))
            database.write_tiles(db, new)
            self._record_tiles(db, who, change.label, old, move)
            state = self._state(db, self._read(db), who)
        return state.model_copy(update={"tiles_changed": True})

    def replace_picture(
        self, tile: int, file: str, label: str, who: str = "", move: str | None = None
    ) -> ProjectTile:
        """Replace the picture of a tile by a file that is already in place; undoable.

        ``move`` names the change of a museum of which it is a part.
        """
        with self._changing_board() as db:
            old = database.read_tile(db, tile)
            database.write_tiles(db, [old.model_copy(update={"file": file, "doubt": None})])
            self._record_tiles(db, who, label, [old], move)
            return database.read_tile(db, tile)

    def put_sources(self, sources: Iterable[TileSource]) -> None:
        """Store where in which photograph files were cut out."""
        rows = [(each.file, each.folder, each.photo, json.dumps(each.corners)) for each in sources]
        with self._database.changing() as db:
            db.executemany("INSERT OR REPLACE INTO sources VALUES (?, ?, ?, ?)", rows)

    def source_of(self, file: str) -> TileSource | None:
        """Return where a file was cut out, None if that is not known."""
        with self._database.reading() as db:
            row = db.execute("SELECT * FROM sources WHERE file = ?", (file,)).fetchone()
        if row is None:
            return None
        return TileSource(**dict(row) | {"corners": json.loads(row["corners"])})

    def _record_tiles(
        self,
        db: sqlite3.Connection,
        who: str,
        label: str,
        old: list[ProjectTile],
        move: str | None = None,
    ) -> None:
        """Record the changes of tile records as an action."""
        new = [database.read_tile(db, tile.tile) for tile in old]
        changed = [pair for pair in zip(old, new, strict=True) if pair[0] != pair[1]]
        if changed:
            board = self._read(db)[1]
            before, after = zip(*changed, strict=True)
            history.record_action(db, who, label, board, board, (before, after), move)
            db.execute("UPDATE project SET changed = ?", (database.now(),))

    # The board

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

    # Reading and writing

    @contextmanager
    def _changing_board(self) -> Iterator[sqlite3.Connection]:
        """Open a write transaction; drop the cached board if it fails."""
        try:
            with self._database.changing() as db:
                yield db
        except BaseException:
            self._latest = None
            raise

    def check_revision(self, revision: int) -> None:
        """Raise Conflict if the board is not of this revision."""
        with self._database.reading() as db:
            self._read(db, revision)

    def _read(self, db: sqlite3.Connection, expected: int | None = None) -> _Latest:
        """Return the board; raise Conflict if it is not of the expected revision."""
        revision = database.board_revision(db)
        if expected is not None and expected != revision:
            raise Conflict(
                "board-changed",
                "The board has changed meanwhile.",
                "Load it again, and do it once more.",
            )
        if self._latest is None or self._latest[0] != revision:
            self._latest = revision, database.read_board(db)
        return self._latest

    def _changed(
        self, db: sqlite3.Connection, change: _Change, expected: int | None = None
    ) -> _Latest:
        revision, before = self._read(db, expected)
        after = change(db, before)
        if after != before:
            revision = database.write_board(db, after)
            db.execute("UPDATE project SET changed = ?", (database.now(),))
        self._latest = revision, after
        return self._latest

    def _change(self, change: _Change, expected: int, who: str) -> BoardState:
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
        latest: _Latest,
        who: str,
        before: Board,
        records: bool,
    ) -> BoardState:
        changed = records or len(latest[1].placed) != len(before.placed)
        return self._state(db, latest, who).model_copy(update={"tiles_changed": changed})

    def _state(self, db: sqlite3.Connection, latest: _Latest, who: str) -> BoardState:
        undo, redo = history.history_labels(db, who)
        return BoardState(revision=latest[0], board=latest[1], undo=undo, redo=redo, who=who)


def action_of(
    who: str,
    label: str,
    change: Callable[[Board], Board],
    move: str | None = None,
    new: Container[int] = (),
) -> _Change:
    """Return a change that is recorded in the history; tiles that are ``new`` come with it."""

    def act(db: sqlite3.Connection, before: Board) -> Board:
        after = change(before)
        if after != before:
            known = [each for each in before.placed if each.tile not in new]
            without = before.model_copy(update={"placed": known}) if new else before
            history.record_action(db, who, label, without, after, move=move)
        return after

    return act


def _outer_sides(own: str | None, said: Mapping[Side, bool], turn: int) -> str | None:
    """Return the outer sides of a tile, as in its file, after what was ``said`` of its sides as
    they lie on the table, where it is turned by so many degrees.
    """
    outer = dict.fromkeys((own or "").split(), True)
    outer |= {SIDES[(SIDES.index(side) - turn // 90) % 4]: yes for side, yes in said.items()}
    return " ".join(side for side in SIDES if outer.get(side)) or None


def _check_number(
    db: sqlite3.Connection, number: str, tiles: list[ProjectTile], here: set[int]
) -> None:
    """Raise unless there is one tile and no other has the number."""
    found = db.execute("SELECT tile FROM tiles WHERE number = ?", (number,)).fetchall()
    others = {row["tile"] for row in found} & here - {tile.tile for tile in tiles}
    if others or len(tiles) > 1:
        raise Conflict(
            "number-taken",
            "Another tile has the inventory number {number}.",
            "Give each tile a number of its own.",
            number=number,
        )
