"""A museum on the server: its open collection, and the data behind its pages."""

import sqlite3
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from zlib import crc32

import numpy as np

from azulejar.app.http.errors import NotFound, Unavailable
from azulejar.app.museum.panel_lines import (
    ORDERS,
    PanelOrder,
    PanelState,
    is_in_state,
    panel_line,
)
from azulejar.app.museum.status_marks import StatusMarks
from azulejar.app.projects.store import ProjectStore
from azulejar.app.schemas import museums as schemas
from azulejar.app.uploads.showing import to_jpeg
from azulejar.collection.patterns import FOLDER as PATTERNS
from azulejar.collection.patterns import load_patterns
from azulejar.collection.search.edge_table import open_edge_table, search_key
from azulejar.collection.search.joint_search import FOLDER as SEARCH
from azulejar.collection.search.query import OpenTable, find_edge, find_hole
from azulejar.collection.search.tile_list import ListedTile, TileList
from azulejar.collection.sort_results import Group, SortResult, folder_name, load_sort
from azulejar.collection.storage import database
from azulejar.collection.storage.catalogue import Collection
from azulejar.collection.storage.lock import locked
from azulejar.collection.storage.overrides import removed_tiles
from azulejar.collection.storage.pictures import recover_exchange, replaced_pictures
from azulejar.errors import AzulejarError
from azulejar.outputs.collection.groups_page import PICTURES, draw_group
from azulejar.outputs.collection.panels import (
    MARK,
    PANELS,
    SMALL_NAME,
    SolvedPanel,
    read_panels,
)
from azulejar.outputs.collection.renumbering import recover_renumbering
from azulejar.outputs.collection.tile_pictures import CollectionPictures
from azulejar.system.file_lock import try_lock
from azulejar.system.natural_order import natural_order

TABLES = "tables"  # the folder of projects within a collection
DESK = "desk"  # among them, the one of the museum itself
NAME = "name"  # key in the collection's database
LOCK = ".lock"
ACROSS = 10  # tiles in a row of a sheet
OPENING = 1.5  # seconds that a question waits for the edge table
LATER = 15.0  # seconds after which it is opened anyway, once the first view is there


def table_name(museum: str, panel: str) -> str:
    """Return the name of the project in which a museum's panel lies on the table."""
    return f"{museum} · {panel}"[-120:]


def museum_name(collection: Collection) -> str | None:
    """Return the name that a museum was given, if any."""
    return collection.database.meta(NAME)


def museum_size(collection: Collection) -> int:
    """Return the number of tiles that were not removed."""
    return len(collection) - len(removed_tiles(collection))


def is_museum(folder: Path) -> bool:
    """Whether a folder holds a collection."""
    return (folder / database.NAME).is_file()


