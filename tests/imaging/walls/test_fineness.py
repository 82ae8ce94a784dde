"""Grids twice too fine."""

import numpy as np
import pytest

from azulejar.imaging.walls.fineness import every_second

ROWS, COLS = 8, 10


@pytest.mark.parametrize("left", [0, 1])
@pytest.mark.parametrize("top", [0, 1])
def test_joints_among_painted_lines_are_told(left, top):
    down, across = np.full((ROWS, COLS + 1), 0.6), np.full((ROWS + 1, COLS), 0.7)
    down[:, left::2] = across[top::2] = 0.95
    assert every_second((down, across)) == (left, top)


def test_joints_that_are_all_alike_stay():
    random = np.random.default_rng(0)
    clear = random.uniform(0.6, 1, (ROWS, COLS + 1)), random.uniform(0.6, 1, (ROWS + 1, COLS))
    assert every_second(clear) is None


def test_a_pattern_in_one_direction_tells_nothing():
    down, across = np.full((ROWS, COLS + 1), 0.6), np.full((ROWS + 1, COLS), 0.7)
    down[:, ::2] = 0.95
    assert every_second((down, across)) is None


def test_too_few_rows_tell_nothing():
    down, across = np.full((4, COLS + 1), 0.6), np.full((5, COLS), 0.6)
    down[:, ::2] = across[::2] = 0.95
    assert every_second((down, across)) is None
