import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from azulejar.errors import AzulejarError
from azulejar.sorting.ties import LEAST, Ties

N = 8
PAIRS = st.lists(st.tuples(st.integers(0, N - 1), st.integers(0, N - 1)), max_size=12)


def test_at_first_every_tile_is_by_itself():
    ties = Ties(3)
    assert len(set(ties.group)) == 3
    assert ties.sizes().tolist() == [1, 1, 1]


def test_known_tiles_are_together_from_the_start():
    ties = Ties(5, together=[(0, 3), (3, 4)])
    assert ties.group[0] == ties.group[3] == ties.group[4] != ties.group[1]


def test_tiles_known_to_be_together_and_apart_are_refused():
    with pytest.raises(AzulejarError, match="of one panel and of two"):
        Ties(4, together=[(0, 1), (1, 2)], apart=[(2, 0)])


@given(PAIRS, PAIRS)
def test_what_is_apart_stays_apart_whatever_is_united(unions, apart):
    apart = [pair for pair in apart if pair[0] != pair[1]]
    ties = Ties(N, apart=apart)
    for one, other in unions:
        if ties.may_unite(one, other):
            ties.unite(one, other)
            assert ties.group[one] == ties.group[other]
    assert all(ties.group[a] != ties.group[b] for a, b in apart)


def test_apart_is_asked_of_whole_groups():
    ties = Ties(4, together=[(0, 1)], apart=[(1, 2)])
    assert not ties.may_unite(0, 2)
    ties.unite(2, 3)
    assert not ties.may_unite(3, 0)


def test_two_large_groups_stay_two_where_there_are_two_panels():
    together = [range(LEAST), range(LEAST, 2 * LEAST)]
    assert Ties(2 * LEAST + 1, together).may_unite(0, LEAST)
    two = Ties(2 * LEAST + 1, together, panels=2)
    assert not two.may_unite(0, LEAST)
    assert two.may_unite(0, 2 * LEAST)
    assert np.flatnonzero(two.large()).tolist() == [two.group[0], two.group[LEAST]]


def test_a_third_large_group_may_be_united_with_another():
    together = [range(i * LEAST, (i + 1) * LEAST) for i in range(3)]
    ties = Ties(3 * LEAST, together, panels=2)
    assert ties.may_unite(0, LEAST)
    ties.unite(0, LEAST)
    assert not ties.may_unite(0, 2 * LEAST)
