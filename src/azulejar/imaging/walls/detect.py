"""Detect grids of tiles in a photograph of a wall, without being given their corners.

Grids are grown from many windows of the photograph; a grid is believed where several windows lead
to the same one.
"""

from collections.abc import Callable, Sequence
from typing import NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray

from azulejar.errors import AzulejarError
from azulejar.imaging.walls.corners import grid_from_corners
from azulejar.imaging.walls.extent import (
    find_coarser,
    grid_confidence,
    supported_sides,
    trim_gaps,
    trim_other_tiles,
    trim_unseen,
)
from azulejar.imaging.walls.grid import Grid, shared_crossings
from azulejar.imaging.walls.photo import Points, WallPhoto
from azulejar.imaging.walls.refine import Clarity, fit_polynomial, read_clarity, refine
from azulejar.imaging.walls.seeds import FEWEST_TILES, GridSeed, find_seed, iter_windows, lay_seed
from azulejar.imaging.walls.warp import Warp
from azulejar.system.threads import in_threads

SIZES = (0.45, 0.3, 0.22, 0.15, 0.11)  # half a window's side over the photograph's shorter side
SMALLEST = 25  # pixels of a tile's side: between smaller tiles hardly a joint is seen
GROWN = 6  # windows of each size, those that show most, from which a grid is grown
ALIKE = 0.95  # share of the crossings that two grids must share to be the same
ENOUGH = 4  # windows that must lead to the same grid
CORNERS = np.array([[0, 0], [1, 0], [1, 1], [0, 1]], np.float64)  # of a unit square
QUARTER, TILES = 0.55, 6  # least side of a window in a grid's corner: of the grid's, and in tiles
CLOSER = 2  # windows that must lead to a grid before its quarters are checked
ANOTHER = 5.0  # gain that a window outside a found grid must have
OUTSIDE = 0.75  # share of a grid that must lie outside another to be a separate one
SUPPORT = 0.6  # share of the joints of a further row that must be seen
AT_ONCE = 0.25  # of its shorter side by which a grid grows: painting may hide a single joint
LARGEST = 60  # most rows or cols to which a grid grows


class DetectedGrid(NamedTuple):
    """A grid, and how many windows led to it."""

    grid: Grid
    windows: int

    @property
    def sure(self) -> bool:
        """Whether enough windows led to the grid."""
        return self.windows >= ENOUGH


class _Grown(NamedTuple):
    """The grid that grew from a seed."""

    warp: Warp
    clear: Clarity
    crossings: Points
    confidence: float


class _Steps:
    """Progress from ``begin`` to ``end`` in an unknown number of steps: each covers half of what is
    left.
    """

    def __init__(
        self, on_progress: Callable[[float], None] | None, begin: float, end: float
    ) -> None:
        self._on_progress = on_progress or (lambda fraction: None)
        self._begin, self._end = begin, end

    def next(self) -> Callable[[float], None]:
        """Return the progress callback of the next step."""
        begin, self._begin = self._begin, (self._begin + self._end) / 2
        length = self._begin - begin
        return lambda fraction: self._on_progress(begin + length * fraction)


def detect_grids(
    picture: NDArray[np.uint8], on_progress: Callable[[float], None] | None = None
) -> list[DetectedGrid]:
    """Return the grids that are sure, the largest first; if there are none, the best guess.

    Larger windows come first; smaller ones search outside the grids found before.
    """
    photo = WallPhoto(picture)
    shorter = min(photo.width, photo.height)
    sizes = [half for half in SIZES if 2 * half * shorter >= FEWEST_TILES * SMALLEST]
    found: list[DetectedGrid] = []
    grown: list[_Grown] = []
    for number, half in enumerate(sizes):
        steps = _Steps(on_progress, number / len(sizes), (number + 1) / len(sizes))
        seeds = _seeds(photo, list(iter_windows(photo, half)), found, steps.next())
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
            "wall-photo-too-small",
            "Finding the joints: the photograph is too small for a grid of tiles.",
            "Give a larger photograph.",
        )
    if on_progress is not None:
        on_progress(1.0)
    return sorted(found, key=lambda one: -one.grid.rows * one.grid.cols) or [_best_guess(grown)]


def find_grids(
    picture: NDArray[np.uint8],
    name: str,
    corners: Points | None,
    rows: int | None,
    cols: int | None,
    on_progress: Callable[[float], None] | None = None,
) -> list[Grid]:
    """Return the one grid between four corners, or else those that a photograph surely shows.

    Raises:
        AzulejarError: If none is sure; it calls the photograph by its ``name``.
    """
    if corners is not None:
        return [grid_from_corners(picture, corners, rows, cols, on_progress)]
    sure = sure_grids(detect_grids(picture, on_progress), rows, cols)
    if not sure:
        raise AzulejarError(
            "wall-grid-unsure",
            "It is not certain which grid of tiles {path} shows.",
            "Give the panel's four corners.",
            path=name,
        )
    return sure


def sure_grids(found: Sequence[DetectedGrid], rows: int | None, cols: int | None) -> list[Grid]:
    """Return the grids that are sure and have these rows and cols, where they are known."""
    return [
        grid
        for grid in (one.grid for one in found if one.sure)
        if rows in (None, grid.rows) and cols in (None, grid.cols)
    ]


