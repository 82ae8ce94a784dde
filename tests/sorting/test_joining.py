import numpy as np
import pytest

from azulejar.sorting.joining import attach_small, join_large
from azulejar.sorting.links import Links
from azulejar.sorting.ties import LEAST, Ties

SMALL = 2 * LEAST  # the first tile after two large groups


def make(*linked, n=SMALL + 4, panels=None):
    """Two large groups, single tiles, and links (tile, tile, weight)."""
    a, b, weight = zip(*linked, strict=True)
    links = Links(n, 4 * np.array(a), 4 * np.array(b), np.array(weight))
    return links, Ties(n, [range(LEAST), range(LEAST, SMALL)], panels=panels)


@pytest.mark.parametrize(("weight", "one"), [(0.4, True), (0.2, False)])
def test_large_groups_join_by_weight_per_tile(weight, one):
    links, ties = make((0, LEAST, weight * LEAST))
    join_large(links, ties, 0.33)
    assert (ties.group[0] == ties.group[LEAST]) == one


def test_large_groups_stay_where_so_many_panels_are_known():
    links, ties = make((0, LEAST, 99.0), panels=2)
    join_large(links, ties, 0.0)
    assert ties.group[0] != ties.group[LEAST]


def test_a_small_group_joins_the_large_one_it_is_linked_to_most():
    links, ties = make((0, SMALL, 1.2), (LEAST, SMALL, 1.4))
    assert attach_small(links, ties, 1.0)
    assert ties.group[SMALL] == ties.group[LEAST] != ties.group[0]


def test_where_that_is_not_allowed_the_next_takes_it():
    links, ties = make((0, SMALL, 1.2), (LEAST, SMALL, 1.4))
    ties.apart = np.array([[LEAST + 1, SMALL]])
    attach_small(links, ties, 1.0)
    assert ties.group[SMALL] == ties.group[0]


def test_strays_do_not_draw_one_another_in():
    links, ties = make((0, SMALL, 1.2), (SMALL, SMALL + 1, 3.0))
    assert attach_small(links, ties, 1.0)
    assert ties.group[SMALL] == ties.group[0] != ties.group[SMALL + 1]
    assert not attach_small(links, ties, 3.5)
    assert attach_small(links, ties, 1.3)
    assert ties.group[SMALL + 1] == ties.group[0]
