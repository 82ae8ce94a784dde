"""Scores as probabilities, and on the scale that a solver wants."""

import numpy as np
import pytest

from azulejar.core.assembly import Assembly
from azulejar.core.compatibility import Compatibility
from azulejar.errors import AzulejarError
from azulejar.measures.probability import FLOOR, Probabilities, on_scale


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


@pytest.fixture
def halves(as_scores):
    """Two tiles; every edge has its four partners at 0.5, 0.25, 0.25 and 0."""
    scores = np.zeros((8, 8))
    scores[:4, 4:] = scores[4:, :4] = [0.5, 0.25, 0.25, 0]
    return as_scores(scores)


def test_probabilities_are_taken_as_they_are(halves):
    assert on_scale(halves, "probability") is halves


def test_log_odds(halves):
    found = on_scale(halves, "log-odds").scores[0, 4:]
    assert found == pytest.approx([0, np.log(1 / 3), np.log(1 / 3), np.log(1e-4)], abs=1e-3)


def test_distances_are_negated_so_that_higher_is_better(halves):
    found = on_scale(halves, "distance").scores[0, 4:]
    assert found == pytest.approx(np.log([0.5, 0.25, 0.25, 1e-4]), abs=1e-3)


def test_probabilities_reach_the_unit_scale_by_their_logarithms(as_scores):
    scores = np.zeros((8, 8))
    scores[:4, 4:] = scores[4:, :4] = [0.8, 0.08, 0.008, 0]
    found = on_scale(as_scores(scores), "unit").scores
    np.testing.assert_allclose(found[0], [0, 0, 0, 0, 1, 0.5, 0, 0], atol=1e-6)
    np.testing.assert_array_equal(found[:4, 4:], found[4:, :4])


def test_scores_that_are_no_probabilities_stay_as_they_are_on_the_unit_scale(as_scores):
    scores = np.zeros((8, 8))
    scores[:4, 4:] = scores[4:, :4] = [1, 0.9, 0.4, 0]
    unit = as_scores(scores)
    assert on_scale(unit, "unit") is unit


def test_certain_pairs_have_finite_odds(as_scores):
    scores = np.zeros((8, 8))
    scores[0, 4] = scores[4, 0] = 1
    for scale, most in (("log-odds", 10), ("distance", 0)):
        found = on_scale(as_scores(scores), scale).scores
        assert np.isfinite(found).all()
        assert found.max() == found[0, 4] <= most


def test_scores_below_0_and_unknown_scales_are_refused(halves):
    below = Compatibility(halves.scores - 1, halves.files, halves.measure)
    with pytest.raises(AzulejarError, match="0 and above"):
        on_scale(below, "probability")
    with pytest.raises(AzulejarError, match="no scale 'decibel'"):
        on_scale(halves, "decibel")
