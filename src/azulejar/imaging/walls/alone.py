"""The grids of a wall of which no corners are given: grown from many windows, and believed where
several of these lead to the same.
"""

from collections.abc import Callable, Sequence
from typing import NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray

from azulejar.errors import AzulejarError
from azulejar.imaging.walls.agreement import agreement
from azulejar.imaging.walls.beyond import supported
from azulejar.imaging.walls.fineness import every_second
from azulejar.imaging.walls.grid import Grid
from azulejar.imaging.walls.photo import Photo, Points
from azulejar.imaging.walls.refine import Clear, followed, refined, seen
from azulejar.imaging.walls.rims import without_gaps, without_other_tiles, without_unseen
from azulejar.imaging.walls.seeds import FEWEST, Seed, laid, seed_in
from azulejar.imaging.walls.sureness import sureness
from azulejar.imaging.walls.warp import Warp
from azulejar.imaging.walls.windows import windows
from azulejar.system.threads import in_threads

SIZES = (0.45, 0.3, 0.22, 0.15, 0.11)  # half a window's side, of the photograph's shorter side
SMALLEST = 25  # pixels of a tile's side: in smaller ones hardly a joint is seen
GROWN = 6  # windows of a size, those that show most, from which a grid is grown
ALIKE = 0.95  # of the crossings of two grids that are the same
ENOUGH = 4  # windows that must lead to the same grid
CORNERS = np.array([[0, 0], [1, 0], [1, 1], [0, 1]], np.float64)  # of a unit square
QUARTER, TILES = 0.55, 6  # of a grid's sides, and tiles, that a window in its corner has at least
CLOSER = 2  # windows that lead to a grid whose quarters are then looked at
ANOTHER = 5.0  # joints more than usual that a window outside of a grid must show
OUTSIDE = 0.75  # of a grid that must lie outside another to be one of its own
SUPPORT = 0.6  # of the joints of a further row that must be seen
AT_ONCE = 0.25  # of its shorter side that a grid grows by: what is painted may hide one joint
LARGEST = 60  # rows or cols to which a grid grows


class Found(NamedTuple):
    """A grid, and how many windows led to it."""

    grid: Grid
    windows: int

    @property
    def sure(self) -> bool:
        return self.windows >= ENOUGH


class _Grown(NamedTuple):
    """The grid that grew from a seed."""

    warp: Warp
    clear: Clear
    crossings: Points
    confidence: float


class _Steps:
    """Progress from ``begin`` to ``end`` of an unknown number of steps: each goes half of what is
    left.
    """

    def __init__(
        self, on_progress: Callable[[float], None] | None, begin: float, end: float
    ) -> None:
        self._on_progress = on_progress or (lambda fraction: None)
        self._begin, self._end = begin, end

    def next(self) -> Callable[[float], None]:
        begin, self._begin = self._begin, (self._begin + self._end) / 2
        length = self._begin - begin
        return lambda fraction: self._on_progress(begin + length * fraction)


def grids_alone(
    picture: NDArray[np.uint8], on_progress: Callable[[float], None] | None = None
) -> list[Found]:
    """The grids of whole tiles that are sure, the largest first; if there are none, the best guess.

    Larger windows come first; smaller ones look outside what is found.
    """
    photo = Photo(picture)
    shorter = min(photo.width, photo.height)
    sizes = [half for half in SIZES if 2 * half * shorter >= FEWEST * SMALLEST]
    found: list[Found] = []
    grown: list[_Grown] = []
    for number, half in enumerate(sizes):
        steps = _Steps(on_progress, number / len(sizes), (number + 1) / len(sizes))
        seeds = _seeds(photo, list(windows(photo, half)), found, steps.next())
        while seeds:
            before = len(grown)
            one = _grow(photo, seeds[:GROWN], grown, steps.next())
            if one is None:
                break
            found.append(one)
            untried = seeds[len(grown) - before :]
            seeds = [seed for seed in untried if _may_be_another(seed, found)]
            grown = [each for each in grown if _is_outside(each.crossings, one)]
    if not found and not grown:
        raise AzulejarError(
            "Finding the joints: the photograph is too small for a grid of tiles.",
            "Give a larger photograph.",
        )
    if on_progress is not None:
        on_progress(1.0)
    return sorted(found, key=lambda one: -one.grid.rows * one.grid.cols) or [_best_guess(grown)]


def of_size(found: Sequence[Found], rows: int | None, cols: int | None) -> list[Grid]:
    """The grids that are sure and have so many rows and cols, where these are known."""
    return [
        grid
        for grid in (one.grid for one in found if one.sure)
        if rows in (None, grid.rows) and cols in (None, grid.cols)
    ]


