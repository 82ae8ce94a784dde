"""The constrained tree."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from laid import lie

from azulejar.core.joints import Joints
from azulejar.core.knowns import Knowns
from azulejar.solvers import solve
from azulejar.solvers.gallagher import Gallagher, clear_pairs


@given(st.integers(2, 6), st.booleans(), st.integers(0, 2**32))
def test_clarity_is_the_score_over_the_best_rival_of_either_edge(as_scores, n, upright, seed):
    # Whole numbers, so that scores tie.
    scores = as_scores(np.random.default_rng(seed).integers(0, 6, (4 * n, 4 * n)))
    joints = Joints.of(scores, upright)
    table = joints.matrix().toarray().astype(float)
    expected = {}
    for a, b in zip(*np.nonzero(table), strict=True):
        if a < b:
            rivals = [np.delete(table[a], b).max(), np.delete(table[b], a).max()]
            expected[a, b] = min(table[a, b] / max(rival, 1e-30) for rival in rivals)
    pairs, clarity = clear_pairs(joints)
    found = dict(zip(map(tuple, pairs.tolist()), clarity.tolist(), strict=True))
    assert len(found) == len(pairs)
    assert found == pytest.approx(expected)


def test_a_clear_joint_comes_before_a_better_one_that_has_a_rival(as_scores):
    """Tiles 0 1 over 2 3. Tile 3 scores high on the right of 1, but so does tile 2."""
    scores = np.full((16, 16), 0.01)
    joints = {(1, 7): 0.5, (2, 8): 0.5, (6, 12): 0.5, (5, 15): 0.9, (5, 11): 0.89}
    for (a, b), score in joints.items():
        scores[a, b] = scores[b, a] = score
    found = solve(as_scores(scores), Knowns(upright=True), solver=Gallagher())
    assert lie(found) == [[0, 0, 0, 0], [0, 0, 1, 0], [0, 1, 0, 0], [0, 1, 1, 0]]
