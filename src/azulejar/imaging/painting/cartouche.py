"""Cartouche: the lettered shield at the foot of the panel."""

import numpy as np
from numpy.typing import ArrayLike

from azulejar.imaging.painting.canvas import Canvas
from azulejar.imaging.painting.curves import Points, ellipse, placed, smooth, spiral
from azulejar.imaging.painting.ornament import paint_leaf, paint_shell, paint_stem

WORD = "AZULEJAR"
# Strokes of the capitals in a box 1 high with y downwards, and each stroke's weight.
LETTERS: dict[str, tuple[float, list[tuple[list[tuple[float, float]], float]]]] = {
    "A": (0.86, [([(0.06, 1), (0.43, 0)], 0.6), ([(0.40, 0), (0.80, 1)], 1.3), ([(0.2, 0.64), (0.62, 0.64)], 0.5)]),
    "Z": (0.74, [([(0.08, 0.02), (0.66, 0.02)], 0.8), ([(0.66, 0.02), (0.06, 0.98)], 1.3), ([(0.06, 0.98), (0.68, 0.98)], 0.8)]),
    "U": (0.84, [([(0.1, 0), (0.1, 0.6), (0.2, 0.93), (0.42, 1.0), (0.62, 0.9), (0.7, 0.6), (0.7, 0)], 1.1)]),
    "L": (0.66, [([(0.12, 0), (0.12, 1)], 1.3), ([(0.12, 0.98), (0.6, 0.98)], 0.7)]),
    "E": (0.68, [([(0.12, 0), (0.12, 1)], 1.3), ([(0.12, 0.02), (0.58, 0.02)], 0.7), ([(0.12, 0.48), (0.48, 0.48)], 0.6), ([(0.12, 0.98), (0.6, 0.98)], 0.7)]),
    "J": (0.52, [([(0.34, 0), (0.34, 0.75), (0.28, 1.0), (0.12, 1.1), (0.0, 1.02)], 1.2)]),
    "R": (0.78, [([(0.12, 0), (0.12, 1)], 1.3), ([(0.12, 0.03), (0.42, 0.02), (0.6, 0.14), (0.6, 0.36), (0.42, 0.5), (0.14, 0.5)], 0.8), ([(0.36, 0.5), (0.74, 1.0)], 1.2)]),
}
# Right half of the shield, from the middle of its top to the middle of its foot.
SHIELD = [(0, -0.50), (0.35, -0.47), (0.62, -0.56), (0.86, -0.40), (0.82, -0.12), (0.95, 0.1), (0.84, 0.38), (0.5, 0.40), (0.22, 0.48), (0, 0.58)]


def paint_cartouche(canvas: Canvas, border: float) -> None:
    """In the middle of the foot, over frame and scene."""
    half = min(1.62 * border, 0.27 * canvas.width)
    tall = min(1.22 * border, 0.8 * half)
    centre = np.array([canvas.width / 2, canvas.height - 0.80 * border])
    stretch = np.array([half, tall])
    right = smooth(SHIELD) * stretch
    shape = centre + np.concatenate([right, right[-2:0:-1] * [-1, 1]])
    for flip in (False, True):
        _wing(canvas, centre, half, tall, flip)
    canvas.cover(shape, 0.0)
    canvas.wash(shape, 0.22, fade=(0, 1))
    canvas.outline(shape, 3.0, 0.95)
    inner = centre + (shape - centre) * [0.9, 0.82]
    canvas.cover(inner, 0.0)
    canvas.outline(inner, 1.5, 0.85)
    canvas.hatch(inner, 0.6, 4.5, 0.22, 1.1, fade=(-1, -1))
    for flip in (False, True):
        _volutes(canvas, centre, half, tall, flip)
    paint_shell(canvas, centre - [0, 0.48 * tall], 0.28 * tall)
    paint_lettering(canvas, WORD, centre + [0, -0.02 * tall], 1.30 * half)


def _wing(canvas: Canvas, centre: Points, half: float, tall: float, flip: bool) -> None:
    """Acanthus that spreads from behind one side of the shield."""
    ribs = (
        ([(0.7, 0.1), (1.15, 0.05), (1.45, 0.28), (1.62, 0.22)], 0.34),
        ([(0.75, -0.2), (1.15, -0.42), (1.42, -0.28), (1.5, -0.08)], 0.32),
        ([(0.6, -0.4), (0.82, -0.74), (1.08, -0.78), (1.2, -0.6)], 0.28),
        ([(0.6, 0.3), (0.9, 0.52), (1.2, 0.5)], 0.24),
    )
    for rib, fat in ribs:
        path = np.asarray(rib) * [half * (-1 if flip else 1), tall]
        paint_leaf(canvas, centre + smooth(path), fat * tall, 6)


def _volutes(canvas: Canvas, centre: Points, half: float, tall: float, flip: bool) -> None:
    """C-scrolls on one edge of the shield."""
    mirror = np.array([-1 if flip else 1, 1])
    for x, y, radius, start, sweep in (
        (0.84, -0.40, 0.17, 2.4, 8.0),
        (0.88, 0.34, 0.17, -2.4, -8.0),
        (0.2, 0.56, 0.10, 3.3, -7.5),
    ):
        curl = spiral((0, 0), radius * tall, 0.03 * tall, start, sweep)
        path = centre + (curl + np.array([x * half, y * tall])) * mirror
        paint_stem(canvas, path, np.linspace(0.085, 0.03, len(path)) * tall * radius / 0.17)
        eye = ellipse(path[-1], 0.035 * tall, 0.035 * tall, n=12)
        canvas.cover(eye, 0.8)


def paint_lettering(canvas: Canvas, word: str, centre: ArrayLike, width: float) -> None:
    """Roman capitals with thick and thin strokes, ``width`` units from first to last."""
    advance = [LETTERS[letter][0] for letter in word]
    size = width / sum(advance)
    x, y = np.asarray(centre, float) - [width / 2, size / 2]
    for letter, step in zip(word, advance, strict=True):
        for path, weight in LETTERS[letter][1]:
            drawn = np.asarray(path) if len(path) == 2 else smooth(path)
            canvas.stroke(placed(drawn, (x, y), size), 0.125 * size * weight, 0.97)
            for end in (drawn[0], drawn[-1]):
                foot = placed([end - [0.07, 0], end + [0.07, 0]], (x, y), size)
                canvas.stroke(foot, 0.05 * size, 0.9)
        x += step * size
