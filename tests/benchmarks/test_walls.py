"""How a grid found is compared with a true one."""

import numpy as np

from walls import best_block

GRID = 50 * np.stack(np.meshgrid(np.arange(12.0), np.arange(8.0)), axis=-1)
PART = GRID[2:6, 3:9]


def test_a_panel_within_the_grid_and_how_far_this_goes_on():
    assert best_block(GRID, PART + 1) == (1.0, (3, 2, 3, 2))


def test_what_the_grid_lacks_is_not_near():
    share, beyond = best_block(PART, GRID)
    assert share == PART.size / GRID.size
    assert beyond == (-3, -2, -3, -2)


def test_crossings_half_a_tile_off_are_not_near():
    assert best_block(GRID + 25, PART)[0] == 0


def test_rows_and_cols_are_counted():
    """Every second joint lies on a true one, but no block has the panel's rows and cols."""
    fine = 25 * np.stack(np.meshgrid(np.arange(23.0), np.arange(15.0)), axis=-1)
    assert best_block(fine, PART)[0] < 0.1
