"""Tower: the keep that guards the river mouth.

Drawn 1 high without its flag, with the waterline just below y = 0.
"""

import numpy as np
from numpy.typing import ArrayLike

from azulejar.practice.painting.canvas import Canvas
from azulejar.practice.painting.curves import Place, Points, ellipse, points, rectangle
from azulejar.practice.painting.town import paint_dome, paint_wall

# (left, right, bottom, top) of the keep, its upper storey, and the bastion before it.
BLOCKS = ((-0.17, 0.17, -0.05, -0.66), (-0.12, 0.12, -0.66, -0.86), (-0.33, 0.42, 0.03, -0.24))
TURRETS = points("-.17,-.66 .17,-.66 -.12,-.86 .12,-.86 -.33,-.24 .42,-.24")
WINDOWS = points("-.07,-.55 .07,-.55 -.07,-.36 .07,-.36 0,-.76")
PORTS = points("-.24,-.08 -.126,-.08 -.012,-.08 .102,-.08 .216,-.08 .33,-.08")
FLAG = points("0,-1.12 .08,-1.14 .17,-1.10 .17,-1 .08,-1.03 0,-1.01")
MERLON = points("0,0 0,-.8 .5,-1.25 1,-.8 1,0")
CORBEL = points("-.5,.3 -.5,-.8 .5,-.8 .5,.3 0,1.1")


def paint_tower(canvas: Canvas, at: ArrayLike, size: float) -> None:
    """A keep and a bastion with battlements, and domed turrets on their corners."""
    place, line = Place(at, size), 0.7 + 0.006 * size
    for left, right, bottom, top in BLOCKS:
        _masonry(canvas, place(rectangle(left, right, bottom, top)), line)
        for x in np.arange(left, right - 0.02, 0.068):
            paint_wall(canvas, Place(place((x, top)), 0.04 * size)(MERLON), line)
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
    """A hatched wall, with level dabs that hint at the stones."""
    rng = canvas.rng
    paint_wall(canvas, wall, line * 1.3, 0.45)
    low, high = wall.min(0), wall.max(0)
    canvas.hatch(wall, np.pi / 2, 4.5, 0.45, line, fade=(-1, 0), bend=0)
    n = int(np.prod(high - low) / 60)
    spots = rng.uniform(low, high, (n, 2))
    canvas.dabs(spots, rng.uniform(3, 8, n), 0.0, line, rng.uniform(0.25, 0.6, n), within=wall)


def _turret(canvas: Canvas, at: Points, size: float, line: float) -> None:
    """A round lookout that juts from a corner."""
    place = Place(at, size)
    paint_wall(canvas, place(CORBEL), line, 0.6)
    canvas.stroke(place([(-0.5, -0.1), (0.5, -0.1)]), line, 0.8)
    paint_dome(canvas, place((0, -0.8)), 0.55 * size, 0.75 * size, line)
    canvas.cover(ellipse(place((0, -1.7)), 0.14 * size, 0.18 * size, n=10), 0.9)
