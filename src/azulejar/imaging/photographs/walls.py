"""Walls: how much of the tiles' clay sides a camera sees that does not look straight down."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from azulejar.imaging.photographs.plane import Plane

THICKNESS = 0.06  # of a tile, in sides: azulejos are about 1 cm thick and 14 cm wide
FOCAL = 1.2  # of the picture's longer side: between a telephone and a portrait lens


@dataclass(frozen=True)
class Walls:
    """A tile's face stands above its foot, so it is seen farther from the point ``below`` the
    camera, by a ``share`` of the distance.
    """

    below: NDArray[np.float64]
    share: float

    def shift(self, points: NDArray[np.float64]) -> NDArray[np.float64]:
        """From points [..., 2] of faces to the feet below them, in pixels."""
        return self.share * (self.below - points)

    def width(self, point: NDArray[np.float64], outward: NDArray[np.float64]) -> float:
        """Width in pixels of the wall below a side at ``point`` [2] that faces ``outward``."""
        return max(float(self.shift(point) @ outward), 0.0)


def expected_walls(plane: Plane, shape: tuple[int, ...]) -> Walls:
    """What is seen of tiles of common thickness by a common lens above that plane."""
    return walls_seen(plane, FOCAL * max(shape), THICKNESS)


def walls_seen(plane: Plane, focal: float, thickness: float) -> Walls:
    """The walls of tiles so many sides thick, with a focal length in pixels."""
    side = 1 / plane.tiles_per_pixel()
    # Far from the vanishing line, at focal length times the tangent of the camera's tilt.
    below = plane.lens.middle + plane.lean * focal**2 / plane.lens.radius
    return Walls(below, thickness * side / focal)
