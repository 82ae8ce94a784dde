import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from azulejar.core.assembly import Assembly
from azulejar.core.compatibility import Compatibility
from azulejar.judging.exchange import LEAST_GAIN, Exchange, empty_places
from azulejar.measures.probability import FLOOR

ROWS, COLS = 3, 4


def random_case(seed, n=ROWS * COLS, loose=2):
    """Tiles laid at random, the last few without a place; the holes touch each other."""
    rng = np.random.default_rng(seed)
    row, col = np.divmod(np.arange(n), COLS)
    panel = np.where(np.arange(n) < n - loose, 0, -1)
    assembly = Assembly.of(row, col, rng.integers(0, 4, n), panel)
    scores = rng.dirichlet(np.full(4 * n, 0.1), 4 * n).astype(np.float32)
    return Compatibility(scores, tuple(map(str, range(n))), "test"), assembly


def total(exchange):
    return exchange.evidence(exchange.assembly())


@pytest.mark.parametrize("upright", [False, True])
@pytest.mark.parametrize("seed", range(3))
def test_every_gain_is_what_making_the_exchange_gains(seed, upright):
    compatibility, assembly = random_case(seed)
    exchange = Exchange(compatibility, assembly, upright)
    n, places = len(assembly), len(exchange.places)
    assert places > n
    best = np.full((places, places), -np.inf)
    turns = [(x, y) for x in range(4) for y in range(4)]
    for p in range(places):
        for q in range(p, places):
            for x, y in turns:
                # Empty places are taken by tiles that meet nothing, so that all are the same.
                panel, row, col = np.array(exchange.places).T
                turn = np.append(assembly.turn, np.zeros(places - n, int))
                for values in (row, col, panel):
                    values[[p, q]] = values[[q, p]]
                # x is the turn of what lies in p now, which is tile q.
                turn[q], turn[p] = (x, y) if p != q else (x, x)
                if upright and (turn[:n] != assembly.turn).any():
                    continue
                laid = Assembly(row[:n], col[:n], turn[:n], panel[:n])
                best[p, q] = best[q, p] = max(best[p, q], exchange.evidence(laid))
    assert exchange.gains() == pytest.approx(best - total(exchange), abs=1e-3)


@given(seed=st.integers(0, 200))
def test_the_best_move_gains_what_it_says_and_improving_never_loses(seed):
    compatibility, assembly = random_case(seed)
    exchange = Exchange(compatibility, assembly, upright=False)
    before, move = total(exchange), exchange.best_move()
    assert move.gain == pytest.approx(exchange.gains().max())
    exchange.make(move)
    assert total(exchange) - before == pytest.approx(move.gain, abs=1e-3)
    exchange.improve()
    assert total(exchange) >= before + min(move.gain, 0) - 1e-3
    assert exchange.gains().max() < LEAST_GAIN
    fresh = Exchange(compatibility, exchange.assembly(), upright=False).gains()
    n = len(assembly)
    place = np.argsort(exchange.tile)[:n]  # of each tile
    assert exchange.gains()[np.ix_(place, place)] == pytest.approx(fresh[:n, :n], abs=1e-3)


def test_holes_are_what_tiles_enclose_on_two_sides():
    row, col = np.divmod(np.arange(25), 5)
    gone = [6, 7, 18, 24]  # two side by side, one inside, a corner
    panel = np.where(np.isin(np.arange(25), gone), -1, 0)
    whole = Assembly.of(row, col, np.zeros(25), panel)
    assert empty_places(whole) == [(0, 1, 1), (0, 1, 2), (0, 3, 3), (0, 4, 4)]
    ragged = Assembly.of([0, 0, 0, 1], [0, 1, 2, 0], np.zeros(4), [0, 0, 0, 0])
    assert empty_places(ragged) == [(0, 1, 1)]
    assert empty_places(Assembly.of([0, 0], [0, 2], [0, 0], [0, 1])) == []


def test_a_tile_of_no_place_goes_into_the_hole_that_it_fits(perfect_scores):
    row, col = np.divmod(np.arange(12), 4)
    truth = Assembly.of(row, col, np.zeros(12))
    given = Assembly.of(row, col, np.zeros(12), np.where(np.arange(12) == 5, -1, 0))
    exchange = Exchange(perfect_scores(truth, other=0.01), given, upright=False)
    exchange.improve()
    for name in ("row", "col", "turn", "panel"):
        assert getattr(exchange.assembly(), name).tolist() == getattr(truth, name).tolist()


