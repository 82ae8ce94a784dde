"""Mark tiles that are locked on tables, doubtful, or in panels with holes, in the list of tiles.

The search finds them by these marks. Only tables that have changed are read again.
"""

import sqlite3
import threading
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from azulejar.app.projects import database
from azulejar.app.projects.store import ProjectStore
from azulejar.collection.search.tile_list import TileList
from azulejar.collection.search.tile_list_cache import Marks
from azulejar.collection.sort_results import SortResult
from azulejar.collection.storage.catalogue import Collection
from azulejar.errors import AzulejarError
from azulejar.outputs.collection.panels import SolvedPanel, doubtful_tiles

Read = Callable[[], tuple[Collection, SortResult | None, list[SolvedPanel]]]

WAIT = 0.05  # seconds that a search waits for them


class StatusMarks:
    """The status marks of one museum; safe to use from any thread."""

    def __init__(self, tables: Path, tiles: TileList) -> None:
        self._tables, self._tiles = tables, tiles
        self._turn = threading.Lock()
        self._thread: threading.Thread | None = None
        self._locked: dict[Path, tuple[object, set[str]]] = {}
        self._sort: SortResult | None = None
        self._solved: list[SolvedPanel] = []
        self._names: set[str] = set()

    def update_soon(self, read: Read) -> None:
        """Update the marks in the background, and wait briefly, as that is usually quick.

        ``read`` returns the collection, its last sort and its solved panels.
        """
        with self._turn:
            if self._thread is None or not self._thread.is_alive():
                self._thread = threading.Thread(target=self._update, args=[read], daemon=True)
                self._thread.start()
            thread = self._thread
        thread.join(WAIT)

    def _update(self, read: Read) -> None:
        with suppress(AzulejarError, OSError, sqlite3.Error):  # it may be closed meanwhile
            collection, sort, solved = read()
            names = self._locked_tiles()
            if sort is self._sort and solved is self._solved and names == self._names:
                return
            groups = sort.groups if sort is not None else []
            holed = {panel.name for panel in solved if panel.holes}
            hole = {tile for group in groups if group.name in holed for tile in group.tiles}
            doubtful = {panel.name for panel in solved if panel.doubtful}
            inventories = collection.inventories() if names or doubtful else []
            locked = {tile for tile, name in enumerate(inventories) if name in names}
            doubted: set[int] = set()
            for group in groups:  # not tiles that were moved away since the panel was solved
                if group.name in doubtful:
                    wrong = set(doubtful_tiles(collection, group.name))
                    doubted.update(tile for tile in group.tiles if inventories[tile] in wrong)
            self._tiles.mark(Marks(locked, hole, doubted))
            self._sort, self._solved, self._names = sort, solved, names

    def _locked_tiles(self) -> set[str]:
        """Return the inventory numbers of the tiles that are locked on a table."""
        found = {}
        for folder in self._tables.glob("panel_*"):
            stamp = tuple(map(_stamp, (folder / database.NAME, folder / f"{database.NAME}-wal")))
            known = self._locked.get(folder)
            if known is None or known[0] != stamp:
                known = stamp, _read_locked(folder)
            found[folder] = known
        self._locked = found
        return {name for _, names in found.values() for name in names}


def _read_locked(folder: Path) -> set[str]:
    with suppress(AzulejarError, OSError):  # a damaged table must not hide the others
        store = ProjectStore(folder)
        try:
            locked = set(store.state().board.locked)
            return {tile.number for tile in store.tiles() if tile.tile in locked}
        finally:
            store.close()
    return set()


def _stamp(path: Path) -> tuple[int, int]:
    try:
        found = path.stat()
    except OSError:
        return 0, 0
    return found.st_size, found.st_mtime_ns
