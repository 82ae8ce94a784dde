"""Land: hills, rocks and grassy banks."""

import numpy as np
from numpy.typing import ArrayLike

from azulejar.imaging.painting.canvas import Canvas
from azulejar.imaging.painting.curves import Points, smooth


def paint_hill(canvas: Canvas, ridge: ArrayLike, base: float, ink: float) -> None:
    """Everything under a ridge line down to the level ``base``; far hills take little ink."""
    rng = canvas.rng
    top = smooth(ridge)
    shape = np.concatenate([top, [(top[-1, 0], base), (top[0, 0], base)]])
    canvas.cover(shape, 0.03)
    canvas.wash(shape, ink, fade=(0.3, 1))
    steps = np.arange(2, len(top) - 2)
    feet = top[rng.choice(steps, 3 * len(steps))]
    fall = rng.uniform(0.05, 0.9, len(feet))[:, None] * [0, 1] * (base - feet)
    canvas.dabs(
        feet + fall + rng.normal(0, 3, feet.shape),
        rng.uniform(7, 24, len(feet)),
        rng.choice([0.5, 0.75, 2.5], len(feet)) + rng.normal(0, 0.2, len(feet)),
        rng.uniform(0.9, 1.9, len(feet)),
        ink * rng.uniform(0.6, 1.6, len(feet)),
        0.08,
        within=shape,
    )
    canvas.stroke(top, 1.7, min(0.9, 1.9 * ink + 0.1))


def paint_bank(canvas: Canvas, ridge: ArrayLike, base: float) -> None:
    """The near shore: dark washes, long strokes along the ground, and grass on its ridge."""
    rng = canvas.rng
    top = smooth(ridge)
    shape = np.concatenate([top, [(top[-1, 0], base), (top[0, 0], base)]])
    canvas.cover(shape, 0.04)
    canvas.wash(shape, 0.48, fade=(0, -1))
    reach, tall = np.ptp(top[:, 0]), base - top[:, 1].min()
    n = int(reach * tall / 60)
    centres = np.stack(
        [rng.uniform(top[:, 0].min(), top[:, 0].max(), n), rng.uniform(base - tall, base, n)], axis=1
    )
    canvas.dabs(
        centres,
        rng.uniform(10, 38, n),
        rng.normal(0, 0.22, n),
        rng.uniform(1, 2.6, n),
        rng.uniform(0.15, 0.6, n),
        rng.normal(0, 0.08, n),
        within=shape,
    )
    canvas.stroke(top, 2.2, 0.85)
    for at in top[:: max(1, int(len(top) / (reach / 9)))]:
        paint_grass(canvas, at + [rng.normal(0, 3), 1.5], rng.uniform(7, 15))
    for _ in range(n // 16):
        spot = np.array([rng.uniform(*top[[0, -1], 0]), base - rng.uniform(0, 0.9) * tall])
        if spot[1] > np.interp(spot[0], *top[np.argsort(top[:, 0])].T) + 4:
            paint_grass(canvas, spot, rng.uniform(6, 13))


def paint_grass(canvas: Canvas, at: Points, size: float) -> None:
    """A tuft of blades that spread from one root."""
    rng = canvas.rng
    n = int(rng.integers(5, 9))
    lean = np.linspace(-0.75, 0.75, n) + rng.normal(0, 0.12, n)
    tips = at + size * rng.uniform(0.6, 1.1, n)[:, None] * np.stack([np.sin(lean), -np.cos(lean)], 1)
    canvas.dabs(
        (at + tips) / 2,
        np.hypot(*(tips - at).T),
        np.arctan2(*(tips - at).T[::-1]),
        1.9,
        rng.uniform(0.6, 0.95, n),
        np.sign(lean) * 0.1,
    )


def paint_rock(canvas: Canvas, at: ArrayLike, size: float) -> None:
    """A boulder with a lit top and hatched flanks."""
    rng = canvas.rng
    angle = np.linspace(np.pi, 2 * np.pi, 7)
    radius = size * rng.uniform(0.75, 1.15, 7)
    dome = np.stack([1.3 * radius * np.cos(angle), 0.8 * radius * np.sin(angle)], axis=1)
    shape = np.asarray(at) + dome
    canvas.cover(shape, 0.06)
    canvas.wash(shape, 0.65, fade=(-1, -0.5))
    canvas.hatch(shape, 1.1, 0.16 * size + 1.2, 0.75, 1.5, fade=(-1, -0.3))
    canvas.strokes([shape[:4], shape[3:], shape[[3, 4]] * 0.5 + np.asarray(at) * 0.5], 1.8, 0.9)
