"""Best buddies among the edges that are left, and how clear they are.

An edge is left while its tile is free, or while it faces an open place. For each of them, as
arrays: ``choice`` int32 [4n, 2], the best partner that is left and its best rival, or NOTHING; and
``value`` float32 [4n, 2], their scores. Two edges that are each other's best are best buddies.

Clarity, from -1 to 1, tells how far a score stands out against the best rival of its edge. It
stands for Paikin and Tal's 1 - D(i, j) / D(i, second best), since scores are no distances.
"""

import numpy as np

from azulejar.solvers.kernels.kernel import NOTHING, UPRIGHT, facing, is_free, is_open
from azulejar.system.compiling import allocating, lean

BEST, RIVAL = range(2)


@lean
def is_left(placed, pool, cells, now, edge):
    """Whether the edge may still meet another."""
    if is_free(pool, edge // 4):
        return True
    _, row, col = facing(placed, edge)
    return is_open(cells, now, row, col)


@lean
def _may_meet(placed, pool, cells, now, edge, other):
    """Whether an edge that is left may meet another: one of the tiles has to be free."""
    if is_free(pool, other // 4):
        return True
    return is_free(pool, edge // 4) and is_left(placed, pool, cells, now, other)


@lean
def _choose(scores, placed, pool, cells, now, choice, value, edge):
    """Find the two best partners of an edge."""
    choice[edge] = NOTHING
    value[edge] = 0
    step = 4 if now[UPRIGHT] else 1
    for other in range((edge + 2) % step, len(scores), step):
        score = scores[edge, other]
        if choice[edge, RIVAL] != NOTHING and score <= value[edge, RIVAL]:
            continue
        if other // 4 == edge // 4 or not _may_meet(placed, pool, cells, now, edge, other):
            continue
        rank = RIVAL
        if choice[edge, BEST] == NOTHING or score > value[edge, BEST]:
            choice[edge, RIVAL] = choice[edge, BEST]
            value[edge, RIVAL] = value[edge, BEST]
            rank = BEST
        choice[edge, rank] = other
        value[edge, rank] = score


@allocating
def new_choices(scores, placed, pool, cells, now):
    """``choice`` and ``value`` while all tiles are free."""
    choice = np.empty((len(scores), 2), np.int32)
    value = np.empty((len(scores), 2), np.float32)
    for edge in range(len(scores)):
        _choose(scores, placed, pool, cells, now, choice, value, edge)
    return choice, value


@lean
def choose_again(scores, placed, pool, cells, now, choice, value):
    """Bring up to date the edges left that lost one of their two best partners."""
    for edge in range(len(scores)):
        if not is_left(placed, pool, cells, now, edge):
            continue
        for rank in range(2):
            other = choice[edge, rank]
            if other != NOTHING and not _may_meet(placed, pool, cells, now, edge, other):
                _choose(scores, placed, pool, cells, now, choice, value, edge)
                break


@lean
def free_buddy(choice, pool, edge):
    """The best buddy of an edge if its tile is free, or NOTHING."""
    other = choice[edge, BEST]
    if other != NOTHING and is_free(pool, other // 4) and choice[other, BEST] == edge:
        return other
    return np.int32(NOTHING)


@lean
def _clarity(scores, choice, value, edge, other):
    rival = value[edge, RIVAL if choice[edge, BEST] == other else BEST]
    score = scores[edge, other]
    return (score - rival) / max(score, rival, np.float32(1e-30))


@lean
def mutual_clarity(scores, choice, value, a, b):
    """Mean of the clarities of a pair seen from either edge."""
    there = _clarity(scores, choice, value, a, b)
    return (there + _clarity(scores, choice, value, b, a)) / 2
