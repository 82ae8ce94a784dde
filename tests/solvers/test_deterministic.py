"""What holds for every deterministic solver, which makes one assembly."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from laid import lie

from azulejar.core.compatibility import Compatibility
from azulejar.core.knowns import Knowns
from azulejar.evaluation.metrics import evaluate
from azulejar.solvers import Budget, solve
from azulejar.solvers.gallagher import Gallagher
from azulejar.solvers.paikin_tal import PaikinTal
from azulejar.solvers.son import Son

SOLVERS = [Gallagher(), Son(), PaikinTal()]
every = pytest.mark.parametrize("solver", SOLVERS, ids=lambda solver: solver.name)


@every
@pytest.mark.parametrize("seed", range(3))
def test_perfect_scores_give_the_perfect_panel(make_truth, perfect_scores, variant, seed, solver):
    upright, known = variant
    truth = make_truth(4, 5, upright, seed)
    knowns = Knowns(4, 5, upright) if known else Knowns(upright=upright)
    assembly = solve(perfect_scores(truth, seed), knowns, solver=solver)
    assert evaluate(assembly, truth, upright=upright).perfect
    assert not known or (assembly.rows, assembly.cols) == (4, 5)


@every
@settings(max_examples=60)
@given(
    size=st.tuples(st.integers(1, 5), st.integers(2, 5)),
    missing=st.integers(0, 3),
    upright=st.booleans(),
    seed=st.integers(0, 2**32),
)
def test_every_tile_lies_once_within_the_known_size(
    noise_scores, solver, size, missing, upright, seed
):
    rows, cols = size
    missing = min(missing, rows * cols - 2)
    n = rows * cols - missing
    for known in (size, (None, None)):
        knowns = Knowns(*known, upright)
        assembly = solver.solve(noise_scores(n, seed), knowns, seed, Budget(), lambda _: None)
        assert assembly.panel.tolist() == [0] * n
        assert len(set(zip(assembly.row, assembly.col, strict=True))) == n
        assert not upright or not assembly.turn.any()
        if known == size:
            # A solver may leave turned tiles on their side.
            ways = [(rows, cols)] if upright else [(rows, cols), (cols, rows)]
            assert any(assembly.rows <= high and assembly.cols <= wide for high, wide in ways)
            assert missing or (assembly.rows, assembly.cols) in ways


@every
def test_top_k_scores_are_taken_too(make_truth, perfect_scores, solver):
    truth = make_truth(3, 4, upright=False)
    scores = perfect_scores(truth)
    index, value = scores.best(5)
    top = Compatibility(value, scores.files, "test", index)
    assembly = solve(top, Knowns(), solver=solver)
    assert assembly.neighbours().tolist() == truth.neighbours().tolist()


@every
def test_neither_seed_nor_threads_change_the_answer(noise_scores, monkeypatch, solver):
    scores, found = noise_scores(20), []
    for seed, threads in ((0, "1"), (1, "1"), (0, "2")):
        monkeypatch.setenv("AZULEJAR_THREADS", threads)
        found.append(lie(solve(scores, Knowns(4, 5), solver=solver, seed=seed)))
    assert found[0] == found[1] == found[2]


@every
def test_progress_is_told_at_the_end(noise_scores, solver):
    scores, told = noise_scores(9), []
    assembly = solve(scores, solver=solver, on_progress=told.append)
    assert [one.fraction for one in told] == [1.0]
    assert lie(told[0].assembly) == lie(assembly)
    assert told[0].fitness == pytest.approx(scores.fitness(assembly))
