"""Outer sides: which edges lie on the rim of a painted frame, told by the scores alone.

Frames (*barras*) of azulejo panels are made of alike tiles with corner tiles (*cantos*). Their
outer sides all show the same mouldings, so any two of them fit each other perfectly, and solvers
lay two borders side by side. Three things give them away:

- kind: an outer side fits sides of its own kind. If e fits f and f fits g, then e fits g as well;
  of sides that do meet, such as the right and left ends of border tiles, only unlike ones fit.
- closure: what an outer side fits is an outer side, as there is nothing beyond the rim.
- rim: where two tiles meet, their outer sides run on in one line; at a corner tile the rim turns.

The kind of an edge is averaged along the lines that likely joints make of sides. A logistic model
then weighs it together with how far closure and rim hold, by turns, as these depend on which sides
are outer. Corners are few and fit each other alone, so tiles that could be corners are taken for
such at first, and remain if the rim then closes.

Sides of a panel without a frame, or whose mouldings are worn away, are not found: then nothing is
claimed.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array, diags_array
from scipy.special import expit

from azulejar.core.edges import rotate_edge
from azulejar.core.joints import Joints

LIKELY = 0.01  # less likely pairs do not tell of which kind an edge is
STEPS = 8  # over which kinds are averaged along a line of sides
SEED, STEEPNESS = 0.28, 40.0  # kind from which an edge is first taken for an outer side
CORNER = 0.01  # how far the rim must lead away from a tile on both sides to try it as a corner
ROUNDS = 20
# Weights of 1, kind, rim on the better and on the other end, closure, the opposite side, corner,
# fitted to practice panels; ``benchmarks/frames.py --fit`` gives nearly the same.
WEIGHTS = np.array([-5.52, 9.71, 2.55, 1.94, 4.6, -5.09, 2.9])
# A frame is claimed if on average closure and rim hold this far, with this many corners, and no
# more than this share of its tiles has outer sides that are not beside each other. Chosen between
# those practice panels and panels of ``train`` and books, in which no frame is claimed.
LEAST_CLOSURE, LEAST_RIM, LEAST_CORNERS, MOST_ODD = 0.78, 0.82, 3, 0.1

Shares = NDArray[np.float64]


class Lines(NamedTuple):
    """Where the likely joints of each edge lead, in shares that add up to 1: [4n, 4n] each.

    ``meets``: to the edge that it meets; ``onwards``: along the line of sides that it lies on, to
    the side beside it clockwise; ``back``: likewise to the other end.
    """

    meets: csr_array
    onwards: csr_array
    back: csr_array

    @classmethod
    def of(cls, pairs: csr_array) -> "Lines":
        """Follow likely pairs, whose scores are 0 or above."""
        edge = np.arange(pairs.shape[0])
        clockwise, other_way = rotate_edge(edge, 1), rotate_edge(edge, 3)
        meets = _shares(pairs)
        onwards = meets[clockwise][:, other_way].tocsr()
        back = meets[other_way][:, clockwise].tocsr()
        return cls(meets, onwards, back)


def find_outer_sides(joints: Joints) -> Shares | None:
    """Return the probability that each edge is an outer side [4n]; None if no frame is seen."""
    kind, lines = prepare(joints)
    outer = settle(kind, lines, first_guess(kind, lines), WEIGHTS, ROUNDS)
    return outer if is_frame(lines, outer) else None


def prepare(joints: Joints) -> tuple[Shares, Lines]:
    """Return the kind of each edge [4n] and where likely joints lead."""
    pairs = joints.matrix()
    likely = pairs.copy()
    likely.data = np.where(likely.data < LIKELY, 0, likely.data)
    likely.eliminate_zeros()
    near = Lines.of(likely)
    kind = along_lines(own_kind(near.meets), near)
    return kind, Lines.of(pairs)._replace(meets=near.meets)


def settle(kind: Shares, lines: Lines, outer: Shares, weights: Shares, rounds: int) -> Shares:
    """Weigh what speaks for outer sides, going halfway from the present guess in each round."""
    for _ in range(rounds):
        outer = (outer + expit(features(kind, lines, outer) @ weights)) / 2
    return outer


def own_kind(meets: csr_array) -> Shares:
    """Return how far each edge fits what is like itself, from 0 to 1 [4n].

    Two steps along likely pairs lead to edges like the first one. They are compared with where one
    step leads; steps straight back, which prove a definite partner, count against it.
    """
    twice = (meets @ meets).tocsr()
    returns = twice.diagonal()
    twice = (twice - diags_array(returns)).tocsr()
    length = np.sqrt(meets.power(2).sum(axis=1) * twice.power(2).sum(axis=1))
    cosine = meets.multiply(twice).sum(axis=1) / np.maximum(length, 1e-12)
    return np.asarray(cosine * (1 - returns))


def along_lines(values: Shares, lines: Lines) -> Shares:
    """Average values [4n] along the lines that sides make."""
    both = _shares((lines.onwards + lines.back).tocsr())
    for _ in range(STEPS):
        values = (values + both @ values) / 2
    return values


def first_guess(kind: Shares, lines: Lines) -> Shares:
    """Guess outer sides by their kind, and take every tile that could be a corner for one."""
    outer = expit(STEEPNESS * (kind - SEED))
    edge = np.arange(len(kind))
    # The rim comes in at this side's end, and leaves at that of the side clockwise of it.
    ends = np.minimum(lines.back @ outer, (lines.onwards @ outer)[rotate_edge(edge, 1)])
    first = 4 * np.arange(len(kind) // 4) + ends.reshape(-1, 4).argmax(axis=1)
    free = outer.reshape(-1, 4).max(axis=1) < 0.5
    corner = first[free & (ends[first] >= CORNER)]
    outer[corner] = outer[rotate_edge(corner, 1)] = 1
    return outer


def features(kind: Shares, lines: Lines, outer: Shares) -> Shares:
    """Return what speaks for each edge being outer, if others are so by ``outer`` [4n, 7]."""
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
    """Whether outer sides with these probabilities [4n] make the rim of a frame."""
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
    """Make each row add up to 1."""
    total = np.maximum(pairs.sum(axis=1), 1e-12)
    return (diags_array(1 / total) @ pairs).tocsr()
