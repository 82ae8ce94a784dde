"""What every kind of job works with: the project as it lay when the job began."""

import json
import threading
from dataclasses import replace
from functools import cached_property
from pathlib import Path

from azulejar.app.convert import ordered
from azulejar.app.insight import scores_path
from azulejar.app.jobs.teller import Teller
from azulejar.app.schemas import LOOSE, Board, Settings, Tile
from azulejar.app.store import Store
from azulejar.core.assembly import Assembly
from azulejar.core.compatibility import Compatibility
from azulejar.core.tiles import Record, TileSet
from azulejar.errors import AzulejarError
from azulejar.imaging.folder import load_tiles
from azulejar.judging.confidence import tile_confidence
from azulejar.system.atomic import replacing
from azulejar.version import __version__


class Stopped(Exception):  # noqa: N818 - nothing went wrong
    """The user wants no more of it, and there is nothing to keep yet."""


class Bench:
    """``tiles`` are in the order of the library, ``board`` is as it was when the job began."""

    def __init__(self, store: Store, teller: Teller, stop: threading.Event) -> None:
        self.store, self.tell, self.stop = store, teller, stop
        self.folder = store.folder
        self.tiles: list[Tile] = ordered(store.tiles())
        self.board: Board = store.state().board

    def fraction(self, done: float) -> None:
        """Progress of a step that leaves nothing to keep when it is stopped."""
        if self.stop.is_set():
            raise Stopped
        self.tell.fraction(done)

    @cached_property
    def pictures(self) -> TileSet:
        """All tiles at working size, with what is on record of them."""
        if not self.tiles:
            raise AzulejarError("The project has no tiles yet.", "Bring some first.")
        self.tell.step("reading")
        found = load_tiles(self.folder / "tiles", on_progress=self.fraction)
        at = {file: i for i, file in enumerate(found.files)}
        gone = [tile.file for tile in self.tiles if tile.file not in at]
        if gone:
            raise AzulejarError(
                f"The picture {gone[0]} is gone from the project's folder.",
                "Put it back into the folder tiles.",
            )
        mine = found.take([at[tile.file] for tile in self.tiles])
        known = mine.records or (Record(),) * len(mine)
        records = tuple(
            replace(record, inventory=t.number, crate=t.crate, code=t.code, note=t.note)
            for record, t in zip(known, self.tiles, strict=True)
        )
        return replace(mine, records=records)

    def scores(self, settings: Settings) -> Compatibility:
        """Of all tiles; those that were kept if no tile has changed since."""
        # Loaded here, as they take a second and not every job needs them.
        from azulejar.measures import get_measure
        from azulejar.measures.cache import key

        path = scores_path(self.folder, settings)
        stamp = key(self.pictures, settings.measure, settings.upright, __version__)
        kept = _kept(path, stamp)
        if kept is not None:
            return kept
        self.tell.step("scoring")
        measure = get_measure(settings.measure)
        found = measure.score(self.pictures, upright=settings.upright, on_progress=self.fraction)
        found.save(path)
        with replacing(_stamp_path(path)) as temporary:
            temporary.write_text(json.dumps({"stamp": stamp}), encoding="utf-8")
        return found

    def mean_confidence(self, scores: Compatibility, assembly: Assembly) -> float | None:
        """Of all tiles that have a place."""
        placed = assembly.panel != LOOSE
        if not placed.any():
            return None
        return float(tile_confidence(scores, assembly)[placed].mean())


def _stamp_path(path: Path) -> Path:
    return path.with_suffix(".json")


def _kept(path: Path, stamp: str) -> Compatibility | None:
    try:
        found = json.loads(_stamp_path(path).read_text(encoding="utf-8"))
        return Compatibility.load(path) if found["stamp"] == stamp else None
    except (OSError, ValueError, KeyError, TypeError, AzulejarError):
        return None
