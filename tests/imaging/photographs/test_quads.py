"""Four-sided outlines, and the glazed squares cut from the photograph."""

import cv2
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from azulejar.imaging.photographs.geometry import Lens, no_lens
from azulejar.imaging.photographs.quads import (
    UNIT,
    area_of,
    clockwise,
    corner_distance,
    divide_quad,
    full_size,
    is_squarish,
    overlap_area,
    side_of,
    straighten,
)


def square(left, top, side, angle=0.0):
    cos, sin = np.cos(angle), np.sin(angle)
    return (UNIT - 0.5) * side @ np.array([[cos, sin], [-sin, cos]]) + [left, top]


def painted_area(*quads):
    """Pixels that all quads cover."""
    masks = np.ones((300, 300), np.uint8)
    for quad in quads:
        points = np.round(quad * 16).astype(np.int32)
        masks &= cv2.fillConvexPoly(np.zeros((300, 300), np.uint8), points, 1, shift=4)
    return masks.sum()


@given(st.floats(0, 6.3), st.floats(0, 6.3), st.floats(80, 220), st.floats(80, 220))
def test_overlap_is_the_common_area(angle, other_angle, x, y):
    one, other = square(150, 150, 90, angle), square(x, y, 80, other_angle)
    assert overlap_area(one, other) == pytest.approx(painted_area(one, other), abs=400)


@given(st.integers(0, 3), st.floats(-5, 5))
def test_distance_does_not_depend_on_where_corners_are_counted_from(first, shift):
    quad = square(100, 100, 50, 0.3)
    moved = np.roll(quad + np.array([shift, 0]), first, axis=0)
    assert corner_distance(quad, moved) == pytest.approx(abs(shift))


def test_cells_fill_the_quad_without_overlap():
    quad = np.array([[20.0, 30], [260, 20], [280, 200], [10, 180]])
    pieces = divide_quad(quad, 2, 3)
    assert sum(map(area_of, pieces)) == pytest.approx(area_of(quad), rel=1e-3)
    np.testing.assert_allclose(pieces[0][0], quad[0], atol=1e-3)
    np.testing.assert_allclose(pieces[-1][2], quad[2], atol=1e-3)
    assert overlap_area(pieces[0], pieces[1]) < 1


def test_corners_are_brought_into_clockwise_order():
    quad = square(50, 50, 20)
    for order in (quad, quad[::-1]):
        assert area_of(clockwise(order)) == pytest.approx(400)
    assert side_of(quad) == pytest.approx(20)


@pytest.mark.parametrize(
    ("quad", "verdict"),
    [
        (square(50, 50, 20, 0.7), True),
        (square(50, 50, 20) * [1.3, 1], True),
        (square(50, 50, 20) * [1.6, 1], False),
        (np.array([[0.0, 0], [10, 10], [10, 0], [0, 10]]), False),
        (np.full((4, 2), np.nan), False),
    ],
)
def test_what_may_be_a_tile(quad, verdict):
    assert is_squarish(quad) is verdict


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
    places = cv2.perspectiveTransform(lens.undistort(pixels), matrix).astype(np.float32)
    picture = cv2.remap(tile, places[..., 0], places[..., 1], cv2.INTER_LINEAR)
    again = straighten(picture, lens.distort(straight), lens, 96)
    assert np.abs(again[3:-3, 3:-3].astype(int) - tile[3:-3, 3:-3]).mean() < 8


def test_nothing_of_the_longest_side_is_lost():
    corners = np.array([[0.0, 0], [100, 0], [100, 90], [0, 90]])
    assert full_size(corners) == 100


def test_a_tile_cut_off_by_the_frame_is_filled():
    picture = np.full((40, 40, 3), 77, np.uint8)
    corners = np.array([[-10.5, -10.5], [20, -10.5], [20, 20], [-10.5, 20]])
    assert (straighten(picture, corners, no_lens(picture.shape)) == 77).all()
