"""Sea: washes, swell and the broken light on it."""

import numpy as np

from azulejar.imaging.painting.canvas import Canvas
from azulejar.imaging.painting.curves import smooth

WAVE = np.array([(-1.0, 0.10), (-0.55, -0.12), (-0.15, 0.12), (0.3, -0.16), (0.62, 0.06), (1, 0.0)])


def paint_sea(canvas: Canvas, left: float, horizon: float, right: float, bottom: float) -> None:
    """Flat strokes near the horizon that grow into waves towards the viewer."""
    rng = canvas.rng
    box = np.array([(left, horizon), (right, horizon), (right, bottom), (left, bottom)])
    canvas.cover(box, 0.03)
    canvas.wash(box, 0.28, fade=(0, 1))
    canvas.wash(box, 0.20, fade=(0, -1))
    swells = int((right - left) * (bottom - horizon) / 900)
    spots = np.stack([rng.uniform(left, right, swells), rng.uniform(horizon, bottom, swells)], 1)
    canvas.dabs(
        spots,
        rng.uniform(25, 80, swells),
        rng.normal(0, 0.15, swells),
        rng.uniform(5, 13, swells),
        rng.uniform(0.08, 0.28, swells),
        rng.normal(0, 0.1, swells),
    )
    count = int((right - left) * (bottom - horizon) / 105)
    depth = rng.beta(1.0, 1.35, count)
    centres = np.stack([rng.uniform(left, right, count), horizon + depth * (bottom - horizon)], 1)
    canvas.dabs(
        centres,
        rng.uniform(7, 24, count) * (0.7 + 1.6 * depth),
        rng.normal(0, 0.16, count),
        rng.uniform(0.8, 1.7, count) * (0.8 + depth),
        rng.uniform(0.15, 0.6, count),
        rng.normal(0, 0.10, count),
    )
    for _ in range(count // 14):
        depth_one = rng.beta(1.6, 1.1)
        at = np.array([rng.uniform(left, right), horizon + depth_one * (bottom - horizon)])
        _wave(canvas, at, rng.uniform(9, 17) * (0.45 + depth_one))
    canvas.stroke(np.array([(left, horizon), (right, horizon)]), 1.4, 0.6)


def _wave(canvas: Canvas, at: np.ndarray, size: float) -> None:
    """A crest with a bare back and a dark hollow."""
    shape = WAVE * [size, size * canvas.rng.uniform(0.7, 1.2)]
    crest = smooth(shape + at)
    canvas.scratch(crest - [0, 0.14 * size], 0.16 * size)
    canvas.stroke(crest, 0.13 * size + 0.5, 0.72)
    canvas.stroke(smooth(shape[1:-1] * [0.8, 0.7] + at + [0, 0.2 * size]), 0.08 * size + 0.4, 0.5)
