"""The grid of a wall of which no corners are given: found in a window, then grown."""

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from azulejar.errors import AzulejarError
from azulejar.imaging.walls.corners import certainty, warp_from
from azulejar.imaging.walls.evidence import Tone
from azulejar.imaging.walls.grid import Grid
from azulejar.imaging.walls.lattice import Lattice, find_lattice
from azulejar.imaging.walls.photo import Photo, Points
from azulejar.imaging.walls.refine import refined
from azulejar.imaging.walls.warp import Warp
from azulejar.imaging.walls.windows import windows

FEWEST, MOST = 4.0, 16.0  # tiles along a window
SUPPORT = 0.5  # of the usual joints' clearness that the joints of a further row must have
LARGEST = 60  # rows or cols to which a grid grows


def grid_alone(
    picture: NDArray[np.uint8], on_progress: Callable[[float], None] | None = None
) -> Grid:
    """The largest grid of whole tiles about the window that shows joints most surely."""
    photo = Photo(picture)
    confidence, lattice, corners = _seed(photo, on_progress)
    warp = warp_from(photo, lattice, corners, None, None)
    warp, clear = _grown(photo, warp, lattice.tones)
    if on_progress is not None:
        on_progress(1.0)
    return Grid(warp.crossings(), *clear, confidence)


def _seed(
    photo: Photo, on_progress: Callable[[float], None] | None
) -> tuple[float, Lattice, Points]:
    """How sure the surest window is, its lattice and its corners."""
    found: list[tuple[float, Lattice, Points]] = []
    for done, corners in enumerate(windows(photo)):
        try:
            lattice = find_lattice(photo, corners, fewest=FEWEST, most=MOST)
        except AzulejarError:  # a window may be too small for tiles
            continue
        found.append((certainty(lattice), lattice, corners))
        if on_progress is not None:
            on_progress((done + 1) / 12)
    if not found:
        raise AzulejarError(
            "Finding the joints: the photograph is too small for a grid of tiles.",
            "Give a larger photograph.",
        )
    return max(found, key=lambda one: one[0])


Clear = tuple[NDArray[np.float64], NDArray[np.float64]]


def _grown(photo: Photo, warp: Warp, tones: tuple[Tone, Tone]) -> tuple[Warp, Clear]:
    """The warp with rows and cols added on all sides for as long as their joints are seen."""
    warp, clear = refined(photo, warp, tones)
    open_sides = np.ones(4, bool)  # left, top, right, bottom
    while open_sides.any() and max(warp.rows, warp.cols) < LARGEST:
        larger, seen = refined(photo, warp.cropped(*(-open_sides.astype(int))), tones)
        supported = open_sides & _supported(photo, larger, seen, clear)
        left, top, right, bottom = (open_sides & ~supported).astype(int).tolist()
        down, across = seen
        clear = (
            down[top : larger.rows - bottom, left : larger.cols + 1 - right],
            across[top : larger.rows + 1 - bottom, left : larger.cols - right],
        )
        warp, open_sides = larger.cropped(left, top, right, bottom), supported
    return warp, clear


def _supported(photo: Photo, warp: Warp, seen: Clear, before: Clear) -> NDArray[np.bool_]:
    """Whether the joints that the outermost tiles add are seen, and lie in the photograph."""
    down, across = seen
    usual = np.array([np.median(part) for part in before])
    ends = [down[:, 0], across[0], down[:, -1], across[-1]]
    ribs = [across[:, 0], down[0], across[:, -1], down[-1]]
    points = warp.crossings()
    edges = [points[:, 0], points[0], points[:, -1], points[-1]]
    support = []
    for side in range(4):
        end = ends[side].mean() / usual[side % 2]
        rib = ribs[side].mean() / usual[1 - side % 2]
        inside = ((edges[side] > 0) & (edges[side] < [photo.width, photo.height])).all(axis=1)
        import os
        if os.environ.get('DBG'): print('LTRB'[side], warp.rows, warp.cols, round(end,2), round(rib,2), round(inside.mean(),2))
        support.append((end + rib) / 2 > SUPPORT and min(end, rib) > SUPPORT / 2 and inside.mean() > 0.9)
    return np.array(support)
