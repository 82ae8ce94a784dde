"""The tiles between the joints of a grid, each made square."""

from collections.abc import Callable

import cv2
import numpy as np
from numpy.typing import NDArray

from azulejar.errors import AzulejarError
from azulejar.imaging.folder import MIN_SIDE
from azulejar.imaging.picture import MAX_PIXELS
from azulejar.imaging.walls.grid import Grid


def cut_tiles(
    picture: NDArray[np.uint8],
    grid: Grid,
    tile_size: int | None = None,
    on_progress: Callable[[float], None] | None = None,
) -> NDArray[np.uint8]:
    """Tiles [rows·cols, S, S, 3] of a picture [H, W, 3] in reading order.

    S is ``tile_size``, by default the median side of a tile in the photograph. What lies outside
    the photograph is white.
    """
    size = round(grid.side) if tile_size is None else tile_size
    count = grid.rows * grid.cols
    if size < MIN_SIDE or count * size**2 > MAX_PIXELS:
        raise AzulejarError(
            f"{grid.rows} × {grid.cols} tiles of {size} px cannot be made.",
            f"Give a --tile-size of {MIN_SIDE} px or more, and {MAX_PIXELS // 10**6} million "
            "pixels at most for all tiles together.",
        )
    tiles = np.empty((count, size, size, 3), np.uint8)
    for tile in range(count):
        row, col = divmod(tile, grid.cols)
        corners = grid.crossings[[row, row, row + 1, row + 1], [col, col + 1, col + 1, col]]
        tiles[tile] = _square(picture, corners, size)
        if on_progress is not None:
            on_progress((tile + 1) / count)
    return tiles


def _square(
    picture: NDArray[np.uint8], corners: NDArray[np.float64], size: int
) -> NDArray[np.uint8]:
    """The quadrangle ``corners`` [4, 2], from the top left clockwise, as [size, size, 3]."""
    sides = np.linalg.norm(corners - np.roll(corners, 1, axis=0), axis=1)
    # A tile that is made smaller is first seen at full size, or fine lines would flicker.
    finer = max(1, int(np.ceil(sides.max() / size - 0.25)))
    large = size * finer
    square = np.array([[0, 0], [1, 0], [1, 1], [0, 1]]) * large
    # Pixels are counted from their corners, OpenCV counts from their middles.
    to_square = cv2.getPerspectiveTransform(
        (corners - 0.5).astype(np.float32), (square - 0.5).astype(np.float32)
    )
    seen = cv2.warpPerspective(
        picture, to_square, (large, large), flags=cv2.INTER_LINEAR, borderValue=(255, 255, 255)
    )
    if finer > 1:
        seen = cv2.resize(seen, (size, size), interpolation=cv2.INTER_AREA)
    return np.asarray(seen, np.uint8)
