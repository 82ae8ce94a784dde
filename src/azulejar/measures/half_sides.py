"""Scores of tiles of which some are halves or quarters: a side meets one of its own length.

Measures take square tiles. So a half tile is shown to them twice, one above the other, and a
quarter four times: a square in which the tile is as large as whole ones are, and two sides that fit
each other still do. Pairs of sides of different lengths score 0.
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
        show_as_square(tile, high, wide)
        for tile, (high, wide) in zip(tiles.pixels, tiles.halved, strict=True)
    ]
    found = score(replace(tiles, pixels=np.stack(shown), halved=None))
    return found.within(is_half_side(tiles.halved))


def show_as_square(tile: NDArray[np.uint8], high: bool, wide: bool) -> NDArray[np.uint8]:
    """Return a square [S, S, 3] of a tile that was stretched to one: two halves, four quarters."""
    size, first = len(tile), len(tile) // 2
    if high:
        tile = np.concatenate([resize(tile, part, size) for part in (first, size - first)])
    if wide:
        tile = np.concatenate([resize(tile, size, part) for part in (first, size - first)], axis=1)
    return tile
