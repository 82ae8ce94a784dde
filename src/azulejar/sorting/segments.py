"""Segments: tiles that lie together for sure, grown by joints that agree.

One joint between two segments says little: among thousands of pairs some fit by chance. But every
joint also says how one segment would lie beside the other, and true joints all say the same. So
the joints between two segments vote for a placement, and the best supported one is made first.
"""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from azulejar.core.edges import COL_STEP, ROW_STEP
from azulejar.sorting.links import LinkEvidence, Links
from azulejar.sorting.partition import Partition
from azulejar.system.compiling import allocating, lean

SUREST, STEP = 2.0, 0.85  # votes that are needed at first, and the factor by which that falls
SPAN = 1 << 31  # more than rows or cols can be apart
ROUNDING = 1e-9  # more than sums of votes in another order can differ by
FEWEST_BUCKETS = 1 << 12


@dataclass(frozen=True)
class TileSegments:
    """The segment of each tile, and its place and turn (clockwise quarters) in it: int64 [n] each.

    A segment has the number of one of its tiles. ``following`` is a circular linked list of the
    tiles of each segment.
    """

    number: NDArray[np.int64]
    row: NDArray[np.int64]
    col: NDArray[np.int64]
    turn: NDArray[np.int64]
    following: NDArray[np.int64]

    @classmethod
    def single(cls, n: int) -> "TileSegments":
        """Make each of n tiles a segment of its own."""
        row, col, turn = np.zeros((3, n), np.int64)
        return cls(np.arange(n), row, col, turn, np.arange(n))

    def sizes(self) -> NDArray[np.int64]:
        """Return the number of tiles of each segment; 0 for unused numbers: [n]."""
        return np.bincount(self.number, minlength=len(self.number))


class Placements(NamedTuple):
    """Ways to lay segment ``other`` beside segment ``one``: turn it, then move it; [k] each."""

    one: NDArray[np.int64]
    other: NDArray[np.int64]
    quarters: NDArray[np.int64]
    down: NDArray[np.int64]
    right: NDArray[np.int64]

    def at(self, which: NDArray) -> "Placements":
        """Return the placements that ``which`` selects."""
        return Placements(*(values[which] for values in self))


