"""Outlines drawn as rows of # and ."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import array_shapes, arrays

from azulejar.core.mask import empty_places, parse_mask, write_rows
from azulejar.errors import AzulejarError


@given(arrays(bool, array_shapes(min_dims=2, max_dims=2, max_side=6), elements=st.booleans()))
def test_what_is_written_is_read_again(mask):
    mask[0, 0] = True
    rows = write_rows(mask)
    np.testing.assert_array_equal(parse_mask(rows), mask)
    assert len(empty_places(mask)) == sum(row.count(".") for row in rows)


def test_empty_places_are_those_without_a_tile():
    assert empty_places(parse_mask([".##", "#.#"])) == ((0, 0), (1, 1))


@pytest.mark.parametrize(
    ("rows", "told"),
    [
        (
            ["##", "#x"],
            "mask, row 2: '#x' is not a row of a mask. Write # for a tile and . for none.",
        ),
        (["##", "#"], "mask: row 2 has the length 1, the first one 2."),
        (["..", ".."], "mask has no place for a tile."),
    ],
)
def test_what_is_no_mask_is_refused(rows, told):
    with pytest.raises(AzulejarError) as refused:
        parse_mask(rows)
    assert told in str(refused.value)
