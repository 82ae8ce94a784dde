"""Windows that lean as the lines of the photograph do, and the joints they show."""

from itertools import combinations, product

import cv2
import numpy as np
import pytest

from azulejar.imaging.walls.photo import WallPhoto
from azulejar.imaging.walls.seeds import (
    USUAL_SHARE,
    densest_part,
    find_seed,
    iter_windows,
    lay_seed,
)


def off_by(crossings, points):
    """Of each of the points the pixels to the next of the crossings."""
    apart = points.reshape(-1, 1, 2) - crossings.reshape(1, -1, 2)
    return np.linalg.norm(apart, axis=-1).min(axis=1)


def test_a_window_that_only_begins_to_show_tiles_leads_to_them(make_wall):
    picture, crossings = make_wall(rows=8, cols=8)
    empty = np.full((len(picture), 4 * 48, 3), 190, np.uint8)
    photo = WallPhoto(np.concatenate([empty, picture], axis=1))
    true = crossings + np.array([4 * 48, 0])
    corners = true[[0, 0, -1, -1], [0, -3, -3, 0]]
    corners[[0, 3], 0] -= 3 * 48
    seed = find_seed(photo, corners)
    assert seed.gain > 10
    warp = lay_seed(photo, seed)
    assert min(warp.rows, warp.cols) >= 4
    assert np.mean(off_by(true, warp.crossings()) < 0.05 * 48) >= 0.95


def test_where_nothing_is_to_be_seen_little_is_shown():
    noise = np.random.default_rng(0).integers(0, 256, (300, 300, 3), np.uint8)
    corners = np.array([[20, 20], [280, 20], [280, 280], [20, 280.0]])
    assert find_seed(WallPhoto(noise), corners).gain < 5


def test_a_window_too_small_for_tiles_shows_nothing(wall):
    corners = np.array([[0, 0], [40, 0], [40, 40], [0, 40.0]])
    assert find_seed(WallPhoto(wall[0]), corners) is None


def ruled(slope):
    """A picture with lines that go down by ``slope`` to the right, and upright ones."""
    picture = np.full((400, 500, 3), 220, np.uint8)
    for at in range(-300, 700, 40):
        cv2.line(picture, (0, at), (500, round(at + 500 * slope)), (60, 60, 60), 2)
    for at in range(20, 500, 40):
        cv2.line(picture, (at, 0), (at, 400), (60, 60, 60), 2)
    return picture


@pytest.mark.parametrize("slope", [-0.3, 0.0, 0.2])
def test_a_window_leans_as_the_lines_in_it(slope):
    for corners in iter_windows(WallPhoto(ruled(slope)), 0.22):
        top_left, top_right, bottom_right, bottom_left = corners
        for left, right in ((top_left, top_right), (bottom_left, bottom_right)):
            assert abs((right - left)[1] / (right - left)[0] - slope) < 0.05
        assert abs((bottom_left - top_left)[0] / (bottom_left - top_left)[1]) < 0.05


def test_without_lines_windows_are_squares_all_over():
    found = np.array(list(iter_windows(WallPhoto(np.full((400, 500, 3), 128, np.uint8)), 0.22)))
    np.testing.assert_allclose(found[0], [[0, 0], [176, 0], [176, 176], [0, 176]], atol=1e-9)
    np.testing.assert_allclose(found[-1, 2], [500, 400])
    x, y = (sorted(set(found[:, 0, axis])) for axis in (0, 1))
    assert (len(x), len(y)) == (5, 4)
    assert max(np.diff(x).max(), np.diff(y).max()) < 4 / 3 * 88


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
                gain += sum(sides) / 4 - USUAL_SHARE
            if gain > best:
                best, beyond = gain, (left, top, cols - right, rows - bottom)
    return best, beyond


@pytest.mark.parametrize("seed", range(5))
def test_no_rectangle_shows_more(seed):
    random = np.random.default_rng(seed)
    clear = random.uniform(0.2, 1, (5, 7)), random.uniform(0.2, 1, (6, 6))
    gain, beyond = densest_part(clear)
    expected, rectangle = slow(clear)
    assert gain == pytest.approx(expected)
    assert beyond == rectangle


def test_tiles_in_one_corner():
    down, across = np.full((8, 11), 0.1), np.full((9, 10), 0.1)
    down[3:, :7] = 1
    across[3:, :6] = 1
    gain, beyond = densest_part((down, across))
    assert beyond == (0, 3, 4, 0)
    assert gain == pytest.approx(5 * 6 * (1 - USUAL_SHARE))
