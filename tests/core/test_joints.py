"""The table of likely joints against a dict."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from azulejar.core import joints as module
from azulejar.core.compatibility import Compatibility
from azulejar.core.joints import Joints, best_buddies, joint_score, position


def slow_table(scores, kept, upright):
    """Mean score of each pair of which one edge has the other among its ``kept`` best."""
    edges = len(scores)
    table = {}
    for a in range(edges):
        partners = [b for b in range(edges) if b // 4 != a // 4]
        if upright:
            partners = [b for b in partners if (a % 4 + 2) % 4 == b % 4]
        for b in sorted(partners, key=lambda b: -scores[a, b])[:kept]:
            table[a, b] = table[b, a] = (float(scores[a, b]) + float(scores[b, a])) / 2
    return table


def as_dict(joints):
    return {
        (edge, int(joints.other[at])): float(joints.score[at])
        for edge in range(len(joints.start) - 1)
        for at in range(joints.start[edge], joints.start[edge + 1])
    }


@pytest.fixture
def joints(noise_scores, monkeypatch):
    """A table with gaps: of 6 tiles, the 5 best partners of each edge."""
    monkeypatch.setattr(module, "PARTNERS", 5)
    return Joints.of(noise_scores(6), upright=False)


@given(n=st.integers(2, 5), kept=st.integers(1, 20), upright=st.booleans(), seed=st.integers(0, 99))
def test_the_table_holds_the_best_partners_of_either_edge(noise_scores, n, kept, upright, seed):
    scores = noise_scores(n, seed)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "PARTNERS", kept)
        joints = Joints.of(scores, upright)
    expected = slow_table(scores.scores, kept, upright)
    found = as_dict(joints)
    assert found.keys() == expected.keys()
    assert [found[pair] for pair in expected] == pytest.approx(list(expected.values()), rel=1e-6)
    for edge in range(4 * n):
        row = joints.other[joints.start[edge] : joints.start[edge + 1]].tolist()
        assert row == sorted(set(row))
    assert all(found[a, b] == found[b, a] for a, b in found)


def test_scores_of_0_stay_in_the_table(as_scores):
    joints = Joints.of(as_scores(np.zeros((12, 12))), upright=False)
    assert len(joints.other) == 12 * 8
    assert joints.score.max() < 1e-6


def test_top_k_scores_give_the_same_table(noise_scores, monkeypatch):
    scores = noise_scores(4)
    index, value = scores.best(16)
    value, index = value[:, :12], index[:, :12]
    top = Compatibility(np.ascontiguousarray(value), scores.files, "test", index)
    assert as_dict(Joints.of(top, False)) == as_dict(Joints.of(scores, False))


def test_the_best_partners_come_first(joints):
    table = as_dict(joints)
    for k in (1, 4, 24):
        best = joints.best(k)
        assert best.shape == (24, k)
        for edge in range(24):
            row = sorted((b for a, b in table if a == edge), key=lambda b: -table[edge, b])
            assert best[edge].tolist() == [*row[:k], *[-1] * (k - len(row))]


def test_every_pair_is_found_by_halving(joints):
    table = as_dict(joints)
    assert 0 < len(table) < 24 * 20
    for a in range(24):
        for b in range(24):
            at = position(joints.start, joints.other, a, b)
            score = joint_score(joints.table, a, b)
            assert score == np.float32(table.get((a, b), 0))
            if (a, b) in table:
                assert joints.start[a] <= at < joints.start[a + 1]
                assert joints.other[at] == b
            else:
                assert at == -1


def test_an_edge_without_partners_is_not_found():
    start, other = np.array([0, 0, 1, 1], np.int32), np.array([2], np.int32)
    assert [position(start, other, a, 2) for a in range(3)] == [-1, 0, -1]


def test_new_scores_are_made_symmetric(joints):
    new = np.random.default_rng(1).random(len(joints.other)).astype(np.float32)
    one_way = as_dict(Joints(joints.start, joints.other, new))
    found = as_dict(joints.with_scores(new))
    assert found.keys() == one_way.keys()
    for a, b in one_way:
        assert found[a, b] == pytest.approx((one_way[a, b] + one_way[b, a]) / 2, rel=1e-6)


@given(st.lists(st.integers(-1, 9), min_size=10, max_size=10))
def test_best_buddies_are_each_others_first_choice(first):
    expected = [b if b >= 0 and first[b] == a else -1 for a, b in enumerate(first)]
    assert best_buddies(np.array(first, np.int32)).tolist() == expected


def test_pairs_that_are_struck_out_score_nothing(joints):
    pairs = [(a, b) for a, b in as_dict(joints) if a < b][::3]
    struck = as_dict(joints.without(pairs))
    for (a, b), score in as_dict(joints).items():
        assert struck[a, b] == (0 if (a, b) in pairs or (b, a) in pairs else score)
