"""Moves of simulated annealing: a small block of tiles goes to where one of its edges fits.

A move picks an edge and a likely partner that it does not touch, and brings the partner's tile to
it. Neighbours of that tile come along, more likely the better they fit; the tiles in their way take
the places that become free. A move that raises the sum of the scores is kept, any other with the
probability exp(change / temperature) (Metropolis et al. 1953). Growth, in contrast, never moves a
tile that it has laid.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from azulejar.solvers.kernels.kernel import KEPT_EMPTY, NOTHING
from azulejar.solvers.kernels.streams import below, uniform
from azulejar.system.compiling import allocating, lean

COOLED = 64  # moves between two temperatures
LEAST_TRIED = 0.02  # probability of trying to replace even a joint that scores 1


class Rules(NamedTuple):
    """What a move may be, and what it gains.

    ``score`` [4n, 4n] of all joints; ``best`` [4n, k]: the partners to try at each edge, or
    NOTHING; ``still`` [n]: tiles that must not move; ``most``: the largest number of tiles that
    move together.
    """

    score: NDArray[np.float32]
    best: NDArray[np.int32]
    still: NDArray[np.bool_]
    upright: bool
    most: int


class Board(NamedTuple):
    """A grid of places in rows of ``width``, with a rim on which no tile may lie.

    ``tile`` [places]: tile, NOTHING or KEPT_EMPTY; ``place`` and ``turn`` [n] of each tile;
    ``top_place`` and ``top_turn`` [n]: those of the best state so far; ``gain`` [2]: what the
    present and the best state have gained since the start.
    """

    width: int
    tile: NDArray[np.int32]
    place: NDArray[np.int32]
    turn: NDArray[np.int32]
    top_place: NDArray[np.int32]
    top_turn: NDArray[np.int32]
    gain: NDArray[np.float64]


class Relocation(NamedTuple):
    """Scratch space for one move.

    ``source`` and ``target`` [n]: where each moving tile comes from and goes to; ``place``,
    ``tile`` and ``turn`` [2n]: all places that change, and what was there before; ``in_source``,
    ``in_target`` and ``changes`` [places]: the number of the last move in which a place was among
    these.
    """

    source: NDArray[np.int64]
    target: NDArray[np.int64]
    place: NDArray[np.int64]
    tile: NDArray[np.int32]
    turn: NDArray[np.int32]
    in_source: NDArray[np.int64]
    in_target: NDArray[np.int64]
    changes: NDArray[np.int64]


def new_board(tile: NDArray[np.int32], turn: NDArray[np.int32]) -> Board:
    """Return a board with these tiles [rows, cols] and turns [n]."""
    rimmed = np.pad(tile, 1, constant_values=KEPT_EMPTY)
    place = np.empty(len(turn), np.int32)
    place[rimmed[rimmed >= 0]] = np.flatnonzero(rimmed >= 0)
    start = (place.copy(), turn.astype(np.int32), place.copy(), turn.astype(np.int32))
    return Board(rimmed.shape[1], rimmed.ravel(), *start, np.zeros(2))


@allocating
def _new_move(places, n):
    return Relocation(
        np.empty(n, np.int64),
        np.empty(n, np.int64),
        np.empty(2 * n, np.int64),
        np.empty(2 * n, np.int32),
        np.empty(2 * n, np.int32),
        np.full(places, -1, np.int64),
        np.full(places, -1, np.int64),
        np.full(places, -1, np.int64),
    )


@lean
def _beside(board, place, direction):
    """Return the adjacent place in a direction."""
    step = 1 if direction % 2 == 1 else board.width
    return place + step if 0 < direction < 3 else place - step


@lean
def _edge(board, tile, direction):
    """Return the edge of a tile that faces a direction."""
    return 4 * tile + (direction - board.turn[tile]) % 4


@lean
def _joint(rules, board, tile, direction, other):
    """Return the score of the joint between a tile and its neighbour in a direction."""
    return rules.score[_edge(board, tile, direction), _edge(board, other, (direction + 2) % 4)]


@lean
def _carried(board, motion, place):
    """Return where ``motion`` (from, to, quarters) takes a place; NOTHING if off the grid."""
    start, end, quarters = motion
    width = board.width
    down, right = place // width - start // width, place % width - start % width
    for _ in range(quarters):
        down, right = right, -down
    row, col = end // width + down, end % width + right
    inside = 0 <= col < width and 0 <= row * width < len(board.tile)
    return row * width + col if inside else np.int64(NOTHING)


@lean
def _gather(rules, board, move, number, anchor, first, looseness, state):
    """Note the places of the tiles that move together, beginning with ``first``; return how many.

    Return 0 if there are too many, or if the ``anchor`` or a tile that must not move is among them.
    """
    move.source[0] = first
    move.in_source[first] = number
    count, looked = 1, 0
    while looked < count:
        place = move.source[looked]
        tile = np.int64(board.tile[place])
        looked += 1
        for direction in range(4):
            there = _beside(board, place, direction)
            if move.in_source[there] == number:
                continue
            other = np.int64(board.tile[there])
            if other < 0:
                continue
            score = _joint(rules, board, tile, direction, other)
            if score <= 0 or uniform(state) < np.exp(-score / looseness):
                continue
            if other == anchor or count == rules.most or rules.still[other]:
                return 0
            move.in_source[there] = number
            move.source[count] = there
            count += 1
    return count


@lean
def _aim(rules, board, move, number, anchor, motion, count):
    """Note where the tiles go and all places that change; return the number of these places.

    Return 0 if the move is not allowed.
    """
    for i in range(count):
        target = _carried(board, motion, move.source[i])
        if target == NOTHING:
            return 0
        tile = np.int64(board.tile[target])
        if tile == anchor or tile < NOTHING or (tile >= 0 and rules.still[tile]):
            return 0
        move.target[i] = target
        move.in_target[target] = number
    changed = 0
    for i in range(2 * count):
        place = move.source[i] if i < count else move.target[i - count]
        if move.changes[place] == number:
            continue
        move.changes[place] = number
        tile = np.int64(board.tile[place])
        move.place[changed] = place
        move.tile[changed] = tile
        move.turn[changed] = board.turn[tile] if tile >= 0 else 0
        changed += 1
    return changed


@lean
def _worth(rules, board, move, number, changed):
    """Return the sum of the scores of all joints at the places that change."""
    total = 0.0
    for i in range(changed):
        place = move.place[i]
        tile = np.int64(board.tile[place])
        if tile < 0:
            continue
        for direction in range(4):
            there = _beside(board, place, direction)
            other = np.int64(board.tile[there])
            if other >= 0:
                score = _joint(rules, board, tile, direction, other)
                total += score / 2 if move.changes[there] == number else score
    return total


@lean
def _put(board, place, tile, turn):
    board.tile[place] = tile
    if tile >= 0:
        board.place[tile] = place
        board.turn[tile] = turn % 4


@lean
def _carry_out(rules, board, move, number, motion, count, changed):
    """Move the tiles; those in their way go back along the motion, to the places that are freed."""
    start, end, quarters = motion
    back = (end, start, (4 - quarters) % 4)
    for i in range(count):  # whose places come first among those that change
        _put(board, move.target[i], move.tile[i], move.turn[i] + quarters)
    for i in range(count, changed):
        place = move.place[i]
        turn = np.int64(move.turn[i])
        while True:
            place = _carried(board, back, place)
            turn += back[2]
            if move.in_target[place] != number:
                break
        _put(board, place, move.tile[i], turn)
        if count == 1 and move.tile[i] >= 0 and not rules.upright:
            _turn_best(rules, board, np.int64(move.tile[i]))


@lean
def _turn_best(rules, board, tile):
    best, best_turn = -1.0, 0
    for turn in range(4):
        board.turn[tile] = turn
        total = 0.0
        for direction in range(4):
            other = np.int64(board.tile[_beside(board, np.int64(board.place[tile]), direction)])
            if other >= 0:
                total += _joint(rules, board, tile, direction, other)
        if total > best:
            best, best_turn = total, turn
    board.turn[tile] = best_turn


@lean
def _undo(board, move, changed):
    for i in range(changed):
        _put(board, move.place[i], move.tile[i], move.turn[i])


@lean
def _propose(rules, board, state):
    """Draw a missing joint; return its two edges and the place of the second, or NOTHING."""
    nothing = np.int64(NOTHING)
    tile = below(state, len(board.place))
    direction = below(state, 4)
    there = _beside(board, np.int64(board.place[tile]), direction)
    edge = _edge(board, tile, direction)
    other = np.int64(board.tile[there])
    met = nothing
    if other >= 0:
        met = _edge(board, other, (direction + 2) % 4)
        if uniform(state) < rules.score[edge, met] - LEAST_TRIED:
            return nothing, nothing, nothing
    elif other != NOTHING:
        return nothing, nothing, nothing
    partner = np.int64(rules.best[edge, below(state, rules.best.shape[1])])
    if partner in (NOTHING, met) or rules.still[partner // 4]:
        return nothing, nothing, nothing
    return edge, partner, there


@allocating
def anneal(rules, board, temperatures, moves, begin, stop, state):
    """Try moves ``begin`` to ``stop`` out of ``moves``, cooling between two ``temperatures``."""
    hot, cold = temperatures
    move = _new_move(len(board.tile), len(board.place))
    temperature = hot
    for number in range(begin, stop):
        if (number - begin) % COOLED == 0:
            temperature = hot * (cold / hot) ** (number / moves)
        edge, partner, there = _propose(rules, board, state)
        if edge == NOTHING:
            continue
        anchor, tile = edge // 4, partner // 4
        direction = (edge + board.turn[anchor]) % 4
        quarters = (direction + 2 - partner - board.turn[tile]) % 4
        first = np.int64(board.place[tile])
        looseness = temperature * (1 + uniform(state))
        count = _gather(rules, board, move, number, anchor, first, looseness, state)
        if count == 0:
            continue
        motion = (first, there, quarters)
        changed = _aim(rules, board, move, number, anchor, motion, count)
        if changed == 0:
            continue
        before = _worth(rules, board, move, number, changed)
        _carry_out(rules, board, move, number, motion, count, changed)
        gain = _worth(rules, board, move, number, changed) - before
        if gain < 0 and uniform(state) >= np.exp(gain / temperature):
            _undo(board, move, changed)
            continue
        board.gain[0] += gain
        if board.gain[0] > board.gain[1] + 1e-9:
            board.gain[1] = board.gain[0]
            board.top_place[:] = board.place
            board.top_turn[:] = board.turn
