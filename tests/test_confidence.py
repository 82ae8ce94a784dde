import numpy as np
import pytest

from azulejar.assembly import Assembly
from azulejar.compatibility import Compatibility
from azulejar.confidence import fitness, joint_confidence, tile_confidence


@pytest.fixture
def compatibility():
    scores = np.random.default_rng(1).random((20, 20)).astype(np.float32)
    return Compatibility(scores, tuple("abcde"), "test")


@pytest.fixture
def assembly():
    """a b in a row, c below a, d in a panel of its own, e not placed; b is turned."""
    return Assembly.of([0, 0, 1, 0, 0], [0, 1, 0, 0, 0], [0, 1, 0, 0, 0], [0, 0, 0, 1, -1])


# a's right side (edge 1) meets b, whose bottom (4 + 2) points left after a turn of 90°;
# a's bottom (2) meets c's top (8).
JOINTS = [(1, 6), (2, 8)]


def test_joint_confidence_is_the_mean_of_both_directions(compatibility, assembly):
    joints, confidence = joint_confidence(compatibility, assembly)
    scores = compatibility.scores
    assert [tuple(joint) for joint in joints] == JOINTS
    assert confidence == pytest.approx([(scores[a, b] + scores[b, a]) / 2 for a, b in JOINTS])


def test_tile_confidence_is_the_mean_over_the_tile_s_joints(compatibility, assembly):
    _, (ab, ac) = joint_confidence(compatibility, assembly)
    assert tile_confidence(compatibility, assembly) == pytest.approx([(ab + ac) / 2, ab, ac, 0, 0])


def test_confidence_stays_between_0_and_1_and_fitness_does_not(compatibility, assembly):
    wild = Compatibility(compatibility.scores * 10 - 2, compatibility.files, "wild")
    _, confidence = joint_confidence(wild, assembly)
    mutual = [(wild.scores[a, b] + wild.scores[b, a]) / 2 for a, b in JOINTS]
    assert max(mutual) > 1
    assert confidence == pytest.approx(np.clip(mutual, 0, 1))
    assert fitness(wild, assembly) == pytest.approx(sum(mutual))


def test_top_k_scores_give_the_same_as_dense_ones(compatibility, assembly):
    index, value = compatibility.best(20)
    top = Compatibility(value, compatibility.files, "test", index)
    assert tile_confidence(top, assembly) == pytest.approx(tile_confidence(compatibility, assembly))
    assert fitness(top, assembly) == pytest.approx(fitness(compatibility, assembly))


def test_one_tile_has_no_joints():
    compatibility = Compatibility(np.zeros((4, 4), np.float32), ("a",), "test")
    alone = Assembly.of([0], [0], [0])
    joints, confidence = joint_confidence(compatibility, alone)
    assert joints.shape == (0, 2)
    assert confidence.shape == (0,)
    assert tile_confidence(compatibility, alone).tolist() == [0]
    assert fitness(compatibility, alone) == 0
