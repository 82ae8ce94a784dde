"""The glazed square, cut from the photograph."""

import cv2
import numpy as np
import pytest

from azulejar.imaging.photographs.lens import Lens, no_lens
from azulejar.imaging.photographs.straighten import full_size, straighten


def test_an_upright_tile_is_cut_pixel_for_pixel():
    picture = np.random.default_rng(0).integers(0, 256, (80, 120, 3), np.uint8)
    corners = np.array([[19.5, 9.5], [69.5, 9.5], [69.5, 59.5], [19.5, 59.5]])
    cut = straighten(picture, corners, no_lens(picture.shape))
    np.testing.assert_array_equal(cut, picture[10:60, 20:70])


@pytest.mark.parametrize("strength", [0.0, 0.06])
def test_perspective_and_lens_are_undone(painted, strength):
    tile = painted[6]
    lens = Lens(strength, np.array([199.5, 149.5]), float(np.hypot(199.5, 149.5)))
    straight = np.array([[90.0, 60], [300, 80], [320, 260], [70, 240]])
    own = np.array([[-0.5, -0.5], [95.5, -0.5], [95.5, 95.5], [-0.5, 95.5]], np.float32)
    matrix = cv2.getPerspectiveTransform(straight.astype(np.float32), own)
    rows, cols = np.mgrid[:300, :400]
    pixels = np.stack([cols, rows], axis=-1).astype(float)
    places = cv2.perspectiveTransform(lens.straight(pixels), matrix).astype(np.float32)
    picture = cv2.remap(tile, places[..., 0], places[..., 1], cv2.INTER_LINEAR)
    again = straighten(picture, lens.bent(straight), lens, 96)
    assert np.abs(again[3:-3, 3:-3].astype(int) - tile[3:-3, 3:-3]).mean() < 8


def test_nothing_of_the_longest_side_is_lost():
    corners = np.array([[0.0, 0], [100, 0], [100, 90], [0, 90]])
    assert full_size(corners) == 100


def test_a_tile_cut_off_by_the_frame_is_filled():
    picture = np.full((40, 40, 3), 77, np.uint8)
    corners = np.array([[-10.5, -10.5], [20, -10.5], [20, 20], [-10.5, 20]])
    assert (straighten(picture, corners, no_lens(picture.shape)) == 77).all()
