import numpy as np
import pytest

from azulejar import get_measure, practice_puzzle
from azulejar.core.assembly import Assembly
from azulejar.core.compatibility import Compatibility
from azulejar.judging.audit import audit
from azulejar.judging.confidence import (
    MODEL,
    joint_confidence,
    middle_by_tile,
    second_by_tile,
    tile_confidence,
    weigh_evidence,
)
from azulejar.judging.evidence import HOPELESS, Rivals, joint_evidence


@pytest.fixture
def compatibility():
    scores = np.random.default_rng(1).random((20, 20)).astype(np.float32)
    return Compatibility(scores / 20, tuple("abcde"), "test")


@pytest.fixture
def assembly():
    """a b in a row, c below a, d in a panel of its own, e not placed; b is turned."""
    return Assembly.of([0, 0, 1, 0, 0], [0, 1, 0, 0, 0], [0, 1, 0, 0, 0], [0, 0, 0, 1, -1])


# a's right side (edge 1) meets b, whose bottom (4 + 2) points left after a turn of 90°;
# a's bottom (2) meets c's top (8).
JOINTS = [(1, 6), (2, 8)]


def mutual(compatibility, a, b):
    scores = compatibility.scores
    return (float(scores[a, b]) + float(scores[b, a])) / 2


def test_joint_confidence_is_the_logistic_of_the_weighed_evidence(compatibility, assembly):
    joints = assembly.joints()
    evidence = joint_evidence(Rivals.of(compatibility), assembly, joints)
    confidence = weigh_evidence(evidence, np.ones(len(joints)))
    assert [tuple(joint) for joint in joints] == JOINTS
    assert evidence.keys() == MODEL.ranges.keys()
    for i, found in enumerate(confidence):
        known = {name: np.clip(each[i], *MODEL.ranges[name]) for name, each in evidence.items()}
        odds = 0.0
        for names, weight in MODEL.weights.items():
            odds += weight * np.prod([known[name] for name in names.split(" * ") if name != "1"])
        assert found == pytest.approx(1 / (1 + np.exp(-odds)))


