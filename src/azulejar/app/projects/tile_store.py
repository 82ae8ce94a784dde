"""The tiles of a project: their records, pictures and sources."""

import json
import sqlite3
from collections.abc import Iterable, Mapping, Sequence

from pydantic import TypeAdapter

from azulejar.app.http.errors import Conflict, NotFound
from azulejar.app.projects import database, history
from azulejar.app.projects.board import add_to_tray
from azulejar.app.projects.board_file import BoardFile, action_of
from azulejar.app.schemas.boards import BoardState
from azulejar.app.schemas.tiles import NewProjectTile, ProjectTile, Side, TileChange, TileSource
from azulejar.core.edges import SIDES
from azulejar.imaging.picture import is_picture
from azulejar.system.natural_order import natural_order

_TILES = TypeAdapter(list[ProjectTile])


class ProjectTiles(BoardFile):
    """The tiles of the project in a folder; each method is one transaction."""

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
        """Return the file names of all tiles; faster than reading whole ``tiles``."""
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

    def has_number(self, number: str) -> bool:
        """Whether a tile on the board has this inventory number."""
        return any(each.number == number for each in self.tiles())

    def renumber(self, old: str, new: str) -> bool:
        """Update the inventory number of a tile, even a removed one, after its museum changed it.

        It is no action of its own. Return whether any tile had the old number.
        """
        with self._database.changing() as db:
            found = db.execute("UPDATE tiles SET number = ? WHERE number = ?", (new, old))
            return found.rowcount > 0

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
        """Store which photograph each file was cut from, and where."""
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
    """Raise if several tiles would share the number, or if another tile already has it."""
    found = db.execute("SELECT tile FROM tiles WHERE number = ?", (number,)).fetchall()
    others = {row["tile"] for row in found} & here - {tile.tile for tile in tiles}
    if others or len(tiles) > 1:
        raise number_taken(number)


def number_taken(number: str) -> Conflict:
    """Return the error for an inventory number that two tiles would have."""
    return Conflict(
        "number-taken",
        "Another tile has the inventory number {number}.",
        "Give each tile a number of its own.",
        number=number,
    )
