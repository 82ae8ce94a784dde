"""Moves of annealing: nothing is lost, and gains are what a slow sum says."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from azulejar.solvers.kernels.annealing import Rules, anneal, new_board
from azulejar.solvers.kernels.kernel import KEPT_EMPTY, NOTHING
from azulejar.solvers.kernels.streams import stream

STEPS = [(-1, 0), (0, 1), (1, 0), (0, -1)]


def slow_worth(tile, turn, score):
    """The sum of all joints, tile by tile."""
    total = 0.0
    for (row, col), here in np.ndenumerate(tile):
        for direction in (1, 2):
            r, c = row + STEPS[direction][0], col + STEPS[direction][1]
            if here < 0 or r >= tile.shape[0] or c >= tile.shape[1] or tile[r, c] < 0:
                continue
            there = tile[r, c]
            own = 4 * here + (direction - turn[here]) % 4
            met = 4 * there + (direction + 2 - turn[there]) % 4
            total += score[own, met]
    return total


def laid(board, place):
    """The tiles [rows, cols] that lie at these places of a board."""
    tile = np.full(len(board.tile), NOTHING)
    tile[board.tile == KEPT_EMPTY] = KEPT_EMPTY
    tile[place] = np.arange(len(place))
    return tile.reshape(-1, board.width)[1:-1, 1:-1]


def puzzle(rng, rows, cols, tiles, kept_empty, upright):
    edges = 4 * tiles
    score = np.where(rng.random((edges, edges)) < 0.5, 0, rng.random((edges, edges)))
    score = np.maximum(score, score.T).astype(np.float32)
    for tile in range(tiles):
        score[4 * tile : 4 * tile + 4, 4 * tile : 4 * tile + 4] = 0
    best = rng.integers(-1, edges, (edges, 3)).astype(np.int32)
    if upright:  # only opposite sides may meet
        best = np.where(best < 0, best, best // 4 * 4 + (np.arange(edges)[:, None] + 2) % 4)
    cells = rng.permutation(rows * cols)
    tile = np.full(rows * cols, NOTHING, np.int32)
    tile[cells[:tiles]] = np.arange(tiles)
    tile[cells[tiles : tiles + kept_empty]] = KEPT_EMPTY
    turn = np.zeros(tiles, np.int32) if upright else rng.integers(0, 4, tiles).astype(np.int32)
    return score, best.astype(np.int32), tile.reshape(rows, cols), turn


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 10**6), st.integers(1, 5), st.integers(2, 5), st.booleans(), st.booleans())
def test_nothing_is_lost_and_gains_are_true(seed, rows, cols, upright, hot):
    rng = np.random.default_rng(seed)
    tiles = int(rng.integers(1, rows * cols + 1))
    kept_empty = int(rng.integers(0, rows * cols - tiles + 1))
    score, best, tile, turn = puzzle(rng, rows, cols, tiles, kept_empty, upright)
    still = rng.random(tiles) < 0.1
    rules = Rules(score, best, still, upright, int(rng.integers(1, 5)))
    board = new_board(tile, turn)
    began = slow_worth(tile, turn, score)
    anneal(rules, board, (3.0, 1.0) if hot else (0.3, 0.01), 400, 0, 400, stream(seed, 0, 0))

    now = laid(board, board.place)
    assert sorted(now[now >= 0]) == list(range(tiles))
    assert (now.ravel() == board.tile.reshape(-1, board.width)[1:-1, 1:-1].ravel()).all()
    assert ((now == KEPT_EMPTY) == (tile == KEPT_EMPTY)).all()
    for one in np.flatnonzero(still):
        assert (np.argwhere(now == one) == np.argwhere(tile == one)).all()
        assert board.turn[one] == turn[one]
    if upright:
        assert not board.turn.any()
    assert slow_worth(now, board.turn, score) - began == pytest.approx(board.gain[0], abs=1e-3)
    top = laid(board, board.top_place)
    assert slow_worth(top, board.top_turn, score) - began == pytest.approx(board.gain[1], abs=1e-3)
    assert board.gain[1] >= max(0.0, board.gain[0] - 1e-9)


def test_moves_are_the_same_in_slices_as_at_once():
    rng = np.random.default_rng(3)
    score, best, tile, turn = puzzle(rng, 5, 5, 23, 1, upright=False)
    rules = Rules(score, best, np.zeros(23, bool), False, 4)
    boards = []
    for ends in ([640], [64, 320, 640]):
        board, state = new_board(tile, turn), stream(7, 0, 0)
        for begin, stop in zip([0, *ends], ends, strict=False):
            anneal(rules, board, (1.0, 0.1), 640, begin, stop, state)
        boards.append(board)
    assert (boards[0].place == boards[1].place).all()
    assert (boards[0].turn == boards[1].turn).all()
    assert (boards[0].place != new_board(tile, turn).place).any()


def cut(rows, cols):
    """Scores of 1 for the joints of a panel whose tiles lie in order, unturned."""
    tile = np.arange(rows * cols, dtype=np.int32).reshape(rows, cols)
    score = np.zeros((4 * tile.size, 4 * tile.size), np.float32)
    best = np.full((4 * tile.size, 1), NOTHING, np.int32)
    pairs = [(4 * tile[:, :-1] + 1, 4 * tile[:, 1:] + 3), (4 * tile[:-1] + 2, 4 * tile[1:])]
    for a, b in pairs:
        score[a, b] = score[b, a] = 1
        best[a.ravel(), 0], best[b.ravel(), 0] = b.ravel(), a.ravel()
    return tile, score, best


def repaired(tile, turn, score, best, most):
    rules = Rules(score, best, np.zeros(len(turn), bool), False, most)
    board = new_board(tile, turn)
    anneal(rules, board, (0.2, 0.05), 40_000, 0, 40_000, stream(1, 0, 0))
    return laid(board, board.top_place), board.top_turn


def test_blocks_that_lie_turned_in_each_others_place_go_home():
    whole, score, best = cut(4, 9)
    tile, turn = whole.copy(), np.zeros(36, np.int32)
    left, right = whole[:, :4].copy(), whole[:, 5:].copy()
    tile[:, 5:], tile[:, :4] = np.rot90(left, -1), np.rot90(right)
    turn[left], turn[right] = 1, 3
    again, turned = repaired(tile, turn, score, best, most=16)
    assert (again == whole).all()
    assert not turned.any()
    alone, _ = repaired(tile, turn, score, best, most=1)
    assert (alone != whole).any()
