"""Best-first growth: the placement that gains most comes first.

Where the paper's crossover draws at random among the edges of a phase, this one weighs every
candidate at its place: the scores of all joints that it would close there, and a bonus for each of
them that a parent has too. Sure joints are laid before doubtful ones, and a tile that fits only one
of its neighbours has to wait.

What leads a growth, as arrays: ``start``, ``others`` and ``score``, the table of likely joints
(joints.py); ``best`` [4n, k], candidates of each edge; ``parents`` [2, 4n], the edges that meet in
each parent; ``weights`` [4], the bonus for a joint of either parent, the toll that is taken off for
every joint closed, and the size of the random part. ``holds`` is what must be kept
(knowledge/holds.py), or None, which is compiled by itself and costs nothing.
"""

import numpy as np

from azulejar.core.joints import joint_score
from azulejar.solvers.kernels.heap import new_heap, pop, push
from azulejar.solvers.kernels.holding import (
    BOUNDLESS,
    FREE_FRAME,
    PLACED,
    TRIES,
    lay,
    lay_first,
    lay_homes,
    may_lie,
    member_pose,
    settle,
    turn_best,
)
from azulejar.solvers.kernels.kernel import (
    COLS,
    FREE,
    HIGH_COL,
    HIGH_ROW,
    LEFT,
    NOTHING,
    ROWS,
    SIDEWAYS,
    UPRIGHT,
    edge_facing,
    facing,
    is_free,
    is_open,
    keep_empty,
    new_kernel,
    put,
)
from azulejar.solvers.kernels.streams import below, uniform
from azulejar.system.compiling import allocating, lean

GUESSES = 24  # free tiles tried at a place for which no candidate is left
HOPELESS = -1e9  # what a placement gains that breaks what is held
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
def _worth(start, others, score, parents, weights, holds, placed, cells, now, around, tile,
           row, col, turn):  # fmt: skip
    """What a tile, with its block, would gain at a place with these edges ``around``."""
    if holds is None:
        return _gain(start, others, score, parents, weights, around, tile, turn)
    if may_lie(holds, placed, cells, now, tile, row, col, turn) != 0:
        return HOPELESS
    total = 0.0
    block = holds.block[tile]
    for i in range(holds.first[block], holds.first[block + 1]):
        r, c, t = member_pose(holds, tile, row, col, turn, holds.members[i])
        _look_around(placed, cells, r, c, around)
        total += _gain(start, others, score, parents, weights, around, holds.members[i], t)
    _look_around(placed, cells, row, col, around)
    return total


@lean
def _any_fit(start, others, score, parents, weights, holds, placed, pool, cells, now, bag,
             count, around, state):  # fmt: skip
    """For a random open place, the best of some free tiles: the edge there and its partner."""
    row = col = direction = edge = np.int64(0)
    while True:
        if count[0] == 0:
            return np.int64(NOTHING), np.int64(NOTHING)
        pick = below(state, count[0])
        edge = np.int64(bag[pick])
        count[0] -= 1
        bag[pick] = bag[count[0]]
        direction, row, col = facing(placed, edge)
        if is_open(cells, now, row, col):
            break
    _look_around(placed, cells, row, col, around)
    left = now[LEFT]
    highest = HOPELESS
    partner = np.int64(NOTHING)
    for i in range(min(left, GUESSES)):
        tile = np.int64(pool[FREE, i if left <= GUESSES else below(state, left)])
        for turn in range(1 if now[UPRIGHT] else 4):
            worth = _worth(start, others, score, parents, weights, holds, placed, cells, now,
                           around, tile, row, col, turn)  # fmt: skip
            if worth > highest:
                highest = worth
                partner = 4 * tile + (direction + 2 - turn) % 4
    return edge, partner


