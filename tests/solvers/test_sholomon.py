"""Sholomon's genetic algorithm: its crossover, and the whole."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from laid import lie

from azulejar.core.assembly import Assembly
from azulejar.core.knowns import Knowns
from azulejar.errors import AzulejarError
from azulejar.evaluation.metrics import evaluate
from azulejar.solvers import Budget, solve
from azulejar.solvers.kernels.kernel import new_kernel, put, write_met
from azulejar.solvers.kernels.sholomon_growth import (
    Fits,
    _most_compatible,
    grow_by_buddies,
    inherit,
)
from azulejar.solvers.kernels.streams import stream
from azulejar.solvers.sholomon import Sholomon

SMALL = Sholomon(population=60, generations=25, generations_turned=25)
TINY = Sholomon(population=6, generations=3, generations_turned=3, elite=1)
STEPS = [(-1, 0), (0, 1), (1, 0), (0, -1)]


def nobody(n):
    return np.full(4 * n, -1, np.int32)


def grown(one, other, buddy, scores, mutation, size, upright, seed=0, candidates=3):
    """The edges that meet in a child."""
    best, _ = scores.best(candidates, upright)
    wanted = inherit(one, other, buddy)
    state = stream(seed, 0, 0)
    fits = Fits(best, scores.dense())
    kernel = grow_by_buddies(wanted, fits, mutation, *size, upright, state)
    met = np.empty_like(one)
    write_met(kernel, met)
    return met


@given(st.data())
def test_phases_1_and_2_inherit_as_in_a_slow_and_obvious_version(data):
    edge = st.lists(st.integers(-1, 7), min_size=8, max_size=8)
    one, other, buddy = (np.array(data.draw(edge), np.int32) for _ in range(3))
    wanted = inherit(one, other, buddy)
    assert wanted[0].tolist() == [a if a == b else -1 for a, b in zip(one, other, strict=True)]
    assert wanted[1].tolist() == [
        c if c in (a, b) else -1 for a, b, c in zip(one, other, buddy, strict=True)
    ]


@settings(max_examples=60)
@given(st.integers(2, 9), st.booleans(), st.integers(0, 4), st.integers(0, 999), st.data())
def test_the_most_compatible_free_edge_is_that_of_all(noise_scores, n, upright, k, seed, data):
    scores = noise_scores(n, seed)
    used = data.draw(st.sets(st.integers(0, n - 1), min_size=1, max_size=n - 1))
    kernel = new_kernel(n, 0, 0, upright)
    for col, tile in enumerate(used):
        put(kernel, tile, 0, col, 0)
    edge = data.draw(st.integers(0, 4 * n - 1).filter(lambda e: e // 4 in used))
    free = [
        other
        for other in range(4 * n)
        if other // 4 not in used and (not upright or other % 4 == (edge + 2) % 4)
    ]
    best, _ = scores.best(k, upright)
    found = _most_compatible(Fits(best, scores.scores), kernel, edge)
    assert found == max(free, key=lambda other: scores.scores[edge, other])


@pytest.mark.parametrize("upright", [True, False])
@pytest.mark.parametrize("seed", range(4))
def test_two_equal_parents_have_a_child_like_them(make_truth, noise_scores, upright, seed):
    """Whatever the scores say, and though best buddies would have it otherwise."""
    parent, rival = (make_truth(3, 4, upright, s).neighbours() for s in (seed, seed + 50))
    child = grown(parent, parent, rival, noise_scores(12), 0.0, (3, 4), upright, seed)
    assert child.tolist() == parent.tolist()


@pytest.mark.parametrize("upright", [True, False])
@pytest.mark.parametrize("seed", range(4))
def test_best_buddies_of_one_parent_come_before_the_best_scores(
    make_truth, noise_scores, upright, seed
):
    parent = make_truth(3, 4, upright, seed).neighbours()
    for parents in ((parent, nobody(12)), (nobody(12), parent)):
        child = grown(*parents, parent, noise_scores(12), 0.0, (3, 4), upright, seed)
        assert child.tolist() == parent.tolist()
    without = grown(parent, nobody(12), nobody(12), noise_scores(12), 0.0, (3, 4), upright, seed)
    assert without.tolist() != parent.tolist()


def prim(scores, start):
    """Turned tiles, size unknown: the best pair that leaves the kernel, again and again."""
    n = len(scores) // 4
    placed = {start: (0, 0, 0)}
    while len(placed) < n:
        taken = {place[:2] for place in placed.values()}
        pairs = []
        for tile, (row, col, turn) in placed.items():
            for side in range(4):
                direction = (side + turn) % 4
                there = (row + STEPS[direction][0], col + STEPS[direction][1])
                if there not in taken:
                    pairs += [
                        (scores[4 * tile + side, other], other, there, (direction + 2 - other) % 4)
                        for other in range(4 * n)
                        if other // 4 not in placed
                    ]
        _, other, there, turn = max(pairs)
        placed[other // 4] = (*there, turn)
    return Assembly.of(*np.array([placed[tile] for tile in range(n)]).T).neighbours()


@given(n=st.integers(2, 9), candidates=st.integers(0, 6), seed=st.integers(0, 9999))
def test_without_parents_turned_tiles_grow_as_by_prim(
    noise_scores, slow_stream, n, candidates, seed
):
    scores = noise_scores(n, seed)
    child = grown(nobody(n), nobody(n), nobody(n), scores, 0.0, (0, 0), False, seed, candidates)
    start = slow_stream(stream(seed, 0, 0)[0]).below(n)
    assert child.tolist() == prim(scores.scores, start).tolist()


@pytest.mark.parametrize("upright", [True, False])
def test_mutation_heeds_neither_parents_nor_scores(make_truth, noise_scores, upright):
    parent = make_truth(3, 4, upright).neighbours()
    for chance, alike in ((0.0, True), (1.0, False)):
        child = grown(parent, parent, nobody(12), noise_scores(12), chance, (3, 4), upright)
        assert (child.tolist() == parent.tolist()) == alike
    if upright:  # turned tiles also draw where to put the tile by its scores
        one, other = (
            grown(nobody(12), nobody(12), nobody(12), noise_scores(12, s), 1.0, (3, 4), True)
            for s in (1, 2)
        )
        assert one.tolist() == other.tolist()


@pytest.mark.parametrize("upright", [True, False])
@pytest.mark.parametrize("seed", range(4))
def test_phase_2_does_not_mutate(make_truth, noise_scores, upright, seed):
    """Best buddies of one parent alone make the whole child, however likely a mutation is."""
    parent = make_truth(3, 4, upright, seed).neighbours()
    child = grown(parent, nobody(12), parent, noise_scores(12), 1.0, (3, 4), upright, seed)
    assert child.tolist() == parent.tolist()


@pytest.mark.parametrize("mutation", [0.005, 0.05])
def test_a_placement_mutates_with_the_chance_given(make_truth, noise_scores, mutation):
    """Of k free tiles, one in k mutations takes the tile that would have come anyway."""
    parent, scores = make_truth(3, 4, True).neighbours(), noise_scores(12)
    children = 2000
    same = sum(
        (grown(parent, parent, nobody(12), scores, mutation, (3, 4), True, seed) == parent).all()
        for seed in range(children)
    )
    expected = np.prod([1 - mutation * (1 - 1 / free) for free in range(1, 12)])
    assert same / children == pytest.approx(expected, abs=0.02)


def test_the_settings_are_those_of_the_source_but_for_the_mutation():
    solver = Sholomon()
    assert (solver.population, solver.elite) == (1000, 4)
    assert (solver.generations, solver.generations_turned) == (100, 30)
    assert solver.mutation == 0.005


def test_the_solver_mutates_as_often_as_it_is_set(make_truth, perfect_scores):
    """Equal parents of perfect scores differ by mutation alone, so the first best is worse."""
    truth = make_truth(4, 5, True)
    first = []
    for mutation in (Sholomon.mutation, 0.5):
        told = []
        solver = replace(TINY, generations=1, mutation=mutation)
        solve(perfect_scores(truth), Knowns(4, 5, True), solver=solver, on_progress=told.append)
        first.append(told[0].fitness)
    assert first[0] > first[1] + 1


@pytest.mark.parametrize("upright", [True, False])
@pytest.mark.parametrize("seed", range(3))
def test_perfect_scores_give_the_perfect_panel(make_truth, perfect_scores, upright, seed):
    truth = make_truth(4, 5, upright, seed)
    knowns = Knowns(4, 5, upright)
    assembly = solve(perfect_scores(truth, seed), knowns, solver=SMALL, seed=seed)
    assert evaluate(assembly, truth, upright=upright).perfect


@settings(max_examples=60)
@given(
    size=st.tuples(st.integers(1, 5), st.integers(1, 4)).filter(lambda size: size != (1, 1)),
    holes=st.integers(0, 3),
    upright=st.booleans(),
    mutation=st.sampled_from([0.0, 0.3]),
    seed=st.integers(0, 2**32),
)
def test_every_tile_lies_once_in_the_box(noise_scores, size, holes, upright, mutation, seed):
    n = max(2, size[0] * size[1] - holes)
    solver = replace(TINY, mutation=mutation)
    assembly = solve(noise_scores(n, seed), Knowns(*size, upright), solver=solver, seed=seed)
    assert len({(r, c) for _, r, c, _ in lie(assembly)}) == n
    assert set(assembly.turn.tolist()) <= ({0} if upright else {0, 1, 2, 3})
    boxes = [size] if upright else [size, size[::-1]]
    assert any(assembly.rows <= rows and assembly.cols <= cols for rows, cols in boxes)


@pytest.mark.parametrize("upright", [True, False])
def test_threads_do_not_change_the_answer(noise_scores, monkeypatch, upright):
    found = []
    for threads in ("1", "2"):
        monkeypatch.setenv("AZULEJAR_THREADS", threads)
        solver = replace(SMALL, generations=4, generations_turned=4)
        found.append(lie(solve(noise_scores(20), Knowns(4, 5, upright), solver=solver, seed=7)))
    assert found[0] == found[1]


def test_the_best_is_kept_and_told_with_its_fitness(noise_scores):
    scores, told = noise_scores(12), []
    solver = replace(TINY, generations_turned=12)
    solver.solve(scores, Knowns(3, 4), 0, Budget(), told.append)
    best = [one.fitness for one in told]
    assert len(told) == 12
    assert best == sorted(best)
    assert best == pytest.approx([scores.fitness(one.assembly) for one in told], rel=1e-5)


def test_upright_and_turned_tiles_have_generations_of_their_own(noise_scores):
    solver = replace(TINY, generations=5, generations_turned=2)
    for upright, expected in ((True, 5), (False, 2)):
        told = []
        solve(noise_scores(6), Knowns(2, 3, upright), solver=solver, on_progress=told.append)
        assert len(told) == expected


def test_the_size_must_be_known(noise_scores):
    with pytest.raises(AzulejarError, match="must know the size"):
        solve(noise_scores(4), Knowns(), solver=TINY)
