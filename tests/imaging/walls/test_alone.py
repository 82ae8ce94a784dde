"""Grids that are found without corners, or doubted."""

import numpy as np
import pytest

from azulejar.errors import AzulejarError
from azulejar.imaging.walls.alone import UNSURE_ALONE, grid_alone


def test_a_panel_is_found_alone(wall):
    photo, crossings = wall
    told = []
    grid = grid_alone(photo, told.append)
    assert grid.confidence >= UNSURE_ALONE
    apart = np.linalg.norm(grid.crossings.reshape(-1, 1, 2) - crossings.reshape(1, -1, 2), axis=-1)
    assert np.mean(apart.min(axis=0) / 48 < 0.05) >= 0.95
    assert told == sorted(told)
    assert told[-1] == 1


def test_a_photograph_too_small_for_tiles():
    with pytest.raises(AzulejarError, match="too small"):
        grid_alone(np.zeros((60, 60, 3), np.uint8))
