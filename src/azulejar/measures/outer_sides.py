"""Find the outer sides of painted frames from the scores alone.

The frame (*barra*) of an azulejo panel is made of border tiles that are all alike, and of corner
tiles (*cantos*). Their outer sides show the same mouldings, so that any two of them fit each other
perfectly, and solvers lay two borders side by side. Three properties tell outer sides from others:

- kind: an outer side fits other sides of its own kind. If e fits f and f fits g, then e fits g as
  well. This is not so for sides that do meet, such as the right and left ends of border tiles.
- closure: the partners of an outer side are outer sides themselves, since no tile lies beyond it.
- rim: where two border tiles meet, the outer side of one continues in that of the other; at a
  corner tile the rim turns.

The kind of an edge is averaged along the lines of sides that likely joints make. A logistic model
combines it with closure and rim. Since these depend on which sides are outer, it is applied
repeatedly, each time to the previous result. Corner tiles are few and fit only each other;
therefore every tile that could be a corner is assumed to be one at first, and remains one if the
rim closes.

If a panel has no frame, or its mouldings are worn away, no outer sides are reported.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array, diags_array
from scipy.special import expit

from azulejar.core.edges import rotate_edge
from azulejar.core.joints import Joints

LIKELY = 0.01  # probability below which a pair is ignored when kinds are determined
STEPS = 8  # of averaging kinds along a line of sides
SEED, STEEPNESS = 0.28, 40.0  # logistic function of the kind that gives the first guess
CORNER = 0.003  # share of outer sides that both ends of a possible corner must lead to
ROUNDS = 20
# Weights of the ``features``, fitted to practice panels; ``benchmarks/frames.py --fit`` gives
# nearly the same.
WEIGHTS = np.array([-5.52, 9.71, 2.55, 1.94, 4.6, -5.09, 2.9])
# What makes a frame: mean closure, mean rim, the number of corners, and at most this share of
# tiles with two outer sides or more that do not form a corner. Chosen so that frames are found in
# those practice panels, and none in panels of ``train`` and in pictures of books.
LEAST_CLOSURE, LEAST_RIM, LEAST_CORNERS, MOST_ODD = 0.78, 0.82, 3, 0.1

Shares = NDArray[np.float64]


class Lines(NamedTuple):
    """Where the likely joints of each edge lead: three sparse [4n, 4n] with rows that add up to 1.

    ``meets`` leads to the partners of an edge. ``onwards`` and ``back`` lead to the edges that
    continue it in a straight line on the neighbouring tile, clockwise and counterclockwise.
    """

    meets: csr_array
    onwards: csr_array
    back: csr_array

    @classmethod
    def of(cls, pairs: csr_array) -> "Lines":
        """Follow the pairs [4n, 4n], whose scores must not be negative."""
        edge = np.arange(pairs.shape[0])
        clockwise, other_way = rotate_edge(edge, 1), rotate_edge(edge, 3)
        meets = _shares(pairs)
        onwards = meets[clockwise][:, other_way].tocsr()
        back = meets[other_way][:, clockwise].tocsr()
        return cls(meets, onwards, back)


def find_outer_sides(joints: Joints) -> Shares | None:
    """Return the probability [4n] that each edge is an outer side; None if there is no frame."""
    kind, lines = prepare(joints)
    outer = settle(kind, lines, first_guess(kind, lines), WEIGHTS, ROUNDS)
    return outer if is_frame(lines, outer) else None


def prepare(joints: Joints) -> tuple[Shares, Lines]:
    """Return the kind of each edge [4n], and where its likely joints lead."""
    pairs = joints.matrix()
    likely = pairs.copy()
    likely.data = np.where(likely.data < LIKELY, 0, likely.data)
    likely.eliminate_zeros()
    near = Lines.of(likely)
    kind = along_lines(own_kind(near.meets), near)
    return kind, Lines.of(pairs)._replace(meets=near.meets)


def settle(kind: Shares, lines: Lines, outer: Shares, weights: Shares, rounds: int) -> Shares:
    """Apply the logistic model repeatedly, each time moving halfway to its result; return [4n]."""
    for _ in range(rounds):
        outer = (outer + expit(features(kind, lines, outer) @ weights)) / 2
    return outer


def own_kind(meets: csr_array) -> Shares:
    """Return how well each edge fits edges of its own kind, from 0 to 1 [4n].

    Two steps along likely pairs lead from an edge to edges of its own kind. If it fits these, one
    step leads to the same edges, which is measured by the cosine of the two. A second step that
    leads straight back shows that the edge has one definite partner, and lowers the result.
    """
    twice = (meets @ meets).tocsr()
    returns = twice.diagonal()
    twice = (twice - diags_array(returns)).tocsr()
    length = np.sqrt(meets.power(2).sum(axis=1) * twice.power(2).sum(axis=1))
    cosine = meets.multiply(twice).sum(axis=1) / np.maximum(length, 1e-12)
    return np.asarray(cosine * (1 - returns))


def along_lines(values: Shares, lines: Lines) -> Shares:
    """Average values [4n] over sides that continue each other in a line."""
    both = _shares((lines.onwards + lines.back).tocsr())
    for _ in range(STEPS):
        values = (values + both @ values) / 2
    return values


def first_guess(kind: Shares, lines: Lines) -> Shares:
    """Guess the outer sides [4n] from their kind, assuming a corner wherever there could be one."""
    outer = expit(STEEPNESS * (kind - SEED))
    edge = np.arange(len(kind))
    # At a corner, the rim arrives at this side and leaves by the next one clockwise.
    ends = np.minimum(lines.back @ outer, (lines.onwards @ outer)[rotate_edge(edge, 1)])
    first = 4 * np.arange(len(kind) // 4) + ends.reshape(-1, 4).argmax(axis=1)
    free = outer.reshape(-1, 4).max(axis=1) < 0.5
    corner = first[free & (ends[first] >= CORNER)]
    outer[corner] = outer[rotate_edge(corner, 1)] = 1
    return outer


def features(kind: Shares, lines: Lines, outer: Shares) -> Shares:
    """Return the inputs of the logistic model [4n, 7], given the present probabilities ``outer``.

    They are 1, the kind, the rim at the better and at the worse end, closure, whether the opposite
    side is outer, and whether the tile would be a corner.
    """
    edge = np.arange(len(kind))
    onwards, back = lines.onwards @ outer, lines.back @ outer
    corner = np.maximum(
        np.minimum(back, onwards[rotate_edge(edge, 1)]),
        np.minimum(onwards, back[rotate_edge(edge, 3)]),
    )
    opposite = outer[rotate_edge(edge, 2)]
    rim = np.maximum(onwards, back), np.minimum(onwards, back)
    return np.stack([np.ones(len(edge)), kind, *rim, lines.meets @ outer, opposite, corner], axis=1)


def is_frame(lines: Lines, outer: Shares) -> bool:
    """Return whether the outer sides, by their probabilities [4n], form the rim of a frame."""
    edge = np.flatnonzero(outer > 0.5)
    sides = (outer > 0.5).reshape(-1, 4)
    beside = (sides & np.roll(sides, 1, axis=1)).sum(axis=1)
    corners = (sides.sum(axis=1) == 2) & (beside == 1)
    odd = (sides.sum(axis=1) >= 2) & ~corners
    if corners.sum() < LEAST_CORNERS or odd.sum() > MOST_ODD * sides.any(axis=1).sum():
        return False
    onwards = np.maximum(lines.onwards @ outer, outer[rotate_edge(np.arange(len(outer)), 1)])
    back = np.maximum(lines.back @ outer, outer[rotate_edge(np.arange(len(outer)), 3)])
    rim = np.minimum(onwards, back)[edge].mean()
    closure = (lines.meets @ outer)[edge].mean()
    return bool(rim >= LEAST_RIM and closure >= LEAST_CLOSURE)


def _shares(pairs: csr_array) -> csr_array:
    """Scale each row to a sum of 1."""
    total = np.maximum(pairs.sum(axis=1), 1e-12)
    return (diags_array(1 / total) @ pairs).tocsr()
