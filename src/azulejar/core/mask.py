"""Masks: panels that are no rectangles, drawn as rows of ``#`` (a tile) and ``.`` (none).

A mask gives the size of a panel and its empty places at once: a door or a window, stairs, a shaped
top.
"""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from azulejar.errors import AzulejarError

TILE, NONE = "#", "."

Mask = NDArray[np.bool_]
"""[rows, cols], true where a tile lies."""


def parse_mask(rows: Sequence[str], where: str = "mask") -> Mask:
    """Return the mask that rows of ``#`` and ``.`` draw; ``where`` they stand, for messages.

    Examples:
        >>> from azulejar.core.mask import parse_mask
        >>> int(parse_mask([".##.", "####"]).sum())
        6
    """
    for number, row in enumerate(rows, 1):
        if set(row) - {TILE, NONE}:
            raise AzulejarError(
                "mask-other-letters",
                "{where}, row {number}: {row!r} is not a row of a mask.",
                "Write # for a tile and . for none.",
                where=where,
                number=number,
                row=row[:40],
            )
        if len(row) != len(rows[0]):
            raise AzulejarError(
                "mask-ragged",
                "{where}: row {number} has the length {count}, the first one {first}.",
                "Give all rows the same length.",
                where=where,
                number=number,
                count=len(row),
                first=len(rows[0]),
            )
    return not_empty(np.array([[letter == TILE for letter in row] for row in rows], bool), where)


def write_rows(mask: Mask) -> list[str]:
    """Return a mask as rows of ``#`` and ``.``."""
    return ["".join(TILE if there else NONE for there in row) for row in mask]


def empty_places(mask: Mask) -> tuple[tuple[int, int], ...]:
    """Return the rows and cols of the places without a tile."""
    return tuple((int(row), int(col)) for row, col in np.argwhere(~mask))


def not_empty(mask: Mask, where: str) -> Mask:
    """Return the mask; raise if there is no tile in it."""
    if not mask.any():
        raise AzulejarError(
            "mask-without-tiles",
            "{where} has no place for a tile.",
            "Draw tiles as # in text and as dark pixels in a picture.",
            where=where,
        )
    return mask
