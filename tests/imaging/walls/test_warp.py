"""Warps that gain and lose tiles at their sides."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from azulejar.imaging.walls.warp import Warp

HOMOGRAPHY = np.array([[40, 3, 100], [-2, 42, 80], [1e-3, 2e-3, 1.0]])


@pytest.fixture(scope="module")
def bulging():
    row, col = np.mgrid[:6, :8]
    bulge = 0.05 * np.sin(row / 2) * np.cos(col / 3)
    return Warp.flat(HOMOGRAPHY, 5, 7).shifted(np.stack([bulge, -bulge], axis=-1))


@settings(max_examples=20)
@given(sides=st.tuples(*[st.integers(0, 2)] * 4))
def test_a_cropped_warp_keeps_the_crossings_that_are_left(bulging, sides):
    left, top, right, bottom = sides
    cropped = bulging.cropped(*sides)
    assert (cropped.rows, cropped.cols) == (5 - top - bottom, 7 - left - right)
    kept = bulging.crossings()[top : 6 - bottom, left : 8 - right]
    np.testing.assert_allclose(cropped.crossings(), kept, atol=0.05)


def test_a_larger_warp_keeps_all_crossings_and_goes_straight_on():
    flat = Warp.flat(HOMOGRAPHY, 5, 7)
    larger = flat.cropped(-2, -1, 0, -3)
    assert (larger.rows, larger.cols) == (9, 9)
    np.testing.assert_allclose(larger.crossings()[1:7, 2:], flat.crossings(), atol=1e-6)
    np.testing.assert_allclose(
        larger.crossings()[0, 0], flat(np.array([[-2.0, -1.0]]))[0], atol=1e-6
    )


def test_the_flattest_warp_is_the_same_map(bulging):
    np.testing.assert_allclose(bulging.flattest().crossings(), bulging.crossings(), atol=0.05)


@pytest.mark.parametrize(("left", "top"), [(0, 0), (1, 0), (0, 1), (1, 1)])
def test_every_second_joint_keeps_its_crossings(bulging, left, top):
    coarse = bulging.every_second(left, top)
    kept = bulging.crossings()[top::2, left::2]
    np.testing.assert_allclose(coarse.crossings(), kept, atol=0.05)
