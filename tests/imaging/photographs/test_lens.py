"""Straight sides that a lens has bent."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from azulejar.imaging.photographs.lens import Lens, fit_lens, no_lens
from azulejar.imaging.photographs.sides import Side

SHAPE = (1000, 1500, 3)
PLAIN = no_lens(SHAPE)


QUAD = np.array([[0.0, 0], [500, 20], [480, 460], [10, 450]])


def sides_through(lens, noise=0.0):
    """Sides of four large squares as the lens shows them."""
    random = np.random.default_rng(0)
    share = np.linspace(0, 1, 48)[:, None]
    sides = []
    for left, top in ((60, 60), (900, 60), (60, 480), (900, 480)):
        quad = QUAD + np.array([left, top])
        for k in range(4):
            points = lens.bent(quad[k] + share * (quad[k - 3] - quad[k]))
            points = points + random.normal(0, noise, points.shape)
            sides.append(Side(points, np.ones(48, bool), 1.0, 1.0))
    return sides


@given(st.floats(-0.1, 0.1), st.floats(0, 1499), st.floats(0, 999))
def test_bent_and_straight_are_inverse(strength, x, y):
    lens = Lens(strength, PLAIN.middle, PLAIN.radius)
    point = np.array([[x, y]])
    np.testing.assert_allclose(lens.straight(lens.bent(point)), point, atol=0.05)


@pytest.mark.parametrize("strength", [-0.06, 0.03, 0.08])
def test_the_strength_is_found(strength):
    lens = Lens(strength, PLAIN.middle, PLAIN.radius)
    assert fit_lens(sides_through(lens, noise=0.3), SHAPE).strength == pytest.approx(
        strength, rel=0.12
    )


def test_straight_sides_need_no_lens():
    assert fit_lens(sides_through(PLAIN, noise=0.5), SHAPE).strength == 0


def test_corners_are_where_the_bent_sides_meet():
    lens = Lens(0.05, PLAIN.middle, PLAIN.radius)
    corners = lens.corners(sides_through(lens)[:4])
    expected = lens.bent(QUAD + 60)
    np.testing.assert_allclose(corners, expected, atol=0.05)
