"""Figures: the people on the shore and in a boat, and a dog.

Each is drawn 1 high (the boat 1 long), with the ground or the waterline at y = 0.
"""

import numpy as np
from numpy.typing import ArrayLike

from azulejar.imaging.painting.canvas import Canvas
from azulejar.imaging.painting.curves import Points, ellipse, placed, smooth

COAT = [(-0.03, -0.81), (-0.10, -0.76), (-0.085, -0.56), (-0.18, -0.28), (0.0, -0.25)]
COAT += [(0.15, -0.29), (0.08, -0.56), (0.09, -0.76), (0.03, -0.81)]
TRICORNE = [(-0.13, -0.93), (-0.05, -0.955), (0.0, -1.02), (0.07, -0.96), (0.14, -0.95), (0.0, -0.915)]
SKIRT = [(-0.06, -0.58), (-0.16, -0.46), (-0.24, -0.22), (-0.29, 0.0), (0.0, 0.025), (0.28, 0.0)]
SKIRT += [(0.22, -0.24), (0.15, -0.46), (0.06, -0.58)]
BODICE = [(-0.06, -0.57), (-0.10, -0.74), (-0.03, -0.80), (0.04, -0.80), (0.09, -0.74), (0.06, -0.57)]
DOG = [(-0.5, -0.55), (-0.1, -0.62), (0.25, -0.7), (0.42, -0.98), (0.62, -0.95), (0.8, -0.8)]
DOG += [(0.6, -0.72), (0.42, -0.5), (0.2, -0.35), (-0.15, -0.42), (-0.45, -0.35)]
BOAT = [(-0.52, -0.17), (-0.3, -0.06), (0.0, -0.04), (0.3, -0.07), (0.56, -0.2), (0.42, 0.03), (0.0, 0.08), (-0.4, 0.04)]


class Figure:
    """A place and size to draw at, perhaps facing left."""

    def __init__(self, canvas: Canvas, at: ArrayLike, size: float, flip: bool = False):
        self.canvas, self.at, self.size, self.flip = canvas, at, size, flip
        self.line = 0.6 + 0.008 * size

    def place(self, points: ArrayLike) -> Points:
        return placed(points, self.at, self.size, flip=self.flip)

    def cloth(self, points: ArrayLike, ink: float, shade: float) -> Points:
        """A garment: flat ink, shade on the right, drawn around."""
        shape = smooth(self.place(points), closed=True)
        self.canvas.cover(shape, ink)
        self.canvas.wash(shape, shade, fade=(-1, -0.2))
        self.canvas.outline(shape, 1.2 * self.line, 0.95)
        return shape

    def limb(self, points: ArrayLike, width: float, ink: float = 0.05) -> None:
        """An arm or leg: dark brush line with a paler one inside."""
        path = smooth(self.place(points))
        self.canvas.stroke(path, width * self.size + 2 * self.line, 0.95)
        self.canvas.scratch(path, width * self.size)
        self.canvas.stroke(path, width * self.size, ink)

    def marks(self, paths: list[ArrayLike], width: float = 1.0, ink: float = 0.85) -> None:
        self.canvas.strokes([smooth(self.place(path)) for path in paths], width * self.line, ink)

    def head(self, x: float, y: float, radius: float = 0.055) -> None:
        face = ellipse(self.place([(x, y)])[0], radius * self.size, 1.2 * radius * self.size, n=20)
        self.canvas.cover(face, 0.0)
        self.canvas.wash(face, 0.35, fade=(-1, -0.4))
        self.canvas.outline(face, self.line, 0.9)
        self.dots([(x + 0.2 * radius, y), (x + 0.7 * radius, y)], 0.3 * radius)
        self.marks([[(x + 0.2 * radius, y + 0.6 * radius), (x + 0.6 * radius, y + 0.55 * radius)]], 0.7)

    def dots(self, points: ArrayLike, size: float, ink: float = 0.95) -> None:
        self.canvas.dabs(self.place(points), size * self.size, 0.3, 0.7 * size * self.size, ink)


def paint_gentleman(canvas: Canvas, at: ArrayLike, size: float, flip: bool = False) -> None:
    """In a flared coat and a three-cornered hat, with a walking stick."""
    him = Figure(canvas, at, size, flip)
    him.limb([(-0.05, -0.32), (-0.06, -0.15), (-0.07, -0.01)], 0.05)
    him.limb([(0.05, -0.32), (0.08, -0.16), (0.1, -0.01)], 0.05)
    him.dots([(-0.045, 0.0), (0.125, 0.0)], 0.1)
    him.cloth(COAT, 0.45, 0.6)
    him.marks([[(0.0, -0.8), (0.02, -0.55), (0.01, -0.26)], [(-0.08, -0.5), (-0.11, -0.29)], [(0.07, -0.5), (0.09, -0.3)]])
    him.dots([(0.035, y) for y in np.linspace(-0.72, -0.34, 7)], 0.022)
    him.marks([[(0.23, -0.56), (0.26, 0.0)]], 1.6, 0.95)
    him.limb([(0.06, -0.75), (0.13, -0.62), (0.23, -0.55)], 0.045, 0.5)
    him.head(0.01, -0.88)
    him.dots([(-0.06, -0.86), (-0.065, -0.82), (-0.06, -0.89)], 0.055, 0.5)
    him.cloth(TRICORNE, 0.85, 0.5)


