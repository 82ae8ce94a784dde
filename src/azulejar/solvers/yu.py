"""Linear programmes over the places of upright tiles (Yu, Russell and Agapito, BMVC 2016).

Every tile has a position, and every edge says with its best partner how far two tiles are apart.
The positions that agree best, by the weighted sum of absolute deviations, expose wrong pairs;
their edges turn to the next partner, until the pairs that hold no longer change.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array

from azulejar.core.assembly import Assembly
from azulejar.core.compatibility import Compatibility
from azulejar.core.edges import COL_STEP, ROW_STEP
from azulejar.core.joints import Joints
from azulejar.core.knowns import Knowns
from azulejar.solvers.budget import Budget, Clock
from azulejar.solvers.gallagher import clear_pairs, tie
from azulejar.solvers.kernels.completion import complete
from azulejar.solvers.solver import OnProgress, Progress, Solver


@dataclass(frozen=True)
class Yu(Solver):
    """Tie the tiles by the pairs that hold, then by all others, the clearest first of either.

    ``rounds`` limits how often positions are sought, and so how many partners an edge may try;
    ``loudest`` limits the weight of a pair, so that no single one outvotes all others. Nothing is
    random: the seed changes nothing.
    """

    name = "yu"
    stored_as = "Linear"
    turned = False
    random = False

    rounds: int = 5
    loudest: float = 10.0

    @property
    def compiled(self) -> Callable:
        """The compiled function in which time is spent beside the programmes."""
        return tie

    def solve(
        self,
        compatibility: Compatibility,
        knowns: Knowns,
        seed: int,
        budget: Budget,
        on_progress: OnProgress,
    ) -> Assembly:
        """Return the best assembly of all rounds."""
        n = len(compatibility)
        joints = Joints.of(compatibility, upright=True)
        pairs, clarity = clear_pairs(joints)
        edge, choice = _choices(joints, pairs, self.rounds)
        rejected = np.zeros(len(pairs), np.bool_)
        held, settled = np.zeros(0, np.int64), False
        best = Assembly.of([], [], [])
        clock = Clock(budget, self.rounds)
        while clock.running and not settled:
            left = ~rejected[choice]
            _, first = np.unique(edge[left], return_index=True)
            chosen, votes = np.unique(choice[left][first], return_counts=True)
            weight = votes * clarity[chosen].clip(max=self.loudest)
            holds = _hold(pairs[chosen], weight, n)
            rejected[chosen[~holds]] = True
            settled = np.array_equal(held, chosen[holds])
            held = chosen[holds]
            doubtful = np.ones(len(pairs), np.bool_)
            doubtful[held] = False
            place, segment = tie(pairs[np.lexsort((-clarity, doubtful))], n)
            assembly = complete(place, segment, joints, knowns)
            worth = self.worth(compatibility, knowns, assembly)
            if worth > clock.best:
                best = assembly
            clock.tick(worth)
            fraction = 1.0 if settled else clock.fraction
            on_progress(Progress(fraction, clock.generation, clock.seconds, clock.best, best))
        return best


def _choices(
    joints: Joints, pairs: NDArray[np.int32], count: int
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return, for each edge in turn, its best partners, best first: the edge, and which pair."""
    partner = joints.best(count)
    edges = len(partner)
    edge = np.repeat(np.arange(edges), count)[partner.ravel() >= 0]
    other = partner[partner >= 0].astype(np.int64)
    number = np.minimum(edge, other) * edges + np.maximum(edge, other)
    return edge, np.searchsorted(pairs[:, 0].astype(np.int64) * edges + pairs[:, 1], number)


def _hold(pairs: NDArray[np.int32], weight: NDArray[np.float64], n: int) -> NDArray[np.bool_]:
    """Return whether each pair agrees with the positions on which all together agree best."""
    (a, b), side = pairs.T // 4, pairs[:, 0] % 4
    holds = np.ones(len(pairs), np.bool_)
    for step in (ROW_STEP[side], COL_STEP[side]):
        position = _positions(a, b, step, weight, n)
        holds &= position[b] - position[a] == step
    return holds


def _positions(
    a: NDArray[np.int32],
    b: NDArray[np.int32],
    step: NDArray[np.int64],
    weight: NDArray[np.float64],
    n: int,
) -> NDArray[np.int64]:
    """Return positions x [n] with the least sum of weight · |x[b] - x[a] - step|.

    HiGHS gets the dual programme, which is far smaller: flows along the pairs, each at most as
    strong as its weight, that gain most and neither start nor end at any tile. Positions are its
    shadow prices, and whole numbers, as in any network.
    """
    # Here, since it takes long to load and only this solver needs it.
    from scipy.optimize import linprog

    if len(a) == 0:
        return np.zeros(n, np.int64)
    pair = np.arange(len(a))
    sign = np.repeat([1.0, -1.0], len(a))
    at_tile = csr_array((sign, (np.concatenate([b, a]), np.tile(pair, 2))), shape=(n, len(a)))
    bounds = np.stack([-weight, weight], axis=1)
    flow = linprog(-step, A_eq=at_tile, b_eq=np.zeros(n), bounds=bounds, method="highs-ds")
    return np.rint(-flow.eqlin.marginals).astype(np.int64)
