"""Compose the scene: a river mouth with ships, seen from a shore with a tree and people."""

import numpy as np
from numpy.typing import ArrayLike

from azulejar.practice.painting.architecture import (
    paint_church,
    paint_house,
    paint_tower,
    paint_windmill,
)
from azulejar.practice.painting.canvas import Canvas
from azulejar.practice.painting.curves import Points, points
from azulejar.practice.painting.figures import paint_boat, paint_dog, paint_gentleman, paint_lady
from azulejar.practice.painting.landscape import (
    paint_air,
    paint_bank,
    paint_birds,
    paint_bush,
    paint_cloud,
    paint_hill,
    paint_rock,
    paint_sea,
    paint_tree,
)
from azulejar.practice.painting.ship import paint_ship

# Places are fractions of the view's width and height, sizes are fractions of its shorter side.
HORIZON = 0.56
CLOUDS = points(".50,.13 .17,.20 .43,.30 .78,.27 .01,.10")
CLOUD_SIZES = (0.36, 0.42, 0.24, 0.34, 0.20)
FAR_RIDGE = points(".70,.56 .75,.53 .80,.535 .86,.49 .92,.50 1.02,.46")
HILL_RIDGE = points("-.02,.36 .06,.33 .14,.37 .22,.43 .30,.47 .40,.53 .46,.56")
TOWN_RIDGE = points("-.02,.47 .05,.44 .12,.46 .20,.50 .27,.55 .33,.62")
UPPER_HOUSES = points("-.02,.50 .08,.49 .03,.535 .14,.53 .19,.56 -.02,.58 .09,.57")
LOWER_HOUSES = points("0,.63 .15,.622 .22,.62")
GARDENS = points(".02,.576 .14,.582 .24,.587 .27,.588")
BANK_RIDGE = points(
    "-.02,.80 .06,.785 .14,.81 .22,.86 .30,.95 .40,.99 .55,1 .70,.99 .80,.93 .90,.86 1.02,.82"
)


class Viewport:
    """The rectangle that the scene fills: the canvas less ``border`` units at each side."""

    def __init__(self, canvas: Canvas, border: float):
        self.origin = np.array([border, border])
        self.extent = np.array([canvas.width, canvas.height]) - 2 * border

    def at(self, places: ArrayLike) -> Points:
        """Convert fractions of width and height, [2] or [n, 2], to units."""
        return self.origin + np.asarray(places) * self.extent

    def size(self, fraction: float) -> float:
        """Convert a fraction of the shorter side to units."""
        return fraction * float(self.extent.min())


def paint_scene(canvas: Canvas, border: float) -> None:
    """Paint the scene inside the ``border``; the frame, painted later, covers what runs over."""
    view = Viewport(canvas, border)
    _paint_sky(canvas, view)
    _paint_far_shore(canvas, view)
    _paint_ships(canvas, view)
    _paint_near_shore(canvas, view)


def _paint_sky(canvas: Canvas, view: Viewport) -> None:
    (left, top), (right, horizon) = view.at([(0, 0), (1, HORIZON)])
    paint_air(canvas, left, top, right, horizon)
    places = CLOUDS + canvas.rng.normal(0, 0.015, CLOUDS.shape)
    for place, width in zip(places, CLOUD_SIZES, strict=True):
        paint_cloud(canvas, view.at(place), view.size(width))
    paint_birds(canvas, view.at((0.31, 0.24)), view.size(0.09), 8)
    paint_birds(canvas, view.at((0.66, 0.10)), view.size(0.07), 5)


def _paint_far_shore(canvas: Canvas, view: Viewport) -> None:
    (left, horizon), (right, bottom) = view.at([(0, HORIZON), (1, 1)])
    paint_hill(canvas, view.at(FAR_RIDGE), horizon, 0.2)
    paint_hill(canvas, view.at(HILL_RIDGE), horizon, 0.22)
    paint_sea(canvas, left, horizon, right, bottom)
    paint_hill(canvas, view.at(TOWN_RIDGE), view.at((0, 0.62))[1], 0.35)
    paint_windmill(canvas, view.at((0.075, 0.335)), view.size(0.13))
    for house in UPPER_HOUSES:
        paint_house(canvas, view.at(house), view.size(0.085))
    for garden in GARDENS:
        paint_bush(canvas, view.at(garden), view.size(0.035))
    paint_church(canvas, view.at((0.06, 0.615)), view.size(0.19))
    for house in LOWER_HOUSES:
        paint_house(canvas, view.at(house), view.size(0.085))
    paint_tower(canvas, view.at((0.355, 0.655)), view.size(0.36))


def _paint_ships(canvas: Canvas, view: Viewport) -> None:
    paint_ship(canvas, view.at((0.82, 0.60)), view.size(0.11), flip=True)
    paint_ship(canvas, view.at((0.965, 0.585)), view.size(0.07))
    paint_ship(canvas, view.at((0.635, 0.785)), view.size(0.42))
    paint_boat(canvas, view.at((0.30, 0.77)), view.size(0.16))


def _paint_near_shore(canvas: Canvas, view: Viewport) -> None:
    paint_bank(canvas, view.at(BANK_RIDGE), view.at((0, 1.02))[1])
    paint_rock(canvas, view.at((0.27, 0.95)), view.size(0.05))
    paint_rock(canvas, view.at((0.80, 0.96)), view.size(0.06))
    paint_tree(canvas, view.at((0.92, 0.95)), view.size(0.93))
    paint_bush(canvas, view.at((0.98, 0.97)), view.size(0.09))
    paint_lady(canvas, view.at((0.055, 0.94)), view.size(0.22))
    paint_gentleman(canvas, view.at((0.12, 0.95)), view.size(0.23))
    paint_dog(canvas, view.at((0.185, 0.94)), view.size(0.07))
