"""How a camera sees tiles on a table: the lens, the table's plane, and the tiles' clay sides."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

TOLERANCE = 0.02  # fraction by which tiles differ in size
LEAN, STRETCH = 0.3, 0.12  # how much perspective and foreshortening to expect
DIAGONALS = ((0, 2), (1, 3))
THICKNESS = 0.06  # of a tile, in sides: azulejos are about 1 cm thick and 14 cm wide
FOCAL = 1.2  # of the picture's longer side: between a telephone and a portrait lens


@dataclass(frozen=True)
class Lens:
    """Radial distortion: pixel p belongs at p (1 + strength · r²).

    p and its length r are counted from the ``middle`` [2] of the photograph in units of the
    ``radius``, half its diagonal.
    """

    strength: float
    middle: NDArray[np.float64]
    radius: float

    def undistort(self, points: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return where pixels [..., 2] of the photograph belong without the lens."""
        away = (points - self.middle) / self.radius
        squared = away**2
        gain = 1 + self.strength * (squared[..., :1] + squared[..., 1:])
        return away * gain * self.radius + self.middle

    def distort(self, points: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return the pixels [..., 2] of the photograph that belong at ``points``."""
        if self.strength == 0:
            return points
        straight = (points - self.middle) / self.radius
        squared = straight[..., 0] ** 2 + straight[..., 1] ** 2
        gain = np.ones_like(squared)
        for _ in range(20):
            gain = 1 + self.strength * squared / gain**2
        return straight / gain[..., None] * self.radius + self.middle


def no_lens(shape: tuple[int, ...]) -> Lens:
    """Return a lens without distortion for a photograph [H, W, ...]."""
    middle = (np.array(shape[1::-1]) - 1) / 2
    return Lens(0.0, middle, float(np.hypot(*middle)))


@dataclass(frozen=True)
class Plane:
    """The map between pixels and the table, on which every tile is a square of side 1.

    ``lens`` undistorts pixels, and its middle and radius bring them to about -1 to 1; ``lean`` [2]
    is the perspective, ``matrix`` [2, 2] the foreshortening and scale.
    """

    lens: Lens
    lean: NDArray[np.float64]
    matrix: NDArray[np.float64]

    def to_table(self, points: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return the places [..., 2] on the table, in tiles, of pixels [..., 2]."""
        seen = (self.lens.undistort(points) - self.lens.middle) / self.lens.radius
        return (seen / (1 + seen @ self.lean)[..., None]) @ self.matrix

    def to_pixels(self, places: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return the pixels [..., 2] of places [..., 2] on the table."""
        flat = places @ np.linalg.inv(self.matrix)
        seen = flat / (1 - flat @ self.lean)[..., None]
        return self.lens.distort(seen * self.lens.radius + self.lens.middle)

    def tiles_per_pixel(self) -> float:
        """Return how long a pixel in the middle of the photograph is, in tiles."""
        step = self.to_table(self.lens.middle + np.array([[0, 0], [1, 0], [0, 1]]))
        return float(np.linalg.norm(step[1:] - step[0], axis=1).mean())

    def misfit(self, quads: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return how far quads [n, 4, 2] are from squares of the common size.

        This is the root mean square deviation of sides and diagonals, as a fraction.
        """
        return np.sqrt((_deviations(self.to_table(quads)) ** 2).mean(axis=1))


def fit_plane(quads: NDArray[np.float64], shape: tuple[int, ...]) -> Plane:
    """Fit the plane of quads [n, 4, 2], most of which are tiles, in a photograph [H, W, ...]."""
    from scipy.optimize import least_squares  # loaded here, since it takes long

    lens = no_lens(shape)
    side = np.median(np.linalg.norm(quads - np.roll(quads, 1, axis=1), axis=2)) / lens.radius

    def plane(unknown: NDArray) -> Plane:
        return leaning_plane(lens, float(side), unknown)

    def residuals(unknown: NDArray) -> NDArray:
        off = _deviations(plane(unknown).to_table(quads)).ravel() / TOLERANCE
        return np.concatenate([off, unknown[:4]])

    found = least_squares(residuals, np.zeros(5), loss="cauchy", max_nfev=60)
    return plane(found.x)


def leaning_plane(lens: Lens, side: float, unknown: NDArray[np.float64]) -> Plane:
    """Return the plane of five parameters.

    Two are of perspective and two of foreshortening, all scaled so that 1 is as strong as may be
    expected; the last is the logarithm of the tiles' size over ``side``, which is in radii.
    """
    lean, (a, b, size) = unknown[:2] * LEAN, unknown[2:] * [STRETCH, STRETCH, 1]
    return Plane(lens, lean, np.array([[1 + a, b], [b, 1 - a]]) / (side * np.exp(size)))


def _deviations(flat: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the logarithms [n, 6] of sides and diagonals over those of a unit square."""
    sides = np.linalg.norm(flat - np.roll(flat, 1, axis=1), axis=2)
    across = [np.linalg.norm(flat[:, i] - flat[:, j], axis=1) for i, j in DIAGONALS]
    return np.log(np.maximum(np.column_stack([sides, *(d / np.sqrt(2) for d in across)]), 1e-6))


@dataclass(frozen=True)
class ClaySides:
    """How much of the tiles' clay sides a camera sees that does not look straight down.

    A tile's face stands above its foot, so it is seen farther from the point ``below`` the camera,
    by a ``share`` of the distance.
    """

    below: NDArray[np.float64]
    share: float

    def shift(self, points: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return the shift in pixels from points [..., 2] of faces to the feet below them."""
        return self.share * (self.below - points)

    def width(self, point: NDArray[np.float64], outward: NDArray[np.float64]) -> float:
        """Return the clay's width in pixels at a ``point`` of a side that faces ``outward``."""
        return max(float(self.shift(point) @ outward), 0.0)


def expected_clay_sides(plane: Plane, shape: tuple[int, ...]) -> ClaySides:
    """Return the clay sides of tiles of usual thickness, seen by a usual lens above the plane."""
    return clay_sides_seen(plane, FOCAL * max(shape), THICKNESS)


def clay_sides_seen(plane: Plane, focal: float, thickness: float) -> ClaySides:
    """Return the clay sides of tiles ``thickness`` sides thick, with a focal length in pixels."""
    side = 1 / plane.tiles_per_pixel()
    # The point straight below lies at focal length times the tangent of the camera's tilt.
    below = plane.lens.middle + plane.lean * focal**2 / plane.lens.radius
    return ClaySides(below, thickness * side / focal)
