"""How much a picture tells of the tiles whose places are known, and so of all others."""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.special import logsumexp

from azulejar.reference.structure import Floats, Windows

STEEPEST = 40.0
MODEST = 20.0  # standard deviation that weights are expected to have
STEPS = 30


class Weights(NamedTuple):
    """Weights of the correlations of contours and tones in the logarithm of a likelihood."""

    contours: float
    tones: float


@dataclass(frozen=True)
class Likeness:
    """Correlations of contours and of tones, windows of tiles by places.

    [4n, m] at first; by ``over`` [n, 4, rows, cols], with which places the picture has ``shown``.
    """

    contours: Floats
    tones: Floats
    shown: NDArray[np.bool_]

    @classmethod
    def of(cls, tiles: Windows, places: Windows) -> "Likeness":
        """Compare every tile with every place."""
        return cls(
            tiles.contours @ places.contours.T,
            tiles.tones @ places.tones.T,
            np.ones(len(places.tones), bool),
        )

    def better(self, other: "Likeness", weights: Weights) -> "Likeness":
        """Return the better of two, pair by pair."""
        mine = self.total(weights) >= other.total(weights)
        return Likeness(
            np.where(mine, self.contours, other.contours),
            np.where(mine, self.tones, other.tones),
            self.shown,
        )

    def over(self, shown: NDArray[np.bool_]) -> "Likeness":
        """Return the same as [n, 4, rows, cols]."""
        shape = (len(self.tones) // 4, 4, *shown.shape)
        return Likeness(self.contours.reshape(shape), self.tones.reshape(shape), shown)

    @property
    def choices(self) -> int:
        """Places times turns that a tile can have."""
        return max(4 * int(self.shown.sum()), 1)

    def total(self, weights: Weights) -> Floats:
        """Return log-likelihoods, up to a constant for each tile; -inf where nothing is shown."""
        total = weights.contours * self.contours + weights.tones * self.tones
        return total if self.shown.all() else np.where(self.shown, total, -np.inf)

    def shows(self, row: NDArray[np.integer], col: NDArray[np.integer]) -> NDArray[np.bool_]:
        """Return which of these places the picture shows."""
        rows, cols = self.shown.shape
        inside = (row >= 0) & (col >= 0) & (row < rows) & (col < cols)
        return inside & self.shown[np.where(inside, row, 0), np.where(inside, col, 0)]

    def number(
        self, turn: NDArray[np.integer], row: NDArray[np.integer], col: NDArray[np.integer]
    ) -> NDArray[np.intp]:
        """Return the number of a turn and place among all."""
        return np.ravel_multi_index((turn, row, col), (4, *self.shown.shape))


def fit_weights(
    likeness: Likeness,
    tiles: NDArray[np.integer],
    at: NDArray[np.integer],
    group: NDArray[np.integer],
) -> tuple[Weights, NDArray[np.float64]]:
    """Fit the weights to tiles whose place is known, and return what the picture tells of each.

    A conditional logit model: which of all places and turns is the tile's? What it tells of a tile,
    in nats more than chance, is computed with weights that were fitted to the other half of the
    tiles.

    Args:
        likeness: Of all tiles and places.
        tiles: The known tiles [m].
        at: The number of the place and turn of each.
        group: Islands; halves are taken within each.
    """
    shown = np.broadcast_to(likeness.shown, likeness.tones.shape[1:]).ravel()
    number = np.cumsum(shown) - 1
    pairs = np.stack(
        [
            each[tiles].reshape(len(tiles), -1)[:, shown]
            for each in (likeness.contours, likeness.tones)
        ],
        axis=2,
    ).astype(np.float64)
    own = number[at]
    half = np.empty(len(tiles), int)
    half[np.argsort(group, kind="stable")] = np.arange(len(tiles)) % 2
    gains = np.zeros(len(tiles))
    for one in (0, 1):
        mine = half == one
        total = pairs[mine] @ _fit(pairs[~mine], own[~mine])
        gains[mine] = total[np.arange(len(total)), own[mine]] - logsumexp(total, axis=1)
    return Weights(*_fit(pairs, own).tolist()), gains + np.log(shown.sum())


def _fit(pairs: NDArray[np.float64], own: NDArray[np.integer]) -> NDArray[np.float64]:
    """Return the likeliest weights [2], by Newton's method; none is below 0."""
    weights = np.zeros(2)
    true = pairs[np.arange(len(own)), own]
    for _ in range(STEPS):
        total = pairs @ weights
        share = np.exp(total - logsumexp(total, axis=1, keepdims=True))
        mean = np.einsum("np,npk->nk", share, pairs)
        slope = (true - mean).sum(axis=0) - weights / MODEST**2
        curve = np.einsum("np,npk,npl->kl", share, pairs, pairs) - mean.T @ mean
        step = np.linalg.solve(curve + np.eye(2) / MODEST**2, slope)
        before, weights = weights, np.clip(weights + np.clip(step, -5, 5), 0, STEEPEST)
        if np.abs(weights - before).max() < 1e-3:
            break
    return weights
