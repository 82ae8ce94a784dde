"""Scores of any measure as probabilities that two edges are neighbours."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from azulejar.core.compatibility import Compatibility

FLOOR = 1e-4  # the least that is believed of any pair
SAMPLE = 512  # edges looked at to learn the scale
CERTAIN_SUM = 1.05  # rows of probabilities add up to no more


@dataclass(frozen=True)
class Probabilities:
    """Log-probabilities of pairs, each the mean of both directions.

    A pair of scores s has the probability (s / ``best``)^``power`` / ``total``.
    """

    compatibility: Compatibility
    power: float = 1.0
    best: float = 1.0
    total: float = 1.0

    @classmethod
    def of(cls, compatibility: Compatibility) -> "Probabilities":
        """Scores that add up to 1 or less for each edge are taken as they are.

        Others are raised to the power at which an edge's best partner is as likely as first
        choices are mutual.
        """
        scores = compatibility.scores
        rows = np.linspace(0, len(scores) - 1, min(len(scores), SAMPLE)).astype(np.intp)
        sample = np.maximum(scores[rows].astype(np.float64), 0)
        if sample.sum(axis=1).mean() <= CERTAIN_SUM:
            return cls(compatibility)
        partner, value = compatibility.best(1)
        first = partner[:, 0]
        mutual = float((first[first] == np.arange(len(first))).mean())
        best = max(float(value.max()), float(sample.max()), 1e-12)
        power, total = _sharpened(sample / best, mutual)
        return cls(compatibility, power, best, total)

    @property
    def nothing(self) -> float:
        """The least logarithm there is."""
        return float(np.log(FLOOR))

    def log(self, a: NDArray[np.integer], b: NDArray[np.integer]) -> NDArray[np.float64]:
        """Logarithms for edges ``a`` and ``b``, element by element."""
        return self.log_of(self.compatibility.mutual(a, b))

    def log_of(self, scores: NDArray[np.floating]) -> NDArray[np.float64]:
        """Logarithms of these scores."""
        share = (np.maximum(scores, 0) / self.best) ** self.power / self.total
        return np.log(np.minimum(share, 1) + FLOOR)


def _sharpened(sample: NDArray[np.float64], mutual: float) -> tuple[float, float]:
    """The power at which the best of a row has the share ``mutual`` of it, and a row's sum."""
    low, high = 1.0, 4096.0
    of_best = sample / np.maximum(sample.max(axis=1, keepdims=True), 1e-300)
    for _ in range(16):
        power = float(np.sqrt(low * high))
        share = 1 / np.maximum((of_best**power).sum(axis=1), 1)
        low, high = (power, high) if share.mean() < mutual else (low, power)
    return power, max(float((sample**power).sum(axis=1).mean()), 1e-12)
