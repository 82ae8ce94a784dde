"""L1 against a loop over pixels (Paikin and Tal 2015)."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from azulejar.measures import l1
from azulejar.measures.l1 import L1


def slow_l1(picture, joint):
    """The anchor's last two pixels predict the next; how far off the neighbour's first is."""
    total = 0.0
    for row in picture:
        for channel in range(3):
            predicted = 2 * row[joint - 1][channel] - row[joint - 2][channel]
            total += abs(predicted - row[joint][channel])
    return total


@given(data=st.data())
def test_l1_equals_a_loop_over_pixels_and_tiles(any_pixels, every_pair, data):
    pixels = data.draw(any_pixels)
    measure = L1()
    measure.prepare(pixels)
    found = measure.dissimilarity(np.arange(4 * len(pixels)))
    np.testing.assert_array_equal(found, every_pair(slow_l1, pixels))


@pytest.mark.parametrize("threads", ["1", "2"])
def test_any_rows_may_be_asked_for_in_any_chunks(pixels_of, every_pair, monkeypatch, threads):
    monkeypatch.setenv("AZULEJAR_THREADS", threads)
    monkeypatch.setattr(l1, "CHUNK", 2)
    measure = L1()
    measure.prepare(pixels_of(3))
    rows = np.array([7, 0, 7, 11, 3])
    expected = every_pair(slow_l1, pixels_of(3))
    np.testing.assert_array_equal(measure.dissimilarity(rows), expected[rows])


def test_each_edge_predicts_for_itself():
    """A rising slope meets a plain: the slope predicts a step that the plain does not see."""
    slope = np.broadcast_to(np.arange(4, dtype=np.uint8)[None, :, None] * 10, (4, 4, 3))
    plain = np.full((4, 4, 3), 30, np.uint8)
    measure = L1()
    measure.prepare(np.stack([slope, plain]))
    found = measure.dissimilarity(np.arange(8))
    assert found[1, 7] == 10 * 4 * 3
    assert found[7, 1] == 0
