"""Paint figures: the people on the shore and in a boat, and a dog.

Each is drawn 1 high (the boat 1 long), facing right, with the ground or waterline at y = 0.
"""

from collections.abc import Iterable

import numpy as np
from numpy.typing import ArrayLike

from azulejar.practice.painting.canvas import Canvas
from azulejar.practice.painting.curves import Points, Transform, ellipse, points, smooth

COAT = points("-.03,-.81 -.10,-.76 -.085,-.56 -.18,-.28 0,-.25 .15,-.29 .08,-.56 .09,-.76 .03,-.81")
COAT_FOLDS = (
    points("0,-.8 .02,-.55 .01,-.26"),
    points("-.08,-.5 -.11,-.29"),
    points("0.07,-.5 .09,-.3"),
)
TRICORNE = points("-.13,-.93 -.05,-.955 0,-1.02 .07,-.96 .14,-.95 0,-.915")
SKIRT = points("-.06,-.58 -.16,-.46 -.24,-.22 -.29,0 0,.025 .28,0 .22,-.24 .15,-.46 .06,-.58")
BODICE = points("-.06,-.57 -.10,-.74 -.03,-.80 .04,-.80 .09,-.74 .06,-.57")
PARASOL = points("-.16,-1 -.06,-1.13 .13,-1.2 .33,-1.12 .44,-.99 .28,-1.03 .14,-1 0,-1.03")
DOG = points(
    "-.5,-.55 -.1,-.62 .25,-.7 .42,-.98 .62,-.95 .8,-.8 .6,-.72 .42,-.5 .2,-.35 -.15,-.42 -.45,-.35"
)
BOAT = points("-.52,-.17 -.3,-.06 0,-.04 .3,-.07 .56,-.2 .42,.03 0,.08 -.4,.04")
TORSO = points("-.09,-.05 -.08,-.3 .06,-.32 .1,-.05")
STRAW_HAT = points("-.11,-.42 -.04,-.43 0,-.5 .05,-.43 .11,-.41")


class Sketch:
    """The parts that every figure is made of, at one place and size."""

    def __init__(self, canvas: Canvas, at: ArrayLike, size: float, flip: bool = False):
        self.canvas, self.size = canvas, size
        self.place = Transform(at, size, flip=flip)
        self.line = 0.6 + 0.008 * size

    def cloth(self, outline: ArrayLike, ink: float, shade: float) -> Points:
        """Paint a garment with flat ink, shade on the right and an outline; return its shape."""
        shape = smooth(self.place(outline), closed=True)
        self.canvas.cover(shape, ink)
        self.canvas.wash(shape, shade, fade=(-1, -0.2))
        self.canvas.outline(shape, 1.2 * self.line, 0.95)
        return shape

    def limb(self, path: ArrayLike, width: float, ink: float = 0.05) -> None:
        """Paint an arm or a leg: a dark brush line with a paler one inside."""
        curve = smooth(self.place(path))
        self.canvas.stroke(curve, width * self.size + 2 * self.line, 0.95)
        self.canvas.scratch(curve, width * self.size)
        self.canvas.stroke(curve, width * self.size, ink)

    def lines(self, paths: Iterable[ArrayLike], weight: float = 1.0, ink: float = 0.85) -> None:
        self.canvas.strokes([smooth(self.place(p)) for p in paths], weight * self.line, ink)

    def dots(self, spots: ArrayLike, size: float, ink: float = 0.95) -> None:
        self.canvas.dabs(self.place(spots), size * self.size, 0.3, 0.7 * size * self.size, ink)

    def head(self, x: float, y: float, radius: float) -> None:
        face = ellipse(self.place((x, y)), radius * self.size, 1.2 * radius * self.size, n=20)
        self.canvas.cover(face)
        self.canvas.wash(face, 0.35, fade=(-1, -0.4))
        self.canvas.outline(face, self.line, 0.9)
        features = np.array([(0.2, 0), (0.7, 0), (0.45, 0.6)])
        self.dots(features * radius + [x, y], 0.3 * radius)


