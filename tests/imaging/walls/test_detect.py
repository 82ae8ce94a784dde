"""Grids that are found without corners, or doubted."""

import numpy as np
import pytest

from azulejar.errors import AzulejarError
from azulejar.imaging.walls import detect
from azulejar.imaging.walls.detect import (
    ENOUGH,
    DetectedGrid,
    _best_guess,
    _Grown,
    _Steps,
    detect_grids,
    sure_grids,
)
from azulejar.imaging.walls.warp import Warp


def found_of(crossings, grid):
    """Share of the crossings that a grid has."""
    apart = np.linalg.norm(grid.crossings.reshape(-1, 1, 2) - crossings.reshape(1, -1, 2), axis=-1)
    return np.mean(apart.min(axis=0) / grid.side < 0.05)


def test_steps_of_unknown_number_never_pass_the_end():
    told = []
    steps = _Steps(told.append, 0.2, 0.6)
    for _ in range(3):
        tell = steps.next()
        tell(0.5)
        tell(1.0)
    np.testing.assert_allclose(told, [0.3, 0.4, 0.45, 0.5, 0.525, 0.55])


def test_progress_is_told_of_every_seed_that_grows(monkeypatch):
    unlike = [grown(6, 8, 0.5, left=0.2 * k) for k in range(4)]
    monkeypatch.setattr(detect, "_grow_from", lambda photo, seed: unlike[seed])
    told, before = [], []
    assert detect._grow(None, range(4), before, told.append) is None
    assert told == [0.25, 0.5, 0.75, 1]
    assert before == unlike


def test_two_panels_of_a_photograph_are_found_and_nothing_else(make_wall):
    left, first = make_wall(rows=5, cols=5, side=20, seed=1)
    right, second = make_wall(rows=5, cols=4, side=20, seed=2)
    second = second + np.array([left.shape[1], 0])
    told = []
    found = detect_grids(np.concatenate([left, right], axis=1), told.append)
    assert len(found) == 2
    assert all(one.sure and one.windows >= ENOUGH for one in found)
    for crossings, one in zip((first, second), found, strict=True):
        assert found_of(crossings, one.grid) >= 0.95
    assert told == sorted(told)
    assert told[-1] == 1


def test_where_windows_do_not_agree_it_is_doubted():
    noise = np.random.default_rng(0).integers(0, 256, (112, 112, 3), np.uint8)
    (found,) = detect_grids(noise)
    assert not found.sure and found.windows < ENOUGH


def grown(rows, cols, confidence, left=0.0):
    warp = Warp.flat(np.array([[50, 0, 50 * left], [0, 50, 0], [0, 0, 1.0]]), rows, cols)
    clear = np.ones((rows, cols + 1)), np.ones((rows + 1, cols))
    return _Grown(warp, clear, warp.crossings(), confidence)


def test_the_best_guess_is_the_surest_of_those_that_most_agree_with():
    alike = [grown(6, 8, sure) for sure in (0.5, 0.6, 0.4)]
    other = [grown(6, 9, sure, left=0.5) for sure in (0.9, 0.8)]
    guess = _best_guess([*other, *alike])
    assert guess.windows == 3
    np.testing.assert_allclose(guess.grid.crossings, alike[1].crossings, atol=1e-6)


def test_grids_that_have_the_rows_and_cols_that_are_known(plain_grid):
    large, small, unsure = plain_grid(6, 8), plain_grid(5, 4), plain_grid(5, 8)
    windows = (ENOUGH, ENOUGH + 1, ENOUGH - 1)
    found = list(map(DetectedGrid, (large, small, unsure), windows))
    assert sure_grids(found, None, None) == [large, small]
    assert sure_grids(found, 5, None) == [small]
    assert sure_grids(found, None, 8) == [large]
    assert sure_grids(found, 5, 8) == []


def test_a_photograph_too_small_for_tiles():
    with pytest.raises(AzulejarError, match="too small"):
        detect_grids(np.zeros((60, 60, 3), np.uint8))
