"""Cut a panel into whole, half and quarter tiles."""

from collections.abc import Sequence
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from azulejar.errors import AzulejarError
from azulejar.imaging.folder import MIN_SIDE
from azulejar.imaging.picture import resize
from azulejar.practice.puzzles import side_after_cut, span


def half_rim(count: int) -> list[float]:
    """Return where to cut ``count`` rows or cols of which the first and last are halved.

    >>> half_rim(4)
    [0.5, 1, 2, 3, 3.5]
    """
    if count < 2:
        raise AzulejarError(
            "half-rim-too-small",
            "A panel with {count} rows or cols has no half rim.",
            "Give 2 rows and 2 cols or more.",
            count=count,
        )
    return [0.5, *range(1, count), count - 0.5]


def half_course(count: int) -> list[float]:
    """Return where to cut ``count`` rows or cols of which the middle one becomes two halves.

    >>> half_course(3)
    [0, 1, 1.5, 2, 3]
    """
    middle = count // 2
    return [*range(middle + 1), middle + 0.5, *range(middle + 1, count + 1)]


def cut_at(
    picture: NDArray[np.uint8],
    rows: int,
    cols: int,
    trim: float,
    tile_size: int | None,
    down: Sequence[float],
    across: Sequence[float],
) -> list[NDArray[np.uint8]]:
    """Cut ``picture`` [H, W, 3] at the lines ``down`` and ``across``, in rows and cols from 0.

    Every tile loses as much at each side: ``trim`` of a whole side. Whole tiles have the side that
    ``cut`` gives them, halves come out in proportion: [h, w, 3] in reading order.
    """
    height, width = picture.shape[:2]
    size = side_after_cut(height, width, rows, cols, trim, tile_size)
    if size * (0.5 - 2 * trim) / (1 - 2 * trim) < MIN_SIDE:
        raise AzulejarError(
            "half-tiles-too-small",
            "A trim of {trim} leaves less than {least} px of half tiles.",
            "Give less trim, or a larger picture.",
            trim=trim,
            least=MIN_SIDE,
        )
    tall, wide = height / rows, width / cols
    scale = size / (1 - 2 * trim)
    tiles = []
    for top, bottom in pairwise(down):
        first, last, *inside = span(top * tall, bottom * tall, trim * tall)
        for left, right in pairwise(across):
            begin, end, *within = span(left * wide, right * wide, trim * wide)
            tiles.append(
                resize(
                    picture[first:last, begin:end],
                    round((bottom - top - 2 * trim) * scale),
                    round((right - left - 2 * trim) * scale),
                    (within[0], inside[0], within[1], inside[1]),
                )
            )
    return tiles
