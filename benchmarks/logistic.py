"""Logistic regression, and how reliable its probabilities are."""

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize

BINS = np.linspace(0, 1, 11)


def fit(features: NDArray, true: NDArray, share: NDArray | None = None) -> NDArray:
    """Fit the weights [k] of a logistic model of ``true`` [m]; a column of ``features`` is 1.

    ``share`` [m] is how much each row counts; all alike by default.
    """
    counts = np.full(len(true), 1 / len(true)) if share is None else share / share.sum()
    scale = np.maximum(np.abs(features).max(axis=0), 1e-9)
    unit = features / scale

    def loss(weights: NDArray) -> tuple[float, NDArray]:
        odds = unit @ weights
        slope = unit.T @ (counts * (probability(odds) - true))
        return float(counts @ np.logaddexp(0, np.where(true, -odds, odds))), slope

    start = np.zeros(features.shape[1])
    found = minimize(loss, start, jac=True, method="BFGS", options={"gtol": 1e-7})
    return np.asarray(found.x / scale)


def probability(odds: NDArray) -> NDArray:
    return 1 / (1 + np.exp(-odds))


def reliability(predicted: NDArray, true: NDArray) -> tuple[NDArray, NDArray, NDArray]:
    """Return mean prediction, observed frequency and count of each tenth that is not empty."""
    which = np.clip(np.digitize(predicted, BINS) - 1, 0, len(BINS) - 2)
    count = np.bincount(which, minlength=len(BINS) - 1)
    sums = [np.bincount(which, values, len(BINS) - 1) for values in (predicted, true)]
    held = count > 0
    return sums[0][held] / count[held], sums[1][held] / count[held], count[held]


def calibration_error(predicted: NDArray, true: NDArray) -> float:
    """Return the expected calibration error over ten equal bins."""
    mean, observed, count = reliability(predicted, true)
    return float(np.average(np.abs(mean - observed), weights=count))
