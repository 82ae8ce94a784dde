import numpy as np
import pytest

from azulejar.collection.grouping.joining import Bonds, join_by_weight
from azulejar.sorting.links import Links
from azulejar.sorting.ties import Ties


def bonds(*listed):
    one, other, weight = zip(*listed, strict=True)
    return Bonds(np.array(one), np.array(other), np.array(weight, float))


def test_bonds_of_tiles_and_of_groups_equal_a_slow_count():
    rng = np.random.default_rng(3)
    a, b = rng.integers(0, 4 * 12, (2, 90))
    links, group = Links(12, a, b, rng.random(90)), rng.integers(0, 5, 12)
    group = np.array([np.flatnonzero(group == number)[0] for number in group])
    expected = {}
    for one, other, weight in zip(group[a // 4], group[b // 4], links.weight, strict=True):
        if one != other:
            pair = (int(min(one, other)), int(max(one, other)))
            expected[pair] = expected.get(pair, 0) + weight
    found = Bonds.of(links).between(group)
    pairs = list(zip(found.one.tolist(), found.other.tolist(), strict=True))
    assert dict(zip(pairs, found.weight.tolist(), strict=True)) == pytest.approx(expected)
    assert pairs == sorted(set(pairs))


@pytest.mark.parametrize(("weight", "one"), [(0.7, True), (0.6, False)])
def test_weight_is_asked_for_each_tile_of_the_smaller_group(weight, one):
    ties = Ties(5, [(0, 1), (2, 3, 4)])
    join_by_weight(bonds((0, 2, weight)), ties, 0.33)
    assert (ties.group[0] == ties.group[4]) == one


def test_the_strongest_come_first_and_others_are_judged_by_what_they_made():
    """1 holds to 0 most; the two together are too many for what holds 2 to them."""
    ties = Ties(5, [(2, 3, 4)])
    join_by_weight(bonds((0, 1, 1.5), (1, 2, 0.6)), ties, 0.33)
    assert ties.group[0] == ties.group[1] != ties.group[2]
    alone = Ties(5, [(2, 3, 4)], apart=[(0, 1)])
    join_by_weight(bonds((0, 1, 1.5), (1, 2, 0.6)), alone, 0.33)
    assert alone.group[1] == alone.group[2] != alone.group[0]


def test_parts_join_by_way_of_others():
    ties = Ties(4)
    join_by_weight(bonds((0, 1, 1.0), (1, 2, 0.9), (2, 3, 0.9)), ties, 0.33)
    assert len(set(ties.group.tolist())) == 1


@pytest.mark.parametrize(("tiles", "one"), [(36, True), (144, False)])
def test_more_is_asked_for_where_the_other_group_is_large(tiles, one):
    ties = Ties(tiles + 10, [range(tiles), range(tiles, tiles + 10)])
    join_by_weight(bonds((0, tiles, 1.5)), ties, 0.12)  # 0.15 a tile; 144 tiles ask for 0.24
    assert (ties.group[0] == ties.group[tiles]) == one


def test_a_group_takes_in_many_at_once():
    """Rounds are few, however many tiles hold to the same group."""

    class Counted(Bonds):
        rounds = 0

        def between(self, group):
            Counted.rounds += 1
            return Counted(*super().between(group))

    ties = Ties(500)
    join_by_weight(Counted(*bonds(*((0, tile, 1.0) for tile in range(1, 500)))), ties, 0.12)
    assert len(set(ties.group.tolist())) == 1
    assert Counted.rounds < 60
