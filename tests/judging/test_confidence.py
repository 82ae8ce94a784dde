import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from azulejar.core.assembly import Assembly
from azulejar.core.compatibility import Compatibility
from azulejar.judging.confidence import (
    STEPS,
    WEIGHTS,
    joint_confidence,
    joint_features,
    pair_confidence,
    tile_confidence,
)
from azulejar.measures.probability import FLOOR


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


def slow_rival(compatibility, met, edge):
    """The best other partner of an edge that would rather have it than what it meets now."""
    best = 0.0
    for other in range(len(met)):
        if other // 4 == edge // 4 or other == met[edge]:
            continue
        score = mutual(compatibility, edge, other)
        present = mutual(compatibility, other, met[other]) if met[other] >= 0 else 0.0
        if score > present:
            best = max(best, score)
    return best


def slow_surroundings(assembly, joints, own):
    """Joints as pairs of places; those nearby are found by walking."""
    place = [tuple(map(int, p)) for p in zip(assembly.row, assembly.col, strict=True)]
    pairs = [frozenset(place[edge // 4] for edge in joint) for joint in joints]
    value = dict(zip(pairs, own, strict=True))
    near = {}
    for pair in pairs:
        (r, c), (r2, c2) = sorted(pair)
        down, along = r2 - r, c2 - c
        near[pair] = [
            frozenset({(r - down, c - along), (r, c)}),
            frozenset({(r2, c2), (r2 + down, c2 + along)}),
        ]
        for side in (1, -1):
            u, v = (r + side * along, c + side * down), (r2 + side * along, c2 + side * down)
            near[pair] += [frozenset({(r, c), u}), frozenset({(r2, c2), v}), frozenset({u, v})]
    for _ in range(STEPS):
        value = {
            pair: np.mean([value[pair], *(value[n] for n in near[pair] if n in value)])
            for pair in pairs
        }
    return [value[pair] for pair in pairs]


@given(seed=st.integers(0, 1000), rows=st.integers(1, 4), cols=st.integers(2, 4))
def test_features_equal_a_slow_reading(seed, rows, cols):
    rng = np.random.default_rng(seed)
    n = rows * cols
    keep = rng.random(n) < 0.9  # the others are holes
    row, col = np.divmod(np.arange(n), cols)
    assembly = Assembly.of(row, col, rng.integers(0, 4, n), np.where(keep, 0, -1))
    scores = rng.dirichlet(np.full(4 * n, 0.05), 4 * n).astype(np.float32)
    compatibility = Compatibility(scores, tuple(map(str, range(n))), "test")
    joints, features = joint_features(compatibility, assembly)
    met = assembly.neighbours()
    own = [np.log(mutual(compatibility, a, b) + FLOOR) for a, b in joints]
    assert features[:, 0].tolist() == [1] * len(joints)
    assert features[:, 1] == pytest.approx(own)
    assert features[:, 3] == pytest.approx(slow_surroundings(assembly, joints, own))
    if 4 * n <= 16:  # beyond, only the best partners are looked at
        rival = [max(slow_rival(compatibility, met, edge) for edge in pair) for pair in joints]
        assert features[:, 2] == pytest.approx(np.log(np.array(rival) + FLOOR), abs=1e-6)


def test_joint_confidence_is_the_logistic_of_the_features(compatibility, assembly):
    joints, confidence = joint_confidence(compatibility, assembly)
    _, features = joint_features(compatibility, assembly)
    assert [tuple(joint) for joint in joints] == JOINTS
    assert confidence == pytest.approx([1 / (1 + np.exp(-f @ WEIGHTS)) for f in features])


def test_a_joint_gains_by_its_score_and_its_surroundings_and_loses_by_a_rival():
    _, own, rival, surroundings = WEIGHTS
    assert own > 0
    assert surroundings > 0
    assert rival < 0


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


def test_pair_confidence_is_the_mean_of_both_directions_from_0_to_1(compatibility):
    a, b = np.array(JOINTS).T
    expected = [mutual(compatibility, *joint) for joint in JOINTS]
    assert pair_confidence(compatibility, a, b) == pytest.approx(expected)
    wild = Compatibility(compatibility.scores * 200 - 2, compatibility.files, "wild")
    expected = np.clip([mutual(wild, *joint) for joint in JOINTS], 0, 1)
    assert pair_confidence(wild, a, b) == pytest.approx(expected)


def test_tile_confidence_is_the_mean_over_the_tile_s_joints(compatibility, assembly):
    _, (ab, ac) = joint_confidence(compatibility, assembly)
    assert tile_confidence(compatibility, assembly) == pytest.approx([(ab + ac) / 2, ab, ac, 0, 0])


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
