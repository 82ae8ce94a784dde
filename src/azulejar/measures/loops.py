"""Loops of four: a joint whose neighbours close the square around it is more likely true.

True joints lie in squares of four tiles whose four joints are all good; a wrong one that happens
to score well hardly ever finds two further tiles that close its square (the observation of Son et
al. 2014, used here to re-weigh scores rather than to assemble).
"""

from functools import partial

import numpy as np
from numpy.typing import NDArray

from azulejar.compiled import lean
from azulejar.joints import NOTHING, Joints, joint_score, position
from azulejar.threads import share_out

CHUNK = 256  # edges handled by a thread at a time
WITHOUT_SUPPORT = 0.15  # what is left of a joint that closes no square
NEGLIGIBLE = 1e-4  # scores below are not looked at


def weigh_by_loops(joints: Joints, *, rounds: int = 3, partners: int = 16) -> Joints:
    """Scores times the support of the squares on both sides, each edge's adding up to 1 again.

    Every round lets evidence travel one tile further; ``partners`` of each edge are tried when
    closing a square.
    """
    count = np.diff(joints.start)
    edge = np.repeat(np.arange(len(count)), count)
    for _ in range(rounds):
        score = joints.score * (WITHOUT_SUPPORT + _support(joints, partners))
        total = np.bincount(edge, score, len(count))
        joints = joints.with_scores((score / np.maximum(total[edge], 1e-12)).astype(np.float32))
    return joints


def _support(joints: Joints, partners: int) -> NDArray[np.float32]:
    table = (joints.start, joints.other, joints.score)
    best = joints.best(partners)
    value = np.zeros(best.shape, np.float32)
    support = np.zeros_like(joints.score)
    _look_up(*table, best, value, 0, len(best))
    share_out(partial(_add_support, *table, best, value, support), len(best), CHUNK)
    return support


@lean
def _look_up(start, other, score, best, value, first, stop):
    """Into ``value`` [4n, k]: the scores of the best partners."""
    for a in range(first, stop):
        for i in range(best.shape[1]):
            if best[a, i] != NOTHING:
                value[a, i] = score[position(start, other, a, best[a, i])]


@lean
def _add_support(start, other, score, best, value, support, first, stop):
    """Into ``support`` (as ``score``): the best square on either side, added up, 0 to 2.

    Only the best partners of an edge are looked at.
    """
    for a in range(first, stop):
        for i in range(best.shape[1]):
            b = best[a, i]
            if b != NOTHING and value[a, i] > NEGLIGIBLE:
                found = _best_square(start, other, score, best, value, a, b, 1)
                found += _best_square(start, other, score, best, value, a, b, 3)
                # Seen from b the squares are the same, but a may not be among its best.
                support[position(start, other, a, b)] = found
                support[position(start, other, b, a)] = found


@lean
def _around(edge, quarters):
    """The edge of the same tile that many sides further clockwise."""
    return edge - edge % 4 + (edge + quarters) % 4


@lean
def _best_square(start, other, score, best, value, a, b, side):
    """The weakest of the three further joints in the best square on one side of joint a-b.

    ``side`` is 1 for the square clockwise of edge a, 3 for the other. With a facing right and
    side 1: c lies below a's tile, d below b's, and c and d meet.
    """
    below_a = _around(a, side)
    below_b = _around(b, 4 - side)
    found = np.float32(0)
    for i in range(best.shape[1]):
        c = best[below_a, i]
        if c == NOTHING or value[below_a, i] <= found:
            break
        for j in range(best.shape[1]):
            d = best[below_b, j]
            if d == NOTHING or value[below_b, j] <= found:
                break
            if c // 4 == b // 4 or d // 4 == a // 4 or d // 4 == c // 4:
                continue
            last = joint_score(start, other, score, _around(c, side), _around(d, 4 - side))
            found = max(found, min(value[below_a, i], value[below_b, j], last))
    return found