def test_a_tile_that_fits_badly_is_not_taken_out_for_one_that_comes_in(perfect_scores):
    """The corner's joints speak against it, and tile 5 leaves a place of no panel behind."""
    row, col = np.divmod(np.arange(12), 4)
    truth = Assembly.of(row, col, np.zeros(12))
    scores = perfect_scores(truth, other=1e-4)
    scores.scores[:4] *= 1e-4
    scores.scores[:, :4] *= 1e-4
    given = Assembly.of(row, col, np.zeros(12), np.where(np.arange(12) == 5, -1, 0))
    exchange = Exchange(scores, given, upright=False)
    assert exchange.fits[0, 0, 0] < -LEAST_GAIN
    exchange.improve()
    assert exchange.assembly().panel.tolist() == [0] * 12


def test_a_tile_that_fits_badly_does_not_take_the_place_of_one_that_lay_alone(perfect_scores):
    """Tile 5 lies apart from all others; nothing meets there once it goes to its place."""
    row, col = np.divmod(np.arange(12), 4)
    truth = Assembly.of(row, col, np.zeros(12))
    scores = perfect_scores(truth, other=1e-4)
    scores.scores[:4] *= 1e-4
    scores.scores[:, :4] *= 1e-4
    given = Assembly.of(np.where(np.arange(12) == 5, 9, row), col, np.zeros(12))
    exchange = Exchange(scores, given, upright=False)
    assert exchange.fits[0, 0, 0] < -LEAST_GAIN
    exchange.improve()
    assert exchange.assembly().row.tolist() == row.tolist()


def test_upright_tiles_are_not_turned():
    compatibility, assembly = random_case(5)
    exchange = Exchange(compatibility, assembly, upright=True)
    exchange.improve()
    assert exchange.assembly().turn.tolist() == assembly.turn.tolist()


def test_top_k_scores_give_the_same_as_dense_ones():
    compatibility, assembly = random_case(1)
    index, value = compatibility.best(4 * len(assembly))
    top = Compatibility(value, compatibility.files, "test", index)
    dense = Exchange(compatibility, assembly, False).gains()
    # Exchanges of neighbours look at pairs of edges of one tile, which top-k scores do not hold.
    assert Exchange(top, assembly, False).gains() == pytest.approx(dense, abs=1e-3)


@pytest.mark.parametrize(("factor", "changed"), [(15, False), (25, True)])
def test_an_exchange_must_make_the_joints_twenty_times_likelier(factor, changed):
    """Tile 1 would meet tile 0 better by its other side; only a factor of 20 is worth it."""
    assembly = Assembly.of([0, 0], [0, 1], [0, 0])
    scores = np.zeros((8, 8), np.float32)
    for side, probability in ((3, 0.02), (1, 0.02 * factor)):
        scores[1, 4 + side] = scores[4 + side, 1] = probability - FLOOR
    exchange = Exchange(Compatibility(scores, ("a", "b"), "test"), assembly, upright=False)
    assert exchange.best_move().gain == pytest.approx(np.log(factor), rel=1e-3)
    exchange.improve()
    assert exchange.assembly().joints().tolist() == [[1, 5 if changed else 7]]


@pytest.mark.parametrize("ring", [(5, 6, 7), (5, 6, 10), (1, 5, 4)])
def test_laying_again_mends_a_ring_of_neighbours(perfect_scores, ring):
    row, col = np.divmod(np.arange(20), 5)
    truth = Assembly.of(row, col, np.arange(20) % 4)
    scores = perfect_scores(truth, other=0.001)
    at, after = list(ring), [*ring[1:], ring[0]]
    row, col = truth.row.copy(), truth.col.copy()
    row[at], col[at] = truth.row[after], truth.col[after]
    exchange = Exchange(scores, Assembly.of(row, col, truth.turn), upright=False)
    exchange.lay_again(np.array(at))
    assert exchange.assembly().row.tolist() == truth.row.tolist()
    assert exchange.assembly().col.tolist() == truth.col.tolist()
    assert exchange.assembly().turn.tolist() == truth.turn.tolist()


@given(seed=st.integers(0, 200), count=st.integers(0, 6))
def test_laying_again_never_loses_and_keeps_the_fits_right(seed, count):
    compatibility, assembly = random_case(seed)
    exchange = Exchange(compatibility, assembly, upright=False)
    worth = total(exchange)
    chosen = np.random.default_rng(seed).permutation(len(assembly) - 2)[:count]
    exchange.lay_again(chosen)
    assert total(exchange) >= worth
    again = Exchange(compatibility, exchange.assembly(), upright=False)
    assert sorted(exchange.tile.tolist()) == sorted(again.tile.tolist())
    fits = {tuple(place): fit for place, fit in zip(exchange.places, exchange.fits, strict=True)}
    for place, fit in zip(again.places, again.fits, strict=True):
        if place.panel >= 0:
            assert fits[tuple(place)] == pytest.approx(fit, abs=1e-3)
