"""What a joint adds to the fitness."""

from math import log

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from azulejar.core.assembly import Assembly
from azulejar.core.compatibility import Compatibility
from azulejar.solvers.log_fitness import LogFitness


def test_nothing_speaks_for_a_score_of_0_and_a_score_of_1_is_certain():
    assert LogFitness(1e-3)(np.array([0.0, 1.0])).tolist() == [0, 1]


@given(
    st.lists(st.floats(0, 1, width=32), min_size=2, max_size=9),
    st.floats(1e-6, 0.5),
    st.floats(0, 0.9),
)
def test_better_scores_add_more(scores, doubt, common):
    found = LogFitness(doubt, common=common)(np.sort(np.array(scores, np.float32)))
    assert (np.diff(found) >= 0).all()
    assert found.min() >= 0
    assert found.max() <= 1 + 1e-6


def test_above_the_doubt_it_is_the_logarithm_that_counts():
    tenth, hundredth = LogFitness(1e-4)(np.array([0.1, 0.01]))
    assert tenth - hundredth == pytest.approx(log(10) / log(10_000), rel=0.01)


def test_below_the_doubt_scores_are_hardly_told_apart():
    one, other = LogFitness(1e-3)(np.array([1e-5, 1e-6]))
    assert one - other < 0.002


def test_scores_that_add_up_to_more_than_1_are_taken_as_shares(as_scores):
    likely = np.full((8, 8), 0.1)
    assert LogFitness.of(as_scores(likely), False, 1e-3).scale == 1
    assert LogFitness.of(as_scores(likely * 5), False, 1e-3).scale == pytest.approx(4)


@pytest.mark.parametrize("upright", [True, False])
def test_what_any_two_edges_have_adds_nothing(as_scores, upright):
    """Upright, only opposite sides count: the others are no partners."""
    scores = np.full((8, 8), 0.01)
    for edge in range(8):
        scores[edge, (edge + 2) % 4 :: 4] = 0.05
    fitness = LogFitness.of(as_scores(scores), upright, 1e-3)
    common, rare = fitness(np.array([0.05 if upright else 0.01, 0.5]))
    assert common == pytest.approx(0, abs=1e-6)
    assert rare > 0.3


def test_of_top_k_scores_the_least_is_common(as_scores):
    value = np.array([[0.5, 0.1]] * 8, np.float32)
    index = np.array([[(edge + 4) % 8, (edge + 5) % 8] for edge in range(8)], np.int32)
    fitness = LogFitness.of(Compatibility(value, ("a", "b"), "test", index), False, 1e-3)
    assert fitness(np.array([0.1]))[0] == pytest.approx(0, abs=1e-6)


def test_the_total_is_that_of_all_joints(noise_scores):
    scores = noise_scores(4)
    assembly = Assembly.of([0, 0, 1, 1], [0, 1, 0, 1], [0, 1, 2, 3])
    fitness = LogFitness(1e-3, 2.0, 0.1, 0.7)
    slow = 0.0
    for a, b in assembly.joints():
        share = float(scores.scores[a, b] + scores.scores[b, a]) / 2 / 2.0
        slow += max(0, log(1 + share / 1e-3) / log(1001) - 0.1) / 0.6
    assert fitness.total(scores, assembly) == pytest.approx(slow, rel=1e-5)
