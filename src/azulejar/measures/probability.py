"""Scores of any measure as probabilities that two edges are neighbours, and on other scales."""

from dataclasses import dataclass, replace
from typing import Literal, get_args

import numpy as np
from numpy.typing import NDArray
from scipy.special import logit

from azulejar.core.compatibility import Compatibility
from azulejar.errors import AzulejarError
from azulejar.measures.calibration import fit_power
from azulejar.measures.postprocess import minmax

Scale = Literal["probability", "log-odds", "distance", "unit"]
FLOOR = 1e-4  # the least probability of any pair
UNIT_FLOOR = 1e-12  # the same on the scale ``unit``, on which hopeless pairs are told apart
CEILING = 1 - FLOOR  # the highest probability that has odds
SAMPLE = 512  # edges looked at to learn the scale
POWERS = (1.0, 4096.0)  # between which the power is sought
HALVINGS = 15
CERTAIN_SUM = 1.05  # rows of probabilities add up to no more


@dataclass(frozen=True)
class Probabilities:
    """Log-probabilities of pairs, each the mean of both directions.

    A pair that scores s has the probability (s / ``best``)^``power`` / ``total``.
    """

    compatibility: Compatibility
    power: float = 1.0
    best: float = 1.0
    total: float = 1.0

    @classmethod
    def of(cls, compatibility: Compatibility) -> "Probabilities":
        """Make probabilities of scores; those that add up to 1 or less for each edge already are.

        Others are raised to the power at which an edge's best partner is as probable as first
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
        power, total = _fit_power(sample / best, mutual)
        return cls(compatibility, power, best, total)

    @property
    def as_given(self) -> bool:
        """Whether the scores are probabilities already."""
        return self.power == self.best == self.total == 1

    @property
    def nothing(self) -> float:
        """The least logarithm."""
        return float(np.log(FLOOR))

    def log(self, a: NDArray[np.integer], b: NDArray[np.integer]) -> NDArray[np.float64]:
        """Return the logarithms for edges ``a`` and ``b``, element by element."""
        return self.log_of(self.compatibility.mutual(a, b))

    def log_of(self, scores: NDArray[np.floating]) -> NDArray[np.float64]:
        """Return the logarithms of the probabilities of these scores."""
        share = (np.maximum(scores, 0) / self.best) ** self.power / self.total
        return np.log(np.minimum(share, 1) + FLOOR)


def _fit_power(sample: NDArray[np.float64], mutual: float) -> tuple[float, float]:
    """Return the power at which the best of a row has the share ``mutual``, and a row's sum."""
    of_best = sample / np.maximum(sample.max(axis=1, keepdims=True), 1e-300)

    def trust(power: float) -> float:
        return float((1 / np.maximum((of_best**power).sum(axis=1), 1)).mean())

    power = fit_power(trust, mutual, POWERS, HALVINGS)
    return power, max(float((sample**power).sum(axis=1).mean()), 1e-12)


def on_scale(compatibility: Compatibility, scale: Scale) -> Compatibility:
    """Return the same scores on another scale; higher is better on all of them.

    - ``probability``: as they are, which must be 0 or above. Measures give probabilities; other
      scores, from 0 to 1, are taken in their place.
    - ``log-odds``: the logarithm of p / (1 - p), the probability made by ``Probabilities``.
    - ``distance``: the logarithm of p, so minus a distance that is 0 for a certain pair.
    - ``unit``: for each edge from 0, its worst partner, to 1, its best, and near ties near 1, as in
      section 4.3 of the paper. Probabilities, of which all but one are near 0, get there by their
      logarithms; other scores stay as they are.
    """
    if compatibility.scores.min() < 0:
        raise AzulejarError(
            "scores-below-0",
            "A solver needs scores of 0 and above.",
            "Bring them to 0..1, for example with the step minmax.",
        )
    if scale == "probability":
        return compatibility
    if scale not in get_args(Scale):
        raise AzulejarError(
            "scale-unknown",
            "There is no scale {scale!r}.",
            "Choose from {scales}.",
            scale=str(scale),
            scales=", ".join(get_args(Scale)),
        )
    probabilities = Probabilities.of(compatibility)
    if scale == "unit":
        return _on_unit_scale(compatibility) if probabilities.as_given else compatibility
    log = np.minimum(probabilities.log_of(compatibility.scores), 0)
    if scale == "log-odds":
        log = logit(np.minimum(np.exp(log), CEILING))
    return replace(compatibility, scores=log.astype(np.float32))


def _on_unit_scale(compatibility: Compatibility) -> Compatibility:
    scores = compatibility.scores.astype(np.float64)
    rows = np.where(scores > 0, np.log(scores + UNIT_FLOOR), -np.inf)  # no partner: exactly 0
    return replace(compatibility, scores=np.maximum(minmax(rows), 0).astype(np.float32))
