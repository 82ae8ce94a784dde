"""An assembly is turned and shifted onto the outline that it fills."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from azulejar.core.alignment import Motion
from azulejar.core.assembly import Assembly
from azulejar.core.knowns import Knowns
from azulejar.core.mask import empty_places, parse_mask
from azulejar.solvers.outline import lay_on_outline, outline_of

HOUSE = parse_mask(["..#..", ".###.", "#####", "##.##"])


def filling(mask):
    row, col = np.nonzero(mask)
    return Assembly.of(row, col, np.zeros(len(row)), size=mask.shape)


@given(st.integers(0, 3), st.integers(-9, 9), st.integers(-9, 9))
def test_wherever_an_assembly_lies_it_comes_to_cover_its_outline(quarters, down, right):
    laid = lay_on_outline(Motion(quarters, down, right)(filling(HOUSE)), HOUSE)
    np.testing.assert_array_equal(np.stack([laid.row, laid.col]), np.nonzero(HOUSE))
    assert (laid.turn == 0).all()


def test_upright_tiles_are_only_shifted():
    upside_down = Motion(2)(filling(HOUSE))
    laid = lay_on_outline(upside_down, HOUSE, (0,))
    assert (laid.turn == 2).all()


def test_an_outline_needs_a_known_size_and_an_empty_place():
    known = Knowns(4, 5, empty=empty_places(HOUSE))
    np.testing.assert_array_equal(outline_of(known), HOUSE)
    assert outline_of(Knowns(4, 5)) is None
    assert outline_of(Knowns(rows=4, empty=((0, 0),))) is None
