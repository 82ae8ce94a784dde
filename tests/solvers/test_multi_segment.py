"""Sholomon's multi-segment genetic algorithm: its crossover, and the whole."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from laid import lie

from azulejar.core.assembly import Assembly
from azulejar.core.joints import Joints
from azulejar.core.knowns import Knowns
from azulejar.errors import AzulejarError
from azulejar.evaluation.metrics import evaluate
from azulejar.solvers import Budget, solve
from azulejar.solvers.kernels.forest import join, new_forest
from azulejar.solvers.kernels.segment_crossover import (
    Relations,
    Segments,
    _best_place,
    _choose_panels,
    cross_segments,
)
from azulejar.solvers.kernels.streams import stream
from azulejar.solvers.multi_segment import MultiSegment, best_relations, in_panels

SMALL = MultiSegment(population=20, generations=10, least=4)
TINY = MultiSegment(population=4, generations=3, elite=1, least=3)


def nobody(n):
    return np.full(4 * n, -1, np.int32)


def child_of(one, other, buddy, scores, *, skip=0.0, upright=False, panels=1, least=1, weak=0.5):
    """The edges that meet in a child, its assembly and its fitness."""
    joints = Joints.of(scores, upright)
    met, placed = np.empty_like(one), np.zeros((len(one) // 4, 3), np.int32)
    relations = Relations(joints.table, buddy, *best_relations(joints, weak), skip, skip)
    state = stream(0, 0, 0)
    total = cross_segments(one, other, relations, panels, least, upright, state, met, placed)
    return met, Assembly.of(*placed.T), total


def two_panels(make_truth, upright, seed=0):
    """The truth of a panel of 3 x 4 tiles and one of 3 x 3, in one crate."""
    one, other = make_truth(3, 4, upright, seed), make_truth(3, 3, upright, seed + 1)
    parts = [
        np.concatenate(both) for both in zip(in_panel(one, 0), in_panel(other, 1), strict=True)
    ]
    return Assembly.of(*parts)


def in_panel(truth, panel):
    return truth.row, truth.col, truth.turn, np.full(len(truth), panel)


@pytest.mark.parametrize("upright", [True, False])
@pytest.mark.parametrize("seed", range(3))
def test_perfect_scores_give_the_perfect_panel(make_truth, perfect_scores, upright, seed):
    truth = make_truth(4, 5, upright, seed)
    knowns = Knowns(upright=upright)
    assembly = solve(perfect_scores(truth, seed), knowns, solver=SMALL, seed=seed)
    assert evaluate(assembly, truth, upright=upright).perfect


@pytest.mark.parametrize("upright", [True, False])
@pytest.mark.parametrize("panels", [None, 2])
@pytest.mark.parametrize("seed", range(3))
def test_two_perfect_panels_are_told_apart(make_truth, perfect_scores, upright, panels, seed):
    truth = two_panels(make_truth, upright, seed)
    knowns = Knowns(upright=upright, panels=panels)
    assembly = solve(perfect_scores(truth, seed), knowns, solver=SMALL, seed=seed)
    assert assembly.neighbours().tolist() == truth.neighbours().tolist()
    assert assembly.panel.tolist() == truth.panel.tolist()


def test_two_perfect_panels_hang_together_if_there_is_to_be_one(make_truth, perfect_scores):
    truth = two_panels(make_truth, upright=False)
    assembly = solve(perfect_scores(truth), Knowns(panels=1), solver=SMALL)
    assert set(assembly.panel.tolist()) == {0}
    met, true = assembly.neighbours(), truth.neighbours()
    assert (met[true >= 0] == true[true >= 0]).mean() > 0.9


@settings(max_examples=60)
@given(
    n=st.integers(2, 20),
    upright=st.booleans(),
    panels=st.sampled_from([None, 1, 2, 3]),
    skip=st.sampled_from([0.0, 0.1, 0.9]),
    weak=st.sampled_from([0.0, 0.5, 0.95]),
    seed=st.integers(0, 2**32),
)
def test_every_tile_lies_once_in_panels_that_hang_together(
    noise_scores, n, upright, panels, skip, weak, seed
):
    panels = panels and min(panels, n)
    solver = replace(TINY, skip=skip, weak=weak)
    scores = noise_scores(n, seed)
    assembly = solve(scores, Knowns(upright=upright, panels=panels), solver=solver, seed=seed)
    assert len({(p, r, c) for p, r, c, _ in lie(assembly)}) == n
    assert assembly.panel.min() == 0
    assert set(assembly.turn.tolist()) <= ({0} if upright else {0, 1, 2, 3})
    found = in_panels(assembly).panel.max() + 1
    assert found == assembly.panel.max() + 1
    if panels:
        assert found == panels
    else:
        assert found == 1 or np.bincount(assembly.panel).min() >= solver.least


@given(n=st.integers(2, 12), upright=st.booleans(), seed=st.integers(0, 9999))
def test_without_parents_the_best_relations_are_tied_first(noise_scores, n, upright, seed):
    """All pairs are likely for so few tiles, and then they alone tie all tiles."""
    scores = noise_scores(n, seed)
    met, assembly, _ = child_of(nobody(n), nobody(n), nobody(n), scores, upright=upright)
    forest = new_forest(n)
    mutual = scores.scores + scores.scores.T
    pairs = [
        (a, b)
        for a in range(4 * n)
        for b in range(a + 1, 4 * n)
        if a // 4 != b // 4 and (not upright or (a + 2) % 4 == b % 4)
    ]
    for a, b in sorted(pairs, key=lambda pair: -mutual[pair]):
        join(forest, a, b)
    expected = Assembly.of(*forest.place.T).neighbours().tolist()
    assert met.tolist() == assembly.neighbours().tolist() == expected


@pytest.mark.parametrize("upright", [True, False])
@pytest.mark.parametrize("seed", range(4))
def test_two_equal_parents_have_a_child_like_them(make_truth, noise_scores, upright, seed):
    """Whatever the scores say, and though best buddies would have it otherwise."""
    parent, rival = (make_truth(3, 4, upright, s).neighbours() for s in (seed, seed + 50))
    met, _, _ = child_of(parent, parent, rival, noise_scores(12), upright=upright)
    assert met.tolist() == parent.tolist()
    met, _, _ = child_of(parent, parent, rival, noise_scores(12), upright=upright, skip=0.9)
    assert met.tolist() != parent.tolist()


@pytest.mark.parametrize("seed", range(4))
def test_best_buddies_of_one_parent_come_before_the_best_scores(make_truth, noise_scores, seed):
    parent = make_truth(3, 4, False, seed).neighbours()
    for parents in ((parent, nobody(12)), (nobody(12), parent)):
        met, _, _ = child_of(*parents, parent, noise_scores(12))
        assert met.tolist() == parent.tolist()
    met, _, _ = child_of(parent, nobody(12), nobody(12), noise_scores(12))
    assert met.tolist() != parent.tolist()


@given(
    n=st.integers(2, 30),
    panels=st.integers(0, 2),
    skip=st.sampled_from([0.0, 0.5, 1.0]),
    seed=st.integers(0, 9999),
)
def test_a_child_tells_its_own_joints_and_fitness(noise_scores, n, panels, skip, seed):
    scores = noise_scores(n, seed)
    none = nobody(n)
    met, assembly, total = child_of(none, none, none, scores, skip=skip, panels=panels, least=4)
    assert met.tolist() == assembly.neighbours().tolist()
    table = Joints.of(scores, False).matrix().toarray()
    assert total == pytest.approx(sum(table[a, b] for a, b in assembly.joints()), rel=1e-5)


@given(n=st.integers(2, 8), upright=st.booleans(), seed=st.integers(0, 9999))
def test_a_loose_tile_goes_where_it_gains_most(noise_scores, n, upright, seed):
    """Against all places and turns; tile 0 is loose, the others lie as they happened to be tied."""
    joints = Joints.of(noise_scores(n, seed), upright)
    table = joints.matrix().toarray()
    forest = new_forest(n)
    place, root = forest.place, forest.root
    for a, b in best_relations(joints, 0)[0].T:
        if a >= 4:
            join(forest, a, b)
    segments = Segments(forest, root != 0, np.zeros(2, np.int64), np.empty(4, np.int32))
    lies = place.copy()
    gains = []
    for row in range(-n - 1, n + 2):
        for col in range(-n - 1, n + 2):
            for turn in range(1 if upright else 4):
                lies[0] = row, col, turn
                if len({(r, c) for r, c, _ in lies.tolist()}) == n:
                    met = Assembly.of(*lies.T).neighbours()[:4]
                    gains.append(sum(table[e, met[e]] for e in range(4) if met[e] >= 0))
    edge, partner = _best_place(joints.table, upright, segments, 0)
    assert join(forest, edge, partner)
    met = Assembly.of(*place.T).neighbours()[:4]
    assert sum(table[e, met[e]] for e in range(4) if met[e] >= 0) == pytest.approx(max(gains))


@pytest.mark.parametrize(
    ("panels", "least", "expected"),
    [(1, 1, [4]), (2, 1, [0, 4]), (0, 2, [0, 4]), (0, 3, [4]), (0, 9, [4]), (3, 9, [0, 2, 4])],
    ids=["one", "two", "of 2 tiles", "of 3 tiles", "at least the largest", "three"],
)
def test_large_segments_stay_as_panels(panels, least, expected):
    """Segments of 2, 1, 1 and 4 tiles, named after tiles 0, 2, 3 and 4."""
    forest = new_forest(8)
    forest.root[:] = [0, 0, 2, 3, 4, 4, 4, 4]
    forest.members[:] = [2, 1, 1, 1, 4, 1, 1, 1]
    staying = np.zeros(8, np.bool_)
    segments = Segments(forest, staying, np.zeros(2, np.int64), np.empty(4, np.int32))
    _choose_panels(segments, panels, least)
    assert np.flatnonzero(staying).tolist() == expected


@given(n=st.integers(2, 9), upright=st.booleans(), seed=st.integers(0, 999))
def test_relations_come_once_and_best_first(noise_scores, n, upright, seed):
    joints = Joints.of(noise_scores(n, seed), upright)
    table = joints.matrix().toarray()
    (a, b), strong = best_relations(joints, 0.6)
    score = table[a, b]
    assert (a < b).all()
    assert {(int(i), int(j)) for i, j in zip(a, b, strict=True)} == {
        (int(i), int(j)) for i, j in zip(*np.nonzero(table), strict=True) if i < j
    }
    assert (np.diff(score) <= 0).all()
    assert strong == (score >= 0.6).sum()


def test_panels_are_numbered_by_size():
    assembly = in_panels(Assembly.of([0, 0, 0, 0, 0], [4, 0, 1, 2, 5], [0] * 5))
    assert assembly.panel.tolist() == [1, 0, 0, 0, 1]
    assert assembly.col.tolist() == [0, 0, 1, 2, 1]


@pytest.mark.parametrize("panels", [1, None])
def test_threads_do_not_change_the_answer(noise_scores, monkeypatch, panels):
    found = []
    for threads in ("1", "2"):
        monkeypatch.setenv("AZULEJAR_THREADS", threads)
        solver = replace(SMALL, generations=4)
        found.append(lie(solve(noise_scores(20), Knowns(panels=panels), solver=solver, seed=7)))
    assert found[0] == found[1]


@pytest.mark.parametrize("panels", [1, 2])
def test_the_best_is_kept_and_told_with_its_fitness(noise_scores, panels):
    scores, told = noise_scores(9), []
    solver = replace(TINY, generations=12)
    last = solver.solve(scores, Knowns(panels=panels), 0, Budget(), told.append)
    best = [one.fitness for one in told]
    assert best == sorted(best)
    assert best == pytest.approx([scores.fitness(one.assembly) for one in told], rel=1e-5)
    assert lie(last) == lie(told[-1].assembly)


def test_it_finds_the_size_itself(noise_scores):
    with pytest.raises(AzulejarError, match="finds the size itself"):
        solve(noise_scores(4), Knowns(2, 2), solver=TINY)


def test_the_settings_that_were_measured():
    solver = MultiSegment()
    assert (solver.population, solver.generations, solver.elite) == (100, 100, 4)
    assert (solver.skip_shared, solver.skip) == (0.001, 0.1)
    assert (solver.weak, solver.least) == (0.5, 10)
