"""Segments: tiles that lie together for sure, grown by joints that agree.

One joint between two segments says little: among thousands of pairs some fit by chance. But every
joint also says how one segment would lie beside the other, and true ones all say the same. So the
joints between two segments vote for a placement, and the best supported placement comes first.
"""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from azulejar.edges import COL_STEP, ROW_STEP
from azulejar.sorting.links import Links
from azulejar.sorting.ties import Ties

SUREST, STEP = 2.0, 0.85  # votes that are asked for at first, and how fast that falls
SPAN = 1 << 31  # more than rows or cols can be apart


@dataclass(frozen=True)
class Segments:
    """Of each tile: its segment, and place and turn in it (clockwise quarters); each int64 [n].

    A segment bears the number of one of its tiles.
    """

    number: NDArray[np.int64]
    row: NDArray[np.int64]
    col: NDArray[np.int64]
    turn: NDArray[np.int64]

    @classmethod
    def single(cls, n: int) -> "Segments":
        """Each tile by itself."""
        return cls(np.arange(n), *np.zeros((3, n), np.int64))

    def sizes(self) -> NDArray[np.int64]:
        """Tiles of each segment; 0 for a number that no segment bears: [n]."""
        return np.bincount(self.number, minlength=len(self.number))


class Placements(NamedTuple):
    """Ways to lay segment ``other`` beside segment ``one``: quarters it is turned, then moved."""

    one: NDArray[np.int64]
    other: NDArray[np.int64]
    quarters: NDArray[np.int64]
    down: NDArray[np.int64]
    right: NDArray[np.int64]

    def at(self, which: int | NDArray[np.int64]) -> "Placements":
        """Some of them."""
        return Placements(*(values[which] for values in self))


def grow_segments(links: Links, weakest: float, ties: Ties) -> Segments:
    """Merge segments, the surest first, as long as a placement has ``weakest`` votes.

    Votes are counted against the square root of the smaller segment, about as many joints as it
    should have with its surroundings.
    """
    segments = Segments.single(links.n)
    asked = SUREST
    while True:
        while _merge_round(segments, links, asked, ties):
            pass
        if asked == weakest:
            return segments
        asked = max(asked * STEP, weakest)


def _merge_round(segments: Segments, links: Links, asked: float, ties: Ties) -> bool:
    """Merge what has the votes, each segment once at most; whether there was any."""
    ways, votes = _placements(segments, links)
    size = segments.sizes()
    support = votes / np.sqrt(np.minimum(size[ways.one], size[ways.other]))
    order = np.argsort(-support, kind="stable")
    touched: set[int] = set()
    for i in order[: int((support >= asked).sum())].tolist():
        way = ways.at(i)
        one, other = int(way.one), int(way.other)
        if not {one, other} & touched and ties.may_unite(one, other) and _lay(segments, way):
            ties.unite(one, other)
            touched |= {one, other}
    return bool(touched)


def _placements(segments: Segments, links: Links) -> tuple[Placements, NDArray[np.float64]]:
    """All placements that links between two segments vote for, and their votes."""
    between = segments.number[links.a // 4] != segments.number[links.b // 4]
    a, b = links.a[between], links.b[between]
    later = segments.number[a // 4] > segments.number[b // 4]
    a, b = np.where(later, b, a), np.where(later, a, b)
    one, other = a // 4, b // 4
    direction = (a + segments.turn[one]) % 4
    quarters = (direction + 2 - b - segments.turn[other]) % 4
    row, col = _turned(segments.row[other], segments.col[other], quarters)
    down = segments.row[one] + ROW_STEP[direction] - row
    right = segments.col[one] + COL_STEP[direction] - col
    ways = Placements(segments.number[one], segments.number[other], quarters, down, right)
    _, first, vote = np.unique(np.stack(ways), axis=1, return_index=True, return_inverse=True)
    votes = np.zeros(len(first))
    np.add.at(votes, vote.ravel(), links.weight[between])
    return ways.at(first), votes


def _lay(segments: Segments, way: Placements) -> bool:
    """Merge two segments unless two tiles would share a place; whether that was possible."""
    stay = np.flatnonzero(segments.number == way.one)
    come = np.flatnonzero(segments.number == way.other)
    quarters = np.full(len(come), way.quarters)
    row, col = _turned(segments.row[come], segments.col[come], quarters)
    row, col = row + way.down, col + way.right
    taken = segments.row[stay] * SPAN + segments.col[stay]
    if np.isin(row * SPAN + col, taken).any():
        return False
    segments.row[come], segments.col[come] = row, col
    segments.turn[come] = (segments.turn[come] + way.quarters) % 4
    segments.number[come] = way.one
    return True


def _turned(
    row: NDArray[np.int64], col: NDArray[np.int64], quarters: NDArray[np.int64]
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Places seen after so many clockwise quarters about the origin."""
    rows = np.choose(quarters, [row, col, -row, -col])
    cols = np.choose(quarters, [col, -row, -col, row])
    return rows, cols
