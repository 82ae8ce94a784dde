"""How far scores can be trusted: row-wise softmax, and a power fitted to mutual first choices.

How reliable a measure is on the tiles at hand is not known in advance, but the tiles show it: on
average, an edge's first choice should be as probable as first choices are mutual.
"""

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy import special

Rows = NDArray[np.float64]

PLAIN = 0.02  # of the typical least dissimilarity, added so that plain edges don't look certain
LEAST_SUM = 1e-30  # stands for the sum over an edge that has no partners


class PowerLaw(NamedTuple):
    """A partner of dissimilarity D is likely in proportion to (D + ``offset``)^-``power``."""

    offset: float
    power: float

    def log(self, dissimilarity: NDArray[Any]) -> NDArray[Any]:
        """Return the logarithms of these proportions; minus infinity where D is infinite."""
        return -self.power * np.log(dissimilarity + self.offset)


def fit_power(
    trust: Callable[[float], float], mutual: float, between: tuple[float, float], halvings: int
) -> float:
    """Find the power at which first choices are trusted as far as they are mutual.

    ``trust`` gives, for a power, the mean probability of the first choices, which rises with it;
    ``mutual`` is the share of edges that are the first choice of their first choice (best buddies).
    """
    low, high = between
    for _ in range(halvings):
        power = float(np.sqrt(low * high))
        low, high = (power, high) if trust(power) < mutual else (low, power)
    return float(np.sqrt(low * high))


def plain_offset(least: NDArray[np.floating]) -> float:
    """Return the offset of a power law from the least dissimilarity of each edge."""
    finite = least[np.isfinite(least)]
    return float(PLAIN * np.median(finite) + 1e-6) if len(finite) else 1e-6


def softmax(rows: Rows) -> Rows:
    """Return the probability of each partner, in proportion to e^score; 0 in rows without any."""
    alone = np.asarray(np.isneginf(rows).all(axis=1))
    shares = special.softmax(np.where(alone[:, None], 0, rows) if alone.any() else rows, axis=1)
    shares[alone] = 0
    return shares


def log_sum_exp(rows: NDArray[Any]) -> NDArray[Any]:
    """Return the logarithm of the sum of e^score over each row.

    Written out, since ``scipy.special.logsumexp`` rounds differently in the last digit.
    """
    highest = rows.max(axis=1)
    highest = np.where(np.isfinite(highest), highest, 0)
    return highest + np.log(np.maximum(np.exp(rows - highest[:, None]).sum(axis=1), LEAST_SUM))
