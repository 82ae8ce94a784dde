"""A grid drawn over its photograph, to be checked by eye."""

from collections.abc import Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from azulejar.imaging.walls.grid import Grid

DOUBTFUL = 0.3
SEEN = (255, 40, 40)
UNSEEN = (255, 220, 0)
GIVEN = (0, 220, 80)
LONGEST = 3000  # pixels; a larger photograph is drawn smaller


def overlay(
    picture: NDArray[np.uint8],
    grid: Grid | None = None,
    corners: NDArray[np.float64] | None = None,
    others: Sequence[Grid] = (),
) -> NDArray[np.uint8]:
    """Joints that were seen in red, doubtful ones in yellow, given corners as green rings, and
    other panels framed in green.

    Every fifth joint is drawn thicker, so that rows and cols can be counted.
    """
    scale = min(1.0, LONGEST / max(picture.shape[:2]))
    size = (round(picture.shape[1] * scale), round(picture.shape[0] * scale))
    small = cv2.resize(picture, size, interpolation=cv2.INTER_AREA) if scale < 1 else picture
    canvas = np.array(small, np.uint8, order="C")
    thin = max(1, round(max(size) / 1200))
    if grid is not None:
        points = np.round(grid.crossings * scale - 0.5).astype(int)
        for row, col in np.ndindex(grid.clear_down.shape):
            ends = points[row, col], points[row + 1, col]
            _joint(
                canvas, ends, float(grid.clear_down[row, col]), thin * (2 if col % 5 == 0 else 1)
            )
        for row, col in np.ndindex(grid.clear_across.shape):
            ends = points[row, col], points[row, col + 1]
            _joint(
                canvas, ends, float(grid.clear_across[row, col]), thin * (2 if row % 5 == 0 else 1)
            )
    if corners is not None:
        for x, y in np.round(corners * scale - 0.5).astype(int).tolist():
            cv2.circle(canvas, (x, y), 8 * thin, GIVEN, 2 * thin, cv2.LINE_AA)
    for other in others:
        frame = np.round(other.corners * scale - 0.5).astype(np.int32)
        cv2.polylines(canvas, [frame], True, GIVEN, 2 * thin, cv2.LINE_AA)
    return canvas


def _joint(
    canvas: NDArray[np.uint8],
    ends: tuple[NDArray[np.int_], NDArray[np.int_]],
    clear: float,
    thickness: int,
) -> None:
    first, last = ((int(x), int(y)) for x, y in ends)
    colour = UNSEEN if clear < DOUBTFUL else SEEN
    cv2.line(canvas, first, last, colour, thickness, cv2.LINE_AA)
