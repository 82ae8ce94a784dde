"""Links: likely joints of a crate, weighed by loops of four."""

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from azulejar.core.compatibility import Compatibility
from azulejar.core.joints import Joints
from azulejar.measures.loops import weigh_by_loops
from azulejar.measures.postprocess import LOOP_PARTNERS, LOOP_ROUNDS

NEGLIGIBLE = 0.03  # weights below say nothing


@dataclass(frozen=True)
class Links:
    """Pairs of edges ``a`` and ``b`` of n tiles, each once, with a ``weight`` from 0 to 1: [m]."""

    n: int
    a: NDArray[np.int64]
    b: NDArray[np.int64]
    weight: NDArray[np.float64]

    @classmethod
    def of(cls, compatibility: Compatibility, upright: bool) -> "Links":
        """From scores; those that add up to more than 1 are scaled to be probabilities."""
        table = Joints.of(compatibility, upright)
        scale = max(1.0, float(compatibility.scores.sum(axis=1, dtype=np.float64).mean()))
        return cls.among(replace(table, score=(table.score / scale).astype(np.float32)))

    @classmethod
    def among(cls, joints: Joints) -> "Links":
        """From a table of joints with their probabilities.

        Half of a weight is the joint's own probability, half what the loops around make of it.
        Loops find out what a joint alone does not show, but where nothing speaks against it they
        soon take it for certain.
        """
        weighed = weigh_by_loops(joints, rounds=LOOP_ROUNDS, partners=LOOP_PARTNERS)
        weight = (joints.score.astype(np.float64) + weighed.score) / 2
        edges = len(joints.start) - 1
        edge = np.repeat(np.arange(edges), np.diff(joints.start))
        kept = (edge < joints.other) & (weight >= NEGLIGIBLE)
        return cls(edges // 4, edge[kept], joints.other[kept].astype(np.int64), weight[kept])

    def take(self, which: NDArray) -> "Links":
        """Some of them."""
        return Links(self.n, self.a[which], self.b[which], self.weight[which])

    def between(self, group: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
        """Pairs of groups [k, 2] that are linked, lower number first, and their total weight [k].

        ``group`` [n] numbers that of each tile.
        """
        one, other = group[self.a // 4], group[self.b // 4]
        crossing = one != other
        one, other = one[crossing], other[crossing]
        base = int(group.max(initial=0)) + 1
        pairs, which = np.unique(
            np.minimum(one, other) * base + np.maximum(one, other), return_inverse=True
        )
        total = np.bincount(which, self.weight[crossing], len(pairs)).astype(np.float64)
        return np.stack([pairs // base, pairs % base], axis=1), total
