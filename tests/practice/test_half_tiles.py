"""Panels cut into whole, half and quarter tiles."""

from itertools import pairwise

import numpy as np
import pytest

from azulejar.practice.half_tiles import cut_at, half_course, half_rim

PANEL = np.random.default_rng(0).integers(0, 256, (60, 80, 3), dtype=np.uint8)


@pytest.mark.parametrize("lines", [half_rim, half_course])
def test_tiles_are_parts_of_the_panel(lines):
    down, across = lines(3), lines(4)
    tiles = iter(cut_at(PANEL, 3, 4, 0, None, down, across))
    for top, bottom in pairwise(down):
        for left, right in pairwise(across):
            rows = slice(int(20 * top), int(20 * bottom))
            part = PANEL[rows, int(20 * left) : int(20 * right)]
            np.testing.assert_array_equal(next(tiles), part)
    assert next(tiles, None) is None


def test_every_tile_loses_as_much_at_each_side():
    tiles = cut_at(PANEL, 3, 4, 0.1, 32, half_rim(3), half_rim(4))
    assert [tile.shape[:2] for tile in tiles[:6]] == [
        (12, 12), (12, 32), (12, 32), (12, 12), (32, 12), (32, 32),
    ]  # fmt: skip
    np.testing.assert_array_equal(cut_at(PANEL, 3, 4, 0.1, None, [1, 2], [1, 2])[0],
                                  PANEL[22:38, 22:38])  # fmt: skip
