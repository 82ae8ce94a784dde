"""Sky: brushed air, clouds and birds."""

import numpy as np
from numpy.typing import NDArray

from azulejar.imaging.painting.canvas import Canvas
from azulejar.imaging.painting.curves import Points, ellipse, placed, smooth

BIRD = [(-1.0, -0.25), (-0.55, -0.55), (-0.1, 0.0), (0.1, 0.0), (0.5, -0.6), (1.0, -0.35)]


def paint_air(canvas: Canvas, left: float, top: float, right: float, horizon: float) -> None:
    """Long level strokes, dense at the zenith and thin above the sea, over a fading wash."""
    rng = canvas.rng
    phase = rng.uniform(0, 2 * np.pi, 3)
    box = np.array([(left, top), (right, top), (right, horizon), (left, horizon)])
    canvas.wash(box, 0.20, fade=(0, 1))
    area = (right - left) * (horizon - top)
    # A broad brush first, then the fine one: area a stroke, lengths, widths and ink.
    for share, length, width, ink in (
        (700, (40, 110), (6, 15), 0.22),
        (230, (14, 60), (1.0, 3.2), 0.42),
    ):
        count = int(area / share)
        depth = rng.beta(1.0, 1.2, count)
        centres = np.stack([rng.uniform(left, right, count), top + depth * (horizon - top)], 1)
        canvas.dabs(
            centres,
            rng.uniform(*length, count),
            _wind(centres, phase) + rng.normal(0, 0.06, count),
            rng.uniform(*width, count),
            ink * (1 - 0.55 * depth) * rng.uniform(0.3, 1.2, count),
            rng.normal(0, 0.03, count),
        )


def _wind(at: Points, phase: NDArray[np.float64]) -> NDArray[np.float64]:
    """Angle of the brush at points [n, 2]: level on the whole, in slow eddies."""
    x, y = at.T
    eddies = np.sin(x / 70 + y / 45 + phase[0]) + np.sin(x / 41 - y / 37 + phase[1])
    return 0.25 * eddies + 0.15 * np.sin(x / 130 + phase[2])


def paint_cloud(canvas: Canvas, centre: tuple[float, float], width: float) -> None:
    """A heap of puffs on a level base, lit from the upper left and hatched below."""
    rng = canvas.rng
    x, y = centre
    for lift, reach, puffs in ((0.30, 0.15, 3), (0.17, 0.27, 5), (0.04, 0.37, 7)):
        spread = np.linspace(-1, 1, puffs) + rng.normal(0, 0.12, puffs)
        for s in rng.permutation(spread):
            radius = width * (0.14 - 0.05 * s * s) * rng.uniform(0.7, 1.25)
            at = (x + s * reach * width, y - (lift + 0.03 * rng.normal()) * width * (1 - 0.4 * s * s))
            _puff(canvas, at, radius, lift < 0.1)
    n = max(6, int(width / 7))
    streaks = np.stack([x + rng.normal(0, 0.28, n) * width, y + rng.uniform(0.04, 0.13, n) * width], 1)
    canvas.dabs(streaks, rng.uniform(0.12, 0.35, n) * width, 0, rng.uniform(1.2, 3, n), 0.4)


def _puff(canvas: Canvas, at: tuple[float, float], radius: float, low: bool) -> None:
    rng = canvas.rng
    shape = ellipse(at, radius * rng.uniform(1.0, 1.25), radius, rng.uniform(-0.2, 0.2))
    canvas.cover(shape, 0.0)
    canvas.wash(shape, 0.36 if low else 0.24, fade=(-0.6, -1))
    ink = 0.55 if low else 0.35
    canvas.hatch(shape, 0.35 + rng.normal(0, 0.2), 3.4, ink, 1.2, fade=(-0.5, -1), bend=0.13)
    first, last = rng.integers(14, 19), rng.integers(32, 39)
    canvas.stroke(shape[first:last], 1.5, 0.6)


def paint_birds(canvas: Canvas, centre: tuple[float, float], spread: float, count: int) -> None:
    """A loose flock of gulls."""
    rng = canvas.rng
    for _ in range(count):
        at = np.asarray(centre) + rng.normal(0, (spread, spread / 3))
        size = rng.uniform(4.5, 9)
        wings: Points = smooth(placed(BIRD, at, size, rng.normal(0, 0.25)))
        canvas.strokes([wings[: len(wings) // 2 + 2], wings[len(wings) // 2 - 1 :]], 1.9, 0.85)