class Museum:
    """The collection in a folder; its methods may be called from any thread.

    With ``lock`` another server is kept out; the server of one museum has locked it already.
    """

    def __init__(self, museum: str, folder: Path, *, lock: bool = True) -> None:
        self.id, self.folder = museum, folder
        self._lock = try_lock(folder / LOCK) if lock else None
        if lock and self._lock is None:
            raise AzulejarError(
                "workspace-in-use",
                "{folder} is in use by another server.",
                "Use its page, stop it with Ctrl-C, or give another folder.",
                folder=str(folder),
            )
        self.collection = Collection.open(folder)
        recover_exchange(self.collection)
        recover_renumbering(self.collection)
        self.tiles = TileList(self.collection)
        self._marks = StatusMarks(folder / TABLES, self.tiles)
        self._turn = threading.RLock()
        self._stamp: str | None = None
        self._key: str | None = None
        self._pictures = 0
        self._sorted: SortResult | None = None
        self._solved: list[SolvedPanel] | None = None
        self._solved_stamp: object = None
        self._table: OpenTable | None = None
        self._opening: threading.Thread | None = None
        self._timer: threading.Timer | None = None
        desk = folder / TABLES / DESK
        if not desk.is_dir():
            ProjectStore.create(desk, self.name).close()

    @classmethod
    def create(cls, folder: Path, name: str) -> None:
        """Create an empty museum."""
        with Collection.create(folder) as collection:
            collection.database.put_meta(NAME, name)

    def close(self) -> None:
        """Close the collection."""
        if self._timer is not None:
            self._timer.cancel()
        self.tiles.close()
        self.collection.close()
        if self._lock is not None:
            self._lock.release()

    @property
    def name(self) -> str:
        """The name that it was given, or that of its folder."""
        return museum_name(self.collection) or self.folder.name

    def rename(self, name: str) -> None:
        """Give it another name."""
        self.collection.database.put_meta(NAME, name)

    @property
    def count(self) -> int:
        """The number of tiles that were not removed."""
        return museum_size(self.collection)

    @property
    def pictures(self) -> int:
        """A number that changes whenever the picture of a tile is replaced."""
        self.refresh()
        return self._pictures

    def refresh(self) -> None:
        """Reload whatever jobs or commands have changed."""
        with self._turn:
            self.tiles.refresh()
            if self.tiles.stamp != self._stamp:  # whoever has refreshed the list
                self._stamp = self.tiles.stamp
                before = self._key
                self.collection.refresh()
                self._sorted = load_sort(self.collection, ignore_damage=True)
                self._solved = None
                self._key = search_key(self.collection)
                self._pictures = crc32(repr(replaced_pictures(self.collection)).encode())
                self._table = self._table if self._key == before else None

    def refresh_soon(self) -> None:
        """Refresh in a background thread."""

        def refresh() -> None:
            with suppress(AzulejarError, sqlite3.Error):  # it may be closed meanwhile
                self.refresh()

        threading.Thread(target=refresh, daemon=True).start()

    # Tiles

    def listed(self, tile: int) -> ListedTile:
        """Return one tile of the list."""
        self.check_tiles([tile])
        return self.tiles.tiles([tile])[0]

    def check_tiles(self, tiles: Sequence[int]) -> None:
        """Raise unless the museum has all these tiles."""
        self.refresh()
        if max(tiles) >= len(self.collection):
            raise NotFound("tile-unknown", "There is no such tile.", "Load the project again.")

    def sheet(self, tiles: Sequence[int]) -> bytes:
        """Return thumbnails of tiles as one JPEG, ten in a row; unknown tiles are grey."""
        self.refresh()
        pixels = self.collection.pixels
        size = pixels.shape[1]
        rows, across = -(-len(tiles) // ACROSS), min(len(tiles), ACROSS)
        sheet = np.full((rows * size, across * size, 3), 128, np.uint8)
        for at, tile in enumerate(tiles):
            if tile < len(pixels):
                top, left = at // ACROSS * size, at % ACROSS * size
                sheet[top : top + size, left : left + size] = pixels[tile]
        return to_jpeg(sheet)

    def picture(self, tile: int, size: int) -> bytes:
        """Return a tile as a JPEG of at most ``size`` pixels, never enlarged."""
        self.listed(tile)
        entries = self.collection.entries([tile])
        pictures = CollectionPictures(entries, self.collection.pixels)
        return to_jpeg(pictures(0, max(1, min(size, round(pictures.side)))))

    def fits(self, tile: int, side: int | None, count: int) -> list[schemas.Fit]:
        """Return the tiles of the whole museum that fit a side of a tile, best first."""
        self.listed(tile)
        table = self._open_table()
        found = find_edge(self.collection, tile, side, count=count, opened=table)
        return self._described(found)

    def hole_fits(
        self, neighbours: dict[int, tuple[int, int]], laid: set[int], count: int
    ) -> list[schemas.Fit]:
        """Return the tiles that fit among ``neighbours``, but for ``laid`` ones, best first.

        See ``find_hole``.
        """
        self.refresh()
        table = self._open_table()
        found = find_hole(self.collection, neighbours, without=laid, count=count, opened=table)
        return self._described(found)

    def _described(self, found: Sequence) -> list[schemas.Fit]:
        listed = {each.number: each for each in self.tiles.tiles([f.entry.number for f in found])}
        return [
            schemas.Fit.model_validate(
                {
                    "tile": listed[each.entry.number],
                    "side": each.side,
                    "turn": 90 * each.turn,
                    "probability": each.probability,
                }
            )
            for each in found
            if each.entry.number in listed
        ]

    def open_table_later(self) -> None:
        """Open the edge table a while after the first view, unless it is needed before."""
        with self._turn:
            if self._timer is None:
                self._timer = threading.Timer(LATER, self.open_table_soon)
                self._timer.daemon = True
                self._timer.start()

    def open_table_soon(self) -> threading.Thread | None:
        """Open the edge table in the background; this takes a while the first time."""
        with self._turn:
            if self._table is not None or len(self.collection) < 2:
                return None
            if self._opening is None or not self._opening.is_alive():
                self._opening = threading.Thread(target=self._open_now, daemon=True)
                self._opening.start()
            return self._opening

    def _open_now(self) -> None:
        try:
            with Collection.open(self.folder) as own:
                key, table = search_key(own), open_edge_table(own, extended=True)
        except AzulejarError:  # whoever asks opens it again, and is told
            return
        with self._turn:
            if key == self._key:
                self._table = table

    def _open_table(self) -> OpenTable | None:
        opening = self.open_table_soon()
        if opening is not None:
            opening.join(OPENING)
        if opening is not None and opening.is_alive():
            raise Unavailable(
                "edges-being-prepared",
                "The edges of all tiles are being prepared.",
                "This is done once after tiles were added; ask again in a moment.",
            )
        return self._table

    def mark_tiles(self) -> None:
        """Bring the marks of locked tiles and holes up to date for the search, now or soon."""
        self._marks.update_soon(lambda: (self.collection, self.sort, self.solved()))

    # Panels

    @property
    def sort(self) -> SortResult | None:
        """The result of the last sort, if any."""
        self.refresh()
        return self._sorted

    def panel_of(self, tile: int) -> str | None:
        """Return the panel of the last sort that a tile is in, if any."""
        found = self.sort
        return None if found is None else found.names.get(tile)

    def solved(self) -> list[SolvedPanel]:
        """Return the solved panels, best first."""
        found = self.sort
        if found is None:
            return []
        stamp = _stamps(self.folder / PANELS)
        with self._turn:
            if self._solved is not None and self._solved_stamp == stamp:
                return self._solved
        solved = read_panels(self.collection, found.groups)  # others need not wait for it
        with self._turn:
            if self._sorted is found:
                self._solved, self._solved_stamp = solved, stamp
        return solved

    @contextmanager
    def sorting(self) -> Iterator[None]:
        """Hold the sorting lock; raise if a sort is running."""
        work = self.folder / SEARCH
        work.mkdir(exist_ok=True)
        with self._turn, locked(work, "moves tiles"):
            yield

    def solved_count(self) -> int:
        """Count the solved panels without reading them."""
        found = self.sort
        home = self.folder / PANELS
        return sum(
            (home / folder_name(group.name) / MARK).is_file()
            for group in (found.groups if found is not None else ())
        )

    def group(self, name: str) -> Group:
        """Return a panel of the last sort."""
        found = self.sort
        for group in found.groups if found is not None else ():
            if group.name == name:
                return group
        raise NotFound("museum-panel-unknown", "There is no panel {name}.", "Load the page again.",
                       name=name)  # fmt: skip

    def panels(
        self, words: str, state: PanelState | None, order: PanelOrder
    ) -> list[schemas.Panel]:
        """Return panels filtered by ``state`` and by a search of their tiles, in ``order``."""
        found = self.sort
        solved = {panel.name: panel for panel in self.solved()}
        crates = self.tiles.panel_crates()
        groups = found.groups if found is not None else []
        if words.strip():
            named = self.tiles.panels_with(words)
            groups = [each for each in groups if each.name in named]
        lines = []
        for group in sorted(groups, key=lambda each: -each.priority):
            line = panel_line(group, solved.get(group.name), crates.get(group.name, {}))
            if state is None or is_in_state(line, state):
                lines.append(line)
        return sorted(lines, key=ORDERS[order])

    def patterns(self) -> list[schemas.Pattern]:
        """Return the patterns found last, largest first."""
        kept = load_patterns(self.collection, ignore_damage=True, drawn=False)
        if kept is None:
            return []
        self.refresh()
        crates = self.tiles.pattern_crates()
        return [
            schemas.Pattern(
                name=name,
                tiles=len(each),
                designs=len(each.designs),
                rows=each.module.rows,
                cols=each.module.cols,
                drop=each.module.drop,
                symmetry=each.symmetry.rpartition("(")[2].rstrip(")"),
                crates=sorted(crates.get(name, {}), key=natural_order),
                **kept.conditions(each.tiles),
            )
            for name, each in zip(kept.names, kept.found, strict=True)
        ]

    def pattern_picture(self, name: str) -> Path:
        """Return the picture of a pattern's repeat."""
        path = self.folder / PATTERNS / PICTURES / f"{folder_name(name)}.jpg"
        if not path.is_file():
            raise NotFound("museum-pattern-unknown", "There is no pattern {name}.",
                           "Load the page again.", name=name)  # fmt: skip
        return path

    def solved_picture(self, name: str) -> Path:
        """Return where the thumbnail of a panel lies once it is put together."""
        return self.folder / PANELS / folder_name(self.group(name).name) / SMALL_NAME

    def panel_picture(self, name: str) -> tuple[bytes, str]:
        """Return the thumbnail of a panel, or of some of its tiles, and its media type."""
        group, solved = self.group(name), self.solved_picture(name)
        if solved.is_file():
            return solved.read_bytes(), "image/webp"
        return to_jpeg(draw_group(self.collection.pixels, group.tiles)), "image/jpeg"


def _stamps(home: Path) -> object:
    """Return a stamp that changes whenever a panel is solved."""
    overview = home / "index.html"
    return tuple(path.stat().st_mtime_ns if path.exists() else 0 for path in (home, overview))
