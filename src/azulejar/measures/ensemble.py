"""The ensemble of a network and MGC, whose weighted sum gives the probability of a joint.

Each member is made a log-probability among all partners of either edge; their weighted sum is
turned into the probability, which leaves room for edges that have no neighbour.

An edge has one neighbour at most. So a pair is weighed against all rivals of both edges, and a
rival that has a clear partner of its own counts for less: each edge gets a factor such that the
probabilities of its pairs, and of having no neighbour, add up to 1, as Sinkhorn and Knopp scale the
rows and columns of a matrix.

How much MGC counts depends on the tiles: it compares the pixels at the joint, which say a lot where
edges are whole and all tiles were photographed together, and mislead where edges are worn or each
tile has a light of its own. The joints that the network is sure of show which it is: the more MGC
knows about their partners, the more it counts for all others.

The weights were fitted on panels of some 200 tiles. Among a dozen tiles an edge has few rivals, and
the best of them would look likelier than it is. So in the end, where the sum becomes a probability,
the rivals at hand stand for those of ``CROWD`` tiles.
"""

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from azulejar.measures.calibration import Rows, log_sum_exp
from azulejar.measures.lighting import Joints, sure_joints
from azulejar.measures.measure import Measure, blocks, top
from azulejar.measures.mgc import MGC
from azulejar.measures.postprocess import fit_power_law

CROWD = 100  # tiles whose rivals an edge is weighed against, if there are fewer
# What MGC knows about the partners of sure joints, and its weight there; in between by a straight
# line. Fitted on pictures and panels that were held out (docs/results/calibration.md).
KNOWS, WEIGHT = (0.3, 0.8), (0.05, 0.35)
EXPECTED, EXPECTED_JOINTS = 0.4, 8  # prior of what MGC knows, and the joints it is worth
RIVALS = 256  # likeliest partners of an edge whose factors count; the others are not told apart
ROUNDS = 40  # by which the factors have settled to a hundredth