def paint_lady(canvas: Canvas, at: ArrayLike, size: float, flip: bool = False) -> None:
    """In a wide patterned skirt, under a parasol."""
    her = Figure(canvas, at, size, flip)
    skirt = her.cloth(SKIRT, 0.02, 0.4)
    folds = [[(0.3 * f, -0.55), (0.75 * f, -0.3), (f, -0.02)] for f in (-0.2, -0.1, 0.02, 0.13, 0.21)]
    her.marks(folds, 1.0, 0.7)
    canvas.hatch(skirt, 1.1, 0.05 * size, 0.45, her.line, fade=(-1, -0.3))
    her.dots([(x, -0.07) for x in np.linspace(-0.22, 0.22, 8)], 0.05, 0.85)
    her.dots([(x, -0.3) for x in np.linspace(-0.14, 0.14, 4)], 0.035, 0.75)
    her.cloth(BODICE, 0.5, 0.5)
    her.marks([[(0.17, -0.6), (0.14, -1.16)]], 1.3, 0.95)
    canopy = [(-0.16, -1.0), (-0.06, -1.13), (0.13, -1.2), (0.33, -1.12), (0.44, -0.99), (0.28, -1.03), (0.14, -1.0), (0.0, -1.03)]
    her.cloth(canopy, 0.08, 0.6)
    her.marks([[(0.13, -1.2), (x, -1.02)] for x in (0.0, 0.14, 0.28)], 1.0, 0.8)
    her.limb([(0.07, -0.74), (0.12, -0.64), (0.17, -0.68)], 0.04, 0.1)
    her.limb([(-0.07, -0.74), (-0.13, -0.62), (-0.06, -0.55)], 0.04, 0.1)
    her.head(0.0, -0.87, 0.05)
    her.dots([(-0.03, -0.93), (-0.055, -0.9), (0.01, -0.945), (-0.06, -0.86)], 0.075, 0.8)


def paint_dog(canvas: Canvas, at: ArrayLike, size: float, flip: bool = False) -> None:
    """Looking up, tail raised."""
    dog = Figure(canvas, at, size, flip)
    dog.marks([[(x, -0.45), (x + 0.03, -0.2), (x, 0.0)] for x in (-0.42, -0.3, 0.16, 0.28)], 2.2, 0.9)
    dog.cloth(DOG, 0.1, 0.7)
    dog.marks([[(-0.48, -0.5), (-0.68, -0.68), (-0.62, -0.92)]], 2.0, 0.9)
    dog.dots([(0.4, -0.86)], 0.22)


def paint_boat(canvas: Canvas, at: ArrayLike, size: float, flip: bool = False) -> None:
    """Two fishermen; one rows, one holds a rod."""
    crew = Figure(canvas, at, size, flip)
    crew.marks([[(0.3, -0.3), (0.62, -0.55), (0.85, -0.52)], [(0.85, -0.52), (0.88, 0.06)]], 0.9, 0.85)
    for x, ink in ((-0.2, 0.55), (0.22, 0.15)):
        crew.cloth([(x - 0.09, -0.05), (x - 0.08, -0.3), (x + 0.06, -0.32), (x + 0.1, -0.05)], ink, 0.5)
        crew.limb([(x + 0.02, -0.27), (x + 0.12, -0.2), (x + 0.17, -0.25)], 0.045, ink)
        crew.head(x, -0.38, 0.05)
        crew.cloth([(x - 0.11, -0.42), (x - 0.04, -0.43), (x, -0.5), (x + 0.05, -0.43), (x + 0.11, -0.41)], 0.8, 0.4)
    hull = crew.cloth(BOAT, 0.12, 0.5)
    canvas.hatch(hull, 0.05, 0.045 * size, 0.7, crew.line)
    crew.marks([[(-0.06, -0.25), (-0.3, -0.02), (-0.5, 0.12)]], 2.0, 0.95)
    rng = canvas.rng
    spots = crew.place(np.stack([rng.normal(0, 0.3, 16), rng.uniform(0.08, 0.24, 16)], axis=1))
    canvas.dabs(spots, 0.22 * size, 0.0, 1.8 * crew.line, 0.6)
