from itertools import product

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from azulejar.outputs.collection.outline import likely_outline


def agreement(lies, rows, cols):
    return 2 * lies[rows, cols].sum() / (lies.sum() + lies[rows, cols].size)


@given(arrays(bool, st.tuples(st.integers(1, 6), st.integers(1, 6))).filter(lambda a: a.any()))
def test_no_rectangle_agrees_better(lies):
    spans = [
        [slice(a, b) for a in range(length) for b in range(a + 1, length + 1)]
        for length in lies.shape
    ]
    best = max(agreement(lies, rows, cols) for rows, cols in product(*spans))
    assert np.isclose(agreement(lies, *likely_outline(lies)), best)


def test_holes_are_within_and_a_tail_is_without():
    lies = np.zeros((9, 8), bool)
    lies[2:8, 1:7] = True
    lies[3, 3] = lies[2, 1] = False
    lies[0:2, 4] = lies[5, 7] = True
    assert likely_outline(lies) == (slice(2, 8), slice(1, 7))


def test_a_whole_panel_is_its_own_outline():
    assert likely_outline(np.ones((3, 5), bool)) == (slice(0, 3), slice(0, 5))
