"""Lens: what it has bent is made straight again."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray


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
        squared = straight[..., 0] ** 2 + straight[..., 1] ** 2
        gain = np.ones_like(squared)
        for _ in range(20):
            gain = 1 + self.strength * squared / gain**2
        return straight / gain[..., None] * self.radius + self.middle


def no_lens(shape: tuple[int, ...]) -> Lens:
    """One that bends nothing in a photograph [H, W, ...]."""
    middle = (np.array(shape[1::-1]) - 1) / 2
    return Lens(0.0, middle, float(np.hypot(*middle)))
