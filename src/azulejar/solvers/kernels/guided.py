"""Best-first growth: the placement that gains most comes first.

Where the paper's crossover draws at random among the edges of a phase, this one weighs every
candidate at its place: the scores of all joints that it would close there, and a bonus for each of
them that a parent has too. Sure joints are laid before doubtful ones, and a tile that fits only one
of its neighbours has to wait.

``constraints`` (knowledge/constraints.py) is passed by itself: where it is None, the code that
keeps it is not even compiled, and costs nothing.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from azulejar.core.joints import JointTable, joint_score
from azulejar.core.knowns import BOUNDLESS
from azulejar.solvers.kernels.constraints import (
    FREE_FRAME,
    PLACED,
    TRIES,
    lay,
    lay_first,
    lay_homes,
    lay_rest,
    may_lie,
    member_pose,
    turn_best,
)
from azulejar.solvers.kernels.heap import Heap, new_heap, pop, push
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
from azulejar.solvers.kernels.streams import Bags, below, draw, new_bags, put_in, uniform
from azulejar.system.compiling import allocating, lean

GUESSES = 24  # free tiles tried at a place for which no candidate is left
HOPELESS = -1e9  # the gain of a placement that breaks a constraint
FITTER_BONUS, OTHER_BONUS, TOLL, NOISE = range(4)


class Guide(NamedTuple):
    """The scores, parents and weights that lead a growth.

    - ``table``: likely joints and their scores;
    - ``best`` [4n, k]: candidates of each edge, best first;
    - ``parents`` [2, 4n]: the edges that meet in each parent;
    - ``weights`` [4]: the bonus for a joint of the fitter and of the other parent, the toll taken
      off for every joint closed, and the size of the random part.
    """

    table: JointTable
    best: NDArray[np.int32]
    parents: NDArray[np.int32]
    weights: NDArray[np.float64]


class Frontier(NamedTuple):
    """Open edges of a growing kernel and the candidates for them.

    ``heap`` holds pairs of an exposed edge and a candidate by what they would gain, the only one of
    ``bags`` holds the exposed edges, and ``around`` [4] is scratch space for the edges that face a
    place.
    """

    heap: Heap
    bags: Bags
    around: NDArray[np.int32]


@lean
def _look_around(kernel, row, col, around):
    """Write into ``around`` [4], for each direction, the edge that faces the place or NOTHING."""
    for direction in range(4):
        around[direction] = edge_facing(kernel, direction, row, col)


@lean
def _gain(guide, around, tile, turn):
    """Return what a tile would gain at a place, over all the joints that it closes there."""
    weights = guide.weights
    total = 0.0
    for direction in range(4):
        met = around[direction]
        if met != NOTHING:
            own = 4 * tile + (direction - turn) % 4
            total += joint_score(guide.table, met, own) - weights[TOLL]
            if guide.parents[0, met] == own:
                total += weights[FITTER_BONUS]
            if guide.parents[1, met] == own:
                total += weights[OTHER_BONUS]
    return total


@lean
def _worth(guide, constraints, kernel, around, tile, row, col, turn):
    """Return what a tile, with its block, would gain at a place with these edges ``around``."""
    if constraints is None:
        return _gain(guide, around, tile, turn)
    if may_lie(constraints, kernel, tile, row, col, turn) != 0:
        return HOPELESS
    total = 0.0
    block = constraints.block[tile]
    for i in range(constraints.first[block], constraints.first[block + 1]):
        r, c, t = member_pose(constraints, tile, row, col, turn, constraints.members[i])
        _look_around(kernel, r, c, around)
        total += _gain(guide, around, constraints.members[i], t)
    _look_around(kernel, row, col, around)
    return total


@lean
def _any_fit(guide, constraints, kernel, frontier, state):
    """Return the edge at a random open place and the best of some free tiles as its partner."""
    around = frontier.around
    row = col = direction = edge = np.int64(0)
    while True:
        if frontier.bags.size[0] == 0:
            return np.int64(NOTHING), np.int64(NOTHING)
        edge = draw(frontier.bags, 0, state)
        direction, row, col = facing(kernel, edge)
        if is_open(kernel, row, col):
            break
    _look_around(kernel, row, col, around)
    left = kernel.now[LEFT]
    highest = HOPELESS
    partner = np.int64(NOTHING)
    for i in range(min(left, GUESSES)):
        tile = np.int64(kernel.pool[FREE, i if left <= GUESSES else below(state, left)])
        for turn in range(1 if kernel.now[UPRIGHT] else 4):
            worth = _worth(guide, constraints, kernel, around, tile, row, col, turn)
            if worth > highest:
                highest = worth
                partner = 4 * tile + (direction + 2 - turn) % 4
    return edge, partner


@lean
def _take(guide, constraints, kernel, frontier):
    """Return edge and partner of the candidate that gains most now, or NOTHING twice."""
    heap, around = frontier.heap, frontier.around
    while heap.size[0] > 0:
        hoped, edge32, partner32 = pop(heap)
        edge, partner = np.int64(edge32), np.int64(partner32)
        if not is_free(kernel, partner // 4):
            continue
        direction, row, col = facing(kernel, edge)
        if not is_open(kernel, row, col):
            continue
        _look_around(kernel, row, col, around)
        turn = (direction + 2 - partner) % 4
        worth = _worth(guide, constraints, kernel, around, partner // 4, row, col, turn)
        if worth == HOPELESS:
            continue
        # Neighbours that came since may have spoilt it; then it has to wait again. What rounding
        # of the heap's keys makes of a large worth has not spoilt it.
        if worth < hoped - guide.weights[NOISE] - max(1e-3, 1e-6 * abs(hoped)):
            push(heap, worth, edge, partner)
        else:
            return edge, partner
    return np.int64(NOTHING), np.int64(NOTHING)


@lean
def _offer(guide, constraints, kernel, frontier, tile, state):
    """Put the open edges of a placed tile into the bag and their candidates on the heap."""
    around = frontier.around
    width = guide.best.shape[1]
    for edge in range(4 * tile, 4 * tile + 4):
        direction, row, col = facing(kernel, edge)
        if not is_open(kernel, row, col):
            continue
        put_in(frontier.bags, 0, edge)
        _look_around(kernel, row, col, around)
        for k in range(width + 2):
            partner = np.int64(guide.best[edge, k] if k < width else guide.parents[k - width, edge])
            if partner == NOTHING or not is_free(kernel, partner // 4):
                continue
            turn = (direction + 2 - partner) % 4
            worth = _worth(guide, constraints, kernel, around, partner // 4, row, col, turn)
            if worth == HOPELESS:
                continue
            hoped = worth + guide.weights[NOISE] * uniform(state)
            push(frontier.heap, hoped, edge, partner)


@lean
def _fill(guide, constraints, kernel, frontier, state):
    """Add tiles around those that lie, until none is left or none has a place."""
    for tile in range(len(kernel.placed)):
        if not is_free(kernel, tile):
            _offer(guide, constraints, kernel, frontier, tile, state)
    while kernel.now[LEFT] > 0:
        edge, partner = _take(guide, constraints, kernel, frontier)
        if edge == NOTHING:
            edge, partner = _any_fit(guide, constraints, kernel, frontier, state)
        if partner == NOTHING:
            if frontier.bags.size[0] == 0:
                break
            continue
        direction, row, col = facing(kernel, edge)
        tile = partner // 4
        turn = (direction + 2 - partner) % 4
        if constraints is None:
            put(kernel, tile, row, col, turn)
            _offer(guide, constraints, kernel, frontier, tile, state)
            continue
        lay(constraints, kernel, tile, row, col, turn)
        block = constraints.block[tile]
        for i in range(constraints.first[block], constraints.first[block + 1]):
            _offer(guide, constraints, kernel, frontier, constraints.members[i], state)


@lean
def _begin(constraints, frame, by_parent, kernel, state):
    """Lay what the kernel grows from; return whether that could be done."""
    now = kernel.now
    if constraints is None:
        put(kernel, below(state, len(kernel.placed)), 0, 0, 0)
        return True
    if frame != FREE_FRAME:
        now[SIDEWAYS] = 0
    if frame == PLACED:
        now[ROWS] = now[ROWS] or BOUNDLESS
        now[COLS] = now[COLS] or BOUNDLESS
        now[HIGH_ROW], now[HIGH_COL] = now[ROWS] - 1, now[COLS] - 1
        for i in range(len(constraints.empty)):
            keep_empty(kernel, constraints.empty[i, 0], constraints.empty[i, 1])
    if not lay_homes(constraints, kernel, by_parent, state):
        return False
    if now[LEFT] < len(kernel.placed):
        return True
    return lay_first(constraints, kernel, frame, by_parent, state)


@allocating
def grow_guided(guide, constraints, frame, by_parent, rows, cols, upright, state):
    """Grow a child: the kernel, and whether it keeps all constraints.

    ``frame`` says what is known of where the panel lies, ``by_parent`` [n, 3] how the fitter parent
    lies, ``state`` is the child's random stream.
    """
    edges, width = guide.best.shape
    n = edges // 4
    spare = 0 if constraints is None else len(constraints.empty) + TRIES * n
    kernel = new_kernel(n, rows, cols, upright, spare)
    frontier = Frontier(
        new_heap(edges * (width + 2) + 1),
        new_bags(1, edges),
        np.empty(4, np.int32),
    )
    if not _begin(constraints, frame, by_parent, kernel, state):
        kernel.placed[:] = 0
        return kernel, False
    _fill(guide, constraints, kernel, frontier, state)
    if constraints is not None:
        if not lay_rest(constraints, kernel, state):
            kernel.placed[:] = 0
            return kernel, False
        turn_best(guide.table, constraints, kernel)
    return kernel, True