def grow_segments(
    links: Links, weakest: float, partition: Partition, evidence: LinkEvidence | None = None
) -> TileSegments:
    """Merge segments, the surest first, down to placements with ``weakest`` support.

    The support is the votes over the square root of the smaller segment's tiles, which is about
    the number of joints it should have with its surroundings; ``evidence`` may lower it. Mergers
    are also made in ``partition``, which may forbid some.
    """
    segments = TileSegments.single(links.n)
    needed = SUREST
    while True:
        while _merge_round(segments, links, needed, partition, evidence):
            links = links.take(segments.number[links.a // 4] != segments.number[links.b // 4])
        if needed == weakest:
            return segments
        needed = max(needed * STEP, weakest)


def _merge_round(
    segments: TileSegments,
    links: Links,
    needed: float,
    partition: Partition,
    evidence: LinkEvidence | None,
) -> bool:
    """Merge the segments with the votes, each once at most; return whether there were any."""
    ways, support = _placements(segments, links, needed)
    if evidence is not None:
        support = support * evidence.factors(segments.number, ways.one, ways.other)
        ways, support = ways.at(support >= needed), support[support >= needed]
    order = np.argsort(-support, kind="stable")
    places = (segments.number, segments.row, segments.col, segments.turn, segments.following)
    touched: set[int] = set()
    for way in zip(*(values[order].tolist() for values in ways), strict=True):
        one, other = way[:2]
        if one in touched or other in touched or not partition.may_unite(one, other):
            continue
        if _lay(*places, *way):
            partition.unite(one, other)
            touched |= {one, other}
    return bool(touched)


def _placements(
    segments: TileSegments, links: Links, needed: float
) -> tuple[Placements, NDArray[np.float64]]:
    """Return the placements that have the ``needed`` support, in rising order, and the support."""
    size = segments.sizes()
    places = (segments.number, segments.row, segments.col, segments.turn)
    table = np.empty((5, len(links.a)), np.int64)
    _look_up(links.a, links.b, *places, table)
    ways, weight = Placements(*table), links.weight
    # Most placements have one vote or two: a rough count shows which need not be sorted.
    root = np.sqrt(np.minimum(size[ways.one], size[ways.other]))
    buckets = np.zeros(max(FEWEST_BUCKETS, 1 << len(weight).bit_length()))
    likely = _most_votes(table, weight, buckets) >= root * needed * (1 - ROUNDING)
    ways, weight, root = ways.at(likely), weight[likely], root[likely]
    order = np.lexsort(ways[::-1])
    ways, weight, root = ways.at(order), weight[order], root[order]
    first = np.ones(len(weight), bool)
    first[1:] = (np.diff(np.stack(ways), axis=1) != 0).any(axis=0)
    support = np.bincount(np.cumsum(first) - 1, weight) / root[first]
    enough = support >= needed
    return ways.at(first).at(enough), support[enough]


@lean
def _look_up(a, b, number, row, col, turn, ways):
    """Fill ``ways`` [5, m] with the placement that each link of edges a and b votes for."""
    for i in range(len(a)):
        edge, met = a[i], b[i]
        if number[edge // 4] > number[met // 4]:
            edge, met = met, edge
        one, other = edge // 4, met // 4
        direction = (edge + turn[one]) % 4
        quarters = (direction + 2 - met - turn[other]) % 4
        down, right = _turn_place(row[other], col[other], quarters)
        ways[0, i], ways[1, i] = number[one], number[other]
        ways[2, i] = quarters
        ways[3, i] = row[one] + ROW_STEP[direction] - down
        ways[4, i] = col[one] + COL_STEP[direction] - right


@allocating
def _most_votes(ways, weight, buckets):
    """Return an upper bound on the votes for each link's placement: [m].

    It is the sum of all votes with the same hash. ``buckets`` are all 0, a power of 2 of them.
    """
    bucket = np.empty(len(weight), np.int64)
    for i in range(len(weight)):
        mixed = np.uint64(0)
        for part in range(5):
            mixed = (mixed ^ np.uint64(ways[part, i])) * np.uint64(0x9E3779B97F4A7C15)
            mixed ^= mixed >> np.uint64(29)
        bucket[i] = mixed & np.uint64(len(buckets) - 1)
        buckets[bucket[i]] += weight[i]
    return buckets[bucket]


@allocating
def _lay(number, row, col, turn, following, one, other, quarters, down, right):
    """Merge two segments unless two tiles would share a place; return whether it was possible."""
    stay, come = _around(following, one), _around(following, other)
    rows, cols = np.empty_like(come), np.empty_like(come)
    for i, tile in enumerate(come):
        rows[i], cols[i] = _turn_place(row[tile], col[tile], quarters)
    rows += down
    cols += right
    taken = np.concatenate((row[stay] * SPAN + col[stay], rows * SPAN + cols))
    taken.sort()
    if (taken[1:] == taken[:-1]).any():
        return False
    row[come], col[come] = rows, cols
    turn[come] = (turn[come] + quarters) % 4
    number[come] = one
    following[one], following[other] = following[other], following[one]
    return True


@allocating
def _around(following, tile):
    """Return all tiles of the segment of a tile."""
    count, last = 1, tile
    while following[last] != tile:
        last = following[last]
        count += 1
    tiles = np.empty(count, np.int64)
    for i in range(count):
        tiles[i] = tile
        tile = following[tile]
    return tiles


@lean
def _turn_place(row, col, quarters):
    """Return a place after so many clockwise quarters about the origin."""
    for _ in range(quarters):
        row, col = col, -row
    return row, col
