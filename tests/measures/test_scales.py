"""Scores on the scale that a solver wants."""

import numpy as np
import pytest

from azulejar.core.compatibility import Compatibility
from azulejar.errors import AzulejarError
from azulejar.measures.scales import on_scale


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
