"""What a lens has bent."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from azulejar.imaging.photographs.lens import Lens, no_lens

PLAIN = no_lens((1000, 1500, 3))


@given(st.floats(-0.1, 0.1), st.floats(0, 1499), st.floats(0, 999))
def test_bent_and_straight_are_inverse(strength, x, y):
    lens = Lens(strength, PLAIN.middle, PLAIN.radius)
    point = np.array([[x, y]])
    np.testing.assert_allclose(lens.straight(lens.bent(point)), point, atol=0.05)


def test_no_lens_bends_nothing():
    points = np.array([[0.0, 0], [1499, 999], [70, 800]])
    np.testing.assert_allclose(PLAIN.straight(points), points)
    np.testing.assert_allclose(PLAIN.bent(points), points)


def test_the_middle_stays_and_the_corner_moves_by_the_strength():
    lens = Lens(0.05, PLAIN.middle, PLAIN.radius)
    np.testing.assert_allclose(lens.straight(PLAIN.middle), PLAIN.middle)
    corner = lens.straight(np.zeros(2)) - PLAIN.middle
    np.testing.assert_allclose(corner, -1.05 * PLAIN.middle)
