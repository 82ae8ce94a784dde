"""Cut the tiles between the joints of a grid, and draw the grid for people to check."""

from collections.abc import Callable, Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from azulejar.errors import AzulejarError
from azulejar.imaging.folder import MIN_SIDE
from azulejar.imaging.picture import MAX_PIXELS
from azulejar.imaging.walls.grid import Grid

DOUBTFUL = 0.3  # a joint seen less clearly than this
SEEN_COLOUR = (255, 40, 40)
UNSEEN_COLOUR = (255, 220, 0)
GIVEN_COLOUR = (0, 220, 80)
LONGEST_OVERLAY = 3000  # pixels; a larger photograph is drawn smaller


def unseen_share(grid: Grid) -> float:
    """Return the share of a grid's joints, from 0 to 1, that were not clearly seen."""
    clear = np.concatenate([grid.clear_down.ravel(), grid.clear_across.ravel()])
    return float((clear < DOUBTFUL).mean())


def cut_tiles(
    picture: NDArray[np.uint8],
    grid: Grid,
    tile_size: int | None = None,
    on_progress: Callable[[float], None] | None = None,
) -> NDArray[np.uint8]:
    """Cut a picture [H, W, 3] into tiles [rows·cols, S, S, 3] in reading order.

    S is ``tile_size``, by default the median side of a tile in the photograph. What lies outside
    the photograph is white.
    """
    size = round(grid.side) if tile_size is None else tile_size
    count = grid.rows * grid.cols
    if size < MIN_SIDE or count * size**2 > MAX_PIXELS:
        raise AzulejarError(
            "tiles-wrong-size",
            "{rows} × {cols} tiles of {size} px cannot be made.",
            "Give a tile size of {least} px or more, and {limit} million pixels at most for all "
            "tiles together.",
            rows=grid.rows,
            cols=grid.cols,
            size=size,
            least=MIN_SIDE,
            limit=MAX_PIXELS // 10**6,
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
    """Return the quadrangle ``corners`` [4, 2], from the top left clockwise, as [size, size, 3]."""
    sides = np.linalg.norm(corners - np.roll(corners, 1, axis=0), axis=1)
    # A tile that shrinks is first rectified at full size, or fine lines would alias.
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


def draw_grid(
    picture: NDArray[np.uint8],
    grid: Grid | None = None,
    corners: NDArray[np.float64] | None = None,
    others: Sequence[Grid] = (),
) -> NDArray[np.uint8]:
    """Draw a grid over its photograph: joints that were seen in red, doubtful ones in yellow.

    Given corners are green rings, other panels are framed in green. Every fifth joint is drawn
    thicker, so that rows and cols can be counted.
    """
    scale = min(1.0, LONGEST_OVERLAY / max(picture.shape[:2]))
    size = (round(picture.shape[1] * scale), round(picture.shape[0] * scale))
    small = cv2.resize(picture, size, interpolation=cv2.INTER_AREA) if scale < 1 else picture
    canvas = np.array(small, np.uint8, order="C")
    thin = max(1, round(max(size) / 1200))
    if grid is not None:
        points = np.round(grid.crossings * scale - 0.5).astype(int)
        for row, col in np.ndindex(grid.clear_down.shape):
            ends = points[row, col], points[row + 1, col]
            _draw_joint(
                canvas, ends, float(grid.clear_down[row, col]), thin * (2 if col % 5 == 0 else 1)
            )
        for row, col in np.ndindex(grid.clear_across.shape):
            ends = points[row, col], points[row, col + 1]
            _draw_joint(
                canvas, ends, float(grid.clear_across[row, col]), thin * (2 if row % 5 == 0 else 1)
            )
    if corners is not None:
        for x, y in np.round(corners * scale - 0.5).astype(int).tolist():
            cv2.circle(canvas, (x, y), 8 * thin, GIVEN_COLOUR, 2 * thin, cv2.LINE_AA)
    for other in others:
        frame = np.round(other.corners * scale - 0.5).astype(np.int32)
        cv2.polylines(canvas, [frame], True, GIVEN_COLOUR, 2 * thin, cv2.LINE_AA)
    return canvas


def _draw_joint(
    canvas: NDArray[np.uint8],
    ends: tuple[NDArray[np.int_], NDArray[np.int_]],
    clear: float,
    thickness: int,
) -> None:
    first, last = ((int(x), int(y)) for x, y in ends)
    colour = UNSEEN_COLOUR if clear < DOUBTFUL else SEEN_COLOUR
    cv2.line(canvas, first, last, colour, thickness, cv2.LINE_AA)
