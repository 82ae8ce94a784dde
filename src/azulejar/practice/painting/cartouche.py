"""Cartouche: the lettered shield at the foot of the panel.

It is drawn around its own centre; x is counted in half widths and y in heights.
"""

from collections.abc import Callable

import numpy as np

from azulejar.practice.painting.canvas import Canvas
from azulejar.practice.painting.curves import Place, Points, ellipse, points, smooth, spiral
from azulejar.practice.painting.lettering import paint_word
from azulejar.practice.painting.ornament import paint_leaf, paint_shell, paint_stem

WORD = "AZULEJAR"
# Right half of the shield, from the middle of its top to the middle of its foot.
SHIELD = points("0,-.50 .35,-.47 .62,-.56 .86,-.40 .82,-.12 .95,.1 .84,.38 .5,.40 .22,.48 0,.58")
# Leaves behind the right side, with their widths in heights.
LEAVES = (
    (points(".7,.1 1.05,.05 1.3,.28 1.45,.22"), 0.34),
    (points(".75,-.2 1.1,-.42 1.32,-.28 1.38,-.08"), 0.32),
    (points(".6,-.4 .82,-.74 1.08,-.78 1.2,-.6"), 0.28),
    (points(".6,.3 .9,.52 1.2,.5"), 0.24),
)
# Scrolls on the right edge: x, y, radius in heights, first angle, sweep.
VOLUTES = (
    (0.84, -0.40, 0.17, 2.4, 8.0),
    (0.88, 0.34, 0.17, -2.4, -8.0),
    (0.20, 0.56, 0.10, 3.3, -7.5),
)
FLOURISH = points("0,.27 .12,.33 .26,.25 .4,.31 .5,.26")

Mirror = Callable[[Points], Points]


def paint_cartouche(canvas: Canvas, border: float) -> None:
    """In the middle of the foot, over the frame, ``border`` units wide, and the scene."""
    half = min(1.62 * border, 0.23 * canvas.width)
    tall = min(1.22 * border, 0.8 * half)
    centre = np.array([canvas.width / 2, canvas.height - 0.80 * border])
    mirrors = [_mirror(centre, half, tall, sign) for sign in (1, -1)]
    for at in mirrors:
        for rib, width in LEAVES:
            paint_leaf(canvas, smooth(at(rib)), width * tall, 6)
    right, left = (at(smooth(SHIELD)) for at in mirrors)
    _shield(canvas, np.concatenate([right, left[-2:0:-1]]), centre)
    for at in mirrors:
        for volute in VOLUTES:
            _volute(canvas, at, half, tall, *volute)
        canvas.stroke(smooth(at(FLOURISH)), 1.6, 0.7)
    paint_shell(canvas, centre - [0, 0.48 * tall], 0.28 * tall)
    paint_word(canvas, WORD, centre - [0, 0.04 * tall], 1.30 * half)


def _mirror(centre: Points, half: float, tall: float, sign: int) -> Mirror:
    """From the cartouche's measure to units, on its right side (sign 1) or left (-1)."""
    return lambda drawing: centre + drawing * [sign * half, tall]


def _shield(canvas: Canvas, shape: Points, centre: Points) -> None:
    """A pale field in a double rim."""
    canvas.cover(shape)
    canvas.wash(shape, 0.22, fade=(0, 1))
    canvas.outline(shape, 3.0, 0.95)
    field = centre + (shape - centre) * [0.9, 0.82]
    canvas.cover(field)
    canvas.outline(field, 1.5, 0.85)
    canvas.hatch(field, 0.6, 4.5, 0.22, 1.1, fade=(-1, -1))


def _volute(
    canvas: Canvas,
    at: Mirror,
    half: float,
    tall: float,
    x: float,
    y: float,
    radius: float,
    start: float,
    sweep: float,
) -> None:
    """A scroll on the edge of the shield, with a dark eye."""
    curl = spiral((0, 0), radius, 0.03, start, sweep) * [tall / half, 1]
    path = at(Place((x, y))(curl))
    paint_stem(canvas, path, np.linspace(0.5, 0.18, len(path)) * radius * tall)
    canvas.cover(ellipse(path[-1], 0.035 * tall, 0.035 * tall, n=12), 0.8)
