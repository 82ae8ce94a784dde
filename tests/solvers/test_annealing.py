"""Annealing of assemblies: which tiles stay, where chains begin, and what comes out."""

import threading
from dataclasses import replace

import numpy as np
import pytest

from azulejar.core.assembly import Assembly
from azulejar.core.knowns import Knowns, Lock
from azulejar.evaluation.metrics import evaluate
from azulejar.knowledge.constraints import Constraints
from azulejar.solvers import Budget, GuidedGrowth, annealing, solve
from azulejar.solvers.annealing import board_of, in_rectangles, tiles_to_leave
from azulejar.solvers.kernels.kernel import KEPT_EMPTY

HASTY = GuidedGrowth(population=20, elite=2, generations=6)


def hard_scores(make_truth, as_scores, rows, cols, seed=1):
    """A truth whose joints score 0.05 to 0.8, and a pair in 25 that scores up to 0.5 by chance."""
    truth = make_truth(rows, cols, upright=False, seed=seed)
    rng = np.random.default_rng(seed)
    shape = (4 * rows * cols, 4 * rows * cols)
    scores = np.where(rng.random(shape) < 0.04, rng.random(shape) / 2, 0)
    scores = np.maximum(scores, scores.T)
    for a, b in truth.joints():
        scores[a, b] = scores[b, a] = rng.uniform(0.05, 0.8)
    return truth, as_scores(scores)


@pytest.mark.parametrize("known", [False, True])
def test_annealing_finds_what_a_hasty_growth_has_left(make_truth, as_scores, known):
    truth, scores = hard_scores(make_truth, as_scores, 6, 7)
    knowns = Knowns(6, 7) if known else Knowns()
    grown = solve(scores, knowns, solver=replace(HASTY, annealing=None))
    annealed = solve(scores, knowns, solver=HASTY)
    assert evaluate(grown, truth, upright=False).neighbour < 0.95
    assert evaluate(annealed, truth, upright=False).perfect


def test_what_is_known_still_holds(make_truth, as_scores):
    truth, scores = hard_scores(make_truth, as_scores, 5, 6)
    wrong = Lock(3, row=4, col=5, turn=2)
    refused = tuple(map(int, truth.joints()[7]))
    empty = ((0, 0), (0, 6))
    knowns = Knowns(5, 7, locks=(wrong,), apart=(refused,), empty=empty)
    found = solve(scores, knowns, solver=HASTY)
    assert (found.row[3], found.col[3], found.turn[3]) == (4, 5, 2)
    assert refused not in {tuple(sorted(map(int, joint))) for joint in found.joints()}
    assert not set(zip(found.row.tolist(), found.col.tolist(), strict=True)) & set(empty)
    assert found.size == (5, 7)


def test_tiles_of_which_something_is_known_stay():
    joined = (Lock(1, row=0, col=0, turn=0), Lock(2, row=0, col=1, turn=0))
    knowns = Knowns(locks=(Lock(0, turn=1),), joined=(joined,), apart=((4 * 3, 4 * 5 + 1),))
    leave = tiles_to_leave(Constraints.of(knowns, 7), knowns)
    assert leave.tolist() == [True, True, True, True, False, True, False]


def test_known_empty_places_and_the_rim_take_no_tile():
    knowns = Knowns(2, 3, empty=((0, 1),))
    assembly = Assembly.of([0, 0, 1], [0, 2, 1], [0, 0, 0], size=(2, 3))
    board = board_of(assembly, knowns, Constraints.of(knowns, 3))
    tile = board.tile.reshape(-1, board.width)
    assert tile.shape == (4, 5)
    assert (tile[[0, -1]] == KEPT_EMPTY).all()
    assert (tile[:, [0, -1]] == KEPT_EMPTY).all()
    assert tile[1:-1, 1:-1].tolist() == [[0, KEPT_EMPTY, 1], [-1, 2, -1]]


def test_a_board_has_the_known_size_even_where_locked_tiles_fill_less_of_it():
    knowns = Knowns(3, 4, locks=(Lock(0, row=0, col=0),))
    assembly = Assembly.of([0, 0, 1], [0, 1, 0], [0, 0, 0], size=(2, 2))
    board = board_of(assembly, knowns, Constraints.of(knowns, 3))
    tile = board.tile.reshape(-1, board.width)[1:-1, 1:-1]
    assert tile.tolist() == [[0, 1, -1, -1], [2, -1, -1, -1], [-1, -1, -1, -1]]


def test_a_panel_on_its_side_keeps_its_frame():
    knowns = Knowns(2, 4)
    lying = Assembly.of(*np.divmod(np.arange(8), 2), np.zeros(8, int))
    board = board_of(lying, knowns, Constraints.of(knowns, 8))
    assert board.tile.reshape(-1, board.width)[1:-1, 1:-1].tolist() == [
        [0, 1],
        [2, 3],
        [4, 5],
        [6, 7],
    ]


def test_tiles_that_may_not_touch_are_solved_all_the_same(as_scores):
    knowns = Knowns(1, 3, upright=True, empty=((0, 1),))
    found = solve(as_scores(np.full((8, 8), 0.5)), knowns, solver=HASTY)
    assert sorted(found.col.tolist()) == [0, 2]


def test_an_assembly_is_laid_into_the_rectangles_near_it():
    row, col = np.divmod(np.arange(12), 4)
    row[11], col[11] = 1, 4  # sticks out
    assembly = Assembly.of(row, col, np.zeros(12, int))
    best = in_rectangles(assembly, upright=True)[0]
    assert best.size == (3, 4)
    assert sorted(zip(best.row.tolist(), best.col.tolist(), strict=True)) == [
        (r, c) for r in range(3) for c in range(4)
    ]
    assert (best.row[:11] == row[:11]).all()
    assert (best.row[11], best.col[11]) == (2, 3)


def test_panels_too_large_for_a_table_of_all_scores_stay_as_they_grew(
    make_truth, as_scores, monkeypatch
):
    _, scores = hard_scores(make_truth, as_scores, 6, 7)
    grown = solve(scores, solver=replace(HASTY, annealing=None))
    monkeypatch.setattr(annealing, "LARGEST", 41)
    found = solve(scores, solver=HASTY)
    assert found.neighbours().tolist() == grown.neighbours().tolist()


def test_a_stop_ends_the_chains(make_truth, as_scores):
    _, scores = hard_scores(make_truth, as_scores, 6, 7)
    stop = threading.Event()
    told = []

    def hear(progress):
        told.append(progress)
        if progress.generation == HASTY.generations:
            stop.set()

    solve(scores, solver=HASTY, budget=Budget(stop=stop), on_progress=hear)
    assert told[-1].generation == HASTY.generations
