"""Our genetic algorithm around best-first growth."""

from dataclasses import replace

import numpy as np
import pytest

from azulejar.core.assembly import Assembly
from azulejar.core.compatibility import Compatibility
from azulejar.core.joints import Joints
from azulejar.core.knowns import Knowns
from azulejar.solvers import Budget, GuidedGrowth, solve
from azulejar.solvers.guided_growth import Habits, Lead, _grow_children
from azulejar.solvers.kernels.constraints import FREE_FRAME
from azulejar.solvers.population import Generation, Population

SMALL = GuidedGrowth(population=12, elite=2)


def generations(solver, scores, count, knowns=None, seed=0):
    told = []
    solver = replace(solver, generations=count)
    solver.solve(scores, knowns or Knowns(), seed, Budget(), told.append)
    return told


def test_the_best_fitness_never_falls_because_of_the_elite(noise_scores):
    """Even where children hardly take after their parents."""
    scores = noise_scores(12)
    wild = GuidedGrowth(population=6, elite=1, bonus=0, noise=2)
    told = generations(wild, scores, 20)
    best = [wild.worth(scores, Knowns(), one.assembly) for one in told]
    assert best == sorted(best)
    assert [one.fitness for one in told] == pytest.approx(best, rel=1e-5)
    forgetful = generations(replace(wild, elite=0), scores, 20)
    best = [wild.worth(scores, Knowns(), one.assembly) for one in forgetful]
    assert best != sorted(best)


def test_settings_that_are_whole_numbers_compile_nothing_anew(noise_scores):
    generations(SMALL, noise_scores(4), 1)
    before = _grow_children.signatures
    whole = replace(SMALL, weighed=1, bonus=0, toll=0, noise=2, framed=1, whole=0)
    generations(whole, noise_scores(4), 1)
    assert _grow_children.signatures == before


def test_generations_improve_on_the_first(noise_scores):
    told = generations(GuidedGrowth(population=8), noise_scores(30), 25)
    assert told[-1].fitness > told[0].fitness + 0.1


def test_scores_need_not_be_symmetric(make_truth, as_scores):
    truth = make_truth(2, 3, upright=False)
    scores = np.zeros((24, 24))
    for a, b in truth.joints():
        scores[a, b], scores[b, a] = 1, 0.8
    told = generations(SMALL, as_scores(scores), 10)
    assert told[-1].assembly.neighbours().tolist() == truth.neighbours().tolist()
    worth = SMALL.worth(as_scores(scores), Knowns(), truth)
    assert told[-1].fitness == pytest.approx(worth, rel=1e-4)


@pytest.mark.parametrize("k", [1, 3])
def test_top_k_scores_are_taken_too(make_truth, perfect_scores, k):
    truth = make_truth(3, 4, upright=False)
    scores = perfect_scores(truth)
    index, value = scores.best(k)
    told = generations(SMALL, Compatibility(value, scores.files, "test", index), 15)
    assert told[-1].assembly.neighbours().tolist() == truth.neighbours().tolist()


WORTH = np.array([2.0, 1.0, 3.0])
BY_WORTH = np.array([2, 0, 1])
FREE = [[0, 0]]


def next_generation(parents, scores, count, eligible, bonus, frames=FREE, framed=0.0, whole=0.0):
    """``count`` children of three assemblies that are worth 2, 1 and 3: placed, met, fitness."""
    joints = Joints.of(scores, upright=False)
    placed = np.stack([np.stack([one.row, one.col, one.turn], 1) for one in parents])
    met = np.stack([one.neighbours() for one in parents])
    now = Population(placed, met, WORTH, np.zeros((3, 0), np.bool_))
    following = Population.empty(count, len(parents[0]))
    both = np.stack([joints.score] * 2), np.stack([joints.best(1)] * 2)
    lead = Lead(joints.start, joints.other, *both)
    habits = Habits(eligible, 0.5, bonus, 0.0, 0.0, framed, whole, False, FREE_FRAME)
    generation = Generation(1, now, following, BY_WORTH)
    _grow_children(generation, lead, habits, None, np.array(frames), 0, 0, count)
    return following[:3]


