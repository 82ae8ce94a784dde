"""The preference for whole rectangles, which guided growth has and kernel growth may have."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from azulejar.core.assembly import Assembly
from azulejar.core.knowns import Knowns
from azulejar.solvers.kernels.streams import stream
from azulejar.solvers.population import Generation, Population
from azulejar.solvers.rectangles import (
    fills_its_box,
    frames_to_try,
    likely_frames,
    pick_frame,
    with_bonus,
)


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


def generation(number=1, fitness=1.0):
    """One in which the best assembly is a rectangle of 3 × 4."""
    now = Population.empty(2, 12)
    now.placed[1] = laid(3, 4)
    now.fitness[:] = [-1.0, fitness]
    return Generation(number, now, now, np.array([1, 0]))


def test_frames_are_tried_only_where_the_size_is_unknown_and_an_assembly_suggests_it():
    tried = frames_to_try(0.5, Knowns(), generation()).tolist()
    assert tried[0] == [0, 0]
    assert [3, 4] in tried[1:]
    assert frames_to_try(0.5, Knowns(2, 6), generation()).tolist() == [[2, 6]]
    assert frames_to_try(0.0, Knowns(), generation()).tolist() == [[0, 0]]
    assert frames_to_try(0.5, Knowns(), generation(number=0)).tolist() == [[0, 0]]
    assert frames_to_try(0.5, Knowns(), generation(fitness=-0.5)).tolist() == [[0, 0]]
    assert frames_to_try(0.5, Knowns(empty=((0, 0),)), generation()).tolist() == [[0, 0]]


def test_a_share_of_the_children_draws_any_of_the_frames_to_try():
    frames, state = np.array([[0, 0], [3, 4], [2, 6]]), stream(0, 0, 0)
    drawn = [pick_frame(frames, 0.4, state) for _ in range(4000)]
    share = [drawn.count(frame) / len(drawn) for frame in ((0, 0), (3, 4), (2, 6))]
    assert share == pytest.approx([0.6, 0.2, 0.2], abs=0.03)


def test_where_there_is_one_frame_nothing_is_drawn():
    state = stream(0, 0, 0)
    before = state.copy()
    assert pick_frame(np.array([[3, 4]]), 1.0, state) == (3, 4)
    assert state == before


def test_the_bonus_is_for_one_whole_panel_of_unknown_size():
    whole = Assembly.of(*laid(2, 3).T)
    assert with_bonus(2.0, 0.1, Knowns(), whole) == pytest.approx(2.2)
    assert with_bonus(2.0, 0.1, Knowns(2, 3), whole) == 2.0
    assert with_bonus(2.0, 0.1, Knowns(), Assembly.of(*laid(2, 3)[:5].T)) == 2.0
    strays = Assembly.of(*laid(2, 3).T, panel=[0] * 5 + [-1])
    assert with_bonus(2.0, 0.1, Knowns(), strays) == 2.0
