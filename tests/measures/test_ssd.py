"""SSD against a loop over pixels (Cho et al. 2010)."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from azulejar.measures.ssd import SSD


def slow_ssd(picture, joint):
    """Squared differences of the pixels left and right of the joint, over pixels and channels."""
    total = 0.0
    for row in picture:
        for channel in range(3):
            total += (row[joint - 1][channel] - row[joint][channel]) ** 2
    return total


@given(data=st.data())
def test_ssd_equals_a_loop_over_pixels_and_tiles(any_pixels, every_pair, data):
    pixels = data.draw(any_pixels)
    measure = SSD()
    measure.prepare(pixels)
    found = measure.dissimilarity(np.arange(4 * len(pixels)))
    np.testing.assert_array_equal(found, every_pair(slow_ssd, pixels))


def test_any_rows_may_be_asked_for(pixels_of, every_pair):
    measure = SSD()
    measure.prepare(pixels_of(3))
    expected = every_pair(slow_ssd, pixels_of(3))
    np.testing.assert_array_equal(measure.dissimilarity(np.array([7, 0, 7])), expected[[7, 0, 7]])


def test_ssd_is_symmetric_and_0_where_the_lines_are_alike():
    picture = np.random.default_rng(0).integers(0, 256, (5, 9, 3), dtype=np.uint8)
    measure = SSD()
    measure.prepare(np.stack([picture[:, :5], picture[:, 4:]]))
    found = measure.dissimilarity(np.arange(8))
    np.testing.assert_array_equal(found, found.T)
    assert np.argwhere(found[:4, 4:] == 0).tolist() == [[1, 3]]
