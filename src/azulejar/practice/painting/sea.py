"""Sea: washes, swell and the broken light on it."""

import numpy as np

from azulejar.practice.painting.canvas import Canvas
from azulejar.practice.painting.curves import Place, Points, points, smooth

CREST = points("-1,.10 -.55,-.12 -.15,.12 .3,-.16 .62,.06 1,0")


def paint_sea(canvas: Canvas, left: float, horizon: float, right: float, bottom: float) -> None:
    """Fine strokes near the horizon that grow into waves towards the viewer."""
    rng = canvas.rng
    corner, extent = np.array([left, horizon]), np.array([right - left, bottom - horizon])
    box = corner + extent * [(0, 0), (1, 0), (1, 1), (0, 1)]
    canvas.cover(box, 0.03)
    canvas.wash(box, 0.24, fade=(0, 1))
    canvas.wash(box, 0.16, fade=(0, -1))
    n = int(extent.prod() / 900)
    canvas.dabs(
        corner + extent * rng.uniform(0, 1, (n, 2)),
        rng.uniform(25, 80, n),
        rng.normal(0, 0.15, n),
        rng.uniform(5, 13, n),
        rng.uniform(0.05, 0.22, n),
        rng.normal(0, 0.1, n),
    )
    n = int(extent.prod() / 115)
    near = rng.beta(1.0, 1.35, n)
    canvas.dabs(
        corner + extent * np.stack([rng.uniform(0, 1, n), near], axis=1),
        rng.uniform(7, 24, n) * (0.7 + 1.6 * near),
        rng.normal(0, 0.16, n),
        rng.uniform(0.8, 1.7, n) * (0.8 + near),
        rng.uniform(0.15, 0.58, n),
        rng.normal(0, 0.1, n),
    )
    for depth in rng.beta(1.6, 1.1, n // 13):
        at = corner + extent * [rng.uniform(), depth]
        _wave(canvas, at, rng.uniform(9, 17) * (0.45 + depth))
    canvas.stroke(box[:2], 1.4, 0.6)


def _wave(canvas: Canvas, at: Points, size: float) -> None:
    """A crest with a bare back and a dark hollow."""
    shape = CREST * [1, canvas.rng.uniform(0.7, 1.2)]
    crest = Place(at, size)(smooth(shape))
    canvas.scratch(crest - [0, 0.14 * size], 0.16 * size)
    canvas.stroke(crest, 0.13 * size + 0.5, 0.72)
    hollow = Place((0, 0.2))(smooth(shape[1:-1] * [0.8, 0.7]))
    canvas.stroke(Place(at, size)(hollow), 0.08 * size + 0.4, 0.5)
