"""Grids that are the same where both lie, and others."""

import numpy as np
import pytest

from azulejar.imaging.walls.agreement import agreement, tiles_off


def grid(rows, cols, side=50.0, left=0.0, top=0.0, skew=0.0):
    """Crossings; ``left`` and ``top`` in tiles."""
    col, row = np.meshgrid(np.arange(cols + 1.0) + left, np.arange(rows + 1.0) + top)
    return side * np.stack([col + skew * row, row], axis=-1)


def test_a_part_of_a_grid_agrees_with_the_whole():
    assert agreement(grid(10, 12), grid(10, 12)) == 1
    assert agreement(grid(10, 12), grid(5, 6, left=3, top=2)) == 1
    assert agreement(grid(5, 6, left=3, top=2), grid(10, 12)) == 1


def test_grids_that_overlap_agree_where_both_lie():
    assert agreement(grid(8, 10), grid(8, 10, left=4)) == 1


@pytest.mark.parametrize(
    "other",
    [grid(10, 12, left=0.1), grid(10, 12, left=0.5, top=0.5), grid(20, 24, side=25.0)],
    ids=["shifted", "between", "half as large"],
)
def test_other_grids_do_not(other):
    assert agreement(grid(10, 12), other) < 0.5


def test_a_grid_that_runs_away_agrees_in_part():
    assert 0.2 < agreement(grid(10, 12), grid(10, 12, skew=0.01)) < 0.8


def test_too_little_in_common_is_none():
    assert agreement(grid(8, 10), grid(8, 10, left=7)) == 0
    assert agreement(grid(8, 10), grid(8, 10, left=100)) == 0
    assert agreement(grid(3, 3), grid(3, 3)) == 0


def test_distances_are_in_tiles_whatever_the_angle():
    crossings = grid(4, 5) @ np.array([[1.0, 0.2], [0.1, 0.5]])
    moved = grid(4, 5, left=0.03, top=0.04) @ np.array([[1.0, 0.2], [0.1, 0.5]])
    np.testing.assert_allclose(tiles_off(moved, crossings), 0.05)
