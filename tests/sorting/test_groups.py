import numpy as np
import pytest

from azulejar.sorting.groups import NOBODY, STRAY, Groups, membership
from azulejar.sorting.links import Links
from azulejar.sorting.ties import LEAST, Ties

NO_LINKS = (np.array([], np.int64), np.array([], np.int64), np.array([]))


def test_large_groups_are_panels_by_size_and_the_others_strays():
    n = 2 * LEAST + 4
    ties = Ties(n, [range(3, 3 + LEAST), range(3 + LEAST, n)])
    groups = Groups.of(Links(n, *NO_LINKS), ties)
    assert groups.panel.tolist() == [STRAY] * 3 + [1] * LEAST + [0] * (LEAST + 1)
    assert groups.panels == 2
    assert groups.tiles(STRAY).tolist() == [0, 1, 2]


def test_in_a_small_crate_the_largest_group_is_a_panel():
    groups = Groups.of(Links(5, *NO_LINKS), Ties(5, [(0, 2, 3)]))
    assert groups.panel.tolist() == [0, STRAY, 0, 0, STRAY]


def test_probability_is_the_share_of_links_that_lead_to_the_panel():
    links = Links(3, np.array([0, 0]), np.array([4, 8]), np.array([0.9, 0.6]))
    found = membership(links, np.array([0, 0, 1]))
    whole = 0.9 + 0.6 + NOBODY
    assert found == pytest.approx([0.9 / whole, 0.9 / (0.9 + NOBODY), 0.0])


def test_links_to_strays_say_nothing():
    links = Links(2, np.array([0]), np.array([4]), np.array([0.9]))
    assert membership(links, np.array([STRAY, STRAY])).tolist() == [1.0, 1.0]
