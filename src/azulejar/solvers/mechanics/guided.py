"""Best-first growth: the placement that gains most comes first.

Where the paper's crossover draws at random among the edges of a phase, this one weighs every
candidate at its place: the scores of all joints that it would close there, and a bonus for each of
them that a parent has too. Sure joints are laid before doubtful ones, and a tile that fits only one
of its neighbours has to wait.

What leads a growth, as arrays: ``start``, ``others`` and ``score``, the table of likely joints
(joints.py); ``best`` [4n, k], candidates of each edge; ``parents`` [2, 4n], the edges that meet in
each parent; ``weights`` [4], the bonus for a joint of either parent, the toll that is taken off for
every joint closed, and the size of the random part.
"""

import numpy as np

from azulejar.compiled import allocating, lean
from azulejar.joints import joint_score
from azulejar.solvers.mechanics.heap import new_heap, pop, push
from azulejar.solvers.mechanics.kernel import (
    FREE,
    LEFT,
    NOTHING,
    UPRIGHT,
    edge_facing,
    facing,
    is_free,
    is_open,
    new_kernel,
    put,
)
from azulejar.solvers.mechanics.streams import below, uniform

TRIES = 24  # free tiles tried at a place for which no candidate is left
FITTER_BONUS, OTHER_BONUS, TOLL, NOISE = range(4)


@lean
def _look_around(placed, cells, row, col, around):
    """Into ``around`` [4]: for each direction the edge that faces the place, or NOTHING."""
    for direction in range(4):
        around[direction] = edge_facing(placed, cells, direction, row, col)


@lean
def _gain(start, others, score, parents, weights, around, tile, turn):
    """What a tile would gain at a place, over all the joints that it closes there."""
    total = 0.0
    for direction in range(4):
        met = around[direction]
        if met != NOTHING:
            own = 4 * tile + (direction - turn) % 4
            total += joint_score(start, others, score, met, own) - weights[TOLL]
            if parents[0, met] == own:
                total += weights[FITTER_BONUS]
            if parents[1, met] == own:
                total += weights[OTHER_BONUS]
    return total


@lean
def _any_fit(start, others, score, parents, weights, placed, pool, cells, now, bag, count, around,
             state):  # fmt: skip
    """For a random open place, the best of some free tiles: the edge there and its partner."""
    row = col = direction = edge = np.int64(0)
    while True:
        pick = below(state, count[0])
        edge = np.int64(bag[pick])
        count[0] -= 1
        bag[pick] = bag[count[0]]
        direction, row, col = facing(placed, edge)
        if is_open(cells, now, row, col):
            break
    _look_around(placed, cells, row, col, around)
    left = now[LEFT]
    highest = -np.inf
    partner = np.int64(NOTHING)
    for i in range(min(left, TRIES)):
        tile = np.int64(pool[FREE, i if left <= TRIES else below(state, left)])
        for turn in range(1 if now[UPRIGHT] else 4):
            worth = _gain(start, others, score, parents, weights, around, tile, turn)
            if worth > highest:
                highest = worth
                partner = 4 * tile + (direction + 2 - turn) % 4
    return edge, partner


@lean
def _take(start, others, score, parents, weights, placed, pool, cells, now, key, entry, size,
          around):  # fmt: skip
    """The candidate that gains most now: its edge and partner, or NOTHING twice."""
    while size[0] > 0:
        hoped, edge32, partner32 = pop(key, entry, size)
        edge, partner = np.int64(edge32), np.int64(partner32)
        if not is_free(pool, partner // 4):
            continue
        direction, row, col = facing(placed, edge)
        if not is_open(cells, now, row, col):
            continue
        _look_around(placed, cells, row, col, around)
        turn = (direction + 2 - partner) % 4
        worth = _gain(start, others, score, parents, weights, around, partner // 4, turn)
        # Neighbours that came since may have spoilt it; then it has to wait again.
        if worth < hoped - weights[NOISE] - 1e-3:
            push(key, entry, size, worth, edge, partner)
        else:
            return edge, partner
    return np.int64(NOTHING), np.int64(NOTHING)


@lean
def _offer(start, others, score, best, parents, weights, placed, pool, cells, now, key, entry, size,
           bag, count, around, tile, state):  # fmt: skip
    """Put the open edges of a placed tile into the bag and their candidates on the heap."""
    width = best.shape[1]
    for edge in range(4 * tile, 4 * tile + 4):
        direction, row, col = facing(placed, edge)
        if not is_open(cells, now, row, col):
            continue
        bag[count[0]] = edge
        count[0] += 1
        _look_around(placed, cells, row, col, around)
        for k in range(width + 2):
            partner = np.int64(best[edge, k] if k < width else parents[k - width, edge])
            if partner == NOTHING or not is_free(pool, partner // 4):
                continue
            turn = (direction + 2 - partner) % 4
            worth = _gain(start, others, score, parents, weights, around, partner // 4, turn)
            push(key, entry, size, worth + weights[NOISE] * uniform(state), edge, partner)


@lean
def _fill(start, others, score, best, parents, weights, placed, pool, cells, now, key, entry, size,
          bag, count, around, state):  # fmt: skip
    """Start with a random tile and add tiles until none is left."""
    tile = below(state, len(placed))
    put(placed, pool, cells, now, tile, 0, 0, 0)
    while now[LEFT] > 0:
        _offer(start, others, score, best, parents, weights, placed, pool, cells, now, key, entry,
               size, bag, count, around, tile, state)  # fmt: skip
        edge, partner = _take(start, others, score, parents, weights, placed, pool, cells, now, key,
                              entry, size, around)  # fmt: skip
        if edge == NOTHING:
            edge, partner = _any_fit(start, others, score, parents, weights, placed, pool, cells,
                                     now, bag, count, around, state)  # fmt: skip
        direction, row, col = facing(placed, edge)
        tile = partner // 4
        put(placed, pool, cells, now, tile, row, col, (direction + 2 - partner) % 4)


@allocating
def grow_guided(start, others, score, best, parents, weights, rows, cols, upright, state):
    """Grow a child: its ``placed`` [n, 3] and ``cells``."""
    edges, width = best.shape
    placed, pool, cells, now = new_kernel(edges // 4, rows, cols, upright)
    key, entry, size = new_heap(edges * (width + 2) + 1)
    bag = np.empty(edges, np.int32)
    count = np.zeros(1, np.int64)
    around = np.empty(4, np.int32)
    _fill(start, others, score, best, parents, weights, placed, pool, cells, now, key, entry, size,
          bag, count, around, state)  # fmt: skip
    return placed, cells
