"""Paint buildings: houses, a church, a windmill and the tower that guards the river mouth.

Buildings are drawn in their own measure, with the ground or the waterline at y = 0.
"""

import numpy as np
from numpy.typing import ArrayLike

from azulejar.practice.painting.canvas import Canvas
from azulejar.practice.painting.curves import Points, Transform, ellipse, points, rectangle

GABLE = points("-.08,0 -.04,-.42 .07,-.62 .18,-.42 .22,0")
SPIRE = points("-.03,-.85 .1,-1.11 .23,-.85")
MILL = points("-.2,0 -.15,-.5 .15,-.5 .2,0")
MILL_CAP = points("-.19,-.48 0,-.74 .19,-.48")
MILL_SAIL = points("0,-.2 .17,-.2 .13,-.58 0,-.6")
# (left, right, bottom, top) of the keep, its upper storey, and the bastion before it.
BLOCKS = ((-0.17, 0.17, -0.05, -0.66), (-0.12, 0.12, -0.66, -0.86), (-0.33, 0.42, 0.03, -0.24))
TURRETS = points("-.17,-.66 .17,-.66 -.12,-.86 .12,-.86 -.33,-.24 .42,-.24")
WINDOWS = points("-.07,-.55 .07,-.55 -.07,-.36 .07,-.36 0,-.76")
PORTS = points("-.24,-.08 -.126,-.08 -.012,-.08 .102,-.08 .216,-.08 .33,-.08")
FLAG = points("0,-1.12 .08,-1.14 .17,-1.10 .17,-1 .08,-1.03 0,-1.01")
MERLON = points("0,0 0,-.8 .5,-1.25 1,-.8 1,0")
CORBEL = points("-.5,.3 -.5,-.8 .5,-.8 .5,.3 0,1.1")


def paint_wall(canvas: Canvas, shape: Points, line: float, shade: float = 0.4) -> None:
    """Paint a plane with straight sides, shaded from the right; ``line`` is its outline's width."""
    canvas.cover(shape, 0.03)
    canvas.wash(shape, shade, fade=(-1, 0))
    canvas.sides(shape, line, 0.88)


def paint_dome(canvas: Canvas, foot: ArrayLike, rx: float, ry: float, line: float) -> None:
    """Paint a dome: the upper half of an ellipse, dark on its right."""
    dome = ellipse(foot, rx, ry)[20:]
    canvas.cover(dome, 0.03)
    canvas.wash(dome, 0.7, fade=(-1, 0))
    canvas.hatch(dome, 1.3, 0.3 * rx, 0.6, line, bend=-0.12)
    canvas.stroke(dome, 1.4 * line, 0.9)


def paint_house(canvas: Canvas, at: ArrayLike, size: float) -> None:
    """Paint a gabled house seen at a slant: front, flank and roof."""
    wide, deep, tall, roof = canvas.rng.uniform([0.45, 0.6, 0.5, 0.25], [0.65, 1.1, 0.95, 0.42])
    place, line = Transform(at, size), 0.7 + 0.016 * size
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
    """Paint a nave with a dome behind, and a gable between two bell towers in front."""
    place, line = Transform(at, size), 0.8 + 0.01 * size
    paint_wall(canvas, place(rectangle(0.35, 0.75, -0.4, -0.62)), line)
    paint_dome(canvas, place((0.55, -0.62)), 0.22 * size, 0.28 * size, line)
    _cross(canvas, place((0.55, -0.9)), 0.16 * size)
    paint_wall(canvas, place(rectangle(0, 0.95, 0, -0.45)), line, 0.5)
    for left in (-0.28, 0.22):
        paint_wall(canvas, place(rectangle(left, left + 0.2, 0, -0.85)), line, 0.45)
        spire = place(Transform((left, 0))(SPIRE))
        paint_wall(canvas, spire, line, 0.8)
        _cross(canvas, spire[1], 0.12 * size)
        bells = place([(left + 0.1, -0.7), (left + 0.1, -0.42)])
        canvas.dabs(bells, 0.14 * size, np.pi / 2, 0.09 * size, 0.95)
    paint_wall(canvas, place(GABLE), line, 0.12)
    doors = place([(0.07, -0.12), (0.07, -0.36)])
    canvas.dabs(doors, [0.24 * size, 0.1 * size], np.pi / 2, 0.11 * size, 0.9)


