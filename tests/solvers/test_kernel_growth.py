"""The paper's genetic algorithm around its crossover."""

from dataclasses import replace
from fractions import Fraction
from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from azulejar.core.assembly import Assembly
from azulejar.core.knowns import Knowns
from azulejar.solvers import Budget, KernelGrowth
from azulejar.solvers.kernel_growth import Choice, _grow_children, _spin, rate
from azulejar.solvers.kernels.streams import stream
from azulejar.solvers.population import Generation, Population


def slow_rate(met, scores, threshold):
    """Fitness and rich edges in exact fractions, tile by tile."""
    n = len(met) // 4
    compatibility = {
        edge: Fraction(float(scores[edge, met[edge]])) for edge in range(4 * n) if met[edge] >= 0
    }
    tile_score = []
    for tile in range(n):
        own = [compatibility[e] for e in range(4 * tile, 4 * tile + 4) if e in compatibility]
        tile_score.append(sum(own) / len(own) if own else Fraction(0))
    joints = [score for edge, score in compatibility.items() if edge < met[edge]]
    mean = sum(joints) / len(joints) if joints else Fraction(0)
    limit = max(Fraction(threshold), mean)
    rich = [
        edge in compatibility
        and tile_score[edge // 4] > limit
        and tile_score[met[edge] // 4] > limit
        for edge in range(4 * n)
    ]
    return sum(joints), rich


def scores_in_64ths(rng, edges, low):
    """Symmetric and exact in floating point, so that sums are too."""
    scores = rng.integers(64 * low, 65, (edges, edges)) / 64
    return np.maximum(scores, scores.T).astype(np.float32)


@given(
    size=st.tuples(st.integers(1, 4), st.integers(1, 4)),
    holes=st.integers(0, 3),
    seed=st.integers(0, 2**32),
    low=st.sampled_from([0, 0.5, 0.75, 0.95]),
    threshold=st.sampled_from([0.8, 0.5]),
)
def test_rating_equals_exact_fractions(make_truth, size, holes, seed, low, threshold):
    rng = np.random.default_rng(seed)
    truth = make_truth(*size, upright=False, seed=seed)
    panel = np.where(np.arange(len(truth)) < holes, -1, 0)
    met = Assembly.of(truth.row, truth.col, truth.turn, panel).neighbours()
    scores = scores_in_64ths(rng, len(met), low)
    rich = np.zeros(len(met), np.bool_)
    total = rate(met, scores, threshold, rich)
    expected, expected_rich = slow_rate(met, scores, threshold)
    assert total == expected
    assert rich.tolist() == expected_rich


@pytest.mark.parametrize(
    ("scores", "rich"),
    [
        ([0.9, 0.9, 0.5, 0.5], [True, False, False, False]),
        ([0.8, 0.8, 0.1, 0.1], [False] * 4),
        ([1.0, 1.0, 0.9, 0.9], [True, False, False, False]),
        ([0.9, 0.9, 0.9, 0.9], [False] * 4),
    ],
    ids=["above 0.8", "not just 0.8", "above the mean", "not just the mean"],
)
def test_rich_is_above_the_larger_of_threshold_and_mean(scores, rich):
    """Five tiles in a row; its joints score as given, so a tile scores the mean of two of them."""
    assembly = Assembly.of([0] * 5, range(5), [0] * 5)
    table = np.zeros((20, 20), np.float32)
    joints = [(4 * i + 1, 4 * i + 7) for i in range(4)]
    for (a, b), score in zip(joints, scores, strict=True):
        table[a, b] = table[b, a] = score
    # float32 holds neither 0.8 nor 0.9; the threshold is given as what it does hold.
    threshold = float(np.float32(0.8))
    found = np.zeros(20, np.bool_)
    total = rate(assembly.neighbours(), table, threshold, found)
    assert total == pytest.approx(sum(scores))
    assert [bool(found[a]) for a, _ in joints] == rich
    assert [bool(found[b]) for _, b in joints] == rich
    assert found.sum() == 2 * sum(rich)


@given(st.lists(st.integers(0, 9), min_size=1, max_size=12).filter(any), st.integers(0, 999))
def test_the_wheel_stops_where_the_sum_passes_the_draw(slow_stream, shares, seed):
    state = stream(seed, 0, 0)
    drawn = slow_stream(state[0]).uniform() * sum(shares)
    passed, expected = 0, None
    for number, share in enumerate(shares):
        passed += share
        if expected is None and passed > drawn:
            expected = number
    assert _spin(np.cumsum(np.array(shares, float)), state) == expected
    assert shares[expected] > 0


def test_chances_are_in_proportion_to_fitness():
    state = stream(0, 0, 0)
    wheel = np.cumsum([5.0, 0.0, 1.0, 4.0])
    count = np.bincount([_spin(wheel, state) for _ in range(20_000)], minlength=4)
    assert count / 20_000 == pytest.approx([0.5, 0, 0.1, 0.4], abs=0.02)


def test_who_has_no_fitness_is_not_drawn_even_by_a_draw_of_0():
    # The state before the one that splitmix64 mixes to 0.
    state = np.array([2**64 - 0x9E3779B97F4A7C15], np.uint64)
    assert _spin(np.cumsum([0.0, 0.0, 3.0, 1.0]), state) == 2


def test_a_wheel_without_any_fitness_still_gives_somebody():
    assert 0 <= _spin(np.zeros(5), stream(0, 0, 0)) < 5


def test_parents_are_drawn_by_fitness_and_the_fitter_leads(make_truth):
    """With every joint rich and nothing skipped, a child is its fitter parent over again.

    So the less fit of two chromosomes, with a share of 0.4, comes back when it is drawn twice.
    """
    truths = [make_truth(3, 3, False, seed) for seed in (1, 2)]
    met = np.stack([truth.neighbours() for truth in truths])
    fitness = np.array([4.0, 6.0])
    now = Population(np.zeros((2, 9, 3), np.int32), met, fitness, met >= 0)
    children = 2000
    following = Population.empty(children, 9, marks=True)
    no = np.full(36, -1, np.int32)
    choice = Choice(np.zeros((36, 36), np.float32), no, no, np.zeros(6), 0.8, 0.0, 0.0)
    generation = Generation(1, now, following, np.array([1, 0]))
    _grow_children(
        generation, np.cumsum(fitness), choice, np.array([[0, 0]]), False, 3, 0, children
    )
    same = [(following.met == parent).all(axis=1) for parent in met]
    assert (same[0] | same[1]).all()
    assert same[0].mean() == pytest.approx(0.4**2, abs=0.03)


def generations(solver, scores, count, knowns=Knowns(), seed=0):  # noqa: B008
    told = []
    replace(solver, generations=count).solve(scores, knowns, seed, Budget(), told.append)
    return told


def test_the_best_fitness_never_falls_because_of_the_elite(noise_scores):
    scores = noise_scores(12)
    told = generations(KernelGrowth(population=10, elite=2), scores, 30)
    best = [scores.fitness(one.assembly) for one in told]
    assert best == sorted(best)
    assert [one.fitness for one in told] == pytest.approx(best, rel=1e-6)
    forgetful = generations(KernelGrowth(population=10, elite=0), scores, 30)
    best = [scores.fitness(one.assembly) for one in forgetful]
    assert best != sorted(best)


def test_generations_improve_on_the_first(noise_scores):
    told = generations(KernelGrowth(population=20), noise_scores(16), 40)
    assert told[-1].fitness > told[0].fitness + 0.5


def test_scores_need_not_be_symmetric(make_truth, as_scores):
    """True joints score 1 one way and 0.8 back: their mean counts, on either side."""
    truth = make_truth(2, 3, upright=False)
    scores = np.zeros((24, 24))
    for a, b in truth.joints():
        scores[a, b], scores[b, a] = 1, 0.8
    told = generations(KernelGrowth(population=30), as_scores(scores), 30)
    assert told[-1].assembly.neighbours().tolist() == truth.neighbours().tolist()
    assert told[-1].fitness == pytest.approx(7 * 0.9)


def test_top_k_scores_are_taken_too(make_truth, perfect_scores):
    truth = make_truth(3, 3, upright=False)
    scores = perfect_scores(truth)
    index, value = scores.best(5)
    top = type(scores)(value, scores.files, "test", index)
    told = generations(KernelGrowth(population=30), top, 40)
    assert told[-1].assembly.neighbours().tolist() == truth.neighbours().tolist()


def test_near_ties_are_near_though_far_apart_as_probabilities(make_truth, perfect_scores):
    truth = make_truth(3, 3, upright=False)
    scores = perfect_scores(truth, other=1e-6)
    joints = truth.joints()
    for (a, b), (c, d) in zip(joints[::2], joints[1::2], strict=True):
        scores.scores[[a, b, c, d], [b, a, d, c]] = 0.3
        scores.scores[[a, c], [c, a]] = 0.6  # a wrong one that is twice as probable
    solver = KernelGrowth()
    worth = solver.worth(scores, Knowns(), truth)
    assert solver.rich * len(joints) < 0.9 * len(joints) < worth < len(joints)


def test_the_paper_s_solver_prefers_no_rectangles():
    assert (KernelGrowth().framed, KernelGrowth().whole) == (0, 0)
    assert "framed=0.0, whole=0.0" in KernelGrowth().identity
    assert "framed=0.5, whole=0.012" in KernelGrowth(framed=0.5, whole=0.012).identity


def is_whole(assembly):
    return assembly.rows * assembly.cols == len(assembly)


def test_rectangles_are_found_if_they_are_preferred(noise_scores):
    """Where scores say nothing, 12 tiles hardly ever make a rectangle by themselves."""
    plain = KernelGrowth(population=30)
    framed = replace(plain, framed=0.5, whole=0.5)
    found = {solver: [] for solver in (plain, framed)}
    for seed, (solver, assemblies) in product(range(3), found.items()):
        assemblies.append(generations(solver, noise_scores(12), 10, seed=seed)[-1].assembly)
    assert not any(map(is_whole, found[plain]))
    assert all(map(is_whole, found[framed]))


def test_what_is_told_as_fitness_is_the_worth_of_a_rectangle_too(noise_scores):
    solver, scores = KernelGrowth(population=30, framed=1, whole=0.5), noise_scores(12)
    last = generations(solver, scores, 5)[-1]
    assert is_whole(last.assembly)
    joints = scores.fitness(last.assembly)
    assert last.fitness == pytest.approx(1.5 * joints, rel=1e-6)
    worth, plain = (
        one.worth(scores, Knowns(), last.assembly) for one in (solver, replace(solver, whole=0))
    )
    assert worth == pytest.approx(1.5 * plain)


def test_a_known_size_leaves_nothing_to_prefer(noise_scores):
    knowns = Knowns(3, 5)
    plain, framed = (
        generations(solver, noise_scores(12), 5, knowns)[-1]
        for solver in (KernelGrowth(population=10), KernelGrowth(population=10, framed=1, whole=1))
    )
    assert plain.fitness == framed.fitness
    assert plain.assembly.neighbours().tolist() == framed.assembly.neighbours().tolist()
