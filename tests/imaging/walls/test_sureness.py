"""A grid is as sure as its worst part."""

import numpy as np
import pytest

from azulejar.imaging.walls.sureness import sureness


@pytest.fixture
def clear():
    return np.full((6, 10), 0.9), np.full((7, 9), 0.8)


def test_the_worse_direction_counts(clear):
    assert sureness(clear) == pytest.approx(0.8)


def test_joints_that_are_lost_in_one_corner_count_in_full(clear):
    clear[0][4:, 7:] = 0.3
    assert sureness(clear) == pytest.approx(0.3)


def test_a_grid_may_be_smaller_than_its_parts():
    assert sureness((np.full((1, 2), 0.7), np.full((2, 1), 0.6))) == pytest.approx(0.6)