@lean
def _take(start, others, score, parents, weights, holds, placed, pool, cells, now, key, entry,
          size, around):  # fmt: skip
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
        worth = _worth(start, others, score, parents, weights, holds, placed, cells, now,
                       around, partner // 4, row, col, turn)  # fmt: skip
        if worth == HOPELESS:
            continue
        # Neighbours that came since may have spoilt it; then it has to wait again.
        if worth < hoped - weights[NOISE] - 1e-3:
            push(key, entry, size, worth, edge, partner)
        else:
            return edge, partner
    return np.int64(NOTHING), np.int64(NOTHING)


@lean
def _offer(start, others, score, best, parents, weights, holds, placed, pool, cells, now, key,
           entry, size, bag, count, around, tile, state):  # fmt: skip
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
            worth = _worth(start, others, score, parents, weights, holds, placed, cells, now,
                           around, partner // 4, row, col, turn)  # fmt: skip
            if worth == HOPELESS:
                continue
            push(key, entry, size, worth + weights[NOISE] * uniform(state), edge, partner)


@lean
def _fill(start, others, score, best, parents, weights, holds, placed, pool, cells, now, key,
          entry, size, bag, count, around, state):  # fmt: skip
    """Around the tiles that lie, add tiles until none is left or none has a place."""
    for tile in range(len(placed)):
        if not is_free(pool, tile):
            _offer(start, others, score, best, parents, weights, holds, placed, pool, cells,
                   now, key, entry, size, bag, count, around, tile, state)  # fmt: skip
    while now[LEFT] > 0:
        edge, partner = _take(start, others, score, parents, weights, holds, placed, pool,
                              cells, now, key, entry, size, around)  # fmt: skip
        if edge == NOTHING:
            edge, partner = _any_fit(start, others, score, parents, weights, holds, placed,
                                     pool, cells, now, bag, count, around, state)  # fmt: skip
        if partner == NOTHING:
            if count[0] == 0:
                break
            continue
        direction, row, col = facing(placed, edge)
        tile = partner // 4
        turn = (direction + 2 - partner) % 4
        if holds is None:
            put(placed, pool, cells, now, tile, row, col, turn)
            _offer(start, others, score, best, parents, weights, holds, placed, pool, cells, now,
                   key, entry, size, bag, count, around, tile, state)  # fmt: skip
            continue
        lay(holds, placed, pool, cells, now, tile, row, col, turn)
        block = holds.block[tile]
        for i in range(holds.first[block], holds.first[block + 1]):
            _offer(start, others, score, best, parents, weights, holds, placed, pool, cells,
                   now, key, entry, size, bag, count, around, holds.members[i], state)  # fmt: skip


@lean
def _begin(holds, frame, by_parent, placed, pool, cells, now, state):
    """Lay what the kernel grows from; whether that could be done."""
    if holds is None:
        put(placed, pool, cells, now, below(state, len(placed)), 0, 0, 0)
        return True
    if frame != FREE_FRAME:
        now[SIDEWAYS] = 0
    if frame == PLACED:
        now[ROWS] = now[ROWS] or BOUNDLESS
        now[COLS] = now[COLS] or BOUNDLESS
        now[HIGH_ROW], now[HIGH_COL] = now[ROWS] - 1, now[COLS] - 1
        for i in range(len(holds.empty)):
            keep_empty(cells, holds.empty[i, 0], holds.empty[i, 1])
    if not lay_homes(holds, placed, pool, cells, now, by_parent, state):
        return False
    if now[LEFT] < len(placed):
        return True
    return lay_first(holds, placed, pool, cells, now, frame, by_parent, state)


@allocating
def grow_guided(start, others, score, best, parents, weights, holds, frame, by_parent, rows,
                cols, upright, state):  # fmt: skip
    """Grow a child: its ``placed`` [n, 3], ``cells``, and whether it keeps all that is held."""
    edges, width = best.shape
    n = edges // 4
    spare = 0 if holds is None else len(holds.empty) + TRIES * n
    placed, pool, cells, now = new_kernel(n, rows, cols, upright, spare)
    key, entry, size = new_heap(edges * (width + 2) + 1)
    bag = np.empty(edges, np.int32)
    count = np.zeros(1, np.int64)
    around = np.empty(4, np.int32)
    if not _begin(holds, frame, by_parent, placed, pool, cells, now, state):
        placed[:] = 0
        return placed, cells, False
    _fill(start, others, score, best, parents, weights, holds, placed, pool, cells, now, key,
          entry, size, bag, count, around, state)  # fmt: skip
    if holds is not None:
        if not settle(holds, placed, pool, cells, now, state):
            placed[:] = 0
            return placed, cells, False
        turn_best(start, others, score, holds, placed, cells)
    return placed, cells, True
