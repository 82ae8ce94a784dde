"""Linear programmes over positions."""

import threading
from itertools import pairwise, product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from laid import lie

from azulejar.core.knowns import Knowns
from azulejar.errors import AzulejarError
from azulejar.evaluation.metrics import evaluate
from azulejar.solvers import Budget, solve, yu
from azulejar.solvers.gallagher import Gallagher
from azulejar.solvers.yu import Yu, _hold, _positions

UPRIGHT = Knowns(upright=True)


@given(st.integers(2, 4), st.data())
def test_no_other_positions_agree_better(n, data):
    """Compared with all positions from 0 to 2 n; some best ones are within."""
    tile = st.integers(0, n - 1)
    pair = st.tuples(tile, tile, st.integers(-1, 1), st.integers(1, 9)).filter(
        lambda one: one[0] != one[1]
    )
    a, b, step, weight = np.array(data.draw(st.lists(pair, min_size=1, max_size=8))).T

    def deviation(x):
        return (weight * abs(x[..., b] - x[..., a] - step)).sum(axis=-1)

    found = _positions(a, b, step, weight.astype(float), n)
    every = np.array(list(product(range(2 * n), repeat=n)))
    assert deviation(found) == deviation(every).min()


def test_wrong_pairs_are_outvoted(make_truth):
    truth = make_truth(4, 4, upright=True)
    at = {(int(r), int(c)): t for t, (_, r, c, _) in enumerate(lie(truth))}
    wrong = [[4 * at[0, 3] + 1, 4 * at[2, 0] + 3], [4 * at[1, 1], 4 * at[0, 2] + 2]]
    pairs = np.concatenate([truth.joints(), wrong])
    holds = _hold(pairs, np.ones(len(pairs)), 16)
    assert holds.tolist() == [True] * len(truth.joints()) + [False] * 2


@pytest.mark.parametrize("known", [True, False])
@pytest.mark.parametrize("seed", range(3))
def test_perfect_scores_give_the_perfect_panel(make_truth, perfect_scores, known, seed):
    truth = make_truth(4, 5, True, seed)
    knowns = Knowns(4, 5, upright=True) if known else UPRIGHT
    assembly = solve(perfect_scores(truth, seed), knowns, solver=Yu())
    assert evaluate(assembly, truth, upright=True).perfect


def test_a_clear_but_wrong_joint_misleads_the_tree_alone(make_truth, perfect_scores, as_scores):
    """The right border of one row goes very well with the left border of another."""
    truth = make_truth(4, 4, upright=True)
    at = {(int(r), int(c)): t for t, (_, r, c, _) in enumerate(lie(truth))}
    scores = perfect_scores(truth).scores.copy()
    a, b = 4 * at[0, 3] + 1, 4 * at[2, 0] + 3
    scores[a, b] = scores[b, a] = 5
    found = {
        solver.name: evaluate(
            solve(as_scores(scores), UPRIGHT, solver=solver), truth, upright=True
        ).perfect
        for solver in (Yu(), Gallagher())
    }
    assert found == {"yu": True, "gallagher": False}


def test_edges_whose_pair_is_exposed_turn_to_the_next(
    make_truth, perfect_scores, as_scores, monkeypatch
):
    """The top of a corner's tile prefers a tile far away to the one that belongs there."""
    truth = make_truth(3, 3, upright=True)
    at = {(int(r), int(c)): t for t, (_, r, c, _) in enumerate(lie(truth))}
    scores = perfect_scores(truth).scores.copy()
    top, above, far = 4 * at[2, 2], 4 * at[1, 2] + 2, 4 * at[2, 0] + 2
    scores[top, far] = scores[far, top] = scores[above, 4 * at[0, 0]] = 1.5
    scores[4 * at[0, 0], above] = 1.5
    rounds = []

    def recorded(pairs, weight, n):
        rounds.append({tuple(pair) for pair in pairs.tolist()})
        return _hold(pairs, weight, n)

    monkeypatch.setattr(yu, "_hold", recorded)
    assembly = solve(as_scores(scores), UPRIGHT, solver=Yu())
    assert evaluate(assembly, truth, upright=True).perfect
    wrong, right = tuple(sorted((top, far))), tuple(sorted((top, above)))
    assert wrong in rounds[0] and right not in rounds[0]
    assert all(right in later and wrong not in later for later in rounds[1:])
    assert len(rounds) > 1


def test_turned_tiles_are_refused(noise_scores):
    with pytest.raises(AzulejarError, match="upright tiles only"):
        solve(noise_scores(4), solver=Yu())


@given(
    st.integers(1, 4), st.integers(2, 5), st.booleans(), st.integers(0, 3), st.integers(0, 2**32)
)
def test_every_tile_lies_once_and_within_the_known_size(
    noise_scores, rows, cols, known, missing, seed
):
    n = max(2, rows * cols - missing)
    knowns = Knowns(rows, cols, upright=True) if known else UPRIGHT
    assembly = solve(noise_scores(n, seed), knowns, solver=Yu(rounds=4))
    assert assembly.panel.tolist() == [0] * n
    assert len({(r, c) for _, r, c, _ in lie(assembly)}) == n
    assert set(assembly.turn.tolist()) == {0}
    assert not known or (assembly.rows <= rows and assembly.cols <= cols)


def test_neither_seed_nor_threads_change_the_answer(noise_scores, monkeypatch):
    scores, found = noise_scores(20), []
    for seed, threads in ((0, "1"), (1, "1"), (0, "2")):
        monkeypatch.setenv("AZULEJAR_THREADS", threads)
        found.append(lie(solve(scores, Knowns(4, 5, True), solver=Yu(), seed=seed)))
    assert found[0] == found[1] == found[2]


def test_progress_tells_of_the_best_so_far(noise_scores):
    scores, told = noise_scores(16), []
    assembly = solve(scores, UPRIGHT, solver=Yu(rounds=6), on_progress=told.append)
    for earlier, later in pairwise(told):
        assert earlier.fraction < later.fraction
        assert earlier.fitness <= later.fitness
    assert told[-1].fraction == 1
    assert lie(told[-1].assembly) == lie(assembly)
    assert told[-1].fitness == pytest.approx(scores.fitness(assembly))


def test_it_ends_when_the_pairs_that_hold_no_longer_change(make_truth, perfect_scores):
    told = []
    scores = perfect_scores(make_truth(4, 4, upright=True))
    solve(scores, UPRIGHT, solver=Yu(), on_progress=told.append)
    assert len(told) == 2
    assert told[-1].fraction == 1


def test_a_stop_from_outside_ends_it_after_the_first_round(noise_scores):
    stop, told = threading.Event(), []
    stop.set()
    budget = Budget(stop=stop)
    solve(noise_scores(12), UPRIGHT, solver=Yu(), budget=budget, on_progress=told.append)
    assert len(told) == 1
