"""Paint ships: hull, masts, sails, rigging and pennants.

A ship is drawn in its own measure: the hull is 1 long, the waterline lies at y = 0, the bow
points to the right.
"""

import numpy as np
from numpy.typing import ArrayLike

from azulejar.practice.painting.canvas import Canvas
from azulejar.practice.painting.curves import Points, Transform, points, smooth

SHEER = smooth(points("-.56,-.34 -.40,-.27 -.22,-.19 .05,-.15 .28,-.19 .56,-.31"))
KEEL = smooth(points("-.46,-.08 -.34,.01 -.1,.02 .2,.015 .38,-.01 .47,-.15"))
STERN_CASTLE = points("-.56,-.34 -.58,-.43 -.34,-.36 -.22,-.30 -.22,-.19")
FORE_CASTLE = points("0.28,-.19 .29,-.29 .42,-.32 .57,-.37 .56,-.31")
# Foot and head of a mast, and the square sails on it as (x, top, bottom, half width).
FORE = points("0.33,-.2 .36,-1"), ((0.345, -0.93, -0.70, 0.12), (0.345, -0.66, -0.36, 0.17))
MAIN = points("0.02,-.15 .02,-1.28"), ((0.02, -1.20, -0.90, 0.15), (0.02, -0.85, -0.34, 0.25))
MIZZEN = points("-.36,-.3 -.39,-.95")
LATEEN = np.concatenate(
    [points("-.66,-.43"), smooth(points("-.20,-.98 -.215,-.6 -.29,-.38 -.45,-.40"))]
)
YARD = points("-.69,-.39 -.18,-1")
BOWSPRIT = points("0.5,-.3 .82,-.52")
STAYS = (
    points("0.8,-.5 .36,-1"),
    points("0.78,-.49 .36,-.68"),
    points("0.36,-.98 .02,-1.25"),
    points("0.33,-.25 .02,-.88"),
    points("0.02,-1.2 -.37,-.5"),
    points("-.39,-.93 -.57,-.43"),
)
CROSS_ARM = points("-.018,0 -.05,-.12 .05,-.12 .018,0")
PENNANT = points("0,-.07 .09,-.095 .18,-.04 .29,-.06 .17,-.01 .09,-.045 0,-.02")


def paint_ship(canvas: Canvas, at: ArrayLike, size: float, flip: bool = False) -> None:
    """Paint a three-master with a hull ``size`` units long; with ``flip`` it sails to the left."""
    place, line = Transform(at, size, flip=flip), 0.5 + 0.008 * size
    _reflection(canvas, place, line)
    _rigging(canvas, place, 0.75 * line)
    _lateen(canvas, place, line)
    for mast, sails in (FORE, MAIN):
        canvas.stroke(place(mast), 2.4 * line, 0.9)
        for sail in sails:
            _square_sail(canvas, place, line, *sail)
    for turn in np.arange(4) * np.pi / 2:
        canvas.wash(place(Transform((0.07, -0.6), turn=turn)(CROSS_ARM)), 0.8)
    _hull(canvas, place, line)
    canvas.stroke(place(BOWSPRIT), 2.4 * line, 0.95)
    for mast in (FORE[0], MAIN[0], MIZZEN):
        _pennant(canvas, place, line, mast[1])


def _hull(canvas: Canvas, place: Transform, line: float) -> None:
    for castle in (STERN_CASTLE, FORE_CASTLE):
        canvas.cover(place(castle), 0.10)
        canvas.hatch(place(castle), 1.5, 0.03 * place.size, 0.6, line)
        canvas.sides(place(castle), 1.3 * line, 0.9)
    hull = place(np.concatenate([SHEER, KEEL[::-1]]))
    canvas.cover(hull, 0.12)
    canvas.wash(hull, 0.55, fade=(0.2, -1))
    canvas.wash(hull, 0.35, fade=(-1, 0) if place.flip else (1, 0))
    for depth, weight in ((0.16, 1.0), (0.45, 1.0), (0.62, 1.6), (0.8, 0.9)):
        canvas.stroke(place(_strake(depth)), weight * line, 0.85)
    canvas.cover(place(np.concatenate([_strake(0.2), _strake(0.41)[::-1]])), 0.04)
    ports = place(_strake(0.31)[6:-3:5])
    canvas.dabs(ports, 0.042 * place.size, np.pi / 2, 0.045 * place.size, 1.0)
    canvas.stroke(place(SHEER), 2.4 * line, 0.95)
    canvas.stroke(place(KEEL), 1.8 * line, 0.95)


