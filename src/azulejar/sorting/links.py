"""Links: likely joints between tiles, weighed by the loops of four that they close."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from azulejar.core.compatibility import Compatibility
from azulejar.core.joints import Joints
from azulejar.measures.loops import loop_support, weigh_by_loops
from azulejar.measures.postprocess import LOOP_PARTNERS, LOOP_ROUNDS

NEGLIGIBLE = 0.03  # weights of a crate's links below this say nothing
# In a museum:
NEGLIGIBLE_AMONG_MANY = 1e-3
ROUNDS = 3
PARTNERS = 16  # partners of each edge that are tried when closing a square
WITHOUT_SUPPORT = 0.02  # share of a joint's weight that remains if it closes no square
NO_NEIGHBOUR = 0.4  # weight that every edge keeps for having no neighbour in the collection
FEW = 1000  # tiles; in larger collections chance partners take weight from true ones


class GroupLinks(NamedTuple):
    """Linked pairs of groups, each once, lower number first, and their total weight: [k] each."""

    one: NDArray[np.int64]
    other: NDArray[np.int64]
    weight: NDArray[np.float64]

    def between(self, group: NDArray[np.int64]) -> "GroupLinks":
        """Add up the links between larger groups; ``group`` [n] gives the new number of each."""
        one, other = group[self.one], group[self.other]
        crossing = one != other
        one, other = one[crossing], other[crossing]
        base = int(group.max(initial=0)) + 1
        pairs, which = np.unique(
            np.minimum(one, other) * base + np.maximum(one, other), return_inverse=True
        )
        total = np.bincount(which, self.weight[crossing], len(pairs)).astype(np.float64)
        return GroupLinks(pairs // base, pairs % base, total)


class LinkEvidence(Protocol):
    """What else tells whether two groups of tiles are one panel, beside the links between them."""

    def factors(
        self, group: NDArray[np.int64], one: NDArray[np.int64], other: NDArray[np.int64]
    ) -> NDArray[np.float64]:
        """Return what share to leave of the links between the groups ``one`` and ``other`` [k].

        ``group`` [n] gives the number of each tile's group.
        """


@dataclass(frozen=True)
class Links:
    """Pairs of edges ``a`` and ``b`` of n tiles, each once, with a ``weight`` from 0 to 1: [m]."""

    n: int
    a: NDArray[np.int64]
    b: NDArray[np.int64]
    weight: NDArray[np.float64]

    @classmethod
    def of(cls, compatibility: Compatibility, upright: bool) -> "Links":
        """Link the tiles of a crate; scores that add up to more than 1 are scaled down."""
        table = Joints.of(compatibility, upright)
        scale = max(1.0, float(compatibility.scores.sum(axis=1, dtype=np.float64).mean()))
        return cls.among(replace(table, score=(table.score / scale).astype(np.float32)))

    @classmethod
    def among(cls, joints: Joints) -> "Links":
        """Link the tiles of a crate by a table of joints with their probabilities.

        Half of a weight is the joint's own probability, half what the loops around it make of
        that. Loops show what a joint alone does not, but where nothing speaks against a joint
        they soon take it for certain.
        """
        weighed = weigh_by_loops(joints, rounds=LOOP_ROUNDS, partners=LOOP_PARTNERS)
        weight = (joints.score.astype(np.float64) + weighed.score) / 2
        return cls._above(joints, weight, NEGLIGIBLE)

    @classmethod
    def among_many(cls, joints: Joints, refused: Sequence[tuple[int, int]] = ()) -> "Links":
        """Link the tiles of a museum; ``refused`` are pairs of edges that do not meet.

        Like ``weigh_by_loops``, but each round starts from the joints' own probabilities, so that
        nothing is counted twice, and an edge whose partners close no square may remain without a
        neighbour: in a large collection some edge always looks right for one whose neighbour is
        missing.
        """
        joints = _drop_negligible(joints.without(refused))
        edges = len(joints.start) - 1
        edge = joints.edge
        alone = np.maximum(0, 1 - np.bincount(edge, joints.score, edges)) + NO_NEIGHBOUR
        weighed = joints
        for _ in range(ROUNDS):
            score = joints.score * (np.float32(WITHOUT_SUPPORT) + loop_support(weighed, PARTNERS))
            total = np.bincount(edge, score, edges) + WITHOUT_SUPPORT * alone
            weighed = joints.with_scores((score / total[edge]).astype(np.float32))
        return cls._above(joints, weighed.score, NEGLIGIBLE_AMONG_MANY)

    @classmethod
    def _above(cls, joints: Joints, weight: NDArray[np.floating], least: float) -> "Links":
        edge = joints.edge
        kept = (edge < joints.other) & (weight >= least)
        return cls(
            (len(joints.start) - 1) // 4,
            edge[kept].astype(np.int64),
            joints.other[kept].astype(np.int64),
            weight[kept].astype(np.float64),
        )

    def take(self, which: NDArray) -> "Links":
        """Return the links that ``which`` selects, an index or a mask."""
        return Links(self.n, self.a[which], self.b[which], self.weight[which])

    def between(self, group: NDArray[np.int64]) -> GroupLinks:
        """Add up the links between groups; ``group`` [n] gives the number of each tile's."""
        return GroupLinks(self.a // 4, self.b // 4, self.weight).between(group)


def relax_threshold(weight: float, n: int, power: float) -> float:
    """Lower a threshold on weights, set for few tiles, for a collection of ``n`` tiles."""
    return weight * min(1.0, float((FEW / n) ** power))


def _drop_negligible(joints: Joints) -> Joints:
    kept = joints.score >= NEGLIGIBLE_AMONG_MANY
    start = np.concatenate([[0], np.cumsum(kept)])[joints.start].astype(np.int32)
    return replace(joints, start=start, other=joints.other[kept], score=joints.score[kept])
