"""Plane: the table's perspective, such that all tiles on it are squares of one size."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import least_squares

from azulejar.imaging.photographs.lens import Lens, no_lens

TOLERANCE = 0.02  # by which tiles differ in size, as a fraction
LEAN, STRETCH = 0.3, 0.12  # how much perspective and foreshortening to expect
DIAGONALS = ((0, 2), (1, 3))


@dataclass(frozen=True)
class Plane:
    """Maps pixels to the table, where every tile has sides of length 1.

    ``lens`` straightens them, and its middle and radius bring them to about -1 to 1; ``lean`` [2]
    is the perspective, ``matrix`` [2, 2] the foreshortening and scale.
    """

    lens: Lens
    lean: NDArray[np.float64]
    matrix: NDArray[np.float64]

    def flat(self, points: NDArray[np.float64]) -> NDArray[np.float64]:
        """Places [..., 2] on the table, in tiles, of pixels [..., 2]."""
        seen = (self.lens.straight(points) - self.lens.middle) / self.lens.radius
        return (seen / (1 + seen @ self.lean)[..., None]) @ self.matrix

    def pixels(self, places: NDArray[np.float64]) -> NDArray[np.float64]:
        """Pixels [..., 2] of places [..., 2] on the table."""
        flat = places @ np.linalg.inv(self.matrix)
        seen = flat / (1 - flat @ self.lean)[..., None]
        return self.lens.bent(seen * self.lens.radius + self.lens.middle)

    def tiles_per_pixel(self) -> float:
        """How long a pixel in the middle of the photograph is, in tiles."""
        step = self.flat(self.lens.middle + np.array([[0, 0], [1, 0], [0, 1]]))
        return float(np.linalg.norm(step[1:] - step[0], axis=1).mean())

    def misfit(self, quads: NDArray[np.float64]) -> NDArray[np.float64]:
        """How far each of quads [n, 4, 2] is from a square of the common size: the root mean
        square of the deviations of sides and diagonals, as fractions.
        """
        return np.sqrt((_deviations(self.flat(quads)) ** 2).mean(axis=1))


def fit_plane(quads: NDArray[np.float64], shape: tuple[int, ...]) -> Plane:
    """The plane of quads [n, 4, 2], most of which are tiles, in a photograph [H, W, ...]."""
    lens = no_lens(shape)
    side = np.median(np.linalg.norm(quads - np.roll(quads, 1, axis=1), axis=2)) / lens.radius

    def plane(unknown: NDArray) -> Plane:
        return leaning_plane(lens, float(side), unknown)

    def residuals(unknown: NDArray) -> NDArray:
        off = _deviations(plane(unknown).flat(quads)).ravel() / TOLERANCE
        return np.concatenate([off, unknown[:4]])

    found = least_squares(residuals, np.zeros(5), loss="cauchy", max_nfev=60)
    return plane(found.x)


def leaning_plane(lens: Lens, side: float, unknown: NDArray[np.float64]) -> Plane:
    """The plane of five numbers: two of perspective and two of foreshortening, about 1 where
    these are as strong as may be expected, and the logarithm of the tiles' size over ``side``,
    which is in radii.
    """
    lean, (a, b, size) = unknown[:2] * LEAN, unknown[2:] * [STRETCH, STRETCH, 1]
    return Plane(lens, lean, np.array([[1 + a, b], [b, 1 - a]]) / (side * np.exp(size)))


def _deviations(flat: NDArray[np.float64]) -> NDArray[np.float64]:
    """Logarithms [n, 6] of sides and diagonals over those of a unit square."""
    sides = np.linalg.norm(flat - np.roll(flat, 1, axis=1), axis=2)
    across = [np.linalg.norm(flat[:, i] - flat[:, j], axis=1) for i, j in DIAGONALS]
    return np.log(np.maximum(np.column_stack([sides, *(d / np.sqrt(2) for d in across)]), 1e-6))
