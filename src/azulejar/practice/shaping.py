"""Shape the top of a painted panel (*recortado*): its tiles are cut along a line."""

import numpy as np
from numpy.typing import NDArray

SMALLEST = 0.15  # of the tile: what the line leaves of it is no tile below this
FINE = 4  # places looked at in each pixel, along either side
TOPS = {
    "arch": lambda away: away**2,
    "gable": lambda away: away,
    "scroll": lambda away: (1 - np.cos(np.pi * away)) / 2,
}

Picture = NDArray[np.uint8]


def shape_top(
    cells: NDArray[np.uint8], rows: int, cols: int, drop: float, top: str = "scroll"
) -> tuple[list[Picture], NDArray[np.bool_]]:
    """Cut tiles [rows·cols, S, S, 3] along a line that is ``drop`` tiles lower at the sides.

    ``top`` is one of ``TOPS``. Returns the tiles in reading order, those that the line cuts as
    [S, S, 4], and a mask [rows, cols] of those that are left; the others are as they were.

    >>> tiles, mask = shape_top(np.zeros((12, 20, 20, 3), np.uint8), 3, 4, 1.0, "gable")
    >>> mask.sum(), [tile.shape[2] for tile in tiles[:4]]
    (11, [4, 4, 4, 4])
    """
    size = cells.shape[1]
    across = (np.arange(cols * size * FINE) + 0.5) / (size * FINE)
    line = drop * TOPS[top](np.abs(2 * across / cols - 1))
    down = (np.arange(size * FINE) + 0.5) / (size * FINE)
    mask, tiles = np.ones((rows, cols), bool), []
    for cell, (row, col) in zip(cells, np.ndindex(rows, cols), strict=True):
        here = line[col * size * FINE : (col + 1) * size * FINE]
        inside = (row + down[:, None] >= here).reshape(size, FINE, size, FINE).mean(axis=(1, 3))
        mask[row, col] = inside.mean() >= SMALLEST
        whole = inside.min() == 1
        tiles.append(cell if whole else np.dstack([cell, np.round(255 * inside).astype(np.uint8)]))
    return tiles, mask
