"""Lens: straight sides that a lens has bent are made straight again."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize_scalar

from azulejar.imaging.photographs.sides import Side, crossing, straight_line

STRONGEST = 0.15
WORTH = 0.9  # of the bent sides' residual: what is left must be less for a lens to be believed


@dataclass(frozen=True)
class Lens:
    """A pixel p, counted from the middle in half diagonals, belongs at p (1 + strength · r²)."""

    strength: float
    middle: NDArray[np.float64]
    radius: float

    def straight(self, points: NDArray[np.float64]) -> NDArray[np.float64]:
        """Where pixels [..., 2] of the photograph belong."""
        away = (points - self.middle) / self.radius
        gain = 1 + self.strength * (away**2).sum(axis=-1, keepdims=True)
        return away * gain * self.radius + self.middle

    def bent(self, points: NDArray[np.float64]) -> NDArray[np.float64]:
        """Pixels [..., 2] of the photograph that belong at ``points``."""
        if self.strength == 0:
            return points
        straight = (points - self.middle) / self.radius
        away = straight
        for _ in range(20):
            away = straight / (1 + self.strength * (away**2).sum(axis=-1, keepdims=True))
        return away * self.radius + self.middle

    def corners(self, sides: Sequence[Side]) -> NDArray[np.float64]:
        """Where the straightened sides of a tile meet [4, 2], in pixels of the photograph."""
        lines = [straight_line(self.straight(side.points), side.seen) for side in sides]
        return self.bent(np.array([crossing(lines[k - 1], lines[k]) for k in range(4)]))


def no_lens(shape: tuple[int, ...]) -> Lens:
    """One that bends nothing in a photograph [H, W, ...]."""
    middle = (np.array(shape[1::-1]) - 1) / 2
    return Lens(0.0, middle, float(np.hypot(*middle)))


def fit_lens(sides: Sequence[Side], shape: tuple[int, ...]) -> Lens:
    """The lens that makes the sides in a photograph [H, W, ...] straightest.

    Where straightening gains little, nothing is bent: too few sides, or too short ones.
    """
    plain = no_lens(shape)
    points = np.stack([side.points for side in sides])
    seen = np.stack([side.seen for side in sides]) & _near_line(sides)

    def crookedness(strength: float) -> float:
        bent = replace(plain, strength=strength)
        return float(np.mean(_crooked(bent.straight(points), seen)))

    found = minimize_scalar(crookedness, bounds=(-STRONGEST, STRONGEST), method="bounded")
    believed = found.fun < WORTH * crookedness(0.0)
    return replace(plain, strength=float(found.x)) if believed else plain


def _near_line(sides: Sequence[Side]) -> NDArray[np.bool_]:
    """Points [n, m] that are no strays from the line of their side."""
    near = []
    for side in sides:
        line = straight_line(side.points, side.seen)
        rest = np.abs(side.points @ line[:2] - line[2])
        usual = float(np.median(rest[side.seen])) if side.seen.any() else 0.0
        near.append(rest < 8 * max(usual, 0.3))
    return np.stack(near)


def _crooked(points: NDArray[np.float64], seen: NDArray[np.bool_]) -> NDArray[np.float64]:
    """Root mean square distance [n] of points [n, m, 2] from the line through those seen, over
    their spread along it: straightening also enlarges, and noise with it.
    """
    weight = seen / np.maximum(seen.sum(axis=1, keepdims=True), 1)
    middle = np.einsum("nm,nmk->nk", weight, points)
    rest = points - middle[:, None]
    spread = np.einsum("nm,nmi,nmj->nij", weight, rest, rest)
    across, along = np.moveaxis(np.linalg.eigvalsh(spread), 1, 0)
    return np.sqrt(np.maximum(across, 0) / np.maximum(along, 1e-9))
