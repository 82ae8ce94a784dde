"""The ensemble of a network and MGC, whose weighted sum is the probability of a joint.

Each member is made a log-probability among all partners of either edge; their weighted sum is
turned into the probability, which leaves room for edges that have no neighbour.

The weights were fitted on panels of some 200 tiles. Among a dozen tiles an edge has few rivals, and
the best of them would look likelier than it is. So in the end, where the sum becomes a probability,
the rivals at hand stand for those of ``CROWD`` tiles.
"""

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from azulejar.measures.calibration import Rows, log_sum_exp
from azulejar.measures.measure import blocks
from azulejar.measures.mgc import MGC
from azulejar.measures.postprocess import fit_power_law

CROWD = 100  # tiles whose rivals an edge is weighed against, if there are fewer


class Ensemble:
    """Probabilities of all pairs among some tiles.

    ``network`` gives scores, log-odds up to a factor, of some edges with all: [rows, 4n].
    ``weights`` are the model's calibration: mgc, sharpness and nobody.
    """

    def __init__(
        self,
        network: Callable[[NDArray[np.intp]], Rows],
        pixels: NDArray[np.uint8],
        weights: Mapping[str, float],
        upright: bool = False,
    ) -> None:
        self.network, self.weights, self.upright = network, weights, upright
        self.edges = 4 * len(pixels)
        self.absent = absent_rivals(len(pixels), 1 if upright else 4)
        self.mgc = MGC()
        self.mgc.prepare(pixels)

        def partners(rows: NDArray[np.intp]) -> Rows:
            return self.mgc.partners(rows, self.edges, upright)

        self.law = fit_power_law(partners, self.edges)
        self._normalise()

    def probability(self, rows: NDArray[np.intp]) -> Rows:
        """Return the probability of some edges with all, the mean of both directions: [rows, 4n].

        It is 0 for edges that cannot be partners.
        """
        odds = np.exp(self.log_odds(rows))
        return odds * (1 / self.total[rows, None] + 1 / self.total) / 2

    def log_odds(self, rows: NDArray[np.intp]) -> Rows:
        """Return the log-odds, up to a factor for each edge, that edges are neighbours."""
        network, mgc = (
            2 * scores - norm[rows, None] - norm
            for scores, norm in zip(self.members(rows), self.norms, strict=True)
        )
        return weigh_members(network, mgc, self.weights)

    def members(self, rows: NDArray[np.intp]) -> tuple[Rows, Rows]:
        """Return the scores of network and MGC; minus infinity for what cannot be partners."""
        network = self.network(rows)
        dissimilarity = self.mgc.partners(rows, self.edges, self.upright)
        network[~np.isfinite(dissimilarity)] = -np.inf
        return network, self.law.log(dissimilarity)

    def _normalise(self) -> None:
        """Add up either member, and the odds of their sum, over all partners of each edge."""
        self.norms = np.empty((2, self.edges))
        for rows in blocks(self.edges):
            for norm, scores in zip(self.norms, self.members(rows), strict=True):
                norm[rows] = log_sum_exp(scores)
        self.total = np.empty(self.edges)
        nobody = self.weights["nobody"]
        for rows in blocks(self.edges):
            self.total[rows] = row_sums(np.exp(self.log_odds(rows)), self.absent) + nobody


def weigh_members(
    network: NDArray[Any], mgc: NDArray[Any], weights: Mapping[str, float]
) -> NDArray[Any]:
    """Return the log-odds of pairs from the log-probabilities of both members, both ways added."""
    return weights["sharpness"] * (network + weights["mgc"] * mgc)


def absent_rivals(tiles: int, sides: int) -> float:
    """Return how many absent rivals each rival stands for; ``sides`` of a tile can be partners."""
    rivals = sides * (tiles - 1) - 1
    return sides * (CROWD - tiles) / rivals if tiles < CROWD and rivals > 0 else 0.0


def row_sums(rows: Rows, absent: float) -> NDArray[np.float64]:
    """Add up each row, in which all but the largest count for ``absent`` more."""
    total = rows.sum(1)
    return total + absent * (total - rows.max(axis=1)) if absent else total