def _strake(depth: float) -> Points:
    """Return a line along the hull, from the sheer (depth 0) to the keel (1)."""
    line: Points = SHEER + depth * (KEEL - SHEER)
    return line[1:-1]


def _square_sail(
    canvas: Canvas, place: Transform, line: float, x: float, top: float, bottom: float, half: float
) -> None:
    """Paint a sail that the wind blows towards the bow."""
    middle = (top + bottom) / 2
    head, lee = (x - 0.78 * half, top), (x + 1.08 * half, bottom)
    luff, foot = (x - half, bottom + 0.01), bottom - 0.11 * (bottom - top)
    edges = (
        [(x, top + 0.015), (x + 0.78 * half, top), (x + 1.42 * half, middle - 0.01), lee],
        [lee, (x + 0.5 * half, foot), (x - 0.5 * half, foot), luff],
        [luff, (x - 0.5 * half, middle), head],
    )
    shape = place(np.concatenate([smooth(edge) for edge in edges]))
    away = -1.0 if place.flip else 1.0
    canvas.cover(shape, 0.01)
    canvas.wash(shape, 0.30, fade=(away, -0.25))
    spacing = 0.03 * place.size
    canvas.hatch(shape, 1.45 * away, spacing, 0.45, line, (away, -0.6), -0.1 * away)
    canvas.outline(shape, 1.5 * line, 0.9)
    canvas.stroke(place([(x - 0.88 * half, top), (x + 0.88 * half, top)]), 2.2 * line, 0.95)


def _lateen(canvas: Canvas, place: Transform, line: float) -> None:
    """Paint the three-cornered sail on the mizzen mast."""
    canvas.stroke(place(MIZZEN), 2.4 * line, 0.9)
    shape = place(LATEEN)
    canvas.cover(shape, 0.02)
    canvas.wash(shape, 0.32, fade=(-1 if place.flip else 1, 0.3))
    canvas.hatch(shape, 2.2 if place.flip else 0.95, 0.035 * place.size, 0.4, line)
    canvas.outline(shape, 1.4 * line, 0.9)
    canvas.stroke(place(YARD), 2.0 * line, 0.95)


def _rigging(canvas: Canvas, place: Transform, line: float) -> None:
    """Paint stays between the masts, and shrouds to the sides with rungs to climb by."""
    canvas.strokes([place(stay) for stay in STAYS], line, 0.75)
    for ((foot, _), (head, peak)), _ in (FORE, MAIN):
        top = np.array([head, 0.72 * peak])
        feet = np.array([(foot + d, -0.19) for d in (-0.16, -0.12, -0.08, 0.08, 0.12)])
        canvas.strokes([place([end, top]) for end in feet], line, 0.7)
        climbs = np.linspace(0.05, 0.8, 9)[:, None, None]
        rungs = feet[[0, 2]] + climbs * (top - feet[[0, 2]])
        canvas.strokes([place(rung) for rung in rungs], 0.8 * line, 0.6)


def _pennant(canvas: Canvas, place: Transform, line: float, head: Points) -> None:
    flutter = canvas.rng.uniform(0.8, 1.2)
    shape = place(smooth(PENNANT * [flutter, 1]) + head)
    canvas.cover(shape, 0.3)
    canvas.hatch(shape, 0.2, 0.03 * place.size, 0.7, line)
    canvas.outline(shape, line, 0.9)
    canvas.stroke(place(Transform(head)([(0, 0.02), (0, -0.09)])), 1.6 * line, 0.9)


def _reflection(canvas: Canvas, place: Transform, line: float) -> None:
    rng = canvas.rng
    n = 60
    depth = rng.beta(1, 1.6, n)
    centres = np.stack([rng.normal(0, 0.28 * (1 - 0.4 * depth)), 0.02 + 0.30 * depth], axis=1)
    canvas.dabs(
        place(centres),
        rng.uniform(0.08, 0.28, n) * place.size,
        rng.normal(0, 0.04, n),
        line * rng.uniform(1.2, 3.2, n),
        0.75 - 0.4 * depth,
    )
