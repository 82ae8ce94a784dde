"""Scene: a river mouth with ships, seen from a shore with a tree and people."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from azulejar.imaging.painting.canvas import Canvas
from azulejar.imaging.painting.curves import Points
from azulejar.imaging.painting.figures import (
    paint_boat,
    paint_dog,
    paint_gentleman,
    paint_lady,
)
from azulejar.imaging.painting.land import paint_bank, paint_hill, paint_rock
from azulejar.imaging.painting.sea import paint_sea
from azulejar.imaging.painting.ship import Ship
from azulejar.imaging.painting.sky import paint_air, paint_birds, paint_cloud
from azulejar.imaging.painting.town import (
    paint_church,
    paint_house,
    paint_tower,
    paint_windmill,
)
from azulejar.imaging.painting.tree import paint_bush, paint_tree

HORIZON = 0.56
# Places are fractions of the view's width and height, sizes of its shorter side.
CLOUDS = ((0.50, 0.13, 0.36), (0.17, 0.20, 0.42), (0.41, 0.33, 0.24), (0.78, 0.27, 0.34), (0.01, 0.10, 0.2))
FAR_RIDGE = ((0.70, 0.56), (0.75, 0.53), (0.80, 0.535), (0.86, 0.49), (0.92, 0.50), (1.02, 0.46))
HILL_RIDGE = ((-0.02, 0.36), (0.06, 0.33), (0.14, 0.37), (0.22, 0.43), (0.30, 0.47), (0.40, 0.53), (0.46, 0.56))
TOWN_RIDGE = ((-0.02, 0.47), (0.05, 0.44), (0.12, 0.46), (0.20, 0.50), (0.27, 0.55), (0.33, 0.62))
UPPER_HOUSES = ((-0.02, 0.50), (0.08, 0.49), (0.03, 0.535), (0.14, 0.53), (0.19, 0.56), (-0.02, 0.58), (0.09, 0.57))
LOWER_HOUSES = ((0.0, 0.63), (0.15, 0.622), (0.22, 0.62))
BANK_RIDGE = (
    *((-0.02, 0.80), (0.06, 0.785), (0.14, 0.81), (0.22, 0.86), (0.30, 0.95), (0.40, 0.99)),
    *((0.55, 1.0), (0.70, 0.99), (0.80, 0.93), (0.90, 0.86), (1.02, 0.82)),
)


@dataclass(frozen=True)
class View:
    """The rectangle that the scene fills, in units."""

    left: float
    top: float
    width: float
    height: float

    def at(self, places: ArrayLike) -> Points:
        """Fractions of width and height to units, [2] or [n, 2]."""
        return np.array([self.left, self.top]) + np.asarray(places) * [self.width, self.height]

    def size(self, fraction: float) -> float:
        """Fraction of the shorter side to units."""
        return fraction * min(self.width, self.height)


def paint_scene(canvas: Canvas, border: float) -> None:
    """Fill the canvas within ``border`` units of its rim; the frame covers what runs over."""
    view = View(border, border, canvas.width - 2 * border, canvas.height - 2 * border)
    _paint_sky(canvas, view)
    _paint_water_and_town(canvas, view)
    _paint_ships(canvas, view)
    _paint_shore(canvas, view)


def _paint_sky(canvas: Canvas, view: View) -> None:
    (left, top), (right, horizon) = view.at([(0, 0), (1, HORIZON)])
    paint_air(canvas, left, top, right, horizon)
    for u, v, width in CLOUDS:
        drift = canvas.rng.normal(0, 0.015, 2)
        paint_cloud(canvas, view.at(drift + (u, v)), view.size(width))
    paint_birds(canvas, view.at((0.31, 0.24)), view.size(0.09), 8)
    paint_birds(canvas, view.at((0.66, 0.10)), view.size(0.07), 5)


def _paint_water_and_town(canvas: Canvas, view: View) -> None:
    (left, horizon), (right, bottom) = view.at([(0, HORIZON), (1, 1)])
    paint_hill(canvas, view.at(FAR_RIDGE), horizon, 0.2)
    paint_hill(canvas, view.at(HILL_RIDGE), horizon, 0.22)
    paint_sea(canvas, left, horizon, right, bottom)
    paint_hill(canvas, view.at(TOWN_RIDGE), view.at((0, 0.62))[1], 0.35)
    paint_windmill(canvas, view.at((0.075, 0.335)), view.size(0.13))
    for house in UPPER_HOUSES:
        paint_house(canvas, view.at(house), view.size(0.085))
    for u in (0.02, 0.14, 0.24, 0.27):
        paint_bush(canvas, view.at((u, 0.575 + 0.05 * u)), view.size(0.035))
    paint_church(canvas, view.at((0.06, 0.615)), view.size(0.19))
    for house in LOWER_HOUSES:
        paint_house(canvas, view.at(house), view.size(0.085))
    paint_tower(canvas, view.at((0.355, 0.655)), view.size(0.36))


def _paint_ships(canvas: Canvas, view: View) -> None:
    Ship(canvas, view.at((0.82, 0.60)), view.size(0.11), flip=True).paint()
    Ship(canvas, view.at((0.965, 0.585)), view.size(0.07)).paint()
    Ship(canvas, view.at((0.635, 0.785)), view.size(0.42)).paint()
    paint_boat(canvas, view.at((0.30, 0.77)), view.size(0.16))


def _paint_shore(canvas: Canvas, view: View) -> None:
    paint_bank(canvas, view.at(BANK_RIDGE), view.at((0, 1.02))[1])
    paint_rock(canvas, view.at((0.27, 0.95)), view.size(0.05))
    paint_rock(canvas, view.at((0.80, 0.96)), view.size(0.06))
    paint_tree(canvas, view.at((0.925, 0.95)), view.size(0.93), lean=-0.02)
    paint_bush(canvas, view.at((0.98, 0.97)), view.size(0.09))
    paint_lady(canvas, view.at((0.075, 0.94)), view.size(0.22))
    paint_gentleman(canvas, view.at((0.145, 0.95)), view.size(0.23))
    paint_dog(canvas, view.at((0.215, 0.95)), view.size(0.075), flip=True)
