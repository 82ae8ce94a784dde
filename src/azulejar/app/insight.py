"""How sure the board is of its joints, and which tiles would fit a place.

Scores of the projects at work stay in memory, so that an answer takes milliseconds.
"""

import threading
import weakref
from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from azulejar.app.convert import assembly_of, ordered
from azulejar.app.refusals import Clash
from azulejar.app.schemas import (
    LOOSE,
    Board,
    BoardState,
    Candidates,
    Confidence,
    Fit,
    Place,
    Settings,
    Tile,
    TileConfidence,
)
from azulejar.app.store import Store
from azulejar.core.assembly import Place as LibraryPlace
from azulejar.core.compatibility import Compatibility
from azulejar.core.edges import direction_of
from azulejar.errors import AzulejarError
from azulejar.judging.candidates import Candidate, candidates_for
from azulejar.judging.confidence import Rivals, joint_confidence, mean_by_tile

KEPT = 768 * 2**20  # bytes of scores that stay in memory; 1,000 tiles take 64 MB
ANSWERS = 4  # projects whose latest confidence is kept
UPRIGHT = "upright"
TURNED = "turned"


@dataclass(frozen=True)
class Scored:
    """Scores of some tiles, in the order of the library, and what follows from them alone."""

    compatibility: Compatibility
    rivals: Rivals
    upright: bool

    def known(self, tiles: Sequence[Tile]) -> list[Tile]:
        """The tiles that were scored, in the order of the scores."""
        by_file = {tile.file: tile for tile in tiles}
        return [by_file[file] for file in self.compatibility.files]


def scores_path(folder: Path, settings: Settings) -> Path:
    """Where scores by these settings are kept."""
    return folder / "scores" / f"{settings.measure}_{UPRIGHT if settings.upright else TURNED}.npz"


def latest_scores(store: Store) -> Path | None:
    """Scores by the project's settings, or else those that were made last."""
    chosen = scores_path(store.folder, store.settings())
    if chosen.is_file():
        return chosen
    found = list((store.folder / "scores").glob("*.npz"))
    return max(found, key=lambda path: path.stat().st_mtime, default=None)


def scored(store: Store, tiles: Sequence[Tile]) -> Scored | None:
    """The scores of these tiles, None if there are none; tiles that came later are unknown."""
    path = latest_scores(store)
    if path is None:
        return None
    files = {tile.file for tile in tiles}
    try:
        return _memory.get(path, frozenset(files))
    except (AzulejarError, OSError):  # replaced or damaged meanwhile
        return None


def confidence(store: Store) -> Confidence:
    """Of every tile that has a place, as the board lies now; worked out once for all who ask."""
    state, tiles = store.state(), ordered(store.tiles())
    found = scored(store, tiles)
    if found is None:
        return Confidence(revision=state.revision, scored=False)
    with _answered_lock:
        latest = _answered.get(store.folder)
        if latest is None or latest[0]() is not found or latest[1].revision != state.revision:
            sure = _by_tile(found, state, found.known(tiles))
            latest = (
                weakref.ref(found),
                Confidence(revision=state.revision, scored=True, tiles=sure),
            )
            _answered[store.folder] = latest
            while len(_answered) > ANSWERS:
                _answered.popitem(last=False)
        return latest[1]


