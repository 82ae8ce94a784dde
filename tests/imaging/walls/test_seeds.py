"""Windows that show joints."""

import numpy as np

from azulejar.imaging.walls.photo import Photo
from azulejar.imaging.walls.seeds import laid, seed_in


def off_by(crossings, points):
    """Of each of the points the pixels to the next of the crossings."""
    apart = points.reshape(-1, 1, 2) - crossings.reshape(1, -1, 2)
    return np.linalg.norm(apart, axis=-1).min(axis=1)


def test_a_window_that_only_begins_to_show_tiles_leads_to_them(make_wall):
    picture, crossings = make_wall(rows=8, cols=8)
    empty = np.full((len(picture), 4 * 48, 3), 190, np.uint8)
    photo = Photo(np.concatenate([empty, picture], axis=1))
    true = crossings + np.array([4 * 48, 0])
    corners = true[[0, 0, -1, -1], [0, -3, -3, 0]]
    corners[[0, 3], 0] -= 3 * 48
    seed = seed_in(photo, corners)
    assert seed.gain > 10
    warp = laid(photo, seed)
    assert min(warp.rows, warp.cols) >= 4
    assert np.mean(off_by(true, warp.crossings()) < 0.05 * 48) >= 0.95


def test_where_nothing_is_to_be_seen_little_is_shown():
    noise = np.random.default_rng(0).integers(0, 256, (300, 300, 3), np.uint8)
    corners = np.array([[20, 20], [280, 20], [280, 280], [20, 280.0]])
    assert seed_in(Photo(noise), corners).gain < 5


def test_a_window_too_small_for_tiles_shows_nothing(wall):
    corners = np.array([[0, 0], [40, 0], [40, 40], [0, 40.0]])
    assert seed_in(Photo(wall[0]), corners) is None
