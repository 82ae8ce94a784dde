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

# Confidence below which the grid may well be wrong: nobody says here that there is a panel.
UNSURE_ALONE = 0.6
FEWEST, MOST = 4.0, 16.0  # tiles along a window
SUPPORT = 0.4  # of the usual joints' clearness that the joints of a further row must have
FAINT = 0.2  # joints less clear than this do not count as usual
INSIDE = 0.6  # of a further joint that must lie in the photograph
LARGEST = 60  # rows or cols to which a grid grows


def grid_alone(
    picture: NDArray[np.uint8], on_progress: Callable[[float], None] | None = None
) -> Grid:
    """The largest grid of whole tiles about the window that shows joints most surely.

    Only that of the window itself where the confidence is below UNSURE_ALONE.
    """
    photo = Photo(picture)
    confidence, lattice, corners = _seed(photo, on_progress)
    warp = warp_from(photo, lattice, corners, None, None)
    grow = _grown if confidence >= UNSURE_ALONE else refined
    warp, clear = grow(photo, warp, lattice.tones)
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
    """The warp with rows and cols added on all sides for as long as their joints are seen.

    Two at a time first: a joint may be hidden by what is painted on it.
    """
    warp, clear = refined(photo, warp, tones)
    for step in (2, 1):
        grows = True
        while grows and max(warp.rows, warp.cols) < LARGEST:
            larger, seen = refined(photo, warp.cropped(-step, -step, -step, -step), tones)
            supported = _supported(photo, larger, seen, clear, step)
            grows = bool(supported.any())
            left, top, right, bottom = np.where(supported, 0, step).tolist()
            if grows:
                warp = larger.cropped(left, top, right, bottom)
                down, across = seen
                clear = (
                    down[top : larger.rows - bottom, left : larger.cols + 1 - right],
                    across[top : larger.rows + 1 - bottom, left : larger.cols - right],
                )
    return warp, clear


def _supported(
    photo: Photo, warp: Warp, seen: Clear, before: Clear, step: int
) -> NDArray[np.bool_]:
    """Whether the joints that the outermost tiles add at the left, top, right and bottom are seen
    as well as others, and lie in the photograph.
    """
    usual = np.array([max(float(np.median(part)), FAINT) for part in before])
    support = []
    for side in range(4):
        down, across, points = (
            _from_side(part, side) for part in (*seen, np.moveaxis(warp.crossings(), -1, 0))
        )
        ends, ribs = (down, across) if side % 2 == 0 else (across, down)
        end = ends[..., step:-step, :step].mean() / usual[side % 2]
        rib = ribs[..., step:-step, :step].mean() / usual[1 - side % 2]
        edge = points[:, step:-step, 0].T
        inside = ((edge > 0) & (edge < [photo.width, photo.height])).all(axis=1).mean()
        support.append((end + rib) / 2 > SUPPORT and inside > INSIDE)
    return np.array(support)


def _from_side(part: NDArray[np.float64], side: int) -> NDArray[np.float64]:
    """The last two axes turned so that the last one goes inwards from a side: 0 left, 1 top,
    2 right, 3 bottom.
    """
    inwards = np.swapaxes(part, -1, -2) if side % 2 else part
    return inwards[..., ::-1] if side >= 2 else inwards
