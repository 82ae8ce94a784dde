"""Small loops, joined into larger ones (Son, Hays and Cooper, ECCV 2014)."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from azulejar.core.assembly import Assembly
from azulejar.core.compatibility import Compatibility
from azulejar.core.joints import NOTHING, Joints, position
from azulejar.core.knowns import Knowns
from azulejar.solvers.budget import Budget
from azulejar.solvers.gallagher import tie
from azulejar.solvers.kernels.completion import complete
from azulejar.solvers.kernels.squares import close_squares, joints_in_squares, squares_of_all_orders
from azulejar.solvers.solver import OnProgress, Solver
from azulejar.system.compiling import allocating


@dataclass(frozen=True)
class Son(Solver):
    """Trust each joint by the largest square of tiles around it in which all joints are likely.

    True joints lie in large squares; wrong ones hardly ever close even a small one. The paper
    merges whole squares, the largest first. Here their joints are tied one by one, first those of
    the largest squares, then by score, and last what lies in no square; what is left over after
    that is completed (completion.py).

    ``partners``: a joint is likely if each edge is among so many best of the other, and if for each
    it scores at least ``share`` of the best. ``most``: an order with so many squares per tile says
    nothing, and the search for larger ones ends before it.

    Nothing is drawn at random: the seed changes nothing.
    """

    name = "son"
    stored_as = "Loops"
    random = False

    partners: int = 5
    share: float = 0.25
    most: int = 40

    @property
    def compiled(self) -> Callable:
        """The compiled function in which the time is spent."""
        return close_squares

    def solve(
        self,
        compatibility: Compatibility,
        knowns: Knowns,
        seed: int,
        budget: Budget,
        on_progress: OnProgress,
    ) -> Assembly:
        """Tie the joints of the largest squares first."""
        n = len(compatibility)
        joints = Joints.of(compatibility, knowns.upright)
        orders = squares_of_all_orders(self._likely(joints), knowns.upright, self.most * n)
        place, segment = tie(by_trust(joints, *joints_in_squares(orders)), n)
        return complete(place, segment, joints, knowns)

    def _likely(self, joints: Joints) -> NDArray[np.int32]:
        """Return the likely partners of each edge [4n, partners], NOTHING where there are fewer."""
        best = joints.best(self.partners)
        edge = np.arange(len(best))[:, None]
        at = _positions(joints.start, joints.other, np.repeat(edge, best.shape[1]), best.ravel())
        score = joints.score[at].reshape(best.shape)
        best = np.where(score >= self.share * score[:, :1], best, NOTHING)
        mutual = (best[best] == edge[:, :, None]).any(axis=2)
        return np.where(mutual, best, NOTHING)


def by_trust(
    joints: Joints, pairs: NDArray[np.int32], order: NDArray[np.int32]
) -> NDArray[np.int32]:
    """Return all joints of the table [m, 2]: ``pairs`` by falling order, then the rest by score."""
    edge = np.repeat(np.arange(len(joints.start) - 1, dtype=np.int32), np.diff(joints.start))
    reached = np.zeros(len(edge), np.int32)
    reached[_positions(joints.start, joints.other, pairs[:, 0], pairs[:, 1])] = order
    first = np.lexsort((-joints.score, -reached))
    first = first[edge[first] < joints.other[first]]
    return np.stack([edge[first], joints.other[first]], axis=1)


@allocating
def _positions(start, other, a, b):
    """Return where the table holds pairs of edges, -1 where it does not."""
    at = np.empty(len(a), np.int64)
    for i in range(len(a)):
        at[i] = position(start, other, a[i], b[i])
    return at
