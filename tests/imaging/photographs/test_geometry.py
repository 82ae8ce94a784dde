"""The lens and the table's perspective, from squares of one size."""

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from azulejar.imaging.photographs.geometry import Lens, Plane, fit_plane, no_lens

SHAPE = (1000, 1500, 3)
PLAIN = no_lens(SHAPE)


def squares(random, count):
    angle = random.uniform(0, 2 * np.pi, count)
    half = np.array([[-0.5, -0.5], [0.5, -0.5], [0.5, 0.5], [-0.5, 0.5]])
    turn = np.array([[np.cos(angle), np.sin(angle)], [-np.sin(angle), np.cos(angle)]])
    return np.einsum("ci,ijn->ncj", half, turn) + random.uniform(-3, 3, (count, 1, 2))


def a_plane(lean_x, lean_y, stretch, lens=PLAIN):
    matrix = np.array([[1 + stretch, 0.02], [0.02, 1 - stretch]]) * 8.0
    return Plane(lens, np.array([lean_x, lean_y]), matrix)


small = st.floats(-0.12, 0.12)


@settings(max_examples=15)
@given(small, small, st.floats(-0.08, 0.08), st.integers(0, 100))
def test_squares_seen_at_a_slant_are_squares_again(lean_x, lean_y, stretch, seed):
    true = a_plane(lean_x, lean_y, stretch)
    quads = true.to_pixels(squares(np.random.default_rng(seed), 9))
    assert fit_plane(quads, SHAPE).misfit(quads).max() < 0.004


@given(small, small, st.floats(-1000, 2500), st.floats(-500, 1500))
def test_table_and_pixels_are_inverse(lean_x, lean_y, x, y):
    lens = Lens(0.02, PLAIN.middle, PLAIN.radius)
    plane = a_plane(lean_x, lean_y, 0.05, lens)
    point = np.array([[x, y]])
    np.testing.assert_allclose(plane.to_pixels(plane.to_table(point)), point, rtol=1e-6, atol=1e-3)


def test_a_stray_does_not_tilt_the_table():
    true = a_plane(0.1, -0.05, 0.02)
    quads = true.to_pixels(squares(np.random.default_rng(1), 8))
    strays = np.concatenate([quads, quads[:1] * 1.7])
    misfit = fit_plane(strays, SHAPE).misfit(strays)
    assert misfit[:8].max() < 0.01
    assert misfit[8] > 0.2


def test_a_pixel_is_as_long_as_the_scale_says():
    plane = Plane(PLAIN, np.zeros(2), np.eye(2) * PLAIN.radius / 120)
    assert np.isclose(plane.tiles_per_pixel(), 1 / 120)


@given(st.floats(-0.1, 0.1), st.floats(0, 1499), st.floats(0, 999))
def test_bent_and_straight_are_inverse(strength, x, y):
    lens = Lens(strength, PLAIN.middle, PLAIN.radius)
    point = np.array([[x, y]])
    np.testing.assert_allclose(lens.undistort(lens.distort(point)), point, atol=0.05)


def test_no_lens_bends_nothing():
    points = np.array([[0.0, 0], [1499, 999], [70, 800]])
    np.testing.assert_allclose(PLAIN.undistort(points), points)
    np.testing.assert_allclose(PLAIN.distort(points), points)


def test_the_middle_stays_and_the_corner_moves_by_the_strength():
    lens = Lens(0.05, PLAIN.middle, PLAIN.radius)
    np.testing.assert_allclose(lens.undistort(PLAIN.middle), PLAIN.middle)
    corner = lens.undistort(np.zeros(2)) - PLAIN.middle
    np.testing.assert_allclose(corner, -1.05 * PLAIN.middle)
