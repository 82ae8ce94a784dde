"""Panels with a shaped top."""

import numpy as np
import pytest

from azulejar.practice.samples import shaped_puzzle
from azulejar.practice.shaping import TOPS, shape_top

CELLS = np.random.default_rng(0).integers(0, 256, (12, 20, 20, 3), dtype=np.uint8)


@pytest.mark.parametrize("top", TOPS)
def test_tiles_are_cut_along_a_line_and_otherwise_as_they_were(top):
    tiles, mask = shape_top(CELLS, 3, 4, 1.5, top)
    np.testing.assert_array_equal(mask, mask[:, ::-1])
    assert mask[1:].all()
    for cell, tile in zip(CELLS, tiles, strict=True):
        np.testing.assert_array_equal(tile[..., :3], cell)
    left, right = tiles[4][..., 3], tiles[7][..., 3]
    np.testing.assert_array_equal(left, right[:, ::-1])
    assert (np.diff(left.astype(int), axis=0) >= 0).all()  # nothing is left above the line
    assert left[0, 0] == 0
    assert left[-1, -1] == 255


def test_a_puzzle_has_the_tiles_that_are_left():
    tiles, truth = shaped_puzzle(0, 4, 4, 24, 0.0)
    assert len(tiles) == len(truth) <= 16
    assert (truth.rows, truth.cols) == (4, 4)
    assert {tile.shape for tile in tiles} == {(24, 24, 3), (24, 24, 4)}
