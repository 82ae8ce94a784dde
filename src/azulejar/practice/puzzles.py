"""Cut a panel up, shuffle it and turn its tiles into a puzzle with a known truth."""

from collections.abc import Sequence
from math import ceil

import numpy as np
from numpy.typing import NDArray

from azulejar.core.assembly import Assembly
from azulejar.core.edges import turn_picture
from azulejar.core.tiles import TileSet
from azulejar.errors import AzulejarError
from azulejar.imaging.folder import LARGEST_KEPT, MIN_SIDE, WORKING_SIDE
from azulejar.imaging.picture import MAX_PIXELS, resize_square

MAX_ASPECT = 1.5  # of the pieces, which become square


def cut(
    picture: NDArray[np.uint8],
    rows: int,
    cols: int,
    trim: float = 0.0,
    tile_size: int | None = None,
) -> NDArray[np.uint8]:
    """Cut ``picture`` [H, W, 3] into [rows·cols, S, S, 3] in reading order.

    ``trim`` is the fraction of the side lost at each side of a tile. S is ``tile_size``, by
    default what the trim leaves of the cell's side. The picture need not divide evenly: each
    pixel belongs to one cell, and a tile is resampled from the pixels of its own cell alone.
    """
    height, width = picture.shape[:2]
    size = side_after_cut(height, width, rows, cols, trim, tile_size)
    tiles = np.empty((rows * cols, size, size, 3), np.uint8)
    for row in range(rows):
        top, bottom, *tall = _cell(row, rows, height, trim)
        for col in range(cols):
            left, right, *wide = _cell(col, cols, width, trim)
            box = (wide[0], tall[0], wide[1], tall[1])
            tiles[row * cols + col] = resize_square(picture[top:bottom, left:right], size, box)
    return tiles


def side_after_cut(
    height: int, width: int, rows: int, cols: int, trim: float, tile_size: int | None
) -> int:
    """Return the side in pixels of the tiles that ``cut`` makes; raise if it cannot make them."""
    _check_cut(height, width, rows, cols, trim)
    side = min(height / rows, width / cols)
    size = round(side * (1 - 2 * trim)) if tile_size is None else tile_size
    if size < MIN_SIDE or rows * cols * size**2 > MAX_PIXELS:
        raise AzulejarError(
            "tiles-wrong-size",
            "{rows} × {cols} tiles of {size} px cannot be made.",
            "Give a tile size of {least} px or more, and {limit} million pixels at most for all "
            "tiles together.",
            rows=rows,
            cols=cols,
            size=size,
            least=MIN_SIDE,
            limit=MAX_PIXELS // 10**6,
        )
    return size


def make_puzzle(
    cells: NDArray[np.uint8],
    rows: int,
    cols: int,
    *,
    turned: bool,
    seed: int,
    mask: NDArray[np.bool_] | None = None,
) -> tuple[NDArray[np.uint8], Assembly]:
    """Shuffle ``cells`` [rows·cols, S, S, 3] and, if ``turned``, turn each at random.

    A ``mask`` [rows, cols] is true where tiles are kept. Returns the tiles and the truth: where
    each lay, and the turn that brings it upright.
    """
    tiles, truth = shuffle(list(cells), rows, cols, turned=turned, seed=seed, mask=mask)
    return np.stack(tiles), truth


