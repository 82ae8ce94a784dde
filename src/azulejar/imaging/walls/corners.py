"""Find the grid of a panel whose four corners are roughly known."""

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from azulejar.errors import AzulejarError
from azulejar.imaging.walls.extent import grid_confidence, supported_sides
from azulejar.imaging.walls.grid import Grid
from azulejar.imaging.walls.lattice import Lattice, find_lattice
from azulejar.imaging.walls.photo import FARTHEST, Points, WallPhoto, project_points
from azulejar.imaging.walls.refine import Clarity, fit_bend, fit_polynomial, read_clarity, refine
from azulejar.imaging.walls.warp import Warp

BEYOND = 2  # tiles beyond a panel's sides that may take part
SEEN_BEYOND = 0.75  # share of their joints that must be seen for that
UNSURE = 0.5  # confidence below which the grid may well be wrong


def grid_from_corners(
    picture: NDArray[np.uint8],
    corners: Points,
    rows: int | None = None,
    cols: int | None = None,
    on_progress: Callable[[float], None] | None = None,
) -> Grid:
    """Return the grid of joints nearest to ``corners`` [4, 2], clockwise from the top left.

    A corner may be half a tile off. Rows and cols are found unless they are given.
    """
    photo = WallPhoto(picture)
    lattice = find_lattice(photo, corners, rows, cols, on_progress)
    warp, clear = _lay(photo, warp_from(photo, lattice, corners, rows, cols))
    return Grid(warp.crossings(), *clear, grid_confidence(clear))


def _lay(photo: WallPhoto, warp: Warp) -> tuple[Warp, Clarity]:
    """Lay the warp on its joints; return it, and how clearly the joints were seen.

    Tiles beyond a side take part where their joints are clear, as an outermost joint is located
    better with tiles on both sides of it.
    """
    larger = fit_polynomial(photo, warp.cropped(-BEYOND, -BEYOND, -BEYOND, -BEYOND))
    sides = supported_sides(photo, larger, read_clarity(photo, larger), BEYOND, SEEN_BEYOND)
    if not sides.any():
        return refine(photo, warp)
    beyond = np.where(sides, BEYOND, 0)
    wider, _ = refine(photo, warp.cropped(*(-beyond).tolist()))
    warp = wider.cropped(*beyond.tolist())
    return warp, read_clarity(photo, warp)


def warp_from(
    photo: WallPhoto, lattice: Lattice, corners: Points, rows: int | None, cols: int | None
) -> Warp:
    """Cut the panel between the corners out of a lattice, and bend it onto its joints."""
    homography, *size = panel_between(lattice.homography, corners, rows, cols)
    homography = fit_bend(photo, homography, *size).flattest().homography
    # With the lattice closer to its joints, the corners may be closest to other ones.
    return fit_bend(photo, *panel_between(homography, corners, rows, cols))


def panel_between(
    homography: Points, corners: Points, rows: int | None, cols: int | None
) -> tuple[Points, int, int]:
    """Return the homography moved so that the panel starts at (0, 0), and its rows and cols.

    Each side of the panel is the joint nearest to the mean of its two corners.
    """
    inside = project_points(np.linalg.inv(homography).astype(np.float64), corners)
    top_left, top_right, bottom_right, bottom_left = inside
    left, cols = _span(top_left[0] + bottom_left[0], top_right[0] + bottom_right[0], cols)
    top, rows = _span(top_left[1] + top_right[1], bottom_left[1] + bottom_right[1], rows)
    if rows < 1 or cols < 1:
        raise AzulejarError(
            "wall-no-whole-tile",
            "No whole tile lies between the corners.",
            "Give the panel's four corners, from the top left one clockwise.",
        )
    return homography @ np.array([[1, 0, left], [0, 1, top], [0, 0, 1.0]]), rows, cols


def _span(twice_first: float, twice_last: float, known: int | None) -> tuple[int, int]:
    """Return the first joint and the number of tiles between two sides."""
    first, last = twice_first / 2, twice_last / 2
    if known is None:
        return round(first), round(last) - round(first)
    return round((first + last - known) / 2), known


def parse_corners(text: str) -> Points:
    """Read corners [4, 2] from "x,y x,y x,y x,y", which must run clockwise from the top left."""
    try:
        corners = np.array([[float(part) for part in pair.split(",")] for pair in text.split()])
    except ValueError:
        corners = np.empty(0)
    if corners.shape != (4, 2) or not (np.abs(corners) <= FARTHEST).all():
        raise AzulejarError(
            "corners-not-four",
            '"{text}" are not four corners.',
            'Write them as "120,80 900,95 910,620 110,600".',
            text=text,
        )
    step = np.roll(corners, -1, axis=0) - corners
    after = np.roll(step, -1, axis=0)
    if (step[:, 0] * after[:, 1] - step[:, 1] * after[:, 0] <= 0).any():
        raise AzulejarError(
            "corners-not-clockwise",
            "The corners do not go clockwise round a panel.",
            "Give the top left one first, then top right, bottom right, bottom left.",
        )
    return corners
