from itertools import combinations

import numpy as np
import pytest

from azulejar.sorting.evidence import closed_loops, weakest_cuts, weigh_evidence
from azulejar.sorting.links import Links
from azulejar.sorting.paint import PaintEvidence
from azulejar.sorting.partition import STRAY


def links_of(truth, weight=0.9):
    joints = truth.joints().astype(np.int64)
    return Links(len(truth), joints[:, 0], joints[:, 1], np.full(len(joints), weight))


def test_loops_of_a_grid_are_where_four_tiles_meet(mixed_panels):
    truth = mixed_panels((4, 5), (3, 3))
    loops = np.bincount(truth.panel[closed_loops(links_of(truth))])
    assert loops.tolist() == [3 * 4, 2 * 2]


def test_a_loop_with_a_joint_missing_is_none(mixed_panels):
    truth = mixed_panels((2, 2))
    links = links_of(truth)
    assert len(closed_loops(links)) == 1
    assert len(closed_loops(links.take(np.arange(3)))) == 0


def test_four_tiles_in_a_row_that_bite_their_tail_are_no_loop():
    a, b = np.array([1, 5, 9, 3]), np.array([7, 11, 15, 13])
    assert len(closed_loops(Links(4, a, b, np.ones(4)))) == 0


def test_a_narrow_neck_is_the_weakest_cut():
    """Two squares of nine with one bridge: tiles 0 to 8 and 9 to 17."""
    linked = [(t, t + 1) for t in range(18) if t % 3 < 2] + [
        (t, t + 3) for t in range(15) if t != 6
    ]
    linked = [pair for pair in linked if (pair[0] < 9) == (pair[1] < 9)] + [(8, 9)]
    a, b = np.array(linked).T
    links = Links(18, 4 * a, 4 * b, np.full(len(a), 0.8))
    (cut,) = weakest_cuts(links, np.zeros(18, np.int64)).values()
    assert cut[:3] == (9, 1, pytest.approx(0.8))
    assert cut.tiles in (tuple(range(9)), tuple(range(9, 18)))


@pytest.mark.parametrize("seed", range(4))
def test_cuts_equal_taking_every_branch_away(seed):
    rng = np.random.default_rng(seed)
    n = 12
    tree = [(int(rng.integers(0, t)), t) for t in range(1, n)]
    more = [pair for pair in combinations(range(n), 2) if pair not in tree and rng.random() < 0.2]
    weight = np.concatenate([rng.uniform(0.6, 1, len(tree)), rng.uniform(0, 0.59, len(more))])
    a, b = np.array(tree + more).T
    cuts = []
    for branch in tree:
        part, grown = {branch[1]}, True
        while grown:
            near = {t for p in tree if p != branch and set(p) & part for t in p}
            grown, part = bool(near - part), part | near
        crossing = [(p[0] in part) != (p[1] in part) for p in tree + more]
        size = min(len(part), n - len(part))
        if size >= 4:
            joints = int((weight[crossing] >= 0.5).sum())
            held = weight[crossing].sum()
            parts = {frozenset(p) for p in (part, set(range(n)) - part) if len(p) == size}
            cuts.append((held / size**0.5, size, joints, held, parts))
    found = weakest_cuts(Links(n, 4 * a, 4 * b, weight), np.zeros(n, np.int64))
    assert len(found) == bool(cuts)
    if cuts:
        *told, parts = min(cuts, key=lambda cut: cut[0])[1:]
        assert found[0][:3] == pytest.approx(tuple(told))
        assert frozenset(found[0].tiles) in parts


def test_evidence_of_each_panel(mixed_panels):
    truth = mixed_panels((4, 5), (3, 3))
    panel = np.where(truth.row + truth.col + 9 * truth.panel == 9, STRAY, truth.panel).astype(int)
    probability = np.where(panel == 0, 0.9, 0.6)
    one, other = weigh_evidence(links_of(truth, 0.8), panel, probability)
    assert (one.probability, one.joints, one.loops) == (pytest.approx(0.9), 31, 12)
    assert (other.probability, other.joints, other.loops) == (pytest.approx(0.6), 10, 3)
    assert (one.mean, other.mean) == (pytest.approx(0.8), pytest.approx(0.8))
    assert one.weakest == "Weakest where 8 of the 20 tiles hold to the rest by 4 likely joints."


def test_two_panels_that_little_holds_together_are_told(mixed_panels):
    truth = mixed_panels((4, 4), (3, 5))
    links, all_one = links_of(truth, 0.8), np.zeros(31, np.int64)
    known = np.arange(31) < 16
    for panel, said, apart in ((all_one, None, 15), (all_one, known, 0), (truth.panel, None, 0)):
        found = weigh_evidence(links, panel.astype(np.int64), np.full(31, 0.9), said)[0]
        assert (found.apart, found.probability) == (apart, pytest.approx(0.9 * (1 - apart / 62)))
        assert found.part == (tuple(np.flatnonzero(truth.panel == 1)) if apart else ())


def test_two_pigments_tell_of_two_panels_sooner(mixed_panels):
    truth = mixed_panels((5, 5), (5, 5))
    inside = links_of(truth, 0.9)
    one, other = (4 * np.flatnonzero(truth.panel == panel)[:6] for panel in (0, 1))
    a, b = (np.concatenate(ends) for ends in ((inside.a, one), (inside.b, other)))
    links = Links(50, a, b, np.append(inside.weight, np.full(6, 0.85)))
    for pigment, apart in ((np.zeros(50, int), 0), (np.arange(50) % 2, 0), (truth.panel, 25)):
        paint = PaintEvidence(np.eye(2, dtype=np.float32)[pigment])
        found = weigh_evidence(links, np.zeros(50, np.int64), np.ones(50), None, paint)[0]
        assert found.apart == apart


def test_what_is_together_only_on_record_is_said_so():
    nothing = np.array([], np.int64)
    (found,) = weigh_evidence(
        Links(9, nothing, nothing, np.array([])), np.zeros(9, np.int64), np.ones(9)
    )
    assert (found.joints, found.loops, found.mean, found.weakest) == (0, 0, 0.0, "")


def test_no_panels_no_evidence():
    nothing = np.array([], np.int64)
    links = Links(2, nothing, nothing, np.array([]))
    assert weigh_evidence(links, np.array([STRAY, STRAY]), np.ones(2)) == []
