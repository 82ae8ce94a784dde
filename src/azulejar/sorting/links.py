"""Links: likely joints of a crate, weighed by loops of four."""

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from azulejar.compatibility import Compatibility
from azulejar.joints import Joints
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
        """Half of a weight is the joint's own probability, half what the loops around make of it.

        Loops find out what a joint alone does not show, but where nothing speaks against it they
        soon take it for certain. Scores that add up to more than 1 are scaled to be probabilities.
        """
        table = Joints.of(compatibility, upright)
        scale = max(1.0, float(compatibility.scores.sum(axis=1, dtype=np.float64).mean()))
        alone = replace(table, score=(table.score / scale).astype(np.float32))
        weighed = weigh_by_loops(alone, rounds=LOOP_ROUNDS, partners=LOOP_PARTNERS)
        weight = (alone.score.astype(np.float64) + weighed.score) / 2
        edge = np.repeat(np.arange(len(alone.start) - 1), np.diff(alone.start))
        kept = (edge < alone.other) & (weight >= NEGLIGIBLE)
        return cls(len(compatibility), edge[kept], alone.other[kept].astype(np.int64), weight[kept])

    def between(self, group: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
        """Pairs of groups [k, 2] that are linked, lower number first, and their total weight [k].

        ``group`` [n] numbers that of each tile.
        """
        pair = np.sort(np.stack([group[self.a // 4], group[self.b // 4]], axis=1), axis=1)
        crossing = pair[:, 0] != pair[:, 1]
        pairs, which = np.unique(pair[crossing], axis=0, return_inverse=True)
        total = np.zeros(len(pairs))
        np.add.at(total, which.ravel(), self.weight[crossing])
        return pairs, total