def _seeds(
    photo: Photo,
    corners: Sequence[Points],
    found: Sequence[Found],
    on_progress: Callable[[float], None],
) -> list[Seed]:
    """Seeds outside what is found, those that show most joints first."""
    corners = [each for each in corners if all(_is_outside(each.mean(0), one) for one in found)]
    seeds: list[Seed] = []
    for done, seed in enumerate(in_threads(lambda each: seed_in(photo, each), corners)):
        if seed is not None and (not found or _may_be_another(seed, found)):
            seeds.append(seed)
        on_progress((done + 1) / len(corners))
    return sorted(seeds, key=lambda one: -one.gain)


def _grow(
    photo: Photo,
    seeds: Sequence[Seed],
    grown: list[_Grown],
    on_progress: Callable[[float], None],
) -> Found | None:
    """The largest grids about the seeds are added to those ``grown`` before, until one is sure."""
    for done, one in enumerate(in_threads(lambda seed: _largest(photo, seed), seeds)):
        on_progress((done + 1) / len(seeds))
        grown.append(one)
        alike = _alike(one, grown)
        surest = max(alike, key=lambda each: each.confidence)
        windows = len(alike)
        if windows == CLOSER and _quarters_agree(photo, surest):
            windows += len(CORNERS)
        if windows >= ENOUGH:
            one_panel = without_gaps(surest.warp, surest.clear)
            return Found(_grid(*without_other_tiles(photo, *one_panel)), windows)
    return None


def _largest(photo: Photo, seed: Seed) -> _Grown:
    """The grid about a seed that goes as far as joints are seen."""
    warp, clear = _stretched(photo, laid(photo, seed))
    coarser = every_second(clear)
    if coarser is not None:
        warp, clear = _stretched(photo, warp.of_every_second(*coarser))
    return _Grown(warp, clear, warp.crossings(), sureness(clear))


def _stretched(photo: Photo, warp: Warp) -> tuple[Warp, Clear]:
    return without_unseen(*refined(photo, _extended(photo, warp)))


def _extended(photo: Photo, warp: Warp) -> Warp:
    """The warp with rows and cols added on all sides for as long as their joints are seen."""
    at_once = AT_ONCE
    while max(warp.rows, warp.cols) < LARGEST:
        step = max(1, round(at_once * min(warp.rows, warp.cols)))
        larger = followed(photo, warp.cropped(-step, -step, -step, -step))
        grows = supported(photo, larger, seen(photo, larger), step, SUPPORT)
        if grows.any():
            warp = larger.cropped(*np.where(grows, 0, step).tolist())
        elif step > 1:
            at_once /= 2
        else:
            break
    return warp


def _alike(one: _Grown, grown: Sequence[_Grown]) -> list[_Grown]:
    """Those that agree with a grid, itself among them."""
    return [
        other
        for other in grown
        if other is one or agreement(one.crossings, other.crossings) >= ALIKE
    ]


def _quarters_agree(photo: Photo, grown: _Grown) -> bool:
    """Whether each quarter of a grid, as a window of its own, leads to the same."""
    whole = np.array([grown.warp.cols, grown.warp.rows])
    part = np.minimum(np.maximum(QUARTER * whole, TILES), whole)
    corners = [grown.warp(at * (whole - part) + CORNERS * part) for at in CORNERS]
    return all(in_threads(lambda each: _shows(photo, each, grown), corners))


def _shows(photo: Photo, corners: Points, grown: _Grown) -> bool:
    seed = seed_in(photo, corners)
    if seed is None:
        return False
    return agreement(laid(photo, seed).crossings(), grown.crossings) >= ALIKE


def _best_guess(grown: Sequence[_Grown]) -> Found:
    """The grid that most agree with; of these the surest."""
    votes = [len(_alike(one, grown)) for one in grown]
    best = max(range(len(grown)), key=lambda i: (votes[i], grown[i].confidence))
    return Found(_grid(grown[best].warp, grown[best].clear), votes[best])


def _grid(warp: Warp, clear: Clear) -> Grid:
    return Grid(warp.crossings(), *clear, sureness(clear))


def _may_be_another(seed: Seed, found: Sequence[Found]) -> bool:
    """Whether a seed may be one of a panel that is not found yet."""
    return seed.gain >= ANOTHER and all(_is_outside(seed.crossings, one) for one in found)


def _is_outside(points: Points, found: Found) -> bool:
    """Whether most of the points [..., 2] lie outside a grid."""
    hull = cv2.convexHull(found.grid.crossings.reshape(-1, 2).astype(np.float32))
    tests = [cv2.pointPolygonTest(hull, each, False) for each in points.reshape(-1, 2).tolist()]
    return float(np.mean(np.array(tests) < 0)) > OUTSIDE
