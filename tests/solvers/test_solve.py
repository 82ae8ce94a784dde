"""What holds for every solver, whatever the scores."""

import threading
import time
from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from laid import lie

from azulejar.core.assembly import Assembly
from azulejar.core.compatibility import Compatibility
from azulejar.core.knowns import Knowns, Lock
from azulejar.errors import AzulejarError
from azulejar.evaluation.metrics import evaluate
from azulejar.solvers import SOLVERS, Budget, GuidedGrowth, KernelGrowth, get_solver, solve

TINY = [GuidedGrowth(population=6, elite=1, stagnation=None), KernelGrowth(population=6, elite=1)]
SMALL = [GuidedGrowth(population=20), KernelGrowth(population=40, generations=100)]
FOREVER = 10**9

tiny = pytest.mark.parametrize("solver", TINY, ids=lambda solver: solver.name)
small = pytest.mark.parametrize("solver", SMALL, ids=lambda solver: solver.name)


def is_one_piece(assembly):
    met = assembly.neighbours()
    reached, todo = {0}, [0]
    while todo:
        tile = todo.pop()
        for edge in met[4 * tile : 4 * tile + 4]:
            if edge >= 0 and edge // 4 not in reached:
                reached.add(edge // 4)
                todo.append(edge // 4)
    return len(reached) == len(assembly)


def check(assembly, n, upright):
    """Each tile once, none on another, all in one panel that hangs together."""
    assert len(assembly) == n
    assert assembly.panel.tolist() == [0] * n
    assert len({(r, c) for _, r, c, _ in lie(assembly)}) == n
    assert set(assembly.turn.tolist()) <= ({0} if upright else {0, 1, 2, 3})
    assert (assembly.row.min(), assembly.col.min()) == (0, 0)
    assert is_one_piece(assembly)


@st.composite
def puzzles(draw):
    rows, cols = draw(st.tuples(st.integers(1, 5), st.integers(1, 4)).filter(lambda s: s != (1, 1)))
    known = draw(st.sampled_from([(rows, cols), (rows, None), (None, cols), (None, None)]))
    return rows, cols, Knowns(*known, upright=draw(st.booleans())), draw(st.integers(0, 2**32))


@tiny
@settings(max_examples=60)
@given(puzzle=puzzles())
def test_every_tile_lies_once_and_as_is_known(noise_scores, solver, puzzle):
    rows, cols, knowns, seed = puzzle
    scores = noise_scores(rows * cols, seed)
    assembly = solve(scores, knowns, solver=replace(solver, generations=3), seed=seed)
    check(assembly, rows * cols, knowns.upright)
    if knowns.rows or knowns.cols:
        assert (assembly.rows, assembly.cols) == (rows, cols)


@tiny
@given(puzzle=puzzles())
def test_before_it_is_laid_as_known_a_turned_panel_may_lie_on_its_side(
    noise_scores, solver, puzzle
):
    rows, cols, knowns, seed = puzzle
    told = []
    knowns = Knowns(rows, cols, knowns.upright)
    solver = replace(solver, generations=3)
    solver.solve(noise_scores(rows * cols, seed), knowns, seed, Budget(), told.append)
    for progress in told:
        check(progress.assembly, rows * cols, knowns.upright)
        box = (progress.assembly.rows, progress.assembly.cols)
        assert box in ([(rows, cols)] if knowns.upright else [(rows, cols), (cols, rows)])


@tiny
def test_both_ways_round_happen(noise_scores, solver):
    boxes = set()
    solver = replace(solver, generations=1)
    for seed in range(12):
        scores = noise_scores(8, seed)
        lying = solver.solve(scores, Knowns(2, 4), seed, Budget(), lambda progress: None)
        boxes.add((lying.rows, lying.cols))
        laid = solve(scores, Knowns(2, 4), solver=solver, seed=seed)
        assert laid.neighbours().tolist() == lying.neighbours().tolist()
    assert boxes == {(2, 4), (4, 2)}


@small
@pytest.mark.parametrize("seed", range(3))
def test_perfect_scores_give_the_perfect_panel(make_truth, perfect_scores, solver, variant, seed):
    upright, known = variant
    truth = make_truth(4, 5, upright, seed)
    scores = perfect_scores(truth, seed)
    knowns = Knowns(4, 5, upright) if known else Knowns(upright=upright)
    assembly = solve(scores, knowns, solver=solver, seed=seed)
    accuracy = evaluate(assembly, truth, upright=upright)
    assert accuracy.perfect
    assert accuracy.neighbour == 1
    assert not known or (assembly.rows, assembly.cols) == (4, 5)


@small
@pytest.mark.parametrize("upright", [True, False])
@pytest.mark.parametrize("known", [{"rows": 4}, {"cols": 5}], ids=str)
def test_one_known_dimension_holds_though_tiles_are_missing(
    make_truth, perfect_scores, solver, upright, known
):
    whole = make_truth(4, 5, upright)
    left = np.flatnonzero((whole.row != 1) | (whole.col != 2))
    truth = Assembly.of(whole.row[left], whole.col[left], whole.turn[left])
    assembly = solve(perfect_scores(truth), Knowns(**known, upright=upright), solver=solver)
    assert evaluate(assembly, truth, upright=upright).perfect
    assert (assembly.rows, assembly.cols) == (4, 5)


@tiny
@pytest.mark.parametrize("locks", [(), (Lock(2, row=1),)], ids=["free", "locked"])
def test_no_tile_lies_beyond_the_one_known_dimension(noise_scores, solver, locks):
    if locks and not solver.keeps_constraints:
        return
    solver = replace(solver, generations=3)
    for seed in range(6):
        assembly = solve(noise_scores(11, seed), Knowns(rows=3, locks=locks), solver=solver)
        assert assembly.size is not None
        assert assembly.rows == 3
        assert assembly.row.max() < 3


@small
@pytest.mark.parametrize("upright", [True, False])
def test_a_panel_of_one_row(make_truth, perfect_scores, solver, upright):
    truth = make_truth(1, 9, upright)
    for knowns in (Knowns(upright=upright), Knowns(rows=1, upright=upright)):
        assembly = solve(perfect_scores(truth), knowns, solver=solver)
        assert evaluate(assembly, truth, upright=upright).perfect
    assert (assembly.rows, assembly.cols) == (1, 9)


@pytest.mark.parametrize("name", SOLVERS)
def test_one_tile_lies_by_itself(noise_scores, name):
    for knowns in (Knowns(), Knowns(1, 1), Knowns(rows=1, upright=True)):
        if get_solver(name).can(knowns):
            assert lie(solve(noise_scores(1), knowns, solver=name)) == [[0, 0, 0, 0]]


@pytest.mark.parametrize(
    ("name", "knowns", "problem"),
    [
        ("yu", Knowns(), "takes upright tiles only"),
        ("sholomon", Knowns(), "must know the size"),
        ("multi-segment", Knowns(rows=2), "finds the size itself"),
        ("guided-growth", Knowns(panels=2), "assembles one panel"),
    ],
)
def test_a_puzzle_that_a_solver_does_not_take_is_refused(noise_scores, name, knowns, problem):
    assert not get_solver(name).can(knowns)
    with pytest.raises(AzulejarError, match=problem):
        solve(noise_scores(4), knowns, solver=name)


@tiny
@pytest.mark.parametrize("upright", [True, False])
def test_places_without_a_tile_stay_empty(noise_scores, solver, upright):
    for seed in range(6):
        knowns = Knowns(1, 3, upright) if seed % 2 else Knowns(3, 4, upright)
        n = knowns.rows * knowns.cols - 1
        assembly = solve(noise_scores(n, seed), knowns, solver=replace(solver, generations=2))
        check(assembly, n, upright)
        assert assembly.rows <= knowns.rows
        assert assembly.cols <= knowns.cols


@tiny
def test_two_tiles_lie_side_by_side(make_truth, perfect_scores, solver, variant):
    upright, known = variant
    truth = make_truth(2, 1, upright)
    knowns = Knowns(2, 1, upright) if known else Knowns(upright=upright)
    assembly = solve(perfect_scores(truth), knowns, solver=solver)
    check(assembly, 2, upright)
    assert evaluate(assembly, truth, upright=upright).perfect


@small
@pytest.mark.parametrize("known", [False, True])
def test_threads_do_not_change_the_answer(noise_scores, monkeypatch, solver, known):
    scores = noise_scores(20)
    knowns = Knowns(4, 5) if known else Knowns()
    found = []
    for threads in ("1", "2", "2"):
        monkeypatch.setenv("AZULEJAR_THREADS", threads)
        found.append(lie(solve(scores, knowns, solver=replace(solver, generations=6), seed=7)))
    assert found[0] == found[1] == found[2]


@tiny
def test_other_seeds_may_give_other_answers(noise_scores, solver):
    scores = noise_scores(20)
    solver = replace(solver, generations=1)
    found = [lie(solve(scores, solver=solver, seed=s)) for s in range(4)]
    assert any(one != found[0] for one in found[1:])


@tiny
def test_generations_end_the_search(noise_scores, solver):
    told = []
    solver = replace(solver, generations=7)
    if isinstance(solver, GuidedGrowth):  # rounds of annealing would follow
        solver = replace(solver, annealing=None)
    solve(noise_scores(9), solver=solver, on_progress=told.append)
    assert [one.generation for one in told] == [1, 2, 3, 4, 5, 6, 7]
    assert [one.fraction for one in told] == pytest.approx([g / 7 for g in range(1, 8)])


@tiny
def test_progress_tells_of_the_best_so_far(noise_scores, solver):
    scores, told = noise_scores(9), []
    assembly = solve(scores, solver=replace(solver, generations=12), on_progress=told.append)
    for earlier, later in pairwise(told):
        assert earlier.fraction < later.fraction
        assert earlier.generation < later.generation
        assert earlier.seconds <= later.seconds
        assert earlier.fitness <= later.fitness
    for one in told:
        check(one.assembly, 9, upright=False)
        assert one.fitness == pytest.approx(solver.worth(scores, Knowns(), one.assembly), rel=1e-5)
    assert lie(told[-1].assembly) == lie(assembly)


def test_stagnation_ends_the_search(make_truth, perfect_scores):
    told = []
    solver = GuidedGrowth(population=6, elite=1, generations=FOREVER, stagnation=6)
    scores = perfect_scores(make_truth(2, 3, upright=True))
    assembly = solve(scores, solver=solver, on_progress=told.append)
    check(assembly, 6, upright=False)
    assert len(told) >= 7
    assert len({one.fitness for one in told[-7:]}) == 1


@tiny
def test_a_time_budget_ends_the_search(noise_scores, solver):
    told = []
    budget = Budget(seconds=0.3)
    solver = replace(solver, generations=FOREVER)
    started = time.perf_counter()
    assembly = solve(noise_scores(12), solver=solver, budget=budget, on_progress=told.append)
    assert 0.3 <= time.perf_counter() - started < 60
    check(assembly, 12, upright=False)
    assert all(one.fraction < 1 for one in told[:-1])


@tiny
def test_a_stop_from_outside_ends_the_search(noise_scores, solver):
    stop, told = threading.Event(), []

    def on_progress(progress):
        told.append(progress)
        if progress.generation == 4:
            stop.set()

    budget = Budget(stop=stop)
    solver = replace(solver, generations=FOREVER)
    check(solve(noise_scores(12), solver=solver, budget=budget, on_progress=on_progress), 12, False)
    assert len(told) == 4
    check(solve(noise_scores(12), solver=solver, budget=budget), 12, False)


def test_knowns_that_do_not_fit_the_tiles_are_refused(noise_scores):
    with pytest.raises(AzulejarError, match="1 rows × 2 cols are 2 places"):
        solve(noise_scores(3), Knowns(1, 2))


def test_scores_below_0_are_refused(noise_scores):
    scores = noise_scores(4)
    below = Compatibility(scores.scores - 1, scores.files, scores.measure)
    with pytest.raises(AzulejarError, match="0 and above"):
        solve(below)
