"""The constrained tree."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from azulejar.confidence import fitness
from azulejar.evaluation.metrics import evaluate
from azulejar.joints import Joints
from azulejar.knowns import Knowns
from azulejar.solvers import solve
from azulejar.solvers.gallagher import Gallagher, clear_pairs


def lie(assembly):
    return np.stack([assembly.row, assembly.col, assembly.turn], axis=1).tolist()


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


@pytest.mark.parametrize("seed", range(3))
def test_perfect_scores_give_the_perfect_panel(make_truth, perfect_scores, variant, seed):
    upright, known = variant
    truth = make_truth(4, 5, upright, seed)
    knowns = Knowns(4, 5, upright) if known else Knowns(upright=upright)
    assembly = solve(perfect_scores(truth, seed), knowns, solver=Gallagher())
    assert evaluate(assembly, truth, upright=upright).perfect
    assert not known or (assembly.rows, assembly.cols) == (4, 5)


def test_top_k_scores_are_taken_too(make_truth, perfect_scores):
    truth = make_truth(4, 4, upright=False)
    scores = perfect_scores(truth)
    index, value = scores.best(5)
    top = type(scores)(value, scores.files, "test", index)
    assert evaluate(solve(top, solver=Gallagher()), truth, upright=False).perfect


@settings(max_examples=60)
@given(
    st.integers(1, 5), st.integers(2, 5), st.booleans(), st.booleans(), st.integers(0, 3),
    st.integers(0, 2**32),
)  # fmt: skip
def test_every_tile_lies_once_and_within_the_known_size(
    noise_scores, rows, cols, upright, known, missing, seed
):
    n = max(2, rows * cols - missing)
    knowns = Knowns(rows, cols, upright) if known else Knowns(upright=upright)
    assembly = solve(noise_scores(n, seed), knowns, solver=Gallagher())
    assert assembly.panel.tolist() == [0] * n
    assert len({(r, c) for r, c, _ in lie(assembly)}) == n
    assert set(assembly.turn.tolist()) <= ({0} if upright else {0, 1, 2, 3})
    if known and upright:
        assert assembly.rows <= rows and assembly.cols <= cols
    if known and n == rows * cols:
        assert (assembly.rows, assembly.cols) == (rows, cols)


def test_a_clear_joint_comes_before_a_better_one_that_has_a_rival(as_scores):
    """Tiles 0 1 over 2 3. Tile 3 scores high on the right of 1, but so does tile 2."""
    scores = np.full((16, 16), 0.01)
    joints = {(1, 7): 0.5, (2, 8): 0.5, (6, 12): 0.5, (5, 15): 0.9, (5, 11): 0.89}
    for (a, b), score in joints.items():
        scores[a, b] = scores[b, a] = score
    found = solve(as_scores(scores), Knowns(upright=True), solver=Gallagher())
    assert lie(found) == [[0, 0, 0], [0, 1, 0], [1, 0, 0], [1, 1, 0]]


def test_neither_seed_nor_threads_change_the_answer(noise_scores, monkeypatch):
    scores, found = noise_scores(20), []
    for seed, threads in ((0, "1"), (1, "1"), (0, "2")):
        monkeypatch.setenv("AZULEJAR_THREADS", threads)
        found.append(lie(solve(scores, Knowns(4, 5), solver=Gallagher(), seed=seed)))
    assert found[0] == found[1] == found[2]


def test_progress_is_told_at_the_end(noise_scores):
    scores, told = noise_scores(9), []
    assembly = solve(scores, solver=Gallagher(), on_progress=told.append)
    assert [one.fraction for one in told] == [1.0]
    assert lie(told[0].assembly) == lie(assembly)
    assert told[0].fitness == pytest.approx(fitness(scores, assembly))
