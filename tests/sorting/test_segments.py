import numpy as np
import pytest

from azulejar.core.assembly import Assembly
from azulejar.sorting.links import Links
from azulejar.sorting.partition import Partition
from azulejar.sorting.segments import grow_segments


def links_of(truth, weight=0.9):
    joints = truth.joints().astype(np.int64)
    return Links(len(truth), joints[:, 0], joints[:, 1], np.full(len(joints), weight))


def laid(segments):
    return Assembly.of(segments.row, segments.col, segments.turn, segments.number)


@pytest.mark.parametrize("seed", range(4))
def test_true_joints_give_back_the_panels_as_they_lay(mixed_panels, seed):
    truth = mixed_panels((3, 4), (5, 2), (1, 6), seed=seed)
    segments = grow_segments(links_of(truth), 0.35, Partition(len(truth)))
    assert len(np.unique(segments.number)) == 3
    np.testing.assert_array_equal(laid(segments).neighbours(), truth.neighbours())


def test_no_two_tiles_ever_share_a_place(mixed_panels):
    rng = np.random.default_rng(0)
    a, b = rng.integers(0, 4 * 40, (2, 600))
    kept = a // 4 != b // 4
    links = Links(40, a[kept], b[kept], rng.random(kept.sum()))
    segments = grow_segments(links, 0.1, Partition(40))
    places = np.stack([segments.number, segments.row, segments.col])
    assert len(np.unique(places, axis=1).T) == 40


def test_joints_that_agree_outweigh_a_stronger_one_that_stands_alone():
    """Tile 1 is drawn to tile 0 by one link, to the row of tiles 2, 3 by two that agree."""
    truth = Assembly.of([0, 1, 0, 1, 2], [0, 0, 1, 1, 1], [0] * 5)
    # 0 above 1; 2, 3, 4 stand right of them, from above.
    held = [(4 * 2 + 2, 4 * 3 + 0), (4 * 3 + 2, 4 * 4 + 0), (4 * 0 + 2, 4 * 1 + 0)]
    agree = [(4 * 0 + 1, 4 * 2 + 3), (4 * 1 + 1, 4 * 3 + 3)]
    alone = [(4 * 1 + 2, 4 * 4 + 2)]
    a, b = np.array(held + agree + alone).T
    weight = np.array([0.99] * 3 + [0.5] * 2 + [0.7])
    segments = grow_segments(Links(5, a, b, weight), 0.3, Partition(5))
    np.testing.assert_array_equal(laid(segments).neighbours(), truth.neighbours())


def test_records_may_speak_against_a_merger(mixed_panels):
    """Every merger has a support of 0.4 or more; records leave less of it."""

    class Against:
        def factors(self, group, one, other):
            return np.full(len(one), 0.65)

    truth = mixed_panels((1, 2))
    links = links_of(truth, 0.4)
    for evidence, segments in ((None, 1), (Against(), 2)):
        found = grow_segments(links, 0.35, Partition(len(truth)), evidence)
        assert len(np.unique(found.number)) == segments


def test_weak_links_merge_nothing(mixed_panels):
    truth = mixed_panels((3, 3))
    segments = grow_segments(links_of(truth, 0.2), 0.35, Partition(len(truth)))
    assert len(np.unique(segments.number)) == 9


def test_tiles_that_must_stay_apart_are_in_two_segments(mixed_panels):
    truth = mixed_panels((1, 6))
    order = np.argsort(truth.col)
    partition = Partition(6, apart=[(int(order[2]), int(order[3]))])
    segments = grow_segments(links_of(truth), 0.35, partition)
    assert segments.number[order[2]] != segments.number[order[3]]
    np.testing.assert_array_equal(np.sort(np.bincount(partition.group))[-2:], [3, 3])


def test_the_partition_is_told_of_every_merger(mixed_panels):
    truth = mixed_panels((3, 4), (2, 2))
    partition = Partition(len(truth))
    segments = grow_segments(links_of(truth), 0.35, partition)
    same = segments.number[:, None] == segments.number
    np.testing.assert_array_equal(partition.group[:, None] == partition.group, same)


def slow_placements(links, number, row, col, turn):
    """Votes over the root of the smaller segment, by placement."""
    votes = {}
    for a, b, weight in zip(links.a.tolist(), links.b.tolist(), links.weight, strict=True):
        if number[a // 4] == number[b // 4]:
            continue
        if number[a // 4] > number[b // 4]:
            a, b = b, a
        one, other = a // 4, b // 4
        direction = (a + turn[one]) % 4
        quarters = (direction + 2 - b - turn[other]) % 4
        down, right = row[one] + STEPS[direction][0], col[one] + STEPS[direction][1]
        at = slow_turned(row[other], col[other], quarters)
        way = (number[one], number[other], quarters, down - at[0], right - at[1])
        votes[way] = votes.get(way, 0) + weight
    sizes = {segment: number.count(segment) for segment in number}
    return {way: value / min(sizes[way[0]], sizes[way[1]]) ** 0.5 for way, value in votes.items()}


def slow_turned(row, col, quarters):
    for _ in range(quarters):
        row, col = col, -row
    return row, col


def slow_growth(links, weakest, partition):
    number, row, col, turn = list(range(links.n)), *([0] * links.n for _ in range(3))
    asked = 2.0
    while True:
        merged = True
        while merged:
            merged, touched = False, set()
            support = slow_placements(links, number, row, col, turn)
            for way in sorted(support, key=lambda way: (-support[way], way)):
                one, other, quarters, down, right = way
                if (
                    support[way] < asked
                    or touched & {one, other}
                    or not partition.may_unite(one, other)
                ):
                    continue
                come = [tile for tile in range(links.n) if number[tile] == other]
                laid = [slow_turned(row[tile], col[tile], quarters) for tile in come]
                laid = [(at[0] + down, at[1] + right) for at in laid]
                if {(row[t], col[t]) for t in range(links.n) if number[t] == one} & set(laid):
                    continue
                for tile, (at_row, at_col) in zip(come, laid, strict=True):
                    number[tile], row[tile], col[tile] = one, at_row, at_col
                    turn[tile] = (turn[tile] + quarters) % 4
                partition.unite(one, other)
                merged, touched = True, touched | {one, other}
        if asked == weakest:
            return number, row, col, turn
        asked = max(asked * 0.85, weakest)


STEPS = ((-1, 0), (0, 1), (1, 0), (0, -1))


@pytest.mark.parametrize("seed", range(6))
def test_growth_equals_the_slow_one(mixed_panels, seed):
    """True joints of doubtful weight among chance ones; some tiles may not share a panel."""
    truth = mixed_panels((4, 4), (3, 3), strays=3, seed=seed)
    rng = np.random.default_rng(seed)
    n, joints = len(truth), truth.joints().astype(np.int64)
    chance = np.sort(rng.integers(0, 4 * n, (120, 2)), axis=1)
    chance = chance[chance[:, 0] // 4 != chance[:, 1] // 4]
    a, b = np.concatenate([joints, chance]).T
    weight = np.concatenate([rng.uniform(0.2, 1, len(joints)), rng.uniform(0, 0.6, len(chance))])
    links, apart = Links(n, a, b, weight), [(0, 5), (3, 9)]
    found = grow_segments(links, 0.35, Partition(n, apart=apart))
    number, row, col, turn = slow_growth(links, 0.35, Partition(n, apart=apart))
    assert len(set(number)) < n - 5
    assert found.number.tolist() == number
    assert (found.row.tolist(), found.col.tolist(), found.turn.tolist()) == (row, col, turn)