def shuffle(
    cells: Sequence[NDArray[np.uint8]],
    rows: int,
    cols: int,
    *,
    turned: bool,
    seed: int,
    mask: NDArray[np.bool_] | None = None,
) -> tuple[list[NDArray[np.uint8]], Assembly]:
    """Do as ``make_puzzle`` with cells [h, w, 3] that need not be of one size."""
    random = np.random.default_rng(seed)
    origin = random.permutation(rows * cols)
    turn = random.integers(0, 4, rows * cols) if turned else np.zeros(rows * cols, int)
    if mask is not None:
        _check_mask(mask, rows, cols)
        kept = mask.ravel()[origin]
        origin, turn = origin[kept], turn[kept]
    tiles = [turn_picture(cells[o], -t) for o, t in zip(origin, turn, strict=True)]
    size = None if mask is None else (rows, cols)
    return tiles, Assembly.of(origin // cols, origin % cols, turn, size=size)


def cut_in_place(
    picture: NDArray[np.uint8], rows: int, cols: int, trim: float
) -> tuple[TileSet, Assembly]:
    """Cut a picture of a whole panel, and leave every tile where it lies.

    Tiles are named by row and col from 1. Large ones are made as small as those of a folder.
    """
    check_trim(trim)
    side = min(picture.shape[0] / rows, picture.shape[1] / cols) * (1 - 2 * trim)
    cells = cut(picture, rows, cols, trim, None if side <= LARGEST_KEPT else WORKING_SIDE)
    row, col = np.divmod(np.arange(rows * cols), cols)
    digits = len(str(max(rows, cols)))
    names = [f"r{r + 1:0{digits}}_c{c + 1:0{digits}}" for r, c in zip(row, col, strict=True)]
    return TileSet(cells, tuple(names)), Assembly.of(row, col, np.zeros(rows * cols))


def check_trim(trim: float) -> None:
    """Raise unless a tile has something left after ``trim``."""
    if not 0 <= trim < 0.5:
        raise AzulejarError(
            "trim-out-of-range",
            "A trim of {trim} cannot be taken off.",
            "Give the fraction of the side lost at each side, from 0 to below 0.5, such as 0.07.",
            trim=trim,
        )


def _check_mask(mask: NDArray[np.bool_], rows: int, cols: int) -> None:
    if mask.shape != (rows, cols):
        raise AzulejarError(
            "mask-wrong-size",
            "The mask has {mask_rows} rows × {mask_cols} cols, but the panel {rows} × {cols}.",
            "Draw it with one place for each tile of the panel.",
            mask_rows=mask.shape[0],
            mask_cols=mask.shape[1],
            rows=rows,
            cols=cols,
        )


def _check_cut(height: int, width: int, rows: int, cols: int, trim: float) -> None:
    if rows < 1 or cols < 1:
        raise AzulejarError(
            "puzzle-wrong-size",
            "A panel cannot have {rows} rows × {cols} cols.",
            "Give 1 or more.",
            rows=rows,
            cols=cols,
        )
    check_trim(trim)
    tall, wide = height / rows, width / cols
    if min(tall, wide) * (1 - 2 * trim) < MIN_SIDE:
        raise AzulejarError(
            "puzzle-tiles-too-small",
            "{rows} rows × {cols} cols leave less than {least} px for a tile of this picture of "
            "{width}×{height} px.",
            "Give fewer rows and cols, less trim, or a larger picture.",
            rows=rows,
            cols=cols,
            least=MIN_SIDE,
            width=width,
            height=height,
        )
    if max(tall, wide) > MAX_ASPECT * min(tall, wide):
        raise AzulejarError(
            "puzzle-tiles-not-square",
            "{rows} rows × {cols} cols cut this picture of {width}×{height} px into pieces of "
            "{wide:.0f}×{tall:.0f} px, which are no square tiles.",
            "Check the rows and cols; they may be the wrong way round.",
            rows=rows,
            cols=cols,
            width=width,
            height=height,
            wide=wide,
            tall=tall,
        )


def _cell(i: int, count: int, length: int, trim: float) -> tuple[int, int, float, float]:
    """Return the ``span`` of cell i of ``count`` along a side of ``length`` px."""
    start, end = i * length / count, (i + 1) * length / count
    return span(start, end, (end - start) * trim)


def span(start: float, end: float, lost: float) -> tuple[int, int, float, float]:
    """Return the first pixel of a cell from ``start`` to ``end`` px, one past its last, and where
    the part begins and ends that the pixels ``lost`` at either side leave, from the first pixel.
    """
    # A pixel belongs to the cell in which its middle lies.
    first, last = ceil(start - 0.5), ceil(end - 0.5)
    return first, last, max(start + lost - first, 0.0), min(end - lost, last) - first
