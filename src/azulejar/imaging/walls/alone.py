"""The grid of a wall of which no corners are given: found in a window, then grown."""

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from azulejar.errors import AzulejarError
from azulejar.imaging.walls.corners import warp_from
from azulejar.imaging.walls.grid import Grid
from azulejar.imaging.walls.lattice import SMALLEST, find_lattice
from azulejar.imaging.walls.photo import Photo
from azulejar.imaging.walls.refine import Clear, followed, refined, seen
from azulejar.imaging.walls.sureness import sureness
from azulejar.imaging.walls.warp import Warp
from azulejar.imaging.walls.windows import windows

# Confidence below which the grid may well be wrong: nobody says here that there is a panel.
UNSURE_ALONE = 0.64
FEWEST, MOST = 4.0, 16.0  # tiles along a window
SUPPORT = 0.6  # of the joints of a further row that must be seen
AT_ONCE = 0.25  # of its shorter side that a grid grows by: what is painted may hide one joint
INSIDE = 0.4  # of a further joint that must lie in the photograph
SHORTEST = 0.3  # of the side opposite that a side must have: farther away, too little is seen
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
        supported = _supported(photo, larger, seen(photo, larger), step)
        if supported.any():
            warp = larger.cropped(*np.where(supported, 0, step).tolist())
        elif step > 1:
            at_once /= 2
        else:
            break
    return warp


def _supported(photo: Photo, warp: Warp, clear: Clear, step: int) -> NDArray[np.bool_]:
    """Whether the joints that the outermost tiles add at the left, top, right and bottom are seen
    and lie in the photograph, and their side is not too far away.
    """
    points = np.moveaxis(warp.crossings(), -1, 0)
    edges = [_from_side(points, side)[:, step:-step, 0].T for side in range(4)]
    lengths = [np.linalg.norm(np.diff(edge, axis=0), axis=1).mean() for edge in edges]
    support = []
    for side, edge in enumerate(edges):
        inside = ((edge > 0) & (edge < [photo.width, photo.height])).all(axis=1).mean()
        near = lengths[side] > max(SMALLEST, SHORTEST * lengths[(side + 2) % 4])
        seen_there = _share(clear, side, slice(0, step), slice(step, -step))
        support.append(seen_there > SUPPORT and inside > INSIDE and near)
    return np.array(support)


def _trimmed(grid: Grid) -> Grid:
    """Without the outermost rows and cols whose joints are not seen after all."""
    while min(grid.rows, grid.cols) > FEWEST:
        clear = (grid.clear_down, grid.clear_across)
        shares = [_share(clear, side, slice(0, 1), slice(None)) for side in range(4)]
        if min(shares) > SUPPORT:
            break
        left, top, right, bottom = (int(side == np.argmin(shares)) for side in range(4))
        rows, cols = slice(top, grid.rows - bottom), slice(left, grid.cols - right)
        rows_on, cols_on = slice(top, rows.stop + 1), slice(left, cols.stop + 1)
        clear = (grid.clear_down[rows, cols_on], grid.clear_across[rows_on, cols])
        grid = Grid(grid.crossings[rows_on, cols_on], *clear, sureness(clear))
    return grid


def _share(clear: Clear, side: int, tiles: slice, along: slice) -> float:
    """Of the joints that the ``tiles`` next to a side have there and between each other."""
    down, across = (_from_side(part, side) for part in clear)
    ends, ribs = (down, across) if side % 2 == 0 else (across, down)
    return float(ends[along, tiles].mean() + ribs[along, tiles].mean()) / 2


def _from_side(part: NDArray[np.float64], side: int) -> NDArray[np.float64]:
    """The last two axes turned so that the last one goes inwards from a side: 0 left, 1 top,
    2 right, 3 bottom.
    """
    inwards = np.swapaxes(part, -1, -2) if side % 2 else part
    return inwards[..., ::-1] if side >= 2 else inwards
