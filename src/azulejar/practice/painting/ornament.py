"""Paint the vocabulary of the frame: acanthus leaves, stems, rosettes, shells and capitals."""

import numpy as np
from numpy.typing import ArrayLike

from azulejar.practice.painting.canvas import Canvas
from azulejar.practice.painting.curves import (
    Points,
    Transform,
    ellipse,
    normals,
    points,
    resample_path,
    ribbon,
    smooth,
)

PETAL = points(".15,0 .55,-.30 .85,-.30 1,0 .85,.30 .55,.30")
SHELL_RIBS = 9
SHELL_FROM, SHELL_TO = -2.75, -0.39
# For each letter its width, and the weight and path of every stroke in a box 1 high.
LETTERS = {
    "A": (0.86, ((0.6, ".06,1 .43,0"), (1.3, ".40,0 .80,1"), (0.5, ".2,.64 .62,.64"))),
    "E": (
        0.68,
        (
            (1.3, ".12,0 .12,1"),
            (0.7, ".12,.02 .58,.02"),
            (0.6, ".12,.48 .48,.48"),
            (0.7, ".12,.98 .6,.98"),
        ),
    ),
    "J": (0.52, ((1.2, ".34,0 .34,.75 .28,1 .12,1.1 0,1.02"),)),
    "L": (0.66, ((1.3, ".12,0 .12,1"), (0.7, ".12,.98 .6,.98"))),
    "R": (
        0.78,
        (
            (1.3, ".12,0 .12,1"),
            (0.8, ".12,.03 .42,.02 .6,.14 .6,.36 .42,.5 .14,.5"),
            (1.2, ".36,.5 .74,1"),
        ),
    ),
    "U": (0.84, ((1.1, ".1,0 .1,.6 .2,.93 .42,1 .62,.9 .7,.6 .7,0"),)),
    "Z": (0.74, ((0.8, ".08,.02 .66,.02"), (1.3, ".66,.02 .06,.98"), (0.8, ".06,.98 .68,.98"))),
}
SERIF = np.array([(-0.07, 0), (0.07, 0)])


def paint_leaf(canvas: Canvas, midrib: Points, width: float, lobes: int) -> None:
    """Paint an acanthus leaf along its midrib, with scalloped sides and a vein into every lobe."""
    rib = resample_path(midrib, float(np.hypot(*np.ptp(midrib, axis=0))) / 40)
    t = np.linspace(0, 1, len(rib))
    side = normals(rib)
    ahead = side[:, ::-1] * [1, -1]
    phase = lobes * t**0.85
    scallop = 0.55 + 0.45 * np.abs(np.sin(np.pi * phase)) ** 0.7
    half = (width / 2 * np.sin(np.pi * t**0.75) ** 0.8 * scallop)[:, None]
    lit, dark = (rib + half * (sign * side + 0.5 * ahead) for sign in (1, -1))
    canvas.cover(np.concatenate([lit, dark[::-1]]), 0.02)
    canvas.wash(ribbon(rib, half[:, 0] * 0.9), 0.28)
    canvas.wash(np.concatenate([rib, dark[::-1]]), 0.34)
    line = 0.7 + 0.025 * width
    tips = np.searchsorted(phase, np.arange(lobes) + 0.5)
    roots = np.maximum(tips - len(t) // (2 * lobes) - 2, 0)
    for edge in (lit, dark):
        ends = 0.25 * rib[tips] + 0.75 * edge[tips]
        canvas.strokes(np.stack([rib[roots], ends], axis=1), 0.8 * line, 0.6)
    canvas.strokes([lit, dark, rib], 1.3 * line, 0.9)


def paint_stem(canvas: Canvas, path: Points, width: ArrayLike) -> None:
    """Paint a rounded stem with a shaded side; ``width`` is one number, or one for each point."""
    shape = ribbon(path, width)
    right, left = shape[: len(path)], shape[len(path) :]
    line = 0.6 + 0.12 * float(np.max(width))
    canvas.cover(shape, 0.03)
    canvas.stroke(0.55 * right + 0.45 * path, 1.2 * line, 0.35)
    canvas.strokes([right, left], line, 0.9)


def paint_rosette(canvas: Canvas, at: ArrayLike, radius: float, petals: int) -> None:
    """Paint a flower seen from above, at a random angle: a ring of petals around a heart."""
    line = 0.6 + 0.03 * radius
    petal = PETAL * [1, min(1.4, 5.4 / petals)]
    turns = canvas.rng.uniform(0, 2 * np.pi) + 2 * np.pi * np.arange(petals) / petals
    for turn in turns:
        place = Transform(at, radius, turn)
        shape = place(petal)
        canvas.cover(shape, 0.02)
        canvas.wash(shape, 0.45, fade=(float(np.cos(turn)), float(np.sin(turn))))
        canvas.outline(np.repeat(shape, 2, axis=0), line, 0.9)
        canvas.stroke(place([(0.3, 0), (0.8, 0)]), 0.8 * line, 0.65)
    heart = ellipse(at, 0.27 * radius, 0.27 * radius, n=16)
    canvas.cover(heart, 0.1)
    canvas.wash(heart, 0.7, fade=(-1, -1))
    canvas.outline(heart, 1.2 * line, 0.95)


def paint_shell(canvas: Canvas, at: ArrayLike, radius: float) -> None:
    """Paint a scallop shell that opens upwards."""
    place, line = Transform(at, radius), 0.6 + 0.02 * radius
    t = np.linspace(0, 1, 90)
    reach = 1 + 0.10 * np.abs(np.sin(np.pi * SHELL_RIBS * t)) - 0.18 * (2 * t - 1) ** 2
    bow = SHELL_FROM + (SHELL_TO - SHELL_FROM) * t
    rim = reach[:, None] * np.stack([np.cos(bow), np.sin(bow)], axis=1)
    shape = place(np.concatenate([[(0.12, 0.1), (-0.12, 0.1)], rim]))
    canvas.cover(shape, 0.02)
    angles = np.linspace(SHELL_FROM, SHELL_TO, SHELL_RIBS + 1)
    spokes = np.stack([np.cos(angles), np.sin(angles)], axis=1)
    canvas.strokes([place([0.1 * way, 0.92 * way]) for way in spokes], 1.8 * line, 0.75)
    canvas.wash(shape, 0.45, fade=(0, -1))
    canvas.stroke(place(0.62 * rim), line, 0.45)
    canvas.stroke(place(rim), 1.8 * line, 0.95)
    knob = ellipse(place((0, 0.08)), 0.17 * radius, 0.14 * radius)
    canvas.cover(knob, 0.15)
    canvas.outline(knob, 1.3 * line, 0.95)


def paint_word(canvas: Canvas, word: str, centre: ArrayLike, width: float) -> None:
    """Paint a word in the capitals above, ``width`` units wide."""
    size = width / sum(LETTERS[letter][0] for letter in word)
    corner: Points = np.asarray(centre, float) - [width / 2, size / 2]
    for letter in word:
        advance, strokes = LETTERS[letter]
        place = Transform(corner, size)
        for weight, text in strokes:
            path = points(text)
            curve = path if len(path) == 2 else smooth(path)
            canvas.stroke(place(curve), 0.125 * size * weight, 0.97)
            for end in curve[[0, -1]]:
                canvas.stroke(place(end + SERIF), 0.05 * size, 0.9)
        corner[0] += advance * size
