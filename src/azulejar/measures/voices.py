"""Two voices heard together: a network's and MGC's, made probabilities that edges are neighbours.

Each is made a log-probability among all partners of either edge; their weighted sum is turned into
the probability, which leaves room for edges that have no neighbour.

The weights were fitted on panels of some 200 tiles. Of a dozen, an edge has few rivals, and the
best of them would look likelier than it is. So in the end, where the sum becomes a probability, the
rivals there are stand for those of ``CROWD`` tiles.
"""

from collections.abc import Callable, Mapping

import numpy as np
from numpy.typing import NDArray

from azulejar.measures.measure import blocks
from azulejar.measures.mgc import MGC
from azulejar.measures.postprocess import Rows, calibrated

CROWD = 100  # tiles whose rivals an edge is weighed against, if there are fewer


class Voices:
    """``network`` gives scores, log-odds up to a factor, of some edges with all: [rows, 4n].

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

        self.offset, self.power = calibrated(partners, self.edges)
        self._normalise()

    def probability(self, rows: NDArray[np.intp]) -> Rows:
        """Of some edges with all, the mean of both directions; 0 for no partners."""
        odds = np.exp(self.evidence(rows))
        return odds * (1 / self.total[rows, None] + 1 / self.total) / 2

    def evidence(self, rows: NDArray[np.intp]) -> Rows:
        """Log-odds, up to a factor for each edge, that edges are neighbours."""
        weights = (1.0, self.weights["mgc"])
        total = np.zeros((len(rows), self.edges))
        for voice, norm, weight in zip(self.heard(rows), self.norms, weights, strict=True):
            total += weight * (2 * voice - norm[rows, None] - norm)
        return self.weights["sharpness"] * total

    def heard(self, rows: NDArray[np.intp]) -> tuple[Rows, Rows]:
        """What network and MGC say of some edges with all; minus infinity for no partners."""
        network = self.network(rows)
        dissimilarity = self.mgc.partners(rows, self.edges, self.upright)
        network[~np.isfinite(dissimilarity)] = -np.inf
        return network, -self.power * np.log(dissimilarity + self.offset)

    def _normalise(self) -> None:
        """How much each edge has of either voice, and of their sum, over all its partners."""
        self.norms = np.empty((2, self.edges))
        for rows in blocks(self.edges):
            for norm, voice in zip(self.norms, self.heard(rows), strict=True):
                norm[rows] = _log_sum(voice)
        self.total = np.empty(self.edges)
        nobody = self.weights["nobody"]
        for rows in blocks(self.edges):
            self.total[rows] = row_sums(np.exp(self.evidence(rows)), self.absent) + nobody


def absent_rivals(tiles: int, sides: int) -> float:
    """For how many more rivals each rival of an edge stands; ``sides`` of any tile are partners."""
    rivals = sides * (tiles - 1) - 1
    return sides * (CROWD - tiles) / rivals if tiles < CROWD and rivals > 0 else 0.0


def row_sums(rows: Rows, absent: float) -> NDArray[np.float64]:
    """What each row adds up to, if all but the largest of it stand for so many more."""
    total = rows.sum(1)
    return total + absent * (total - rows.max(axis=1)) if absent else total


def _log_sum(rows: Rows) -> NDArray[np.float64]:
    highest = rows.max(axis=1)
    highest = np.where(np.isfinite(highest), highest, 0)
    return highest + np.log(np.maximum(np.exp(rows - highest[:, None]).sum(1), 1e-300))
