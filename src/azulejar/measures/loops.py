"""Loops of four: a joint whose neighbours close the square around it is more likely true.

True joints lie in squares of four tiles whose four joints are all good; a wrong one that happens
to score well hardly ever finds two further tiles that close its square (the observation of Son et
al. 2014, used here to re-weigh scores rather than to assemble).
"""

from functools import partial

import numpy as np
from numpy.typing import NDArray

from azulejar.core.edges import rotate_edge
from azulejar.core.joints import Joints, position
from azulejar.system.compiling import allocating, lean
from azulejar.system.threads import share_out

_rotate = lean(rotate_edge)
CHUNK = 256  # edges handled by a thread at a time
WITHOUT_SUPPORT = 0.15  # what is left of a joint that closes no square
NEGLIGIBLE = 1e-4  # scores below are not looked at


def weigh_by_loops(joints: Joints, *, rounds: int = 3, partners: int = 16) -> Joints:
    """Multiply scores by the support of the squares on both sides; each edge's sum is 1 again.

    Every round lets evidence travel one tile further; ``partners`` of each edge are tried when
    closing a square.
    """
    count = np.diff(joints.start)
    edge = np.repeat(np.arange(len(count)), count)
    for _ in range(rounds):
        score = joints.score * (WITHOUT_SUPPORT + loop_support(joints, partners))
        total = np.bincount(edge, score, len(count))
        joints = joints.with_scores((score / np.maximum(total[edge], 1e-12)).astype(np.float32))
    return joints


def loop_support(joints: Joints, partners: int) -> NDArray[np.float32]:
    """Add up the best squares on both sides of each joint: 0 to 2, as ``joints.score``."""
    table = (joints.start, joints.other, joints.score)
    ranked = np.empty_like(joints.other), np.empty_like(joints.score)
    support = np.zeros_like(joints.score)
    edges = len(joints.start) - 1
    share_out(partial(_rank, *table, *ranked), edges, CHUNK)
    rows = (joints.start, *ranked)
    share_out(partial(_add_support, joints.other, *rows, support, partners), edges, CHUNK)
    return support


@allocating
def _rank(start, other, score, partner, value, first, stop):
    """Write the table into ``partner`` and ``value``, the best of each row first."""
    for edge in range(first, stop):
        row = slice(start[edge], start[edge + 1])
        order = np.argsort(-score[row], kind="mergesort")
        partner[row] = other[row][order]
        value[row] = score[row][order]


@allocating
def _add_support(other, start, partner, value, support, partners, first, stop):
    """Write into ``support``; only the best partners of an edge are looked at."""
    met = np.zeros(len(start) - 1, np.float32)
    found = np.empty(partners, np.float32)
    for a in range(first, stop):
        row = slice(start[a], min(start[a + 1], start[a] + partners))
        found[:] = 0
        _add_squares(start, partner, value, a, row, 1, met, found)
        _add_squares(start, partner, value, a, row, 3, met, found)
        for i in range(row.start, row.stop):
            b = partner[i]
            if _is_looked_at(start, value, a, b, value[i], partners):
                # Seen from b the squares are the same, but a may not be among its best.
                support[position(start, other, a, b)] = found[i - row.start]
                support[position(start, other, b, a)] = found[i - row.start]


@lean
def _is_looked_at(start, value, a, b, score, partners):
    """Whether to look at joint a-b from edge a: once only, if each is among the other's best."""
    if score <= NEGLIGIBLE:
        return False
    count = start[b + 1] - start[b]
    listed = count <= partners or score > value[start[b] + partners - 1]
    return a < b or not listed


@lean
def _add_squares(start, partner, value, a, row, side, met, found):
    """Add to ``found``, for each joint of edge a with a partner in its row, the best square there.

    ``side`` is 1 for the square clockwise of edge a, 3 for the other. With a facing right and
    side 1: c lies below a's tile, d below that of the partner, and c and d meet. ``met`` [4n], all
    0, is scratch space for the score of each edge of c that d would meet.
    """
    below = _rotate(a, side)
    last = min(start[below + 1], start[below] + len(found))
    for k in range(start[below], last):
        met[_rotate(partner[k], side)] = value[k]
    for i in range(row.start, row.stop):
        b = partner[i]
        if _is_looked_at(start, value, a, b, value[i], len(found)):
            best = _best_square(start, partner, value, a, b, side, met, len(found))
            found[i - row.start] += best
    for k in range(start[below], last):
        met[_rotate(partner[k], side)] = 0


@lean
def _best_square(start, partner, value, a, b, side, met, partners):
    """Return the weakest of the other three joints in the best square on one side of joint a-b."""
    below = _rotate(b, 4 - side)
    found = np.float32(0)
    for k in range(start[below], min(start[below + 1], start[below] + partners)):
        if value[k] <= found:
            break
        d = _rotate(partner[k], 4 - side)
        if d // 4 == a // 4:
            continue
        for j in range(start[d], start[d + 1]):
            if value[j] <= found:
                break
            c = partner[j]
            if met[c] > found and c // 4 != b // 4 and c // 4 != d // 4:
                found = min(met[c], value[k], value[j])
    return found
