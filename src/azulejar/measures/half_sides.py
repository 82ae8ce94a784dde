"""Scores of tiles of which some are halves or quarters: a side meets one of its own length.

Measures take square tiles. So a half tile is shown to them twice, one above the other, and a
quarter four times: a square in which the tile is as large as it is beside whole ones, and two sides
that fit each other still do. Pairs of sides of different lengths score 0.
"""

from collections.abc import Callable
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from azulejar.core.compatibility import Compatibility
from azulejar.core.halves import is_half_side
from azulejar.core.tiles import TileSet
from azulejar.imaging.picture import resize


def score_by_length(tiles: TileSet, score: Callable[[TileSet], Compatibility]) -> Compatibility:
    """Score tiles with halves among them by what scores square ones."""
    assert tiles.halved is not None
    shown = [
        show_as_square(tile, high, wide, tiles.half_share)
        for tile, (high, wide) in zip(tiles.pixels, tiles.halved, strict=True)
    ]
    found = score(replace(tiles, pixels=np.stack(shown), halved=None))
    return found.within(is_half_side(tiles.halved))


def show_as_square(
    tile: NDArray[np.uint8], high: bool, wide: bool, share: float = 0.5
) -> NDArray[np.uint8]:
    """Return a square [S, S, 3] of a tile that was stretched to one: two halves, four quarters.

    Half a side takes its ``share`` of a whole one; what is left between two of them is filled up.
    """
    part = min(round(share * len(tile)), len(tile) // 2)
    if high:
        tile = _twice(resize(tile, part, len(tile)), len(tile))
    if wide:
        narrow = resize(tile, len(tile), part).swapaxes(0, 1)
        tile = _twice(narrow, len(tile)).swapaxes(0, 1)
    return tile


def _twice(half: NDArray[np.uint8], size: int) -> NDArray[np.uint8]:
    """Put two halves [part, S, 3] above each other, with their last and first lines in between."""
    below = np.repeat(half[-1:], (size - 2 * len(half)) // 2, axis=0)
    above = np.repeat(half[:1], size - 2 * len(half) - len(below), axis=0)
    return np.concatenate([half, below, above, half])
