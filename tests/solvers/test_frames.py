"""The rectangles in which a panel of unknown size is tried."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from azulejar.solvers.frames import fills_its_box, likely_frames


def laid(rows, cols):
    """All places of a rectangle, as tiles without turn."""
    row, col = np.divmod(np.arange(rows * cols), cols)
    return np.stack([row, col, np.zeros_like(row)], axis=1).astype(np.int32)


@given(st.integers(1, 30), st.integers(1, 30))
def test_a_whole_rectangle_is_its_own_frame_and_all_frames_hold_all_tiles(rows, cols):
    frames = likely_frames(laid(rows, cols)).tolist()
    assert [rows, cols] in frames
    for high, wide in frames:
        assert high * wide == rows * cols
        assert abs(high - rows) <= 2 or abs(wide - cols) <= 2


def test_tiles_that_stick_out_do_not_hide_the_frame():
    placed = laid(11, 17)
    placed[:6, 0] = np.arange(11, 17)  # part of the first row hangs below the last one
    placed[:6, 1] = 8
    assert likely_frames(placed).tolist() == [[11, 17]]


@pytest.mark.parametrize("n", [13, 101])
def test_a_prime_number_of_tiles_in_no_row_has_no_frame(n):
    side = int(n**0.5) + 1
    assert likely_frames(laid(side, side)[:n]).tolist() == []


@given(st.sets(st.tuples(st.integers(-3, 3), st.integers(-3, 3)), min_size=1))
def test_a_box_is_filled_if_every_place_of_it_is_taken(places):
    row, col = np.array(sorted(places), np.int32).T.copy()
    box = {(r, c) for r in range(min(row), max(row) + 1) for c in range(min(col), max(col) + 1)}
    assert fills_its_box(row, col) == (box == places)
