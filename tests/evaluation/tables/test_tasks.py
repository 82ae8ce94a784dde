"""What a worker makes of a puzzle: the cell, its figures, and that chance has no part in them."""

import json

import numpy as np
import pytest

from azulejar.core.assembly import Assembly
from azulejar.evaluation.metrics import evaluate
from azulejar.evaluation.protocol import find_panels, make_puzzles
from azulejar.evaluation.rank_table import rank_puzzles
from azulejar.evaluation.tables.plan import plan_ranks, plan_reconstruct
from azulejar.evaluation.tables.rows import Choice, Scorer
from azulejar.evaluation.tables.sources import find_sources
from azulejar.evaluation.tables.tasks import outscored


@pytest.fixture(scope="module")
def searches(painted):
    return plan_reconstruct(
        find_sources(painted)[:1], Choice(["fast"], ["mgc"]).rows([], ""), [0.03], 2, 0
    )


@pytest.fixture(scope="module")
def worked_out(searches):
    """Each search with its puzzle, its scores and its cell."""
    found = []
    for task in searches:
        puzzle = task.recipe.make()
        scores = task.scorer.score(puzzle)
        found.append((task, puzzle, scores, task.cell(task.run(puzzle, scores))))
    return found


def test_a_cell_names_its_task(worked_out):
    for task, _, _, cell in worked_out:
        assert (cell.table, cell.panel, cell.rows, cell.cols) == ("reconstruct", "first__4x5", 4, 5)
        assert (cell.solver, cell.measure, cell.seed) == ("fast", "mgc", task.seed)
        assert (cell.upright, cell.known) == (task.recipe.upright, task.known)
        assert (cell.trim, cell.size, cell.corruption, cell.amount) == (0.03, 50, "none", 0)


def test_a_cell_holds_what_the_assembly_is_worth(worked_out):
    for task, puzzle, scores, cell in worked_out:
        assembly = Assembly.of(*np.transpose(cell.place))
        accuracy = evaluate(assembly, puzzle.truth, upright=puzzle.upright)
        assert (cell.neighbour, cell.direct) == (accuracy.neighbour, accuracy.direct)
        assert (cell.perfect, cell.largest) == (accuracy.perfect, accuracy.largest)
        solver = task.row.solver
        assert cell.worth == pytest.approx(solver.worth(scores, task.knowns, assembly))
        assert cell.truth_worth == pytest.approx(solver.worth(scores, task.knowns, puzzle.truth))
        assert cell.outscored == outscored(scores, assembly, puzzle.truth)


def test_the_history_rises_to_the_worth(worked_out):
    for *_, cell in worked_out:
        seconds, worth = np.transpose(cell.history)
        assert (np.diff(seconds) >= 0).all()
        assert (np.diff(worth) > 0).all()
        assert worth[-1] == pytest.approx(cell.worth)
        assert seconds[-1] <= cell.seconds + 0.001


def test_the_same_task_gives_the_same_cell(worked_out):
    def timeless(cell):
        history = [worth for _, worth in cell.history]
        return {**cell.as_dict(), "seconds": None, "history": history}

    for task, puzzle, scores, cell in worked_out[::3]:
        assert timeless(task.cell(task.run(puzzle, scores))) == timeless(cell)


def test_outcomes_survive_json(worked_out):
    for task, _, _, cell in worked_out:
        assert task.cell(json.loads(json.dumps(cell.as_dict()))) == cell


def test_outscored_counts_edges_one_by_one(noise_scores):
    random = np.random.default_rng(0)
    truth = Assembly.of(*np.divmod(np.arange(12), 4), np.zeros(12))
    for seed in range(5):
        scores = noise_scores(12, seed)
        place = random.permutation(20)[:12]  # with holes
        assembly = Assembly.of(*np.divmod(place, 5), random.integers(0, 4, 12))
        true, found = truth.neighbours(), assembly.neighbours()
        verdicts = []
        for edge in range(48):
            if true[edge] >= 0 and found[edge] != true[edge]:
                mine, there = int(found[edge]), int(true[edge])
                table = scores.scores
                verdicts.append(
                    mine >= 0
                    and table[edge, mine] + table[mine, edge]
                    > table[edge, there] + table[there, edge]
                )
        assert outscored(scores, assembly, truth) == pytest.approx(np.mean(verdicts))
    assert outscored(noise_scores(12), truth, truth) == 0


def test_perfect_scores_are_never_outscored(perfect_scores):
    truth = Assembly.of(*np.divmod(np.arange(12), 4), np.zeros(12))
    shuffled = Assembly.of(*np.divmod(np.random.default_rng(1).permutation(12), 4), np.zeros(12))
    assert outscored(perfect_scores(truth), shuffled, truth) == 0


def test_rankings_are_those_of_azulejar_rank(painted):
    scorer = Scorer.of("mgc", published=True)
    tasks = plan_ranks(find_sources(painted), [scorer], [0.03], seed=0)
    expected = rank_puzzles(make_puzzles(find_panels(painted), [0.03]), [scorer.contender])
    for task, wanted in zip(tasks, expected.rankings, strict=True):
        puzzle = task.recipe.make()
        outcome = json.loads(json.dumps(task.run(puzzle, task.scorer.score(puzzle))))
        ranking = task.ranking(outcome)
        assert (ranking.measure, ranking.rank_1) == (wanted.measure, wanted.rank_1)
        for name in ("edge", "true", "rank", "choice"):
            assert (getattr(ranking, name) == getattr(wanted, name)).all()
        assert (ranking.puzzle.tiles.pixels == wanted.puzzle.tiles.pixels).all()
