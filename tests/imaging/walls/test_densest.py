"""The part of a grid in which joints are seen."""

from itertools import combinations, product

import numpy as np
import pytest

from azulejar.imaging.walls.densest import USUAL, densest


def slow(clear):
    """Every rectangle, one after the other."""
    down, across = clear
    rows, cols = len(down), across.shape[1]
    best, beyond = -np.inf, None
    for top, bottom in combinations(range(rows + 1), 2):
        for left, right in combinations(range(cols + 1), 2):
            gain = 0.0
            for row, col in product(range(top, bottom), range(left, right)):
                sides = (*down[row, col : col + 2], *across[row : row + 2, col])
                gain += sum(sides) / 4 - USUAL
            if gain > best:
                best, beyond = gain, (left, top, cols - right, rows - bottom)
    return best, beyond


@pytest.mark.parametrize("seed", range(5))
def test_no_rectangle_shows_more(seed):
    random = np.random.default_rng(seed)
    clear = random.uniform(0.2, 1, (5, 7)), random.uniform(0.2, 1, (6, 6))
    gain, beyond = densest(clear)
    expected, rectangle = slow(clear)
    assert gain == pytest.approx(expected)
    assert beyond == rectangle


def test_tiles_in_one_corner():
    down, across = np.full((8, 11), 0.1), np.full((9, 10), 0.1)
    down[3:, :7] = 1
    across[3:, :6] = 1
    gain, beyond = densest((down, across))
    assert beyond == (0, 3, 4, 0)
    assert gain == pytest.approx(5 * 6 * (1 - USUAL))
