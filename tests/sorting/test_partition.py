import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from azulejar.errors import AzulejarError
from azulejar.sorting.partition import LEAST, Partition

N = 8
PAIRS = st.lists(st.tuples(st.integers(0, N - 1), st.integers(0, N - 1)), max_size=12)


def test_at_first_every_tile_is_by_itself():
    partition = Partition(3)
    assert len(set(partition.group)) == 3
    assert partition.sizes().tolist() == [1, 1, 1]


def test_known_tiles_are_together_from_the_start():
    partition = Partition(5, together=[(0, 3), (3, 4)])
    assert partition.group[0] == partition.group[3] == partition.group[4] != partition.group[1]


def test_tiles_known_to_be_together_and_apart_are_refused():
    with pytest.raises(AzulejarError, match="of one panel and of two"):
        Partition(4, together=[(0, 1), (1, 2)], apart=[(2, 0)])


@given(PAIRS, PAIRS)
def test_what_is_apart_stays_apart_whatever_is_united(unions, apart):
    apart = [pair for pair in apart if pair[0] != pair[1]]
    partition = Partition(N, apart=apart)
    for one, other in unions:
        if partition.may_unite(one, other):
            partition.unite(one, other)
            assert partition.group[one] == partition.group[other]
    assert all(partition.group[a] != partition.group[b] for a, b in apart)


def test_apart_is_asked_of_whole_groups():
    partition = Partition(4, together=[(0, 1)], apart=[(1, 2)])
    assert not partition.may_unite(0, 2)
    partition.unite(2, 3)
    assert not partition.may_unite(3, 0)


def test_two_large_groups_stay_two_where_there_are_two_panels():
    together = [range(LEAST), range(LEAST, 2 * LEAST)]
    assert Partition(2 * LEAST + 1, together).may_unite(0, LEAST)
    two = Partition(2 * LEAST + 1, together, panels=2)
    assert not two.may_unite(0, LEAST)
    assert two.may_unite(0, 2 * LEAST)
    assert np.flatnonzero(two.large()).tolist() == [two.group[0], two.group[LEAST]]


def test_a_third_large_group_may_be_united_with_another():
    together = [range(i * LEAST, (i + 1) * LEAST) for i in range(3)]
    partition = Partition(3 * LEAST, together, panels=2)
    assert partition.may_unite(0, LEAST)
    partition.unite(0, LEAST)
    assert not partition.may_unite(0, 2 * LEAST)