def test_no_joint_of_alike_tiles_is_likelier_than_that_it_is_this_one_of_them(perfect_scores):
    row, col = np.divmod(np.arange(20), 5)
    truth = Assembly.of(row, col, np.zeros(20))
    scores = perfect_scores(truth, other=0.001)
    copies = np.ones(20, int)
    copies[:4] = 4
    joints, free = joint_confidence(scores, truth)
    same, capped = joint_confidence(scores, truth, Rivals.of(scores, copies))
    np.testing.assert_array_equal(same, joints)
    alike = (joints // 4 < 4).any(axis=1)
    assert (free[alike] > 0.25).all() and (capped[alike] <= 0.25).all()
    np.testing.assert_array_equal(capped[~alike], free[~alike])


def test_in_a_single_row_a_joint_is_not_believed_more_than_its_pair(perfect_scores):
    """Any tile has a partner that fits well enough, and so a row of anything can be laid."""
    row, col = np.divmod(np.arange(24), 6)
    truth = Assembly.of(row, col, np.zeros(24))
    scores = perfect_scores(truth, other=0.001)
    scores.scores[:] = np.where(scores.scores > 0.5, 0.6, scores.scores)
    strip = Assembly.of(row * 0, np.arange(24), np.zeros(24))  # each row of the truth, end to end
    joints, in_strip = joint_confidence(scores, strip)
    true = truth.neighbours()[joints[:, 0]] == joints[:, 1]
    in_loops = Rivals.of(scores).in_loops[joints[:, 0], joints[:, 1]]
    assert (in_strip <= np.maximum(0.6, in_loops) + 0.0011).all()
    assert in_strip[~true].max() < 0.1
    assert joint_confidence(scores, truth)[1].min() > 0.9
    # Two tiles by themselves are such a row, too.
    pair = Assembly.of([0, 0], [0, 1], [0, 0])
    matrix = np.full((8, 8), 0.01, np.float32)
    matrix[1, 7] = matrix[7, 1] = 0.7
    assert joint_confidence(Compatibility(matrix, ("a", "b"), "test"), pair)[1][0] <= 0.7


def test_a_tile_beyond_the_rim_is_not_believed_more_than_its_pair(perfect_scores):
    """Its place is free to choose, and all that is sure around it says nothing about it."""
    row, col = np.divmod(np.arange(30), 6)
    scores = perfect_scores(Assembly.of(row, col, np.zeros(30)), other=0.001)
    row[14], col[14] = 2, 6  # beyond the right rim, beside tile 17; its own place is empty
    edges = 17 * 4 + 1, 14 * 4 + 3
    scores.scores[14 * 4 : 15 * 4] = scores.scores[:, 14 * 4 : 15 * 4] = 0.001
    scores.scores[edges] = scores.scores[edges[::-1]] = 0.4
    rivals = Rivals.of(scores)
    joints, confidence = joint_confidence(scores, Assembly.of(row, col, np.zeros(30)), rivals)
    its = (joints // 4 == 14).any(axis=1)
    (joint,) = joints[its]
    alone = max(0.4, rivals.in_loops[tuple(joint)])
    assert confidence[its] <= alone + 0.0011
    assert weigh_evidence(joint_evidence(rivals, Assembly.of(row, col, np.zeros(30)), joints),
                          np.ones(len(joints)))[its] > alone + 0.1  # fmt: skip
    assert confidence[~its].min() > 0.5


def test_a_tile_that_fits_nowhere_is_not_believed_though_all_around_it_is_sure(perfect_scores):
    """One tile is missing, and the only one left over fills its place: nobody else claims it."""
    row, col = np.divmod(np.arange(30), 6)
    scores = perfect_scores(Assembly.of(row, col, np.zeros(30)), other=0.001)
    odd = 14 * 4 + np.arange(4)
    scores.scores[odd] = scores.scores[:, odd] = 1e-6
    laid = Assembly.of(row, col, np.zeros(30))
    joints, confidence = joint_confidence(scores, laid)
    its = (joints // 4 == 14).any(axis=1)
    assert its.sum() == 4
    assert confidence[its].max() <= 0.2
    assert confidence[~its].min() > 0.2
    assert audit(scores, laid).marked.tolist() == [14]
    # One joint that may be right is enough.
    scores.scores[odd[1], 15 * 4 + 3] = scores.scores[15 * 4 + 3, odd[1]] = 2 * HOPELESS
    assert joint_confidence(scores, laid)[1][its].max() > 0.2


def test_true_joints_are_trusted_and_a_swap_is_not(perfect_scores):
    row, col = np.divmod(np.arange(30), 6)
    truth = Assembly.of(row, col, np.zeros(30))
    scores = perfect_scores(truth, other=0.001)
    _, confidence = joint_confidence(scores, truth)
    assert confidence.min() > 0.95
    row2, col2 = row.copy(), col.copy()
    row2[[7, 22]], col2[[7, 22]] = row[[22, 7]], col[[22, 7]]
    swapped = Assembly.of(row2, col2, truth.turn)
    by_tile = tile_confidence(scores, swapped)
    assert set(np.argsort(by_tile)[:2]) == {7, 22}


@pytest.mark.parametrize("seed", [0, 1])
def test_a_small_unworn_panel_is_sure_also_without_a_network(seed):
    tiles, truth = practice_puzzle(3, 4, size=50, seed=seed)
    _, confidence = joint_confidence(get_measure("mgc").score(tiles), truth)
    assert confidence.min() > 0.95


def test_of_two_joints_a_tile_has_the_likelier_and_of_one_that(compatibility, assembly):
    _, (ab, ac) = joint_confidence(compatibility, assembly)
    assert tile_confidence(compatibility, assembly).tolist() == [max(ab, ac), ab, ac, 0, 0]


def test_of_three_or_four_joints_a_tile_has_the_second_likeliest():
    row, col = np.divmod(np.arange(9), 3)
    joints = Assembly.of(row, col, np.zeros(9)).joints()
    confidence = np.linspace(0.05, 0.95, len(joints))
    by_tile = middle_by_tile(joints, confidence, 9)
    for tile, found in enumerate(by_tile):
        own = np.sort(confidence[(joints // 4 == tile).any(axis=1)])
        assert found == own[-2 if len(own) > 2 else -1]


def test_of_two_joints_or_more_a_tile_has_the_second_largest_value():
    row, col = np.divmod(np.arange(10), 3)  # the last tile meets only one
    joints = Assembly.of(row, col, np.zeros(10)).joints()
    values = np.random.default_rng(0).random(len(joints))
    for tile, found in enumerate(second_by_tile(joints, values, 11)):
        own = np.sort(values[(joints // 4 == tile).any(axis=1)])
        assert found == (own[-2] if len(own) > 1 else 0)


def test_fitness_is_the_sum_of_the_scores(compatibility, assembly):
    expected = sum(mutual(compatibility, *joint) for joint in JOINTS)
    assert compatibility.fitness(assembly) == pytest.approx(expected)


def test_top_k_scores_give_the_same_as_dense_ones(compatibility, assembly):
    index, value = compatibility.best(20)
    top = Compatibility(value, compatibility.files, "test", index)
    assert tile_confidence(top, assembly) == pytest.approx(tile_confidence(compatibility, assembly))
    assert top.fitness(assembly) == pytest.approx(compatibility.fitness(assembly))


def test_one_tile_has_no_joints():
    compatibility = Compatibility(np.zeros((4, 4), np.float32), ("a",), "test")
    alone = Assembly.of([0], [0], [0])
    joints, confidence = joint_confidence(compatibility, alone)
    assert joints.shape == (0, 2)
    assert confidence.shape == (0,)
    assert tile_confidence(compatibility, alone).tolist() == [0]
    assert compatibility.fitness(alone) == 0