def paint_gentleman(canvas: Canvas, at: ArrayLike, size: float) -> None:
    """Paint a gentleman in a flared coat and a three-cornered hat, with a walking stick."""
    him = Sketch(canvas, at, size)
    him.limb([(-0.05, -0.32), (-0.06, -0.15), (-0.07, -0.01)], 0.05)
    him.limb([(0.05, -0.32), (0.08, -0.16), (0.1, -0.01)], 0.05)
    him.dots([(-0.045, 0.0), (0.125, 0.0)], 0.1)
    him.cloth(COAT, 0.45, 0.6)
    him.lines(COAT_FOLDS)
    him.dots([(0.035, y) for y in np.linspace(-0.72, -0.34, 7)], 0.022)
    him.lines([[(0.23, -0.56), (0.26, 0.0)]], 1.6, 0.95)
    him.limb([(0.06, -0.75), (0.13, -0.62), (0.23, -0.55)], 0.045, 0.5)
    him.head(0.01, -0.88, 0.055)
    him.dots([(-0.06, -0.86), (-0.065, -0.82), (-0.06, -0.89)], 0.055, 0.5)
    him.cloth(TRICORNE, 0.85, 0.5)


def paint_lady(canvas: Canvas, at: ArrayLike, size: float) -> None:
    """Paint a lady in a wide patterned skirt, under a parasol."""
    her = Sketch(canvas, at, size)
    skirt = her.cloth(SKIRT, 0.02, 0.4)
    hems = (-0.2, -0.1, 0.02, 0.13, 0.21)
    her.lines([[(0.3 * x, -0.55), (0.75 * x, -0.3), (x, -0.02)] for x in hems], 1.0, 0.7)
    canvas.hatch(skirt, 1.1, 0.05 * size, 0.45, her.line, fade=(-1, -0.3))
    her.dots([(x, -0.07) for x in np.linspace(-0.22, 0.22, 8)], 0.05, 0.85)
    her.dots([(x, -0.3) for x in np.linspace(-0.14, 0.14, 4)], 0.035, 0.75)
    her.cloth(BODICE, 0.5, 0.5)
    her.lines([[(0.17, -0.6), (0.14, -1.16)]], 1.3, 0.95)
    her.cloth(PARASOL, 0.08, 0.6)
    her.lines([[(0.13, -1.2), (x, -1.02)] for x in (0.0, 0.14, 0.28)], 1.0, 0.8)
    her.limb([(0.07, -0.74), (0.12, -0.64), (0.17, -0.68)], 0.04, 0.1)
    her.limb([(-0.07, -0.74), (-0.13, -0.62), (-0.06, -0.55)], 0.04, 0.1)
    her.head(0.0, -0.87, 0.05)
    her.dots([(-0.03, -0.93), (-0.055, -0.9), (0.01, -0.945), (-0.06, -0.86)], 0.075, 0.8)


def paint_dog(canvas: Canvas, at: ArrayLike, size: float) -> None:
    """Paint a dog facing left, looking up, tail raised."""
    dog = Sketch(canvas, at, size, flip=True)
    legs = (-0.42, -0.3, 0.16, 0.28)
    dog.lines([[(x, -0.45), (x + 0.03, -0.2), (x, 0.0)] for x in legs], 2.2, 0.9)
    dog.cloth(DOG, 0.1, 0.7)
    dog.lines([[(-0.48, -0.5), (-0.68, -0.68), (-0.62, -0.92)]], 2.0, 0.9)
    dog.dots([(0.4, -0.86)], 0.22)


def paint_boat(canvas: Canvas, at: ArrayLike, size: float) -> None:
    """Paint a boat with two fishermen; one rows, one holds a rod."""
    crew = Sketch(canvas, at, size)
    crew.lines([[(0.3, -0.3), (0.62, -0.55), (0.85, -0.52)], [(0.85, -0.52), (0.88, 0.06)]], 0.9)
    for x, ink in ((-0.2, 0.55), (0.22, 0.15)):
        crew.cloth(Transform((x, 0))(TORSO), ink, 0.5)
        crew.limb([(x + 0.02, -0.27), (x + 0.12, -0.2), (x + 0.17, -0.25)], 0.045, ink)
        crew.head(x, -0.38, 0.05)
        crew.cloth(Transform((x, 0))(STRAW_HAT), 0.8, 0.4)
    hull = crew.cloth(BOAT, 0.12, 0.5)
    canvas.hatch(hull, 0.05, 0.045 * size, 0.7, crew.line)
    crew.lines([[(-0.06, -0.25), (-0.3, -0.02), (-0.5, 0.12)]], 2.0, 0.95)
    rng = canvas.rng
    ripples = np.stack([rng.normal(0, 0.3, 16), rng.uniform(0.08, 0.24, 16)], axis=1)
    canvas.dabs(crew.place(ripples), 0.22 * size, 0.0, 1.8 * crew.line, 0.6)
