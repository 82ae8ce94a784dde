import numpy as np
import pytest

from azulejar.sorting.joining import attach_small, join_by_weight, join_large
from azulejar.sorting.links import GroupLinks, Links
from azulejar.sorting.partition import LEAST, Partition

SMALL = 2 * LEAST  # the first tile after two large groups


def make(*linked, n=SMALL + 4, panels=None):
    """Two large groups, single tiles, and links (tile, tile, weight)."""
    a, b, weight = zip(*linked, strict=True)
    links = Links(n, 4 * np.array(a), 4 * np.array(b), np.array(weight))
    return links, Partition(n, [range(LEAST), range(LEAST, SMALL)], panels=panels)


@pytest.mark.parametrize(("weight", "one"), [(0.4, True), (0.2, False)])
def test_large_groups_join_by_weight_per_tile(weight, one):
    links, partition = make((0, LEAST, weight * LEAST))
    join_large(links, partition, 0.33)
    assert (partition.group[0] == partition.group[LEAST]) == one


class Against:
    """Evidence that speaks against every merger."""

    def factors(self, group, one, other):
        return np.full(len(one), 0.65)


def test_records_may_speak_against_it():
    links, partition = make((0, LEAST, 0.4 * LEAST))
    join_large(links, partition, 0.33, Against())
    assert partition.group[0] != partition.group[LEAST]


def test_large_groups_stay_where_so_many_panels_are_known():
    links, partition = make((0, LEAST, 99.0), panels=2)
    join_large(links, partition, 0.0)
    assert partition.group[0] != partition.group[LEAST]


def test_a_small_group_joins_the_large_one_it_is_linked_to_most():
    links, partition = make((0, SMALL, 1.2), (LEAST, SMALL, 1.4))
    assert attach_small(links, partition, 1.0)
    assert partition.group[SMALL] == partition.group[LEAST] != partition.group[0]


def test_where_that_is_not_allowed_the_next_takes_it():
    links, partition = make((0, SMALL, 1.2), (LEAST, SMALL, 1.4))
    partition.apart = np.array([[LEAST + 1, SMALL]])
    attach_small(links, partition, 1.0)
    assert partition.group[SMALL] == partition.group[0]


def test_strays_do_not_draw_one_another_in():
    links, partition = make((0, SMALL, 1.2), (SMALL, SMALL + 1, 3.0))
    assert attach_small(links, partition, 1.0)
    assert partition.group[SMALL] == partition.group[0] != partition.group[SMALL + 1]
    assert not attach_small(links, partition, 3.5)
    assert attach_small(links, partition, 1.3)
    assert partition.group[SMALL + 1] == partition.group[0]


def bonds(*listed):
    one, other, weight = zip(*listed, strict=True)
    return GroupLinks(np.array(one), np.array(other), np.array(weight, float))


@pytest.mark.parametrize(("weight", "one"), [(0.7, True), (0.6, False)])
def test_weight_is_asked_for_each_tile_of_the_smaller_group(weight, one):
    partition = Partition(5, [(0, 1), (2, 3, 4)])
    join_by_weight(bonds((0, 2, weight)), partition, 0.33)
    assert (partition.group[0] == partition.group[4]) == one


def test_the_strongest_come_first_and_others_are_judged_by_what_they_made():
    """1 holds to 0 most; the two together are too many for what holds 2 to them."""
    partition = Partition(5, [(2, 3, 4)])
    join_by_weight(bonds((0, 1, 1.5), (1, 2, 0.6)), partition, 0.33)
    assert partition.group[0] == partition.group[1] != partition.group[2]
    alone = Partition(5, [(2, 3, 4)], apart=[(0, 1)])
    join_by_weight(bonds((0, 1, 1.5), (1, 2, 0.6)), alone, 0.33)
    assert alone.group[1] == alone.group[2] != alone.group[0]


def test_parts_join_by_way_of_others():
    partition = Partition(4)
    join_by_weight(bonds((0, 1, 1.0), (1, 2, 0.9), (2, 3, 0.9)), partition, 0.33)
    assert len(set(partition.group.tolist())) == 1


@pytest.mark.parametrize(("tiles", "one"), [(36, True), (144, False)])
def test_more_is_asked_for_where_the_other_group_is_large(tiles, one):
    partition = Partition(tiles + 10, [range(tiles), range(tiles, tiles + 10)])
    join_by_weight(bonds((0, tiles, 1.5)), partition, 0.12)  # 0.15 a tile; 144 tiles ask for 0.24
    assert (partition.group[0] == partition.group[tiles]) == one


def test_a_group_takes_in_many_at_once():
    """Rounds are few, however many tiles hold to the same group."""

    class Counted(GroupLinks):
        rounds = 0

        def between(self, group):
            Counted.rounds += 1
            return Counted(*super().between(group))

    partition = Partition(500)
    join_by_weight(Counted(*bonds(*((0, tile, 1.0) for tile in range(1, 500)))), partition, 0.12)
    assert len(set(partition.group.tolist())) == 1
    assert Counted.rounds < 60
