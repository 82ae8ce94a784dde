"""Constraints are kept exactly, whatever the scores say."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from azulejar.core.assembly import Assembly
from azulejar.core.compatibility import Compatibility
from azulejar.core.knowns import Knowns, Lock
from azulejar.errors import AzulejarError
from azulejar.solvers import SOLVERS, GuidedGrowth, solve

SMALL = GuidedGrowth(population=8, generations=3, stagnation=None)


def noise(n, seed=0):
    scores = np.random.default_rng(seed).random((4 * n, 4 * n), np.float32)
    return Compatibility(scores, tuple(f"{i}.png" for i in range(n)), "noise")


def broken(assembly, knowns):
    """Return the constraints that an assembly breaks: a slow and obvious check."""
    wrong = []
    for lock in knowns.locks:
        found = (assembly.row[lock.tile], assembly.col[lock.tile], assembly.turn[lock.tile])
        for given_value, value in zip((lock.row, lock.col, lock.turn), found, strict=True):
            if given_value is not None and given_value != value:
                wrong.append(lock)
    for held in knowns.joined:
        tiles = [lock.tile for lock in held]
        given_block = Assembly.of(
            [lock.row for lock in held], [lock.col for lock in held], [lock.turn for lock in held]
        )
        block = Assembly.of(assembly.row[tiles], assembly.col[tiles], assembly.turn[tiles])
        if not any(same(block, given_block.turned(q)) for q in range(4)):
            wrong.append(held)
    met = assembly.neighbours()
    wrong += [pair for pair in knowns.apart if met[pair[0]] == pair[1]]
    lying = set(zip(assembly.row.tolist(), assembly.col.tolist(), strict=True))
    wrong += [place for place in knowns.empty if place in lying]
    if knowns.rows and knowns.cols:
        wrong += [place for place in lying if not fits(place, knowns)]
    if len(lying) < len(assembly):
        wrong.append("two tiles in one place")
    return wrong


def fits(place, knowns):
    return 0 <= place[0] < knowns.rows and 0 <= place[1] < knowns.cols


def same(a, b):
    return all((getattr(a, name) == getattr(b, name)).all() for name in ("row", "col", "turn"))


@st.composite
def puzzles(draw):
    """A random panel with empty places, and knowns that hold of it."""
    rows, cols = draw(st.integers(2, 5)), draw(st.integers(2, 5))
    rng = np.random.default_rng(draw(st.integers(0, 10**6)))
    gaps = draw(st.integers(0, min(4, rows * cols - 3)))
    upright, sized = draw(st.booleans()), draw(st.booleans())
    place = rng.permutation(rows * cols)[: rows * cols - gaps]
    n = len(place)
    row, col = np.divmod(place, cols)
    turn = np.zeros(n, int) if upright else rng.integers(0, 4, n)
    truth = Assembly.of(row, col, turn, size=(rows, cols))

    def pose(tile, kept=(True, True, True)):
        values = (int(row[tile]), int(col[tile]), int(turn[tile]))
        return Lock(tile, *(v if keep else None for v, keep in zip(values, kept, strict=True)))

    some = st.lists(st.integers(0, n - 1), unique=True, max_size=min(4, n))
    parts = st.tuples(st.booleans(), st.booleans(), st.booleans())
    locks = tuple(pose(tile, draw(parts)) for tile in draw(some))
    joined = tuple(
        tuple(pose(tile) for tile in tiles) for tiles in draw(st.lists(some, max_size=2)) if tiles
    )
    met = truth.neighbours()
    pairs = draw(st.lists(st.tuples(*[st.integers(0, 4 * n - 1)] * 2), max_size=12))
    apart = tuple((a, b) for a, b in pairs if met[a] != b and a // 4 != b // 4)
    places = set(range(rows * cols)) - set(place.tolist())
    empty = tuple(divmod(p, cols) for p in places) if draw(st.booleans()) else ()
    size = (rows, cols) if sized else (None, None)
    return Knowns(*size, upright, 1, locks, joined, apart, empty), n


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(puzzles(), st.integers(0, 1000))
def test_what_holds_of_some_panel_is_kept(puzzle, seed):
    knowns, n = puzzle
    assembly = solve(noise(n, seed), knowns, solver=replace(SMALL, population=40), seed=seed)
    assert broken(assembly, knowns) == []


def test_two_blocks_that_hardly_fit_are_kept():
    """Of the 8 chromosomes of SMALL none finds how they lie; those of the default do."""
    blocks = (
        (Lock(4, 0, 3, 2), Lock(2, 0, 2, 3)),
        (Lock(0, 0, 4, 2), Lock(6, 1, 4, 2), Lock(7, 0, 0, 3), Lock(1, 1, 1, 2)),
    )
    knowns = Knowns(2, 5, locks=(Lock(8, 1, 3), Lock(1, turn=2)), joined=blocks)
    solver = replace(GuidedGrowth(), generations=3)
    assert broken(solve(noise(9, 153), knowns, solver=solver, seed=153), knowns) == []


def test_a_panel_in_two_parts_is_kept_where_its_size_is_unknown():
    """The only panels of which this holds have a tile that touches no other."""
    locks = (Lock(2, 3, 0), Lock(1, 1))
    knowns = Knowns(upright=True, locks=locks, empty=((0, 0), (0, 1), (1, 1), (2, 0)))
    assert broken(solve(noise(4), knowns, solver=SMALL), knowns) == []


def test_missing_places_that_enclose_the_corner_are_kept():
    """Three tiles fill the corner that they leave; the fourth has to lie beyond them."""
    knowns = Knowns(empty=((0, 3), (1, 0), (1, 1), (1, 2)))
    assert broken(solve(noise(4), knowns, solver=SMALL), knowns) == []


def test_no_other_solver_takes_locks():
    knowns = Knowns(2, 2, True, locks=(Lock(0, 0, 0),))
    for solver in SOLVERS.values():
        if solver is not GuidedGrowth:
            assert not solver().can(knowns)


def test_an_impossible_task_is_told():
    """Three tiles of which no two may meet do not make a row of three."""
    edges = [(a, b) for a in range(12) for b in range(12) if a // 4 < b // 4]
    with pytest.raises(AzulejarError, match="keeps all locks"):
        solve(noise(3), Knowns(1, 3, apart=tuple(edges)), solver=SMALL)


def test_the_same_seed_gives_the_same_answer():
    knowns = Knowns(3, 4, locks=(Lock(5, 1, 2), Lock(2, turn=3)), apart=((0, 9), (13, 30)))
    one, two = (solve(noise(12), knowns, solver=SMALL, seed=4) for _ in range(2))
    assert same(one, two)


def test_a_lock_leads_to_the_truth_around_it(make_truth, perfect_scores):
    truth = make_truth(4, 5, upright=False)
    lock = Lock(7, int(truth.row[7]), int(truth.col[7]), int(truth.turn[7]))
    solver = replace(SMALL, population=20, generations=10)
    assembly = solve(perfect_scores(truth), Knowns(4, 5, locks=(lock,)), solver=solver)
    assert same(assembly, truth)


def test_a_place_without_a_turn_is_turned_to_fit(make_truth, perfect_scores):
    truth = make_truth(4, 5, upright=False)
    lock = Lock(7, int(truth.row[7]), int(truth.col[7]))
    solver = replace(SMALL, population=20, generations=10)
    assembly = solve(perfect_scores(truth), Knowns(4, 5, locks=(lock,)), solver=solver)
    assert assembly.neighbours().tolist() == truth.neighbours().tolist()
