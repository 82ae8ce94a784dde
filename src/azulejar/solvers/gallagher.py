"""The constrained tree of Gallagher (Jigsaw puzzles with pieces of unknown orientation, CVPR 2012).

Every tile is a segment at first. The clearest joints tie segments together, unless two tiles would
share a place; what is left is completed (completion.py).
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from azulejar.core.assembly import Assembly
from azulejar.core.compatibility import Compatibility
from azulejar.core.joints import Joints, position
from azulejar.core.knowns import Knowns
from azulejar.solvers.budget import Budget
from azulejar.solvers.kernels.completion import complete
from azulejar.solvers.kernels.forest import join, new_forest
from azulejar.solvers.solver import OnProgress, Solver
from azulejar.system.compiling import allocating


@dataclass(frozen=True)
class Gallagher(Solver):
    """The clearest joints first; there are no settings, and the seed changes nothing."""

    name = "gallagher"
    random = False

    @property
    def compiled(self) -> Callable:
        """The compiled function in which the time is spent."""
        return tie

    def solve(
        self,
        compatibility: Compatibility,
        knowns: Knowns,
        seed: int,
        budget: Budget,
        on_progress: OnProgress,
    ) -> Assembly:
        """Tie the clearest joints first."""
        joints = Joints.of(compatibility, knowns.upright)
        pairs, clarity = clear_pairs(joints)
        place, segment = tie(pairs[np.argsort(-clarity, kind="stable")], len(compatibility))
        return complete(place, segment, joints, knowns)


def clear_pairs(joints: Joints) -> tuple[NDArray[np.int32], NDArray[np.float64]]:
    """Return all likely pairs [m, 2], the lower edge first, and how clear each is [m].

    After the dissimilarity ratio of section 3.2: the score over that of the best rival, for
    whichever of the two edges that is less.
    """
    return _clear_pairs(joints.start, joints.other, joints.score)


@allocating
def _clear_pairs(start, other, score):
    edges = len(start) - 1
    relative = np.empty(len(score))
    for edge in range(edges):
        first = second = np.float32(1e-30)
        for at in range(start[edge], start[edge + 1]):
            if score[at] > first:
                first, second = score[at], first
            elif score[at] > second:
                second = score[at]
        for at in range(start[edge], start[edge + 1]):
            relative[at] = score[at] / np.float64(first if score[at] < first else second)
    pairs = np.empty((len(score) // 2, 2), np.int32)
    clarity = np.empty(len(pairs))
    count = 0
    for edge in range(edges):
        for at in range(start[edge], start[edge + 1]):
            if other[at] > edge:
                back = position(start, other, other[at], edge)
                pairs[count, 0] = edge
                pairs[count, 1] = other[at]
                clarity[count] = min(relative[at], relative[back])
                count += 1
    return pairs, clarity


@allocating
def tie(pairs, n):
    """Tie n tiles by pairs [m, 2] in this order; return ``place`` [n, 3] and ``root`` [n]."""
    forest = new_forest(n)
    for i in range(len(pairs)):
        join(forest, pairs[i, 0], pairs[i, 1])
    return forest.place, forest.root
