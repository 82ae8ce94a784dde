"""Grids that are found without corners, or doubted."""

import numpy as np
import pytest

from azulejar.errors import AzulejarError
from azulejar.imaging.walls.alone import ENOUGH, _most_agreed, grid_alone
from azulejar.imaging.walls.grid import Grid


def test_a_panel_is_found_alone(wall):
    photo, crossings = wall
    told = []
    found = grid_alone(photo, told.append)
    grid = found.grid
    assert found.sure and found.windows >= ENOUGH
    apart = np.linalg.norm(grid.crossings.reshape(-1, 1, 2) - crossings.reshape(1, -1, 2), axis=-1)
    assert np.mean(apart.min(axis=0) / 48 < 0.05) >= 0.95
    assert told == sorted(told)
    assert told[-1] == 1


def test_where_windows_do_not_agree_it_is_doubted():
    noise = np.random.default_rng(0).integers(0, 256, (200, 260, 3), np.uint8)
    found = grid_alone(noise)
    assert not found.sure and found.windows < ENOUGH


def square_grid(rows, cols, confidence, left=0.0):
    crossings = np.stack(np.meshgrid(np.arange(cols + 1.0), np.arange(rows + 1.0)), axis=-1)
    clear = np.ones((rows, cols + 1)), np.ones((rows + 1, cols))
    return Grid(50 * (crossings + np.array([left, 0])), *clear, confidence)


def test_the_surest_of_those_that_most_agree_with():
    alike = [square_grid(6, 8, sure) for sure in (0.5, 0.6, 0.4)]
    other = [square_grid(6, 8, sure, left=0.5) for sure in (0.9, 0.8)]
    assert _most_agreed([*other, *alike]) == (alike[1], 3)


def test_a_photograph_too_small_for_tiles():
    with pytest.raises(AzulejarError, match="too small"):
        grid_alone(np.zeros((60, 60, 3), np.uint8))
