"""Quadratic programming over relaxed permutations."""

import threading
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from laid import lie

from azulejar.core.compatibility import Compatibility
from azulejar.core.knowns import Knowns
from azulejar.errors import AzulejarError
from azulejar.evaluation.metrics import evaluate
from azulejar.measures.probability import on_scale
from azulejar.solvers import Budget, solve
from azulejar.solvers.psqp import Psqp, _cut_open, compatibility_matrices


@given(st.integers(2, 7), st.integers(0, 2**32))
def test_compatibilities_are_those_of_the_paper(noise_scores, n, seed):
    """By ranks and by distances over their lower quartile, pair by pair."""
    scores = on_scale(noise_scores(n, seed), "distance")
    distance = -scores.scores.astype(float)
    for matrix, side, facing in zip(compatibility_matrices(scores), (1, 2), (3, 0), strict=True):

        def from_edge(a, b, own, its):
            others = sorted((distance[4 * a + own, 4 * t + its], t) for t in range(n) if t != a)
            rank = [t for _, t in others].index(b)
            quartile = others[min(n // 4, n - 2)][0]
            return rank, distance[4 * a + own, 4 * b + its] / max(quartile, 1e-30)

        for a in range(n):
            assert matrix[a, a] == 0
            for b in set(range(n)) - {a}:
                r, d = from_edge(a, b, side, facing)
                q, e = from_edge(b, a, facing, side)
                expected = np.exp(-(r + q + min(d, e)))
                assert matrix[a, b] == pytest.approx(expected if expected >= 1e-5 else 0)


@pytest.mark.parametrize("seed", range(3))
def test_perfect_scores_give_the_perfect_panel(make_truth, perfect_scores, seed):
    truth = make_truth(4, 5, True, seed)
    assembly = solve(perfect_scores(truth, seed), Knowns(4, 5, upright=True), solver=Psqp())
    assert evaluate(assembly, truth, upright=True).perfect
    assert (assembly.rows, assembly.cols) == (4, 5)


def test_worth_is_the_objective_of_the_assembly(make_truth, perfect_scores):
    truth = make_truth(3, 4, upright=True)
    scores, knowns, solver = perfect_scores(truth), Knowns(3, 4, upright=True), Psqp()
    across, down = compatibility_matrices(on_scale(scores, "distance"))
    at = {(int(r), int(c)): t for t, (_, r, c, _) in enumerate(lie(truth))}
    expected = sum(across[at[r, c], at[r, c + 1]] for r in range(3) for c in range(3))
    expected += sum(down[at[r, c], at[r + 1, c]] for r in range(2) for c in range(4))
    assert solver.worth(scores, knowns, truth) == pytest.approx(expected)
    told = []
    found = solve(scores, knowns, solver=solver, on_progress=told.append)
    assert told[-1].fitness == pytest.approx(solver.worth(scores, knowns, found))


def test_the_panel_is_cut_open_where_it_fits_worst(make_truth, perfect_scores):
    truth = make_truth(4, 5, upright=True)
    scores = on_scale(perfect_scores(truth), "distance")
    grid = np.empty((4, 5), np.int64)
    grid[truth.row, truth.col] = np.arange(20)
    for shift in ((0, 0), (1, 0), (0, 3), (2, 4)):
        assert (_cut_open(np.roll(grid, shift, (0, 1)), scores) == grid).all()


@given(st.integers(1, 4), st.integers(2, 5), st.integers(0, 3), st.integers(0, 2**32))
def test_every_tile_lies_once_within_the_known_size(noise_scores, rows, cols, missing, seed):
    n = max(2, rows * cols - missing)
    assembly = solve(noise_scores(n, seed), Knowns(rows, cols, upright=True), solver=Psqp())
    assert len({(r, c) for _, r, c, _ in lie(assembly)}) == n
    assert (assembly.rows, assembly.cols) == (rows, cols)
    assert not assembly.turn.any()


def test_a_missing_tile_leaves_its_place_empty(make_truth, perfect_scores):
    truth = make_truth(4, 4, upright=True)
    # A tile inside, so that those around it hold together.
    (gone,) = np.flatnonzero((truth.row == 1) & (truth.col == 2))
    rest = np.delete(np.arange(16), gone)
    scores = perfect_scores(truth).take(rest)
    assembly = solve(scores, Knowns(4, 4, upright=True), solver=Psqp())
    assert (assembly.row == truth.row[rest]).all()
    assert (assembly.col == truth.col[rest]).all()


def test_top_k_scores_are_taken_too(make_truth, perfect_scores):
    truth = make_truth(3, 4, upright=True)
    scores = perfect_scores(truth)
    index, value = scores.best(5)
    top = Compatibility(value, scores.files, "test", index)
    assembly = solve(top, Knowns(3, 4, upright=True), solver=Psqp())
    assert evaluate(assembly, truth, upright=True).perfect


def test_it_takes_upright_tiles_of_known_size(noise_scores):
    with pytest.raises(AzulejarError, match="upright tiles only"):
        solve(noise_scores(4), Knowns(2, 2), solver=Psqp())
    with pytest.raises(AzulejarError, match="must know the size"):
        solve(noise_scores(4), Knowns(upright=True), solver=Psqp())


def test_neither_seed_nor_threads_change_the_answer(noise_scores, monkeypatch):
    scores, found = noise_scores(20), []
    for seed, threads in ((0, "1"), (1, "1"), (0, "2")):
        monkeypatch.setenv("AZULEJAR_THREADS", threads)
        found.append(lie(solve(scores, Knowns(4, 5, True), solver=Psqp(), seed=seed)))
    assert found[0] == found[1] == found[2]


def test_progress_ends_with_the_answer(noise_scores):
    told = []
    knowns = Knowns(5, 5, upright=True)
    assembly = solve(noise_scores(25), knowns, solver=Psqp(), on_progress=told.append)
    assert all(earlier.fraction < later.fraction for earlier, later in pairwise(told))
    assert told[-1].fraction == 1
    assert lie(told[-1].assembly) == lie(assembly)


def test_a_stop_from_outside_still_gives_a_whole_panel(noise_scores):
    stop, told = threading.Event(), []
    stop.set()
    budget = Budget(stop=stop)
    knowns = Knowns(4, 4, upright=True)
    assembly = solve(
        noise_scores(16), knowns, solver=Psqp(), budget=budget, on_progress=told.append
    )
    assert len(told) == 1
    assert len({(r, c) for _, r, c, _ in lie(assembly)}) == 16
