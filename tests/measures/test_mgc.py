"""MGC against the formula, pixel by pixel (Gallagher 2012)."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from azulejar.measures.mgc import MGC

UNIT = [(0, 0, 0), (1, 1, 1), (1, 0, 0), (0, 1, 0), (0, 0, 1)]
DUMMIES = {tuple(sign * x for x in vector) for vector in UNIT for sign in (1, -1)}


def one_way(picture, last, step):
    """D(i→j): column ``last`` is the outermost of tile i, and j lies in direction ``step``."""
    inside = [row[last] - row[last - step] for row in picture]
    mean = sum(inside) / len(inside)
    covariance = np.cov([*inside, *DUMMIES], rowvar=False)
    inverse = np.linalg.inv(covariance)
    total = 0.0
    for row in picture:
        unusual = row[last + step] - row[last] - mean
        total += unusual @ inverse @ unusual
    return total


def slow_mgc(picture, joint):
    """D(i→j) + D(j→i)."""
    return one_way(picture, joint - 1, 1) + one_way(picture, joint, -1)


def test_there_are_nine_dummy_gradients():
    assert len(DUMMIES) == 9


@given(data=st.data())
def test_mgc_equals_a_loop_over_pixels_and_tiles(any_pixels, every_pair, data):
    pixels = data.draw(any_pixels)
    measure = MGC()
    measure.prepare(pixels)
    found = measure.dissimilarity(np.arange(4 * len(pixels)))
    np.testing.assert_allclose(found, every_pair(slow_mgc, pixels), rtol=1e-6, atol=1e-5)


def test_any_rows_may_be_asked_for(pixels_of, every_pair):
    measure = MGC()
    measure.prepare(pixels_of(3))
    expected = every_pair(slow_mgc, pixels_of(3))
    np.testing.assert_allclose(measure.dissimilarity(np.array([7, 0, 7])), expected[[7, 0, 7]])


def test_an_even_slope_across_the_joint_fits_perfectly():
    slope = np.broadcast_to(np.arange(12, dtype=np.uint8)[None, :, None] * 9, (6, 12, 3))
    measure = MGC()
    measure.prepare(np.stack([slope[:, :6], slope[:, 6:]]))
    found = measure.dissimilarity(np.arange(8))
    assert abs(found[1, 7]) < 1e-6
    # The other way round the slope jumps.
    assert found[3, 5] > 1000
