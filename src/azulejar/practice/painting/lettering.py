"""Lettering: Roman capitals with thick and thin strokes."""

import numpy as np
from numpy.typing import ArrayLike

from azulejar.practice.painting.canvas import Canvas
from azulejar.practice.painting.curves import Place, Points, points, smooth

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


def paint_word(canvas: Canvas, word: str, centre: ArrayLike, width: float) -> None:
    """A word of the capitals above, ``width`` units from its first letter to its last."""
    size = width / sum(LETTERS[letter][0] for letter in word)
    corner: Points = np.asarray(centre, float) - [width / 2, size / 2]
    for letter in word:
        advance, strokes = LETTERS[letter]
        place = Place(corner, size)
        for weight, text in strokes:
            path = points(text)
            curve = path if len(path) == 2 else smooth(path)
            canvas.stroke(place(curve), 0.125 * size * weight, 0.97)
            for end in curve[[0, -1]]:
                canvas.stroke(place(end + SERIF), 0.05 * size, 0.9)
        corner[0] += advance * size
