"""Find where a grid can grow from: windows of a photograph that show joints."""

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from azulejar.errors import AzulejarError
from azulejar.imaging.walls.corners import panel_between, warp_from
from azulejar.imaging.walls.lattice import Lattice, find_lattice
from azulejar.imaging.walls.photo import Points, WallPhoto
from azulejar.imaging.walls.refine import Clarity, fit_polynomial, read_clarity
from azulejar.imaging.walls.warp import Warp

FEWEST_TILES, MOST_TILES = 4.0, 16.0  # along a window
LINE_PICTURE = 1200  # longest side in pixels of the picture in which lines are searched for
SHORTEST_LINE = 12  # pixels there
APART = 4 / 3  # half sides from one window to the next, at most
STEEPEST = 0.6  # slope of a line against the picture's own directions
SLOPE_SLACK = 0.03  # usual difference between the slopes of lines that belong together
USUAL_SHARE = 0.6  # share of its joints that a tile must show to count for the rectangle


class GridSeed(NamedTuple):
    """The ``lattice`` in a window with these ``corners``, its ``crossings`` where joints are seen,
    and the ``gain``: how many more joints than usual are seen there.
    """

    lattice: Lattice
    corners: Points
    crossings: Points
    gain: float


def find_seed(photo: WallPhoto, corners: Points) -> GridSeed | None:
    """Return the lattice in a window, None where the window is too small for tiles."""
    try:
        lattice = find_lattice(photo, corners, fewest=FEWEST_TILES, most=MOST_TILES)
        flat = Warp.flat(*panel_between(lattice.homography, corners, None, None))
    except AzulejarError:
        return None
    gain, beyond = densest_part(read_clarity(photo, flat))
    return GridSeed(lattice, corners, flat.cropped(*beyond).crossings(), gain)


def lay_seed(photo: WallPhoto, seed: GridSeed) -> Warp:
    """Return the part of a seed where joints are seen, laid on them."""
    warp = fit_polynomial(photo, warp_from(photo, seed.lattice, seed.corners, None, None))
    _, beyond = densest_part(read_clarity(photo, warp))
    return warp.cropped(*beyond)


def iter_windows(photo: WallPhoto, half: float) -> Iterator[Points]:
    """Yield the corners [4, 2] of windows over all of the photograph.

    ``half`` is half a window's side, as a fraction of the photograph's shorter side. Windows are
    quadrangles that would be about square on the wall, judging by how its lines lean.
    """
    lines = photo.lines(LINE_PICTURE, SHORTEST_LINE)
    size = np.array([photo.width, photo.height])
    reach = half * size.min()
    cols, rows = np.ceil(size / (APART * reach)).astype(int)
    for y in np.linspace(reach, photo.height - reach, rows):
        for x in np.linspace(reach, photo.width - reach, cols):
            yield _window(lines, np.array([x, y]), reach)


def _window(lines: NDArray[np.float64], middle: Points, half: float) -> Points:
    """Return a window whose sides lean as most of the lines [n, 4] in and around it."""
    first, last = (lines[:, :2] - middle) / half, (lines[:, 2:] - middle) / half
    at, step = (first + last) / 2, last - first
    near = (np.abs(at) < 1.5).all(axis=1)
    at, step = at[near], step[near]
    flat = np.abs(step[:, 1]) < STEEPEST * np.abs(step[:, 0])
    steep = np.abs(step[:, 0]) < STEEPEST * np.abs(step[:, 1])
    lean, fan = _lean(at[flat, 1], step[flat, 1] / step[flat, 0], np.abs(step[flat, 0]))
    tip, spread = _lean(at[steep, 0], step[steep, 0] / step[steep, 1], np.abs(step[steep, 1]))
    u, v = np.array([-1, 1, 1, -1.0]), np.array([-1, -1, 1, 1.0])
    corners = np.stack([u + (tip + spread * u) * v, v + (lean + fan * v) * u], axis=-1)
    return np.asarray(middle + half * corners, np.float64)


def _lean(
    at: NDArray[np.float64], slopes: NDArray[np.float64], lengths: NDArray[np.float64]
) -> tuple[float, float]:
    """Return the slope in the middle, and its change over half a window, that most lines have."""
    means, changes = np.meshgrid(np.arange(-0.5, 0.501, 0.02), np.arange(-0.3, 0.301, 0.03))
    means, changes = means.ravel(), changes.ravel()
    off = slopes - (means[:, None] + changes[:, None] * at)
    votes = np.exp(-0.5 * (off / SLOPE_SLACK) ** 2) @ lengths
    # Without lines, and in a tie, prefer a wall seen from straight ahead.
    votes = (votes + 1e-6) * (1 - 0.3 * np.abs(means) - 0.3 * np.abs(changes))
    best = int(votes.argmax())
    return float(means[best]), float(changes[best])


def densest_part(clear: Clarity) -> tuple[float, tuple[int, int, int, int]]:
    """Find the rectangle of tiles whose joints are seen best, as a window may show few tiles.

    Returns its gain, by how many its joints seen exceed the usual share, and how many tiles lie
    beyond it at the left, top, right and bottom of the grid.
    """
    down, across = clear
    gains = (down[:, :-1] + down[:, 1:] + across[:-1] + across[1:]) / 4 - USUAL_SHARE
    rows, cols = gains.shape
    sums = np.zeros((rows + 1, cols + 1))
    sums[1:, 1:] = gains.cumsum(axis=0).cumsum(axis=1)
    best, beyond = -np.inf, (0, 0, 0, 0)
    for top in range(rows):
        bands = sums[top + 1 :] - sums[top]  # [last row, cols + 1]
        least = np.minimum.accumulate(bands, axis=1)[:, :-1]
        gain = bands[:, 1:] - least
        row, col = np.unravel_index(int(gain.argmax()), gain.shape)
        if gain[row, col] > best:
            best = float(gain[row, col])
            left = int(bands[row, : col + 1].argmin())
            beyond = (left, top, cols - 1 - int(col), rows - 1 - top - int(row))
    return best, beyond
