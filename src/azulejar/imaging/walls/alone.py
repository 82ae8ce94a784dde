"""The grid of a wall of which no corners are given: found in a window, then grown."""

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from azulejar.errors import AzulejarError
from azulejar.imaging.walls.beyond import share, supported
from azulejar.imaging.walls.corners import warp_from
from azulejar.imaging.walls.grid import Grid
from azulejar.imaging.walls.lattice import find_lattice
from azulejar.imaging.walls.photo import Photo
from azulejar.imaging.walls.refine import followed, refined, seen
from azulejar.imaging.walls.sureness import sureness
from azulejar.imaging.walls.warp import Warp
from azulejar.imaging.walls.windows import windows

# Confidence below which the grid may well be wrong: nobody says here that there is a panel.
UNSURE_ALONE = 0.64
FEWEST, MOST = 4.0, 16.0  # tiles along a window
SUPPORT = 0.6  # of the joints of a further row that must be seen
AT_ONCE = 0.25  # of its shorter side that a grid grows by: what is painted may hide one joint
LARGEST = 60  # rows or cols to which a grid grows


def grid_alone(
    picture: NDArray[np.uint8], on_progress: Callable[[float], None] | None = None
) -> Grid:
    """The largest grid of whole tiles about the window that shows joints most surely."""
    photo = Photo(picture)
    warp, clear = refined(photo, _grown(photo, _seed(photo, on_progress)))
    if on_progress is not None:
        on_progress(1.0)
    return _trimmed(Grid(warp.crossings(), *clear, sureness(clear)))


def _seed(photo: Photo, on_progress: Callable[[float], None] | None) -> Warp:
    """The grid of the surest window."""
    found: list[tuple[float, Warp]] = []
    for done, corners in enumerate(windows(photo)):
        try:
            lattice = find_lattice(photo, corners, fewest=FEWEST, most=MOST)
        except AzulejarError:  # a window may be too small for tiles
            continue
        warp = followed(photo, warp_from(photo, lattice, corners, None, None))
        found.append((sureness(seen(photo, warp)), warp))
        if on_progress is not None:
            on_progress((done + 1) / 12)
    if not found:
        raise AzulejarError(
            "Finding the joints: the photograph is too small for a grid of tiles.",
            "Give a larger photograph.",
        )
    return max(found, key=lambda one: one[0])[1]


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
