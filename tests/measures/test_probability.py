import numpy as np
import pytest

from azulejar.core.assembly import Assembly
from azulejar.core.compatibility import Compatibility
from azulejar.measures.probability import FLOOR, Probabilities


def test_scores_that_add_up_to_one_are_taken_as_they_are():
    scores = np.random.default_rng(0).dirichlet(np.ones(12), 12).astype(np.float32)
    compatibility = Compatibility(scores, tuple("abc"), "test")
    found = Probabilities.of(compatibility).log(np.array([0, 5]), np.array([6, 9]))
    expected = [(scores[0, 6] + scores[6, 0]) / 2, (scores[5, 9] + scores[9, 5]) / 2]
    assert found == pytest.approx(np.log(np.array(expected, float) + FLOOR))
    assert compatibility.mutual(np.array([0]), np.array([6])) == pytest.approx(expected[:1])


def test_other_scores_are_sharpened_until_the_best_stand_out(perfect_scores):
    row, col = np.divmod(np.arange(36), 6)
    truth = Assembly.of(row, col, np.zeros(36))
    scores = perfect_scores(truth, other=0.9)
    assert scores.scores.sum(axis=1).mean() > 10
    probabilities = Probabilities.of(scores)
    joints = truth.joints()
    right = np.exp(probabilities.log(joints[:, 0], joints[:, 1]))
    wrong = np.exp(probabilities.log(joints[:-1, 0], joints[1:, 1]))
    assert right.min() > 0.3
    assert np.median(wrong) < 0.01
    assert right.max() <= 1 + FLOOR


def test_nothing_is_less_likely_than_the_floor():
    compatibility = Compatibility(np.zeros((8, 8), np.float32), ("a", "b"), "test")
    probabilities = Probabilities.of(compatibility)
    assert probabilities.log(np.array([0]), np.array([6])) == pytest.approx(probabilities.nothing)
    flat = Compatibility(np.full((8, 8), 0.7, np.float32), ("a", "b"), "test")
    assert np.isfinite(Probabilities.of(flat).log(np.arange(4), np.arange(4, 8))).all()