def _cross(canvas: Canvas, foot: ArrayLike, size: float) -> None:
    place = Transform(foot, size)
    beams = [place([(0, 0), (0, -1)]), place([(-0.3, -0.65), (0.3, -0.65)])]
    canvas.strokes(beams, 0.4 + 0.08 * size, 0.9)


def paint_windmill(canvas: Canvas, at: ArrayLike, size: float) -> None:
    """Paint a round mill with a pointed cap and four sails set crosswise."""
    place = Transform(at, size)
    paint_wall(canvas, place(MILL), 1.2, 0.5)
    paint_wall(canvas, place(MILL_CAP), 1.2, 0.85)
    for turn in canvas.rng.uniform(0, np.pi / 2) + np.arange(4) * np.pi / 2:
        vane = Transform(place((0, -0.55)), size, turn)
        canvas.stroke(vane([(0, 0), (0, -0.62)]), 1.1, 0.85)
        cloth = vane(MILL_SAIL)
        canvas.cover(cloth, 0.05)
        canvas.hatch(cloth, turn, 2.2, 0.5, 0.9)
        canvas.sides(cloth, 1.0, 0.8)


def paint_tower(canvas: Canvas, at: ArrayLike, size: float) -> None:
    """Paint a keep and a bastion with battlements, and domed turrets on their corners."""
    place, line = Transform(at, size), 0.7 + 0.006 * size
    for left, right, bottom, top in BLOCKS:
        _masonry(canvas, place(rectangle(left, right, bottom, top)), line)
        for x in np.arange(left, right - 0.02, 0.068):
            paint_wall(canvas, Transform(place((x, top)), 0.04 * size)(MERLON), line)
    for turret in place(TURRETS):
        _turret(canvas, turret, 0.075 * size, line)
    canvas.dabs(place(WINDOWS), 0.075 * size, np.pi / 2, 0.04 * size, 1.0)
    canvas.dabs(place(PORTS), 0.055 * size, np.pi / 2, 0.05 * size, 1.0)
    balcony = place(rectangle(-0.12, 0.12, -0.46, -0.505))
    paint_wall(canvas, balcony, line, 0.3)
    canvas.hatch(balcony, np.pi / 2, 0.02 * size, 0.8, line, bend=0)
    canvas.stroke(place([(0, -0.86), (0, -1.12)]), 1.5 * line, 0.9)
    paint_wall(canvas, place(FLAG), line, 0.8)


def _masonry(canvas: Canvas, wall: Points, line: float) -> None:
    """Paint a hatched wall, with level dabs that hint at the stones."""
    rng = canvas.rng
    paint_wall(canvas, wall, line * 1.3, 0.45)
    low, high = wall.min(0), wall.max(0)
    canvas.hatch(wall, np.pi / 2, 4.5, 0.45, line, fade=(-1, 0), bend=0)
    n = int(np.prod(high - low) / 60)
    spots = rng.uniform(low, high, (n, 2))
    canvas.dabs(spots, rng.uniform(3, 8, n), 0.0, line, rng.uniform(0.25, 0.6, n), within=wall)


def _turret(canvas: Canvas, at: Points, size: float, line: float) -> None:
    """Paint a round lookout that juts from a corner."""
    place = Transform(at, size)
    paint_wall(canvas, place(CORBEL), line, 0.6)
    canvas.stroke(place([(-0.5, -0.1), (0.5, -0.1)]), line, 0.8)
    paint_dome(canvas, place((0, -0.8)), 0.55 * size, 0.75 * size, line)
    canvas.cover(ellipse(place((0, -1.7)), 0.14 * size, 0.18 * size, n=10), 0.9)
