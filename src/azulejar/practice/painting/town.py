"""Town: houses, a church and a windmill.

Buildings are drawn in their own measure, with the ground at y = 0.
"""

import numpy as np
from numpy.typing import ArrayLike

from azulejar.practice.painting.canvas import Canvas
from azulejar.practice.painting.curves import Place, Points, ellipse, points, rectangle

GABLE = points("-.08,0 -.04,-.42 .07,-.62 .18,-.42 .22,0")
SPIRE = points("-.03,-.85 .1,-1.11 .23,-.85")
MILL = points("-.2,0 -.15,-.5 .15,-.5 .2,0")
MILL_CAP = points("-.19,-.48 0,-.74 .19,-.48")
MILL_SAIL = points("0,-.2 .17,-.2 .13,-.58 0,-.6")


def paint_wall(canvas: Canvas, shape: Points, line: float, shade: float = 0.4) -> None:
    """A plane with straight sides, shaded from the right; ``line`` is the width of its outline."""
    canvas.cover(shape, 0.03)
    canvas.wash(shape, shade, fade=(-1, 0))
    canvas.sides(shape, line, 0.88)


def paint_dome(canvas: Canvas, foot: ArrayLike, rx: float, ry: float, line: float) -> None:
    """The upper half of an ellipse, dark on its right."""
    dome = ellipse(foot, rx, ry)[20:]
    canvas.cover(dome, 0.03)
    canvas.wash(dome, 0.7, fade=(-1, 0))
    canvas.hatch(dome, 1.3, 0.3 * rx, 0.6, line, bend=-0.12)
    canvas.stroke(dome, 1.4 * line, 0.9)


def paint_house(canvas: Canvas, at: ArrayLike, size: float) -> None:
    """A gabled house seen at a slant: front, flank and roof."""
    wide, deep, tall, roof = canvas.rng.uniform([0.45, 0.6, 0.5, 0.25], [0.65, 1.1, 0.95, 0.42])
    place, line = Place(at, size), 0.7 + 0.016 * size
    paint_wall(canvas, place(rectangle(wide, wide + deep, 0, -tall)), line, 0.55)
    ridge = -tall - roof
    front = [(0, 0), (0, -tall), (wide / 2, ridge), (wide, -tall), (wide, 0)]
    paint_wall(canvas, place(front), line, 0.15)
    slope = [(wide / 2, ridge), (wide / 2 + deep, ridge), (wide + deep, -tall), (wide, -tall)]
    paint_wall(canvas, place(slope), line, 0.5)
    canvas.hatch(place(slope), 1.05, 0.09 * size, 0.75, line)
    windows = [
        (wide / 2, -0.3 * tall),
        *((wide + f * deep, -0.6 * tall) for f in (0.25, 0.55, 0.82)),
    ]
    canvas.dabs(place(windows), 0.17 * size, np.pi / 2, 0.11 * size, 0.9)


def paint_church(canvas: Canvas, at: ArrayLike, size: float) -> None:
    """A nave with a dome behind, and a gable between two bell towers in front."""
    place, line = Place(at, size), 0.8 + 0.01 * size
    paint_wall(canvas, place(rectangle(0.35, 0.75, -0.4, -0.62)), line)
    paint_dome(canvas, place((0.55, -0.62)), 0.22 * size, 0.28 * size, line)
    _cross(canvas, place((0.55, -0.9)), 0.16 * size)
    paint_wall(canvas, place(rectangle(0, 0.95, 0, -0.45)), line, 0.5)
    for left in (-0.28, 0.22):
        paint_wall(canvas, place(rectangle(left, left + 0.2, 0, -0.85)), line, 0.45)
        spire = place(Place((left, 0))(SPIRE))
        paint_wall(canvas, spire, line, 0.8)
        _cross(canvas, spire[1], 0.12 * size)
        bells = place([(left + 0.1, -0.7), (left + 0.1, -0.42)])
        canvas.dabs(bells, 0.14 * size, np.pi / 2, 0.09 * size, 0.95)
    paint_wall(canvas, place(GABLE), line, 0.12)
    doors = place([(0.07, -0.12), (0.07, -0.36)])
    canvas.dabs(doors, [0.24 * size, 0.1 * size], np.pi / 2, 0.11 * size, 0.9)


def _cross(canvas: Canvas, foot: ArrayLike, size: float) -> None:
    place = Place(foot, size)
    beams = [place([(0, 0), (0, -1)]), place([(-0.3, -0.65), (0.3, -0.65)])]
    canvas.strokes(beams, 0.4 + 0.08 * size, 0.9)


def paint_windmill(canvas: Canvas, at: ArrayLike, size: float) -> None:
    """A round mill with a pointed cap and four sails set crosswise."""
    place = Place(at, size)
    paint_wall(canvas, place(MILL), 1.2, 0.5)
    paint_wall(canvas, place(MILL_CAP), 1.2, 0.85)
    for turn in canvas.rng.uniform(0, np.pi / 2) + np.arange(4) * np.pi / 2:
        vane = Place(place((0, -0.55)), size, turn)
        canvas.stroke(vane([(0, 0), (0, -0.62)]), 1.1, 0.85)
        cloth = vane(MILL_SAIL)
        canvas.cover(cloth, 0.05)
        canvas.hatch(cloth, turn, 2.2, 0.5, 0.9)
        canvas.sides(cloth, 1.0, 0.8)
