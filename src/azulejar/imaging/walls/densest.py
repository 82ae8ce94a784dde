"""The part of a grid in which joints are seen: a window may show tiles in one corner only."""

import numpy as np

from azulejar.imaging.walls.refine import Clear

USUAL = 0.6  # of its joints that a tile must show to count for the rectangle, not against it


def densest(clear: Clear) -> tuple[float, tuple[int, int, int, int]]:
    """How many more joints than usual are seen of the rectangle's tiles, and how many tiles lie
    beyond it at the left, top, right and bottom of the grid.
    """
    down, across = clear
    gains = (down[:, :-1] + down[:, 1:] + across[:-1] + across[1:]) / 4 - USUAL
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
