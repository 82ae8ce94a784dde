"""Logistic regression, and how reliable its probabilities are."""

import numpy as np
from numpy.typing import NDArray

BINS = np.linspace(0, 1, 11)
PENALTY = 1e-4  # of the square of a weight, for features whose mean square is 1
STEPS = 50  # of Newton's method, at most
DRAWS = 400  # by which chance is told from error


def fit(
    features: NDArray, true: NDArray, share: NDArray | None = None, penalty: float = PENALTY
) -> NDArray:
    """Fit the weights [k] of a logistic model of ``true`` [m] by Newton's method.

    A column of ``features`` is 1. ``share`` [m] is how much each row counts; all alike by default.
    A small penalty on large weights keeps the answer sane where little was seen.
    """
    counts = np.full(len(true), 1 / len(true)) if share is None else share / share.sum()
    scale = np.maximum(np.sqrt(counts @ features**2), 1e-9)
    unit = features / scale
    weights = np.zeros(features.shape[1])

    def loss(weights: NDArray) -> float:
        odds = unit @ weights
        fitted = counts @ np.logaddexp(0, np.where(true, -odds, odds))
        return float(fitted + penalty / 2 * weights @ weights)

    lost = loss(weights)
    for _ in range(STEPS):
        found = probability(unit @ weights)
        slope = unit.T @ (counts * (found - true)) + penalty * weights
        curvature = (unit * (counts * found * (1 - found))[:, None]).T @ unit
        step = np.linalg.solve(curvature + penalty * np.eye(len(weights)), slope)
        length = 1.0
        while loss(weights - length * step) > lost and length > 1e-6:
            length /= 2
        weights = weights - length * step
        before, lost = lost, loss(weights)
        if before - lost < 1e-10:
            break
    return np.asarray(weights / scale)


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


def chance_of_error(predicted: NDArray, true: NDArray, group: NDArray) -> tuple[float, float]:
    """Return between what the calibration error lies, in nine of ten draws of other groups.

    What belongs to one ``group`` [m] is right or wrong together, so groups are drawn as a whole,
    with replacement, as many as there are.
    """
    _, number = np.unique(group, return_inverse=True)
    groups, bins = int(number.max()) + 1, len(BINS) - 1
    cell = number * bins + np.clip(np.digitize(predicted, BINS) - 1, 0, bins - 1)
    excess = np.bincount(cell, predicted - true, groups * bins).reshape(groups, bins)
    count = np.bincount(number, minlength=groups)
    drawn = np.random.default_rng(0).multinomial(groups, np.full(groups, 1 / groups), DRAWS)
    errors = np.abs(drawn @ excess).sum(axis=1) / (drawn @ count)
    low, high = np.quantile(errors, (0.05, 0.95))
    return float(low), float(high)
