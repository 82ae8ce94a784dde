"""What a worker makes of a puzzle: the result, its figures, and that chance has no part in them."""

import json

import numpy as np
import pytest

from azulejar.core.assembly import Assembly
from azulejar.evaluation.metrics import evaluate
from azulejar.evaluation.protocol import find_panels, make_puzzles
from azulejar.evaluation.ranks import rank_puzzles
from azulejar.evaluation.tables.methods import MethodChoice, Scorer
from azulejar.evaluation.tables.puzzle_recipes import find_sources
from azulejar.evaluation.tables.schedule import plan_ranks, plan_reconstruct
from azulejar.evaluation.tables.tasks import share_outscored


@pytest.fixture(scope="module")
def searches(painted):
    return plan_reconstruct(
        find_sources(painted)[:1], MethodChoice(["fast"], ["mgc"]).methods([], ""), [0.03], 2, 0
    )


@pytest.fixture(scope="module")
def worked_out(searches):
    """Each search with its puzzle, its scores and its result."""
    found = []
    for task in searches:
        puzzle = task.recipe.make()
        scores = task.scorer.score(puzzle)
        found.append((task, puzzle, scores, task.result(task.run(puzzle, scores))))
    return found


def test_a_cell_names_its_task(worked_out):
    for task, _, _, result in worked_out:
        assert (result.table, result.panel, result.rows, result.cols) == (
            "reconstruct",
            "first__4x5",
            4,
            5,
        )
        assert (result.solver, result.measure, result.seed) == ("fast", "mgc", task.seed)
        assert (result.upright, result.known) == (task.recipe.upright, task.known)
        assert (result.trim, result.size, result.corruption, result.amount) == (0.03, 50, "none", 0)


def test_a_cell_holds_what_the_assembly_is_worth(worked_out):
    for task, puzzle, scores, result in worked_out:
        assembly = Assembly.of(*np.transpose(result.place))
        accuracy = evaluate(assembly, puzzle.truth, upright=puzzle.upright)
        assert (result.neighbour, result.direct) == (accuracy.neighbour, accuracy.direct)
        assert (result.perfect, result.largest) == (accuracy.perfect, accuracy.largest)
        solver = task.method.solver
        assert result.worth == pytest.approx(solver.worth(scores, task.knowns, assembly))
        assert result.truth_worth == pytest.approx(solver.worth(scores, task.knowns, puzzle.truth))
        assert result.outscored == share_outscored(scores, assembly, puzzle.truth)


def test_the_history_rises_to_the_worth(worked_out):
    for *_, result in worked_out:
        seconds, worth = np.transpose(result.history)
        assert (np.diff(seconds) >= 0).all()
        assert (np.diff(worth) > 0).all()
        assert worth[-1] == pytest.approx(result.worth)
        assert seconds[-1] <= result.seconds + 0.001


def test_the_same_task_gives_the_same_cell(worked_out):
    def timeless(result):
        history = [worth for _, worth in result.history]
        return {**result.as_dict(), "seconds": None, "history": history}

    for task, puzzle, scores, result in worked_out[::3]:
        assert timeless(task.result(task.run(puzzle, scores))) == timeless(result)


def test_outcomes_survive_json(worked_out):
    for task, _, _, result in worked_out:
        assert task.result(json.loads(json.dumps(result.as_dict()))) == result


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
        assert share_outscored(scores, assembly, truth) == pytest.approx(np.mean(verdicts))
    assert share_outscored(noise_scores(12), truth, truth) == 0


def test_perfect_scores_are_never_outscored(perfect_scores):
    truth = Assembly.of(*np.divmod(np.arange(12), 4), np.zeros(12))
    shuffled = Assembly.of(*np.divmod(np.random.default_rng(1).permutation(12), 4), np.zeros(12))
    assert share_outscored(perfect_scores(truth), shuffled, truth) == 0


def test_rankings_are_those_of_azulejar_rank(painted):
    scorer = Scorer.of("mgc", published=True)
    tasks = plan_ranks(find_sources(painted), [scorer], [0.03], seed=0)
    expected = rank_puzzles(make_puzzles(find_panels(painted), [0.03]), [scorer.labelled_measure])
    for task, wanted in zip(tasks, expected.rankings, strict=True):
        puzzle = task.recipe.make()
        outcome = json.loads(json.dumps(task.run(puzzle, task.scorer.score(puzzle))))
        ranking = task.ranking(outcome)
        assert (ranking.measure, ranking.rank_1) == (wanted.measure, wanted.rank_1)
        for name in ("edge", "true", "rank", "choice"):
            assert (getattr(ranking, name) == getattr(wanted, name)).all()
        assert (ranking.puzzle.tiles.pixels == wanted.puzzle.tiles.pixels).all()