def _seeds(
    photo: WallPhoto,
    corners: Sequence[Points],
    found: Sequence[DetectedGrid],
    on_progress: Callable[[float], None],
) -> list[GridSeed]:
    """Return the seeds outside the grids found, those that show most joints first."""
    corners = [each for each in corners if all(_is_outside(each.mean(0), one) for one in found)]
    seeds: list[GridSeed] = []
    for done, seed in enumerate(in_threads(lambda each: find_seed(photo, each), corners)):
        if seed is not None and (not found or _may_be_another(seed, found)):
            seeds.append(seed)
        on_progress((done + 1) / len(corners))
    return sorted(seeds, key=lambda one: -one.gain)


def _grow(
    photo: WallPhoto,
    seeds: Sequence[GridSeed],
    grown: list[_Grown],
    on_progress: Callable[[float], None],
) -> DetectedGrid | None:
    """Grow grids from the seeds, add them to ``grown``, and return the first that is sure."""
    for done, one in enumerate(in_threads(lambda seed: _grow_from(photo, seed), seeds)):
        on_progress((done + 1) / len(seeds))
        grown.append(one)
        alike = _alike(one, grown)
        surest = max(alike, key=lambda each: each.confidence)
        windows = len(alike)
        if windows == CLOSER and _quarters_agree(photo, surest):
            windows += len(CORNERS)
        if windows >= ENOUGH:
            one_panel = trim_gaps(surest.warp, surest.clear)
            return DetectedGrid(_grid(*trim_other_tiles(photo, *one_panel)), windows)
    return None


def _grow_from(photo: WallPhoto, seed: GridSeed) -> _Grown:
    """Grow a grid from a seed as far as joints are seen."""
    warp, clear = _stretch(photo, lay_seed(photo, seed))
    coarser = find_coarser(clear)
    if coarser is not None:
        warp, clear = _stretch(photo, warp.every_second(*coarser))
    return _Grown(warp, clear, warp.crossings(), grid_confidence(clear))


def _stretch(photo: WallPhoto, warp: Warp) -> tuple[Warp, Clarity]:
    """Extend a warp as far as joints are seen, and refine it."""
    return trim_unseen(*refine(photo, _extend(photo, warp)))


def _extend(photo: WallPhoto, warp: Warp) -> Warp:
    """Add rows and cols on all sides for as long as their joints are seen."""
    at_once = AT_ONCE
    while max(warp.rows, warp.cols) < LARGEST:
        step = max(1, round(at_once * min(warp.rows, warp.cols)))
        larger = fit_polynomial(photo, warp.cropped(-step, -step, -step, -step))
        grows = supported_sides(photo, larger, read_clarity(photo, larger), step, SUPPORT)
        if grows.any():
            warp = larger.cropped(*np.where(grows, 0, step).tolist())
        elif step > 1:
            at_once /= 2
        else:
            break
    return warp


def _alike(one: _Grown, grown: Sequence[_Grown]) -> list[_Grown]:
    """Return the grids that agree with ``one``, itself among them."""
    return [
        other
        for other in grown
        if other is one or shared_crossings(one.crossings, other.crossings) >= ALIKE
    ]


def _quarters_agree(photo: WallPhoto, grown: _Grown) -> bool:
    """Tell whether each quarter of a grid, as a window of its own, leads to the same grid."""
    whole = np.array([grown.warp.cols, grown.warp.rows])
    part = np.minimum(np.maximum(QUARTER * whole, TILES), whole)
    corners = [grown.warp(at * (whole - part) + CORNERS * part) for at in CORNERS]
    return all(in_threads(lambda each: _shows(photo, each, grown), corners))


def _shows(photo: WallPhoto, corners: Points, grown: _Grown) -> bool:
    """Tell whether a window with these corners leads to a grid."""
    seed = find_seed(photo, corners)
    if seed is None:
        return False
    return shared_crossings(lay_seed(photo, seed).crossings(), grown.crossings) >= ALIKE


def _best_guess(grown: Sequence[_Grown]) -> DetectedGrid:
    """Return the grid with which most others agree; among several the surest."""
    votes = [len(_alike(one, grown)) for one in grown]
    best = max(range(len(grown)), key=lambda i: (votes[i], grown[i].confidence))
    return DetectedGrid(_grid(grown[best].warp, grown[best].clear), votes[best])


def _grid(warp: Warp, clear: Clarity) -> Grid:
    return Grid(warp.crossings(), *clear, grid_confidence(clear))


def _may_be_another(seed: GridSeed, found: Sequence[DetectedGrid]) -> bool:
    """Tell whether a seed may belong to a panel that is not found yet."""
    return seed.gain >= ANOTHER and all(_is_outside(seed.crossings, one) for one in found)


def _is_outside(points: Points, found: DetectedGrid) -> bool:
    """Tell whether most of the points [..., 2] lie outside a grid."""
    hull = cv2.convexHull(found.grid.crossings.reshape(-1, 2).astype(np.float32))
    tests = [cv2.pointPolygonTest(hull, each, False) for each in points.reshape(-1, 2).tolist()]
    return float(np.mean(np.array(tests) < 0)) > OUTSIDE
