"""Fit how a stage grows with the number of tiles."""

from collections.abc import Sequence

import numpy as np
from scipy.optimize import nnls


def power_law(sizes: Sequence[float], values: Sequence[float]) -> tuple[float, float]:
    """Return a and b of a · n^b by least squares of the logarithms; one point counts as linear."""
    x, y = np.log(np.asarray(sizes, float)), np.log(np.asarray(values, float))
    if len(x) == 1:
        return float(np.exp(y[0] - x[0])), 1.0
    power, scale = np.polyfit(x, y, 1)
    return float(np.exp(scale)), float(power)


def polynomial(sizes: Sequence[float], values: Sequence[float], degree: int) -> list[float]:
    """Return coefficients from n⁰ on, none negative, by least squares of relative errors.

    Unlike a power law it includes a program's start, which hides the growth at small sizes.
    """
    n, y = np.asarray(sizes, float), np.asarray(values, float)
    scales = n.max() ** np.arange(degree + 1)
    columns = n[:, None] ** np.arange(degree + 1) / scales / y[:, None]
    return (nnls(columns, np.ones(len(y)))[0] / scales).tolist()


def predict(coefficients: Sequence[float], tiles: float) -> float:
    """Return the value of a polynomial at so many tiles."""
    return float(np.polyval(coefficients[::-1], tiles))
