"""Simulated annealing: small blocks of tiles are moved to where one of their edges fits.

A move takes a likely joint that is not there, of edge a and edge b say, and moves the tile of b to
where the joint closes. Tiles that hang together with it come along, the likelier the better they
fit; what lay there changes places with them. The move is kept if the joints gain, or, while it is
hot, with a chance that falls with their loss (Metropolis et al. 1953). So parts that fit move as
one, whatever else has to give way, which growth cannot do once it has laid a tile.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from azulejar.solvers.kernels.kernel import KEPT_EMPTY, NOTHING
from azulejar.solvers.kernels.streams import below, uniform
from azulejar.system.compiling import allocating, lean

COOLED = 64  # moves between two temperatures
CONTENT = 0.02  # a joint of score s is looked at with a chance of 1 - s and this


class Rules(NamedTuple):
    """What moves are made of: likely joints, and which tiles may move how.

    ``score`` [4n, 4n] of all joints; ``best`` [4n, k]: the partners tried at each edge, or NOTHING;
    ``still`` [n]: tiles that stay; ``most``: tiles that move together.
    """

    score: NDArray[np.float32]
    best: NDArray[np.int32]
    still: NDArray[np.bool_]
    upright: bool
    most: int


class Board(NamedTuple):
    """Places in rows of ``width``, within a rim on which no tile may lie.

    ``tile`` [places]: tile or NOTHING or KEPT_EMPTY; ``place`` and ``turn`` [n] of each tile;
    ``top_place`` and ``top_turn``: those of the best board so far; ``gain`` [2]: what this one and
    that one have gained.
    """

    width: int
    tile: NDArray[np.int32]
    place: NDArray[np.int32]
    turn: NDArray[np.int32]
    top_place: NDArray[np.int32]
    top_turn: NDArray[np.int32]
    gain: NDArray[np.float64]


class Relocation(NamedTuple):
    """Scratch space for one move of m tiles.

    ``source`` and ``target`` [n]: the places from and to which they go; ``place``, ``tile`` and
    ``turn`` [2n]: all places that change, and what was there; ``in_source``, ``in_target`` and
    ``changes`` [places]: the number of the last move in which a place was such.
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
    """Return a board on which the tiles [rows, cols] lie and are turned [n] like this."""
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
    """Return the place in that direction."""
    step = 1 if direction % 2 == 1 else board.width
    return place + step if 0 < direction < 3 else place - step


@lean
def _edge(board, tile, direction):
    """Return the edge of a tile that faces a direction."""
    return 4 * tile + (direction - board.turn[tile]) % 4


@lean
def _joint(rules, board, tile, direction, other):
    """Return the score of the joint of a tile with the other one that lies in that direction."""
    return rules.score[_edge(board, tile, direction), _edge(board, other, (direction + 2) % 4)]


@lean
def _carried(board, motion, place):
    """Return where a place goes if ``motion`` (from, to, quarters) is carried out, or NOTHING."""
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
    """Note the places of a tile and of those that hang together with it; return how many.

    There are 0 if more hang together than may move, or one that may not, or the ``anchor``.
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
    """Note where the gathered tiles go and all places that change; return how many of these.

    There are 0 if the move is not allowed.
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
    """Return the sum of the joints at the places that change."""
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
    """Move the tiles; those that lay there go, the way back, to the places that become free."""
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
    """Draw a joint that is not there; return its two edges and where it would close, or NOTHING."""
    nothing = np.int64(NOTHING)
    tile = below(state, len(board.place))
    direction = below(state, 4)
    there = _beside(board, np.int64(board.place[tile]), direction)
    edge = _edge(board, tile, direction)
    other = np.int64(board.tile[there])
    met = nothing
    if other >= 0:
        met = _edge(board, other, (direction + 2) % 4)
        if uniform(state) < rules.score[edge, met] - CONTENT:
            return nothing, nothing, nothing
    elif other != NOTHING:
        return nothing, nothing, nothing
    partner = np.int64(rules.best[edge, below(state, rules.best.shape[1])])
    if partner in (NOTHING, met) or rules.still[partner // 4]:
        return nothing, nothing, nothing
    return edge, partner, there


@allocating
def anneal(rules, board, temperatures, moves, begin, stop, state):
    """Make the moves ``begin`` to ``stop`` of so many, from hot to cold ``temperatures``."""
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