@pytest.mark.parametrize("eligible", [1, 2])
def test_parents_are_drawn_from_the_fittest(make_truth, as_scores, eligible):
    """Where scores say nothing and any bonus leads, children are built of the parents' joints."""
    parents = [make_truth(3, 4, False, seed) for seed in range(3)]
    silent = as_scores(np.zeros((48, 48)))
    _, met, _ = next_generation(parents, silent, 40, eligible, 1.0)
    same = [(met == one.neighbours()).all(axis=1).sum() for one in parents]
    if eligible == 1:
        assert same == [0, 0, 40]
    else:
        assert same[0] > 0
        assert same[1] == 0
        assert same[2] > 0


def test_a_child_s_fitness_is_the_sum_of_its_joints(make_truth, noise_scores):
    scores = noise_scores(6)
    parents = [make_truth(2, 3, False, seed) for seed in range(3)]
    placed, met, worth = next_generation(parents, scores, 10, 3, 0.5)
    for child in range(10):
        assembly = Assembly.of(*placed[child].T)
        assert met[child].tolist() == assembly.neighbours().tolist()
        assert worth[child] == pytest.approx(scores.fitness(assembly), rel=1e-5)


def boxes(placed):
    """Rows and cols of each child, the lesser first."""
    return [sorted(np.ptp(one[:, :2], axis=0) + 1) for one in placed]


def test_a_share_of_the_children_grows_in_one_of_the_frames(make_truth, noise_scores):
    parents = [make_truth(3, 4, False, seed) for seed in range(3)]
    frames = [[0, 0], [3, 4], [2, 6]]
    tried = {}
    for framed in (0.0, 0.5, 1.0):
        placed, _, _ = next_generation(parents, noise_scores(12), 60, 3, 0.0, frames, framed)
        whole = [box for box in boxes(placed) if box[0] * box[1] == 12]
        tried[framed] = len(whole)
        if framed:
            assert {tuple(box) for box in whole} >= {(3, 4), (2, 6)}
    assert tried[1.0] == 60
    assert tried[0.0] < 15 < tried[0.5] < 50


def test_whole_rectangles_are_worth_more(make_truth, noise_scores):
    parents = [make_truth(3, 4, False, seed) for seed in range(3)]
    frames = [[0, 0], [3, 4]]
    plain, more = (
        next_generation(parents, noise_scores(12), 40, 3, 0.0, frames, 0.5, whole)
        for whole in (0.0, 0.1)
    )
    assert np.array_equal(plain[0], more[0])
    filled = np.array([rows * cols == 12 for rows, cols in boxes(plain[0])])
    assert 5 < filled.sum() < 35
    assert more[2] == pytest.approx(np.where(filled, 1.1, 1.0) * plain[2])


@pytest.mark.parametrize("n", [7, 12, 13])
def test_any_number_of_tiles_gives_the_same_on_any_number_of_threads(noise_scores, monkeypatch, n):
    found = []
    for threads in ("1", "2"):
        monkeypatch.setenv("AZULEJAR_THREADS", threads)
        told = generations(SMALL, noise_scores(n), 8, seed=3)
        found.append(told[-1].assembly.neighbours().tolist())
    assert found[0] == found[1]


def test_missing_tiles_leave_holes(make_truth, perfect_scores):
    """Two tiles from the middle of a panel are gone; what is left makes no whole rectangle."""
    truth = make_truth(5, 6, True)
    left = np.flatnonzero(~((truth.row == 2) & (np.isin(truth.col, (2, 3)))))
    rest = Assembly.of(truth.row[left], truth.col[left], truth.turn[left])
    told = generations(GuidedGrowth(population=30), perfect_scores(rest), 25, Knowns(upright=True))
    assert told[-1].assembly.neighbours().tolist() == rest.neighbours().tolist()


@pytest.mark.parametrize("scale", [1e-44, 1e-20, 1e-7])
def test_scores_that_say_nothing_end_at_once(noise_scores, scale):
    tiny = noise_scores(9)
    tiny = replace(tiny, scores=tiny.scores * np.float32(scale))
    assert len(solve(tiny, Knowns(), preset="fast")) == 9
