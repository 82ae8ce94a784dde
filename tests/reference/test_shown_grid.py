"""The grid of places in a picture: fitted to found tiles, in perspective."""

import numpy as np
import pytest

from azulejar.core.alignment import Motion
from azulejar.core.assembly import Assembly
from azulejar.reference.shown_grid import PROJECTIVE, ShownGrid, fit_matrix, move
from azulejar.reference.structure import PITCH

SLANTED = np.array([[20.0, 1.5, 7], [-0.8, 21, 4], [0.004, -0.003, 1]])


@pytest.fixture
def places():
    return np.stack(np.meshgrid(np.arange(8), np.arange(6)), -1).reshape(-1, 2) + 0.5


def test_perspective_is_found_though_some_tiles_are_found_in_wrong_places(places):
    aims = move(places, SLANTED)
    aims[::7] += (9, -12)
    found = fit_matrix(places, aims, np.ones(len(places)), len(places))
    np.testing.assert_allclose(move(places, found), move(places, SLANTED), atol=1.0)


def test_few_tiles_tell_scale_and_shift_only(places):
    few = places[[0, 1, 8]]
    found = fit_matrix(few, move(few, SLANTED), np.ones(3), 3)
    assert found[0, 0] == pytest.approx(found[1, 1])
    np.testing.assert_allclose(found[[0, 1, 2, 2], [1, 0, 0, 1]], 0, atol=1e-9)
    some = places[::5]
    parallel = fit_matrix(some, move(some, SLANTED), np.ones(len(some)), PROJECTIVE - 1)
    np.testing.assert_allclose(parallel[2, :2], 0, atol=1e-4)
    assert parallel[0, 0] != pytest.approx(parallel[1, 1])


def test_tiles_in_one_line_tell_no_perspective(places):
    line = places[:8]
    assert fit_matrix(line, move(line, SLANTED), np.ones(8), 8) is None


def test_grid_has_the_places_that_the_picture_shows():
    grid = ShownGrid.over(np.array([[20.0, 0, -50], [0, 20, 10], [0, 0, 1]]), (90, 150))
    _, shown = grid.flatten(np.zeros((90, 150), np.float32))
    rows, cols = np.nonzero(shown)
    # Places from col 2.5 to 10 and from row -0.5 to 4 are in the picture.
    assert sorted({*(cols + grid.left).tolist()}) == list(range(3, 10))
    assert sorted({*(rows + grid.top).tolist()}) == list(range(4))


def test_straightened_picture_has_square_places():
    grid = ShownGrid(np.array([[10.0, 0, 5], [0, 20, 0], [0, 0, 1]]), 1, 2, 2, 3)
    picture = np.zeros((80, 80, 3), np.uint8)
    picture[20:40, 25:35] = 200  # the place in row 1, col 2
    flat = grid.straighten(picture)
    assert flat.shape == (2 * PITCH, 3 * PITCH, 3)
    bright = flat[..., 0] > 100
    assert bright[4 : PITCH - 4, 4 : PITCH - 4].all()
    assert not bright[PITCH + 4 :].any() and not bright[:, PITCH + 4 :].any()


@pytest.mark.parametrize("quarters", range(4))
def test_grid_before_a_motion_shows_each_place_where_it_comes_to_lie(quarters):
    grid, motion = ShownGrid(SLANTED, 0, 0, 2, 3), Motion(quarters, 4, -1)
    before = Assembly.of([0, 1, 5], [2, 0, 3], [0, 0, 0])
    after = motion(before)
    there, here = (np.stack([each.col, each.row], 1) + 0.5 for each in (after, before))
    np.testing.assert_allclose(
        move(here, grid.before(motion).matrix), move(there, grid.matrix), atol=1e-9
    )


def test_corners_are_those_of_the_box():
    grid = ShownGrid(np.array([[10.0, 0, 5], [0, 20, 0], [0, 0, 1]]), 1, 2, 2, 3)
    np.testing.assert_allclose(grid.corners(), [[25, 20], [55, 20], [55, 60], [25, 60]])
