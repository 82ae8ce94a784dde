import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from azulejar.assembly import Assembly
from azulejar.compatibility import Compatibility
from azulejar.exchange import LEAST_GAIN, Exchange

ROWS, COLS = 3, 4


def random_case(seed, n=ROWS * COLS, loose=2):
    """Tiles laid at random, the last few without a place."""
    rng = np.random.default_rng(seed)
    row, col = np.divmod(np.arange(n), COLS)
    panel = np.where(np.arange(n) < n - loose, 0, -1)
    assembly = Assembly.of(row, col, rng.integers(0, 4, n), panel)
    scores = rng.dirichlet(np.full(4 * n, 0.1), 4 * n).astype(np.float32)
    return Compatibility(scores, tuple(map(str, range(n))), "test"), assembly


def total(exchange):
    return exchange.joint_logs(exchange.assembly()).sum()


@pytest.mark.parametrize("upright", [False, True])
@pytest.mark.parametrize("seed", range(3))
def test_every_gain_is_what_making_the_exchange_gains(seed, upright):
    compatibility, assembly = random_case(seed)
    exchange = Exchange(compatibility, assembly, upright)
    n = len(assembly)
    best = np.full((n, n), -np.inf)
    turns = [(x, y) for x in range(4) for y in range(4)]
    for p in range(n):
        for q in range(p, n):
            for x, y in turns:
                row, col, panel = assembly.row.copy(), assembly.col.copy(), assembly.panel.copy()
                turn = assembly.turn.copy()
                for values in (row, col, panel):
                    values[[p, q]] = values[[q, p]]
                # x is the turn of what lies in p now, which is tile q.
                turn[q], turn[p] = (x, y) if p != q else (x, x)
                if upright and (turn != assembly.turn).any():
                    continue
                logs = exchange.joint_logs(Assembly(row, col, turn, panel))
                best[p, q] = best[q, p] = max(best[p, q], logs.sum())
    assert exchange.gains() == pytest.approx(best - total(exchange), abs=1e-3)


@settings(max_examples=30)
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
    place = np.argsort(exchange.tile)  # of each tile
    assert exchange.gains()[np.ix_(place, place)] == pytest.approx(fresh, abs=1e-3)


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
