"""Best buddies among the edges that are left, and how clear they are.

An edge is left while its tile is free, or while it faces an open place. Two edges that are each
other's best are best buddies.

Clarity, from -1 to 1, tells how far a score stands out against the best rival of its edge. It
stands for Paikin and Tal's 1 - D(i, j) / D(i, second best), since scores are no distances.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from azulejar.solvers.kernels.kernel import NOTHING, UPRIGHT, facing, is_free, is_open
from azulejar.system.compiling import allocating, lean

BEST, RIVAL = range(2)


class Choices(NamedTuple):
    """The best partner of each edge that is left, among those left, and its best rival.

    ``scores`` [4n, 4n] are those of all pairs; ``partner`` [4n, 2] the two, or NOTHING; ``value``
    [4n, 2] their scores.
    """

    scores: NDArray[np.float32]
    partner: NDArray[np.int32]
    value: NDArray[np.float32]


@lean
def is_left(kernel, edge):
    """Whether the edge may still meet another."""
    if is_free(kernel, edge // 4):
        return True
    _, row, col = facing(kernel, edge)
    return is_open(kernel, row, col)


@lean
def _may_meet(kernel, edge, other):
    """Whether an edge that is left may meet another: one of the tiles has to be free."""
    if is_free(kernel, other // 4):
        return True
    return is_free(kernel, edge // 4) and is_left(kernel, other)


@lean
def _choose(choices, kernel, edge):
    """Find the two best partners of an edge."""
    scores, choice, value = choices
    choice[edge] = NOTHING
    value[edge] = 0
    step = 4 if kernel.now[UPRIGHT] else 1
    for other in range((edge + 2) % step, len(scores), step):
        score = scores[edge, other]
        if choice[edge, RIVAL] != NOTHING and score <= value[edge, RIVAL]:
            continue
        if other // 4 == edge // 4 or not _may_meet(kernel, edge, other):
            continue
        rank = RIVAL
        if choice[edge, BEST] == NOTHING or score > value[edge, BEST]:
            choice[edge, RIVAL] = choice[edge, BEST]
            value[edge, RIVAL] = value[edge, BEST]
            rank = BEST
        choice[edge, rank] = other
        value[edge, rank] = score


@allocating
def new_choices(scores, kernel):
    """Return the choices while all tiles are free."""
    edges = len(scores)
    choices = Choices(scores, np.empty((edges, 2), np.int32), np.empty((edges, 2), np.float32))
    for edge in range(edges):
        _choose(choices, kernel, edge)
    return choices


@lean
def choose_again(choices, kernel):
    """Bring up to date the edges left that lost one of their two best partners."""
    for edge in range(len(choices.scores)):
        if not is_left(kernel, edge):
            continue
        for rank in range(2):
            other = choices.partner[edge, rank]
            if other != NOTHING and not _may_meet(kernel, edge, other):
                _choose(choices, kernel, edge)
                break


@lean
def free_buddy(choices, kernel, edge):
    """Return the best buddy of an edge if its tile is free, or NOTHING."""
    partner = choices.partner
    other = partner[edge, BEST]
    if other != NOTHING and is_free(kernel, other // 4) and partner[other, BEST] == edge:
        return other
    return np.int32(NOTHING)


@lean
def _clarity(choices, edge, other):
    rival = choices.value[edge, RIVAL if choices.partner[edge, BEST] == other else BEST]
    score = choices.scores[edge, other]
    return (score - rival) / max(score, rival, np.float32(1e-30))


@lean
def mutual_clarity(choices, a, b):
    """Return the mean clarity of a pair, seen from either edge."""
    return (_clarity(choices, a, b) + _clarity(choices, b, a)) / 2
