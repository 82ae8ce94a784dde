"""What is known of the panel must fit the tiles."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from azulejar.core.knowns import BOUNDLESS, Knowns, Lock
from azulejar.errors import AzulejarError

count = st.integers(1, 12)


@given(rows=count, cols=count, upright=st.booleans(), data=st.data())
def test_of_rows_and_cols_one_gives_the_other(rows, cols, upright, data):
    given_rows, given_cols = data.draw(st.sampled_from([(rows, cols), (rows, None), (None, cols)]))
    known = Knowns(given_rows, given_cols, upright).for_tiles(rows * cols)
    assert known == Knowns(rows, cols, upright)


@pytest.mark.parametrize(
    ("known", "n", "frame"),
    [
        (Knowns(rows=16), 102, (16, BOUNDLESS)),
        (Knowns(cols=4), 6, (BOUNDLESS, 4)),
        (Knowns(rows=3), 6, (3, 2)),
        (Knowns(2, 4), 6, (2, 4)),
        (Knowns(), 6, (0, 0)),
    ],
)
def test_one_of_rows_and_cols_may_be_known_though_tiles_are_missing(known, n, frame):
    assert known.for_tiles(n).frame == frame


@given(st.integers(1, 99), st.booleans())
def test_nothing_known_stays_unknown(n, upright):
    assert Knowns(upright=upright).for_tiles(n) == Knowns(None, None, upright)


@given(rows=st.none() | count, cols=st.none() | count, n=st.integers(1, 150))
def test_check_passes_just_when_some_panel_of_that_size_holds_n_tiles(rows, cols, n):
    if not (rows and cols) or rows * cols >= n:  # places may stay empty
        Knowns(rows, cols).check(n)
    else:
        with pytest.raises(AzulejarError):
            Knowns(rows, cols).check(n)


@pytest.mark.parametrize(
    ("knowns", "n", "problem"),
    [
        (Knowns(outer=(24,)), 6, "The outer side 24 belongs to none of 6 tiles."),
        (Knowns(locks=(Lock(tile=6, row=0),)), 6, "Tile 6 is none of 6 tiles."),
        (Knowns(joined=((Lock(0, 0, 0, 0), Lock(-1, 0, 1, 0)),)), 6, "Tile -1 is none of 6 tiles."),
        (Knowns(apart=((0, 24),)), 6, "Tile 6 is none of 6 tiles."),
        (Knowns(together=((0, 9),)), 6, "Tile 9 is none of 6 tiles."),
        (Knowns(rows=2.5), 6, "rows is 2.5, which is no whole number."),
        (Knowns(cols=2.0), 6, "cols is 2.0, which is no whole number."),
        (Knowns(rows=True), 6, "rows is True, which is no whole number."),
        (Knowns(cols=float("nan")), 6, "cols is nan, which is no whole number."),
        (Knowns(rows="2"), 6, "rows is '2', which is no whole number."),
        (Knowns(panels=1.5), 6, "panels is 1.5, which is no whole number."),
        (Knowns(locks=(Lock(0, row=0.5),)), 6, "row is 0.5, which is no whole number."),
        (Knowns(locks=(Lock(0.5, row=0),)), 6, "tile is 0.5, which is no whole number."),
        (Knowns(empty=((0, 0.5),)), 6, "empty is 0.5, which is no whole number."),
        (Knowns(outer=(1.5,)), 6, "outer is 1.5, which is no whole number."),
        (Knowns(rows=0), 6, "A panel cannot have 0 rows."),
        (Knowns(cols=-2), 6, "A panel cannot have -2 cols."),
        (Knowns(2, 2), 6, "2 rows × 2 cols are 4 places, but there are 6 tiles."),
        (Knowns(panels=0), 6, "6 tiles do not make 0 panels."),
        (Knowns(panels=7), 6, "6 tiles do not make 7 panels."),
        (Knowns(2, 3, panels=2), 6, "Rows and cols are those of one panel."),
    ],
)
def test_the_problem_is_named_with_a_remedy(knowns, n, problem):
    with pytest.raises(AzulejarError) as refused:
        knowns.for_tiles(n)
    assert refused.value.problem == problem
    assert refused.value.remedy


def test_whole_numbers_of_numpy_are_whole_numbers():
    locks = (Lock(np.int64(5), np.int32(0), np.uint8(1), np.int16(2)),)
    known = Knowns(np.int64(2), np.uint16(3), panels=np.int8(1), locks=locks)
    assert known.for_tiles(6) == known
    assert Knowns(rows=np.int64(2)).for_tiles(6).cols == 3
