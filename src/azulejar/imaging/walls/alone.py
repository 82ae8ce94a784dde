"""The grid of a wall of which no corners are given: grown from many windows, and believed where
several of these lead to the same.
"""

from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from azulejar.errors import AzulejarError
from azulejar.imaging.walls.agreement import agreement
from azulejar.imaging.walls.beyond import share, supported
from azulejar.imaging.walls.corners import warp_from
from azulejar.imaging.walls.grid import Grid
from azulejar.imaging.walls.lattice import find_lattice
from azulejar.imaging.walls.photo import Photo, Points
from azulejar.imaging.walls.refine import followed, refined, seen
from azulejar.imaging.walls.sureness import sureness
from azulejar.imaging.walls.warp import Warp
from azulejar.imaging.walls.windows import windows
from azulejar.threads import in_threads

SIZES = (0.3, 0.22, 0.15, 0.11)  # half a window's side, of the photograph's shorter side
FEWEST, MOST = 4.0, 16.0  # tiles along a window
SMALLEST = 25  # pixels of a tile's side: in smaller ones hardly a joint is seen
GROWN = 6  # windows of a size, the surest, from which a grid is grown
ALIKE = 0.95  # of the crossings of two grids that are the same
ENOUGH = 4  # windows that must lead to the same grid
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


def grid_alone(
    picture: NDArray[np.uint8], on_progress: Callable[[float], None] | None = None
) -> Found:
    """The grid of whole tiles to which most windows lead, larger windows first."""
    photo = Photo(picture)
    found: Found | None = None
    grids: list[Grid] = []
    shorter = min(photo.width, photo.height)
    sizes = [half for half in SIZES if 2 * half * shorter >= FEWEST * SMALLEST]
    for number, half in enumerate(sizes):

        def told(part: float, number: int = number) -> None:
            if on_progress is not None:
                on_progress((number + part) / len(sizes))

        grids += _grids(photo, list(windows(photo, half)), told)
        found = _most_agreed(grids)
        if found is not None and found.sure:
            break
    if found is None:
        raise AzulejarError(
            "Finding the joints: the photograph is too small for a grid of tiles.",
            "Give a larger photograph.",
        )
    if on_progress is not None:
        on_progress(1.0)
    return found


def _grids(
    photo: Photo, corners: Sequence[Points], on_progress: Callable[[float], None]
) -> list[Grid]:
    """Those grown from the windows that show joints most surely."""
    steps = len(corners) + 2 * GROWN  # a grid takes about as long as two windows
    seeds: list[tuple[float, Warp]] = []
    for done, seed in enumerate(in_threads(lambda each: _seed(photo, each), corners)):
        seeds += [] if seed is None else [seed]
        on_progress((done + 1) / steps)
    seeds.sort(key=lambda one: -one[0])
    grids = []
    for grid in in_threads(lambda seed: _grid(photo, seed[1]), seeds[:GROWN]):
        grids.append(grid)
        on_progress((len(corners) + 2 * len(grids)) / steps)
    return grids


def _seed(photo: Photo, corners: Points) -> tuple[float, Warp] | None:
    """The grid in a window, and how sure it is; none where the window is too small for tiles."""
    try:
        lattice = find_lattice(photo, corners, fewest=FEWEST, most=MOST)
        warp = followed(photo, warp_from(photo, lattice, corners, None, None))
    except AzulejarError:
        return None
    return sureness(seen(photo, warp)), warp


def _grid(photo: Photo, seed: Warp) -> Grid:
    """The largest grid about a window."""
    warp, clear = refined(photo, _grown(photo, seed))
    return _trimmed(Grid(warp.crossings(), *clear, sureness(clear)))


def _most_agreed(grids: Sequence[Grid]) -> Found | None:
    """The grid that most agree with; of these the surest."""
    if not grids:
        return None
    alike = np.eye(len(grids), dtype=bool)
    for i in range(len(grids)):
        for j in range(i):
            same = agreement(grids[i].crossings, grids[j].crossings)
            alike[i, j] = alike[j, i] = same >= ALIKE
    votes = alike.sum(axis=1)
    best = max(range(len(grids)), key=lambda i: (votes[i], grids[i].confidence))
    return Found(grids[best], int(votes[best]))


def _grown(photo: Photo, warp: Warp) -> Warp:
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


def _trimmed(grid: Grid) -> Grid:
    """Without the outermost rows and cols whose joints are not seen after all."""
    while min(grid.rows, grid.cols) > FEWEST:
        clear = (grid.clear_down, grid.clear_across)
        shares = [share(clear, side, slice(0, 1), slice(None)) for side in range(4)]
        if min(shares) > SUPPORT:
            break
        left, top, right, bottom = (int(side == np.argmin(shares)) for side in range(4))
        rows, cols = slice(top, grid.rows - bottom), slice(left, grid.cols - right)
        rows_on, cols_on = slice(top, rows.stop + 1), slice(left, cols.stop + 1)
        clear = (grid.clear_down[rows, cols_on], grid.clear_across[rows_on, cols])
        grid = Grid(grid.crossings[rows_on, cols_on], *clear, sureness(clear))
    return grid
