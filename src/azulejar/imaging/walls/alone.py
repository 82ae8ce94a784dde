"""The grid of a wall of which no corners are given: found in a window, then grown."""

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from azulejar.errors import AzulejarError
from azulejar.imaging.walls.corners import certainty, warp_from
from azulejar.imaging.walls.grid import Grid
from azulejar.imaging.walls.lattice import Lattice, find_lattice
from azulejar.imaging.walls.photo import Photo, Points
from azulejar.imaging.walls.refine import Clear, followed, refined, seen
from azulejar.imaging.walls.sureness import sureness
from azulejar.imaging.walls.warp import Warp
from azulejar.imaging.walls.windows import windows

# Confidence below which the grid may well be wrong: nobody says here that there is a panel.
UNSURE_ALONE = 0.6
FEWEST, MOST = 4.0, 16.0  # tiles along a window
SUPPORT = 0.6  # of the joints of a further row that must be seen
STEPS = (2, 1)  # rows that a grid grows by: two first, as what is painted may hide a joint
INSIDE = 0.6  # of a further joint that must lie in the photograph
LARGEST = 60  # rows or cols to which a grid grows


def grid_alone(
    picture: NDArray[np.uint8], on_progress: Callable[[float], None] | None = None
) -> Grid:
    """The largest grid of whole tiles about the window that shows joints most surely."""
    photo = Photo(picture)
    lattice, corners = _seed(photo, on_progress)
    warp = _grown(photo, warp_from(photo, lattice, corners, None, None))
    warp, clear = refined(photo, warp)
    if on_progress is not None:
        on_progress(1.0)
    return Grid(warp.crossings(), *clear, sureness(clear))


def _seed(photo: Photo, on_progress: Callable[[float], None] | None) -> tuple[Lattice, Points]:
    """The lattice of the surest window, and the window's corners."""
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
    return max(found, key=lambda one: one[0])[1:]


def _grown(photo: Photo, warp: Warp) -> Warp:
    """The warp with rows and cols added on all sides for as long as their joints are seen."""
    warp = followed(photo, warp)
    for step in STEPS:
        grows = True
        while grows and max(warp.rows, warp.cols) < LARGEST:
            larger = followed(photo, warp.cropped(-step, -step, -step, -step))
            supported = _supported(photo, larger, seen(photo, larger), step)
            grows = bool(supported.any())
            if grows:
                warp = larger.cropped(*np.where(supported, 0, step).tolist())
    return warp


def _supported(photo: Photo, warp: Warp, clear: Clear, step: int) -> NDArray[np.bool_]:
    """Whether the joints that the outermost tiles add at the left, top, right and bottom are seen
    and lie in the photograph.
    """
    support = []
    for side in range(4):
        down, across, points = (
            _from_side(part, side) for part in (*clear, np.moveaxis(warp.crossings(), -1, 0))
        )
        ends, ribs = (down, across) if side % 2 == 0 else (across, down)
        share = (ends[step:-step, :step].mean() + ribs[step:-step, :step].mean()) / 2
        edge = points[:, step:-step, 0].T
        inside = ((edge > 0) & (edge < [photo.width, photo.height])).all(axis=1).mean()
        support.append(share > SUPPORT and inside > INSIDE)
    return np.array(support)


def _from_side(part: NDArray[np.float64], side: int) -> NDArray[np.float64]:
    """The last two axes turned so that the last one goes inwards from a side: 0 left, 1 top,
    2 right, 3 bottom.
    """
    inwards = np.swapaxes(part, -1, -2) if side % 2 else part
    return inwards[..., ::-1] if side >= 2 else inwards
