"""Support of joints against trying every square of four tiles."""

from itertools import permutations, product

import numpy as np
import pytest

from azulejar.core.assembly import Assembly
from azulejar.core.joints import Joints
from azulejar.measures import loops
from azulejar.measures.loops import loop_support, weigh_by_loops

UP, RIGHT, DOWN, LEFT = range(4)


def as_dict(joints, value):
    return {
        (edge, int(joints.other[at])): float(value[at])
        for edge in range(len(joints.start) - 1)
        for at in range(joints.start[edge], joints.start[edge + 1])
    }


def shows(tile, turn, direction):
    """The edge that a turned tile shows in a direction."""
    return 4 * tile + (direction - turn) % 4


def slow_square(score, listed, a, b, side):
    """The best square above or below a joint that lies level, with a on the left.

    A square is worth its weakest further joint; the two that leave a's and b's tiles must be among
    the best partners there.
    """
    turn_a, turn_b = (RIGHT - a) % 4, (LEFT - b) % 4
    out_a, out_b = shows(a // 4, turn_a, side), shows(b // 4, turn_b, side)
    tiles = {edge // 4 for pair in score for edge in pair} - {a // 4, b // 4}
    best = 0.0
    for c, d in permutations(tiles, 2):
        for turn_c, turn_d in product(range(4), repeat=2):
            in_c, in_d = shows(c, turn_c, (side + 2) % 4), shows(d, turn_d, (side + 2) % 4)
            if in_c in listed[out_a] and in_d in listed[out_b]:
                level = shows(c, turn_c, RIGHT), shows(d, turn_d, LEFT)
                weakest = min(score[out_a, in_c], score[out_b, in_d], score.get(level, 0.0))
                best = max(best, weakest)
    return best


def slow_support(score, partners):
    """For each joint that is among the best partners of one of its edges: both squares added."""
    edges = {a for a, _ in score}
    listed = {
        a: sorted((b for e, b in score if e == a), key=lambda b: -score[a, b])[:partners]
        for a in edges
    }
    support = dict.fromkeys(score, 0.0)
    for a, b in score:
        if b in listed[a] or a in listed[b]:
            squares = [slow_square(score, listed, a, b, side) for side in (UP, DOWN)]
            support[a, b] = sum(squares)
    return support


def slow_weigh(score, partners, rounds):
    for _ in range(rounds):
        support = slow_support(score, partners)
        raised = {pair: score[pair] * (0.15 + support[pair]) for pair in score}
        total = {}
        for (a, _), value in raised.items():
            total[a] = total.get(a, 0) + value
        share = {(a, b): value / total[a] for (a, b), value in raised.items()}
        score = {(a, b): (share[a, b] + share[b, a]) / 2 for a, b in share}
    return score


@pytest.mark.parametrize("partners", [2, 5, 16])
@pytest.mark.parametrize("upright", [False, True])
def test_support_equals_trying_every_square(noise_scores, monkeypatch, partners, upright):
    monkeypatch.setattr(loops, "CHUNK", 3)
    joints = Joints.of(noise_scores(5, seed=partners), upright)
    expected = slow_support(as_dict(joints, joints.score), partners)
    found = as_dict(joints, loop_support(joints, partners))
    assert any(value > 0 for value in expected.values())
    assert found == pytest.approx(expected)


@pytest.mark.parametrize("rounds", [1, 3])
def test_weights_equal_the_slow_ones(noise_scores, rounds):
    joints = Joints.of(noise_scores(5, seed=8), upright=False)
    weighed = weigh_by_loops(joints, rounds=rounds, partners=6)
    expected = slow_weigh(as_dict(joints, joints.score), 6, rounds)
    assert as_dict(weighed, weighed.score) == pytest.approx(expected, rel=1e-4)
    assert weighed.start.tolist() == joints.start.tolist()
    assert weighed.other.tolist() == joints.other.tolist()


def test_threads_change_nothing(noise_scores, monkeypatch):
    monkeypatch.setattr(loops, "CHUNK", 2)
    joints = Joints.of(noise_scores(8), upright=False)
    found = []
    for threads in ("1", "2"):
        monkeypatch.setenv("AZULEJAR_THREADS", threads)
        found.append(weigh_by_loops(joints).score.tolist())
    assert found[0] == found[1]


def test_a_joint_gains_on_its_rival_that_closes_no_square(as_scores):
    """All joints of a square score 0.6, and so does a false partner of one of its edges."""
    square = Assembly.of([0, 0, 1, 1], [0, 1, 0, 1], [0, 1, 2, 3])
    joints = [tuple(joint) for joint in square.joints().tolist()]
    edge, true, false = *joints[0], 17
    scores = np.full((20, 20), 0.001)
    for a, b in [*joints, (edge, false)]:
        scores[a, b] = scores[b, a] = 0.6
    table = Joints.of(as_scores(scores), upright=False)
    support = as_dict(table, loop_support(table, 16))
    assert [support[joint] for joint in joints] == pytest.approx([0.6] * 4, abs=0.01)
    assert support[edge, false] < 0.01
    weighed = weigh_by_loops(table)
    share = as_dict(weighed, weighed.score)
    assert share[edge, true] > 1.5 * share[edge, false]


def test_negligible_joints_are_not_looked_at(as_scores):
    table = Joints.of(as_scores(np.full((16, 16), loops.NEGLIGIBLE / 2)), upright=False)
    assert not loop_support(table, 16).any()
