"""Pattern tiles are laid as the painted wall was, up to which copy lies where."""

import numpy as np
import pytest

from azulejar.core.edges import turn_picture
from azulejar.patterns.finding import recognise_wall
from azulejar.patterns.laying import count_copies, is_wall, lay_patterns


@pytest.fixture(scope="module")
def whirl(worn):
    """The tiles of a wall of four designs, and its patterns."""
    tiles = worn("whirl", 8, 8)
    return tiles, recognise_wall(tiles)


def test_a_wall_of_one_pattern_is_recognised_as_one(whirl):
    found = whirl[1]
    assert is_wall(found)
    assert [len(pattern.designs) for pattern in found] == [4]
    assert (found[0].module.rows, found[0].module.cols) == (4, 4)


def test_every_tile_is_laid_as_the_design_continues(whirl):
    tiles, found = whirl
    laid = lay_patterns(found)
    assert (laid.rows, laid.cols, (laid.panel == 0).sum()) == (8, 8, 64)
    by_place = {(row, col): i for i, (row, col) in enumerate(zip(laid.row, laid.col, strict=True))}

    def drawn(row, col):
        tile = by_place[row, col]
        return turn_picture(tiles[tile], int(laid.turn[tile])).astype(int)

    for row, col in ((0, 0), (1, 3), (3, 2)):
        for down, right in ((4, 0), (0, 4)):
            again = np.abs(drawn(row, col) - drawn(row + down, col + right)).mean()
            assert again < 16 < np.abs(drawn(row, col) - drawn(row + 1, col)).mean()


def test_a_wall_keeps_the_rows_that_are_known(whirl):
    laid = lay_patterns(whirl[1], rows=4)
    assert (laid.rows, laid.cols) == (4, 16)


def test_no_identity_is_claimed(whirl):
    assert count_copies(whirl[1]).tolist() == [16] * 64
