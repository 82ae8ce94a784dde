"""Log-fitness: what a joint adds to the fitness that guided growth maximises.

The sum of probabilities, which is the paper's fitness, hardly tells an unlikely joint from an
impossible one. The sum of their logarithms does: a true assembly has many joints that a measure
finds unlikely, a wrong one has many that it finds impossible.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from azulejar.core.assembly import Assembly
from azulejar.core.compatibility import Compatibility
from azulejar.core.edges import opposite

SAMPLE = 512  # edges looked at to learn what is common
LEAST = 1e-6  # by which the best differs from the common, or else the scores say nothing


@dataclass(frozen=True)
class LogFitness:
    """Maps a common score to 0 and the best of an edge to 1, by logarithms down to ``doubt``.

    ``scale`` is what scores are divided by to be taken as probabilities; ``common`` and ``best``
    are the logarithms of what any two edges and an edge's best partner have. Joints that are no
    better than common must not make a panel compact.
    """

    doubt: float
    scale: float = 1.0
    common: float = 0.0
    best: float = 1.0

    @classmethod
    def of(cls, compatibility: Compatibility, upright: bool, doubt: float) -> "LogFitness":
        """Fit the scale to these scores."""
        edges, width = compatibility.scores.shape
        rows = np.linspace(0, edges - 1, min(edges, SAMPLE)).astype(np.intp)
        scores = compatibility.scores[rows]
        scale = max(1.0, float(scores.sum(axis=1, dtype=np.float64).mean()))
        if compatibility.index is None:
            if upright:
                partner = opposite(rows[:, None]) + np.arange(0, width, 4)
                scores = np.take_along_axis(scores, partner, axis=1)
            common = np.median(scores, axis=1)
        else:
            common = scores.min(axis=1)
        low = float(_logarithm(common / scale, doubt).mean())
        high = float(_logarithm(scores.max(axis=1) / scale, doubt).mean())
        return cls(doubt, scale, low, high if high - low > LEAST else low + 1)

    def __call__(self, scores: NDArray[np.floating]) -> NDArray[np.float32]:
        above = _logarithm(scores / self.scale, self.doubt) - self.common
        return (np.maximum(above, 0) / (self.best - self.common)).astype(np.float32)

    def total(self, compatibility: Compatibility, assembly: Assembly) -> float:
        """Return the sum over all joints of an assembly."""
        a, b = assembly.joints().T
        return float(self(compatibility.mutual(a, b)).sum())


def _logarithm(shares: NDArray[np.floating], doubt: float) -> NDArray[np.floating]:
    return np.log1p(shares / doubt) / np.log1p(1 / doubt)
