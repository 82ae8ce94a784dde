"""Likely joints: a sparse, symmetric table of edge pairs with their scores."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array

from azulejar.core.compatibility import Compatibility
from azulejar.system.compiling import allocating, lean

NOTHING = -1  # in the place of an edge
PARTNERS = 48  # best partners of each edge that the table holds


class JointTable(NamedTuple):
    """The arrays of ``Joints`` as compiled code takes them."""

    start: NDArray[np.int32]
    other: NDArray[np.int32]
    score: NDArray[np.float32]


@dataclass(frozen=True)
class Joints:
    """Compressed rows: edge e may meet ``other[start[e] : start[e + 1]]``, in rising order.

    ``score`` belongs to ``other``; a pair that is not in the table scores 0. The table is
    symmetric.
    """

    start: NDArray[np.int32]
    other: NDArray[np.int32]
    score: NDArray[np.float32]

    @classmethod
    def of(cls, compatibility: Compatibility, upright: bool) -> "Joints":
        """Make a table of each edge's best partners; scores are the mean of both directions."""
        partner, _ = compatibility.best(PARTNERS, upright)
        edges = len(partner)
        edge = np.repeat(np.arange(edges, dtype=np.int32), partner.shape[1])
        a, b = edge[partner.ravel() >= 0], partner.ravel()[partner.ravel() >= 0]
        score = (compatibility.pairs(a, b) + compatibility.pairs(b, a)) / 2
        # Scores of exactly 0 must not vanish from the pattern.
        score = np.maximum(score, np.float32(1e-9))
        table = csr_array((score, (a, b)), shape=(edges, edges))
        table = table.maximum(table.T).tocsr()
        table.sort_indices()
        return cls(table.indptr.astype(np.int32), table.indices.astype(np.int32), table.data)

    @property
    def edge(self) -> NDArray[np.int32]:
        """The first edge of each pair, in rising order; ``other`` is the second."""
        return np.repeat(np.arange(len(self.start) - 1, dtype=np.int32), np.diff(self.start))

    def with_scores(self, score: NDArray[np.float32]) -> "Joints":
        """Return the same pairs with other scores, made symmetric."""
        mirrored = replace(self, score=score).matrix().T.tocsr()
        mirrored.sort_indices()
        return replace(self, score=((score + mirrored.data) / 2).astype(np.float32))

    def without(self, pairs: Sequence[tuple[int, int]]) -> "Joints":
        """Return the same table, in which these pairs score 0."""
        if not pairs:
            return self
        edges = len(self.start) - 1
        edge = np.repeat(np.arange(edges), np.diff(self.start))
        both = np.array([*pairs, *(pair[::-1] for pair in pairs)])
        struck = np.isin(edge * edges + self.other, both[:, 0] * edges + both[:, 1])
        return replace(self, score=np.where(struck, np.float32(0), self.score))

    @property
    def table(self) -> JointTable:
        """The arrays as compiled code takes them."""
        return JointTable(self.start, self.other, self.score)

    def matrix(self) -> csr_array:
        """Return the table as a sparse matrix [4n, 4n]."""
        edges = len(self.start) - 1
        return csr_array((self.score, self.other, self.start), shape=(edges, edges))

    def best(self, k: int) -> NDArray[np.int32]:
        """Return the k best partners of each edge, best first, -1 where there are fewer [4n, k]."""
        return _best(self.start, self.other, self.score, k)


def best_buddies(first: NDArray[np.int32]) -> NDArray[np.int32]:
    """Return for each edge the one that is its first choice and vice versa, or NOTHING [4n]."""
    mutual = (first != NOTHING) & (first[first] == np.arange(len(first)))
    return np.where(mutual, first, NOTHING).astype(np.int32)


@allocating
def _best(start, other, score, k):
    edges = len(start) - 1
    best = np.full((edges, k), -1, np.int32)
    for edge in range(edges):
        row = slice(start[edge], start[edge + 1])
        order = np.argsort(-score[row], kind="mergesort")[:k]
        best[edge, : len(order)] = other[row][order]
    return best


@lean
def position(start, other, a, b):
    """Return the position of edges a and b in the table, found by bisection, or -1."""
    low = start[a]
    count = start[a + 1] - low
    # No branch depends on the data: the processor would mispredict half of them.
    while count > 1:
        half = count >> 1
        low += half * (other[low + half - 1] < b)
        count -= half
    return low if count == 1 and other[low] == b else -1


@lean
def joint_score(table, a, b):
    """Return the score of edges a and b in a ``JointTable``."""
    at = position(table.start, table.other, a, b)
    return table.score[at] if at >= 0 else np.float32(0)
