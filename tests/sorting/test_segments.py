import numpy as np
import pytest

from azulejar.assembly import Assembly
from azulejar.sorting.links import Links
from azulejar.sorting.segments import grow_segments
from azulejar.sorting.ties import Ties


def links_of(truth, weight=0.9):
    joints = truth.joints().astype(np.int64)
    return Links(len(truth), joints[:, 0], joints[:, 1], np.full(len(joints), weight))


def laid(segments):
    return Assembly.of(segments.row, segments.col, segments.turn, segments.number)


@pytest.mark.parametrize("seed", range(4))
def test_true_joints_give_back_the_panels_as_they_lay(crate, seed):
    truth = crate((3, 4), (5, 2), (1, 6), seed=seed)
    segments = grow_segments(links_of(truth), 0.35, Ties(len(truth)))
    assert len(np.unique(segments.number)) == 3
    np.testing.assert_array_equal(laid(segments).neighbours(), truth.neighbours())


def test_no_two_tiles_ever_share_a_place(crate):
    rng = np.random.default_rng(0)
    a, b = rng.integers(0, 4 * 40, (2, 600))
    kept = a // 4 != b // 4
    links = Links(40, a[kept], b[kept], rng.random(kept.sum()))
    segments = grow_segments(links, 0.1, Ties(40))
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
    segments = grow_segments(Links(5, a, b, weight), 0.3, Ties(5))
    np.testing.assert_array_equal(laid(segments).neighbours(), truth.neighbours())


def test_weak_links_merge_nothing(crate):
    truth = crate((3, 3))
    segments = grow_segments(links_of(truth, 0.2), 0.35, Ties(len(truth)))
    assert len(np.unique(segments.number)) == 9


def test_tiles_that_must_stay_apart_are_in_two_segments(crate):
    truth = crate((1, 6))
    order = np.argsort(truth.col)
    ties = Ties(6, apart=[(int(order[2]), int(order[3]))])
    segments = grow_segments(links_of(truth), 0.35, ties)
    assert segments.number[order[2]] != segments.number[order[3]]
    np.testing.assert_array_equal(np.sort(np.bincount(ties.group))[-2:], [3, 3])


def test_ties_are_told_of_every_merger(crate):
    truth = crate((3, 4), (2, 2))
    ties = Ties(len(truth))
    segments = grow_segments(links_of(truth), 0.35, ties)
    same = segments.number[:, None] == segments.number
    np.testing.assert_array_equal(ties.group[:, None] == ties.group, same)