class Ensemble:
    """Probabilities of all pairs among some tiles.

    ``network`` gives scores, log-odds up to a factor, of some edges with all: [rows, 4n].
    ``weights`` are the model's calibration: sharpness and nobody.
    """

    def __init__(
        self,
        network: Callable[[NDArray[np.intp]], Rows],
        pixels: NDArray[np.uint8],
        weights: Mapping[str, float],
        upright: bool = False,
    ) -> None:
        self.network, self.upright = network, upright
        self.edges = 4 * len(pixels)
        self.absent = absent_rivals(len(pixels), 1 if upright else 4)
        self.mgc = MGC()
        self.mgc.prepare(pixels)

        def partners(rows: NDArray[np.intp]) -> Rows:
            return self.mgc.partners(rows, self.edges, upright)

        self.law = fit_power_law(partners, self.edges)
        self.weights = {**weights, "mgc": self._mgc_weight()}
        self._normalise()

    def probability(self, rows: NDArray[np.intp]) -> Rows:
        """Return the probability of some edges with all: [rows, 4n].

        It is 0 for edges that cannot be partners.
        """
        odds = np.exp(self.log_odds(rows))
        return odds * self.factor[rows, None] * self.factor

    def log_odds(self, rows: NDArray[np.intp]) -> Rows:
        """Return the log-odds, up to a factor for each edge, that edges are neighbours."""
        network, mgc = (
            2 * scores - norm[rows, None] - norm
            for scores, norm in zip(self.members(rows), self.norms, strict=True)
        )
        return weigh_members(network, mgc, self.weights)

    def members(self, rows: NDArray[np.intp]) -> tuple[Rows, Rows]:
        """Return the scores of network and MGC; minus infinity for what cannot be partners."""
        return self._network(rows), self._mgc(rows)

    def _network(self, rows: NDArray[np.intp]) -> Rows:
        scores = self.network(rows)
        scores[Measure.barred(rows, self.edges, self.upright)] = -np.inf
        return scores

    def _mgc(self, rows: NDArray[np.intp]) -> Rows:
        return self.law.log(self.mgc.partners(rows, self.edges, self.upright))

    def _mgc_weight(self) -> float:
        """Return the weight of MGC, which grows with what it knows about the sure joints."""
        joints = sure_joints(self._network, self.edges)
        partners = (1 if self.upright else 4) * (self.edges // 4 - 1)
        known = share_known(self._mgc, self.edges, joints, partners)
        return float(np.interp(known, KNOWS, WEIGHT))

    def _normalise(self) -> None:
        """Add up either member over all partners of each edge, and find the factors of edges."""
        self.norms = np.empty((2, self.edges))
        for rows in blocks(self.edges):
            for norm, scores in zip(self.norms, self.members(rows), strict=True):
                norm[rows] = log_sum_exp(scores)
        kept = min(RIVALS, self.edges)
        rival = np.empty((self.edges, kept), np.int32)
        odds = np.empty((self.edges, kept))
        rest = np.empty(self.edges)
        for rows in blocks(self.edges):
            found = np.exp(self.log_odds(rows))
            rival[rows], odds[rows] = top(found, kept)
            rest[rows] = np.maximum(found.sum(axis=1) - odds[rows].sum(axis=1), 0)
        self.factor = exclusive_factors(rival, odds, rest, self.weights["nobody"], self.absent)


def share_known(
    scores: Callable[[NDArray[np.intp]], Rows], edges: int, joints: Joints, partners: int
) -> float:
    """Return how much of what could be known about the partners of joints the scores do know.

    It is 1 if they are certain of each partner, 0 if they do no better than guessing among the
    ``partners`` that an edge can have, and below 0 if they do worse. With few joints the result
    stays near ``EXPECTED``.
    """
    if partners < 2:
        return EXPECTED
    partner = np.full(edges, -1)
    partner[joints[0]], partner[joints[1]] = joints[1], joints[0]
    known = 0.0
    for rows in blocks(edges):
        sure = np.flatnonzero(partner[rows] >= 0)
        if len(sure):
            found = scores(rows)[sure]
            log = found[np.arange(len(sure)), partner[rows][sure]] - log_sum_exp(found)
            known += float((1 + log / np.log(partners)).sum()) / 2
    return (known + EXPECTED * EXPECTED_JOINTS) / (len(joints[0]) + EXPECTED_JOINTS)


def weigh_members(
    network: NDArray[Any], mgc: NDArray[Any], weights: Mapping[str, float]
) -> NDArray[Any]:
    """Return the log-odds of pairs from the log-probabilities of both members, both ways added."""
    return weights["sharpness"] * (network + weights["mgc"] * mgc)


def absent_rivals(tiles: int, sides: int) -> float:
    """Return how many absent rivals each rival stands for; ``sides`` of a tile can be partners."""
    rivals = sides * (tiles - 1) - 1
    return sides * (CROWD - tiles) / rivals if tiles < CROWD and rivals > 0 else 0.0


def exclusive_factors(
    rival: NDArray[np.integer],
    odds: NDArray[np.float64],
    rest: NDArray[np.float64],
    nobody: float,
    absent: float,
) -> NDArray[np.float64]:
    """Return a factor u for each edge, such that the probabilities of every edge add up to 1.

    The probability that edges i and j are neighbours is odds_ij·u_i·u_j, and that i has none is
    nobody·u_i.

    Args:
        rival: The likeliest partners of each edge.
        odds: Their odds, the same in both directions.
        rest: The odds of all other partners together; their factors are taken as 1.
        nobody: The odds of having no neighbour.
        absent: How many absent rivals each rival but the likeliest stands for.
    """
    factor = np.ones(len(odds))
    for _ in range(ROUNDS):
        weighed = odds * factor[rival]
        total = weighed.sum(axis=1) + (1 + absent) * rest + nobody
        if absent:
            total += absent * (weighed.sum(axis=1) - weighed.max(axis=1))
        # The geometric mean of a factor and the next, or they would swing to and fro.
        factor = np.sqrt(factor / total)
    return factor
