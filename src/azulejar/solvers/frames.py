"""Frames: the whole rectangles that a panel of unknown size may fill."""

import numpy as np
from numpy.typing import NDArray

from azulejar.system.compiling import lean

REACH = 2.0  # rows or cols by which a frame may differ from what an assembly suggests


def likely_frames(placed: NDArray[np.int32]) -> NDArray[np.int32]:
    """Rows and cols [k, 2] of the rectangles that n tiles fill and that are near an assembly.

    Near is where either the rows or the cols are those of ``placed`` [n, 3], about. Its height and
    width are told by the spread of its tiles, as a few that stick out widen the box too much.
    """
    n = len(placed)
    rows = np.array([count for count in range(1, n + 1) if n % count == 0])
    frames = np.stack([rows, n // rows], axis=1)
    # Of h rows, equally full, the variance is (h² - 1) / 12.
    suggested = np.sqrt(12 * placed[:, :2].var(axis=0) + 1)
    return frames[(np.abs(frames - suggested) <= REACH).any(axis=1)].astype(np.int32)


@lean
def fills_its_box(row, col):
    """Whether tiles at these rows and cols [n], no two in one place, make a whole rectangle."""
    top = bottom = row[0]
    left = right = col[0]
    for tile in range(len(row)):
        top, bottom = min(top, row[tile]), max(bottom, row[tile])
        left, right = min(left, col[tile]), max(right, col[tile])
    return (bottom - top + 1) * (right - left + 1) == len(row)
