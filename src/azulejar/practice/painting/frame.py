"""Paint the frame with its acanthus scrolls, and the lettered cartouche at its foot.

A side of the frame is drawn as if it were the top one, in border widths: x runs along it
clockwise and y inwards, from 0 at the rim of the panel to 1 at the scene. The cartouche is drawn
around its own centre; its x is counted in half widths and its y in heights.
"""

from collections.abc import Callable

import numpy as np

from azulejar.practice.painting.canvas import Canvas
from azulejar.practice.painting.curves import (
    Points,
    Transform,
    ellipse,
    points,
    rectangle,
    smooth,
    spiral,
)
from azulejar.practice.painting.ornament import (
    paint_leaf,
    paint_rosette,
    paint_shell,
    paint_stem,
    paint_word,
)

GROUND_FROM, GROUND_TO = 0.17, 0.81
GROUND_MIDDLE = (GROUND_FROM + GROUND_TO) / 2
# How far scrollwork may stray from the middle of the ground.
REACH = 0.27
# Depth and weight of the ruled lines.
RULES = ((0.02, 1.2), (0.145, 1.0), (0.175, 2.0), (0.805, 2.0), (0.84, 1.0), (0.975, 1.8))
# The two cords: depth, height, pitch and slant of their strands.
CORDS = ((0.083, 0.11, 0.085, 0.9), (0.908, 0.115, 0.11, -0.9))
# Leaves on a curled branch: where on the curl, length, width.
LEAVES = ((0.75, 0.36, 0.25), (-0.55, 0.46, 0.28), (2.2, 0.32, 0.22))
CREST_LEAVES = (
    (points(".1,0 .5,-.22 .95,-.05 1.2,.16"), 0.36),
    (points(".1,.05 .45,.12 .7,.36"), 0.28),
)
WORD = "AZULEJAR"
# Right half of the shield, from the middle of its top to the middle of its foot.
SHIELD = points("0,-.50 .35,-.47 .62,-.56 .86,-.40 .82,-.12 .95,.1 .84,.38 .5,.40 .22,.48 0,.58")
# Leaves behind the right side, with their widths in heights.
SHIELD_LEAVES = (
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


def paint_frame(canvas: Canvas, border: float) -> None:
    """Paint the frame, ``border`` units wide, around the canvas; nothing below it shows through."""
    extent = np.array([canvas.width, canvas.height])
    corners = extent * [(0, 0), (1, 0), (1, 1), (0, 1)]
    for k, corner in enumerate(corners):
        length = extent[k % 2] / border
        _side(canvas, Transform(corner, border, k * np.pi / 2), length)
    for k, corner in enumerate(corners):
        centre = np.clip(corner, border / 2, extent - border / 2)
        _corner(canvas, Transform(centre, border), petals=8 + k)
    middle = (canvas.width / 2, 0.86 * border)
    for flip in (False, True):
        for rib, width in CREST_LEAVES:
            paint_leaf(canvas, smooth(Transform(middle, border, flip=flip)(rib)), width * border, 6)
    paint_shell(canvas, middle, 0.62 * border)


def _side(canvas: Canvas, place: Transform, length: float) -> None:
    """Paint one side of the frame, ``length`` border widths long."""
    canvas.cover(place(rectangle(0, length, 1, 0)), 0.03)
    canvas.cover(place(rectangle(0, length, GROUND_TO, GROUND_FROM)), 0.62)
    rng = canvas.rng
    n = int(60 * length)
    spots = rng.uniform((0, GROUND_FROM), (length, GROUND_TO), (n, 2))
    slant, ink = rng.normal(0.8, 0.4, n), rng.uniform(0.1, 0.5, n)
    canvas.dabs(place(spots), rng.uniform(6, 16, n), slant, rng.uniform(1.5, 4, n), ink)
    _mouldings(canvas, place, length)
    middle = place((length / 2, GROUND_MIDDLE))
    for flip in (False, True):
        _scroll(canvas, Transform(middle, place.size, place.turn, flip), length / 2 - 1)


def _mouldings(canvas: Canvas, place: Transform, length: float) -> None:
    """Paint ruled lines beside the ground, and a twisted cord along each rim."""
    rng = canvas.rng
    line = 0.8 + 0.012 * place.size
    for y, weight in RULES:
        canvas.stroke(place([(0, y), (length, y)]), weight * line, 0.9)
    for y, height, pitch, slant in CORDS:
        n = int(length / pitch)
        x = (np.arange(n) + 0.5 + rng.uniform(-0.22, 0.22, n)) * length / n
        canvas.dabs(
            place(np.stack([x, np.full(n, y)], axis=1)),
            height * place.size * rng.uniform(0.9, 1.25, n),
            place.turn + slant + rng.normal(0, 0.12, n),
            0.045 * place.size * rng.uniform(0.6, 1.5, n),
            rng.uniform(0.5, 0.95, n),
            0.18 * np.sign(slant),
        )


def _scroll(canvas: Canvas, place: Transform, length: float) -> None:
    """Paint half a side, from its middle: a stem that waves around curled branches."""
    branches = max(1, round(length / 0.92))
    pitch = length / branches
    hands = canvas.rng.choice([-1, 1]) * (-1) ** np.arange(branches)
    x = (np.arange(branches) + 0.5) * pitch
    crests = np.stack([x, -REACH * hands], axis=1)
    ends = [(0, 0.05 * hands[0])], crests, [(length - 0.02, 0.1 * hands[-1])]
    paint_stem(canvas, place(smooth(np.concatenate(ends))), 0.055 * place.size)
    for crest, hand in zip(crests, hands, strict=True):
        _branch(canvas, place, crest, int(hand), min(REACH, 0.36 * pitch))


def _branch(canvas: Canvas, place: Transform, crest: Points, hand: int, radius: float) -> None:
    """Paint a branch that curls from ``crest`` around a flower; ``hand`` 1 is clockwise, -1 not."""
    rng = canvas.rng
    radius *= rng.uniform(0.95, 1.05)
    centre = Transform(crest)((0, hand * radius))
    start = -hand * np.pi / 2
    for where, length, width in LEAVES:
        angle = start + hand * (where + rng.normal(0, 0.12))
        out = _direction(angle)
        root = centre + radius * out
        tip = root + length * rng.uniform(0.85, 1.15) * _direction(angle + hand * 0.9)
        rib = np.clip([root, (root + tip) / 2 + 0.08 * out, tip], (-np.inf, -0.28), (np.inf, 0.28))
        paint_leaf(canvas, place(smooth(rib)), width * place.size, int(rng.integers(3, 6)))
    curl = spiral(centre, radius, 0.09, start, hand * 2 * np.pi * rng.uniform(1.25, 1.5))
    paint_stem(canvas, place(curl), np.linspace(0.06, 0.03, len(curl)) * place.size)
    for root in curl[[18, 30]]:
        tip = root + 0.2 * (centre - root) + 0.16 * _direction(rng.uniform(0, 2 * np.pi))
        paint_leaf(canvas, place(np.stack([root, tip])), 0.09 * place.size, 3)
    paint_rosette(canvas, place(centre), 0.13 * place.size, int(rng.integers(5, 9)))


def _direction(angle: float) -> Points:
    return np.array([np.cos(angle), np.sin(angle)])


def _corner(canvas: Canvas, place: Transform, petals: int) -> None:
    """Paint a square block with a large rosette, and a leaf into each of its corners."""
    rng = canvas.rng
    block, inner = (place(rectangle(-half, half, half, -half)) for half in (0.5, 0.43))
    canvas.cover(block, 0.06)
    canvas.wash(block, 0.3, fade=(float(rng.normal()), float(rng.normal())))
    canvas.hatch(block, rng.uniform(0, np.pi), 4, 0.3)
    canvas.sides(block, 2.2, 0.92)
    canvas.sides(inner, 1.4, 0.92)
    for k in range(4):
        rib = smooth([(0.12, 0.0), (0.35, 0.03 * (-1) ** k), (0.57, 0.0)])
        leaf = Transform(place.at, place.size, (k + 0.5) * np.pi / 2)(rib)
        paint_leaf(canvas, leaf, place.size * rng.uniform(0.27, 0.33), 4 + k % 2)
        bud = place(0.33 * _direction(k * np.pi / 2))
        paint_rosette(canvas, bud, 0.085 * place.size, int(rng.integers(4, 8)))
    paint_rosette(canvas, place((0, 0)), 0.27 * place.size, petals)


def paint_cartouche(canvas: Canvas, border: float) -> None:
    """Paint the cartouche in the middle of the foot, over the frame and the scene.

    ``border`` is the width of the frame in units.
    """
    half = min(1.62 * border, 0.23 * canvas.width)
    tall = min(1.22 * border, 0.8 * half)
    centre = np.array([canvas.width / 2, canvas.height - 0.80 * border])
    mirrors = [_mirror(centre, half, tall, sign) for sign in (1, -1)]
    for at in mirrors:
        for rib, width in SHIELD_LEAVES:
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
    """Return the map from the cartouche's measure to units, on its right (sign 1) or left (-1)."""
    return lambda drawing: centre + drawing * [sign * half, tall]


def _shield(canvas: Canvas, shape: Points, centre: Points) -> None:
    """Paint a pale field in a double rim."""
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
    """Paint a scroll on the edge of the shield, with a dark eye."""
    curl = spiral((0, 0), radius, 0.03, start, sweep) * [tall / half, 1]
    path = at(Transform((x, y))(curl))
    paint_stem(canvas, path, np.linspace(0.5, 0.18, len(path)) * radius * tall)
    canvas.cover(ellipse(path[-1], 0.035 * tall, 0.035 * tall, n=12), 0.8)