def _by_tile(found: Scored, state: BoardState, tiles: list[Tile]) -> list[TileConfidence]:
    assembly = assembly_of(state.board, tiles)
    joints, sure = joint_confidence(found.compatibility, assembly, found.rivals)
    mean = mean_by_tile(joints, sure, len(tiles))
    right: dict[int, float] = {}
    below: dict[int, float] = {}
    direction = direction_of(joints, assembly.turn[joints // 4])
    for (a, b), (towards, _), value in zip(
        (joints // 4).tolist(), direction.tolist(), sure.round(4).tolist(), strict=True
    ):
        side = right if towards % 2 else below
        side[a if towards in (1, 2) else b] = value
    return [
        TileConfidence(
            tile=tile.tile,
            confidence=round(float(mean[i]), 4),
            right=right.get(i),
            below=below.get(i),
        )
        for i, tile in enumerate(tiles)
        if assembly.panel[i] != LOOSE
    ]


def candidates(store: Store, place: Place, everything: bool, top: int) -> Candidates:
    """The loose tiles, or all that are not locked, by how well they fit a place.

    A tile that lies there counts as lifted.
    """
    board, tiles = store.state().board, ordered(store.tiles())
    found = scored(store, tiles)
    if found is None:
        raise Clash("The edges have not been scored yet.", "Solve once; then it is known.")
    tiles = found.known(tiles)
    lifted = _lifted(board, place)
    assembly = assembly_of(lifted, tiles)
    loose = assembly.panel == LOOSE
    locked = np.isin([tile.tile for tile in tiles], lifted.locked)
    which = np.flatnonzero(loose | ~locked if everything else loose)
    where = LibraryPlace(place.panel, place.row, place.col)
    try:
        fits, none = candidates_for(
            found.compatibility, assembly, where, which.tolist(), upright=found.upright
        )
    except AzulejarError:
        raise Clash(
            "No tile lies beside this place.", "Choose a place that touches the panel."
        ) from None
    lies = {each.tile for each in board.placed if each.panel != LOOSE}
    return Candidates(place=place, fits=[_fit(fit, tiles, lies) for fit in fits[:top]], none=none)


def _fit(found: Candidate, tiles: list[Tile], lies: set[int]) -> Fit:
    tile = tiles[found.tile].tile
    return Fit(
        tile=tile,
        turn=90 * found.turn,  # type: ignore[arg-type]
        probability=found.probability,
        joints=list(found.joints),
        placed=tile in lies,
    )


def warm(store: Store) -> None:
    """Have the scores in memory before somebody asks."""
    scored(store, store.tiles())


def _lifted(board: Board, place: Place) -> Board:
    """The board without the tile at a place, which is not locked any more either."""
    there = (place.panel, place.row, place.col)
    here = {each.tile for each in board.placed if (each.panel, each.row, each.col) == there}
    placed = [
        each.model_copy(update={"panel": LOOSE}) if each.tile in here else each
        for each in board.placed
    ]
    locked = [tile for tile in board.locked if tile not in here]
    return board.model_copy(update={"placed": placed, "locked": locked})


class _Memory:
    """Scores by file and tiles; the least used ones go. Nobody loads what another loads now."""

    def __init__(self) -> None:
        self._kept: OrderedDict[tuple, Scored | None] = OrderedDict()
        self._lock = threading.Lock()

    def get(self, path: Path, files: frozenset[str]) -> Scored | None:
        key = (path, path.stat().st_mtime_ns, files)
        with self._lock:
            if key not in self._kept:
                for old in [other for other in self._kept if other[0] == path]:
                    del self._kept[old]
                self._kept[key] = _load(path, files)
            self._kept.move_to_end(key)
            while len(self._kept) > 1 and self._bytes() > KEPT:
                self._kept.popitem(last=False)
            return self._kept[key]

    def _bytes(self) -> int:
        return sum(each.compatibility.scores.nbytes for each in self._kept.values() if each)


def _load(path: Path, files: frozenset[str]) -> Scored | None:
    compatibility = Compatibility.load(path)
    still = [i for i, file in enumerate(compatibility.files) if file in files]
    if len(still) < 2:
        return None
    if len(still) < len(compatibility):
        compatibility = compatibility.take(still)
    return Scored(compatibility, Rivals.of(compatibility), path.stem.endswith(UPRIGHT))


_memory = _Memory()
# The scores may go meanwhile: an answer must not keep them in memory.
_answered: OrderedDict[Path, tuple[weakref.ref[Scored], Confidence]] = OrderedDict()
_answered_lock = threading.Lock()
