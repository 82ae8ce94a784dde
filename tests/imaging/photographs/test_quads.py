"""Four-sided outlines."""

import cv2
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from azulejar.imaging.photographs.quads import (
    UNIT,
    area_of,
    cells,
    clockwise,
    distance,
    is_squarish,
    overlap,
    side_of,
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


@settings(max_examples=40)
@given(st.floats(0, 6.3), st.floats(0, 6.3), st.floats(80, 220), st.floats(80, 220))
def test_overlap_is_the_common_area(angle, other_angle, x, y):
    one, other = square(150, 150, 90, angle), square(x, y, 80, other_angle)
    assert overlap(one, other) == pytest.approx(painted_area(one, other), abs=400)


@given(st.integers(0, 3), st.floats(-5, 5))
def test_distance_does_not_depend_on_where_corners_are_counted_from(first, shift):
    quad = square(100, 100, 50, 0.3)
    moved = np.roll(quad + np.array([shift, 0]), first, axis=0)
    assert distance(quad, moved) == pytest.approx(abs(shift))


def test_cells_fill_the_quad_without_overlap():
    quad = np.array([[20.0, 30], [260, 20], [280, 200], [10, 180]])
    pieces = cells(quad, 2, 3)
    assert sum(map(area_of, pieces)) == pytest.approx(area_of(quad), rel=1e-3)
    np.testing.assert_allclose(pieces[0][0], quad[0], atol=1e-3)
    np.testing.assert_allclose(pieces[-1][2], quad[2], atol=1e-3)
    assert overlap(pieces[0], pieces[1]) < 1


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
