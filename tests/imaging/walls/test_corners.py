"""From four rough corners to the crossings of the joints."""

import numpy as np
import pytest

from azulejar.errors import AzulejarError
from azulejar.imaging.walls.corners import UNSURE, grid_from_corners, parse_corners


@pytest.mark.parametrize("seed", [0, 1])
def test_the_grid_is_found_from_corners_almost_half_a_tile_off(wall, rough, seed):
    photo, crossings = wall
    grid = grid_from_corners(photo, rough(crossings, seed=seed))
    assert (grid.rows, grid.cols) == (6, 8)
    off = np.linalg.norm(grid.crossings - crossings, axis=-1) / 48
    assert np.mean(off < 0.05) >= 0.95
    assert grid.confidence > UNSURE


@pytest.mark.parametrize("tone", [70, 225])
def test_joints_may_be_dark_or_light(make_wall, rough, tone):
    photo, crossings = make_wall(rows=5, cols=5, seed=3, tone=tone)
    grid = grid_from_corners(photo, rough(crossings, seed=2))
    assert (grid.rows, grid.cols) == (5, 5)
    off = np.linalg.norm(grid.crossings - crossings, axis=-1) / 48
    assert np.mean(off < 0.05) >= 0.95


def test_rows_and_cols_of_a_part_of_a_panel_are_kept(wall, rough):
    photo, crossings = wall
    grid = grid_from_corners(photo, rough(crossings[1:, :-1], off=0.2), rows=5, cols=7)
    assert (grid.rows, grid.cols) == (5, 7)
    off = np.linalg.norm(grid.crossings - crossings[1:, :-1], axis=-1) / 48
    assert off.max() < 0.05


def test_a_part_of_a_panel_is_laid_together_with_the_tiles_beyond_it(wall, rough):
    photo, crossings = wall
    part = crossings[2:, :-2]
    grid = grid_from_corners(photo, rough(part, off=0.2), rows=4, cols=6)
    assert grid.crossings.shape == part.shape
    assert grid.clear_down.shape == (4, 7)
    assert grid.clear_across.shape == (5, 6)
    off = np.linalg.norm(grid.crossings - part, axis=-1) / 48
    assert off.max() < 0.05


def test_progress_goes_up_to_the_end(wall, rough):
    photo, crossings = wall
    told = []
    grid_from_corners(photo, rough(crossings), rows=6, cols=8, on_progress=told.append)
    assert told == sorted(told)
    assert 0 < told[0] <= told[-1] == 1


def test_the_same_corners_give_the_same_grid(wall, rough):
    photo, crossings = wall
    grids = [grid_from_corners(photo, rough(crossings), rows=6, cols=8) for _ in range(2)]
    np.testing.assert_array_equal(grids[0].crossings, grids[1].crossings)


def test_corners_are_read_as_they_are_written():
    assert parse_corners("0,0 10,0.5  10,8 0,8").tolist() == [[0, 0], [10, 0.5], [10, 8], [0, 8]]


@pytest.mark.parametrize(
    "text",
    ["", "1,2 3,4", "0,0 1,0 1,1 0,x", "0,0 9,0 9,9 0,nan", "0,0 9,0 9,9 0,1e308", "1 2 3 4"],
)
def test_what_is_no_four_corners(text):
    with pytest.raises(AzulejarError, match="are not four corners"):
        parse_corners(text)


@pytest.mark.parametrize("text", ["0,0 0,9 9,9 9,0", "0,0 9,9 9,0 0,9", "0,0 0,0 9,9 0,9"])
def test_corners_in_another_order(text):
    with pytest.raises(AzulejarError, match="clockwise"):
        parse_corners(text)


def test_corners_too_close_for_any_tile(wall):
    corners = np.array([[10, 10], [30, 10], [30, 30], [10, 30.0]])
    with pytest.raises(AzulejarError, match="too close together"):
        grid_from_corners(wall[0], corners)
