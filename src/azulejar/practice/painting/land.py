"""Land: hills, grassy banks and rocks."""

import numpy as np
from numpy.typing import ArrayLike

from azulejar.practice.painting.canvas import Canvas
from azulejar.practice.painting.curves import Points, smooth


def _ground(top: Points, base: float) -> Points:
    """Everything between a ridge line and the level ``base``."""
    return np.concatenate([top, [(top[-1, 0], base), (top[0, 0], base)]])


def paint_hill(canvas: Canvas, ridge: ArrayLike, base: float, ink: float) -> None:
    """Bare slopes under a ridge line; far hills take little ink."""
    rng = canvas.rng
    top = smooth(ridge)
    shape = _ground(top, base)
    canvas.cover(shape, 0.03)
    canvas.wash(shape, ink, fade=(0.3, 1))
    n = 3 * len(top)
    spots = rng.choice(top, n)
    spots[:, 1] += rng.uniform(0.05, 0.9, n) * (base - spots[:, 1])
    canvas.dabs(
        spots + rng.normal(0, 3, (n, 2)),
        rng.uniform(7, 24, n),
        rng.choice([0.5, 0.75, 2.5], n) + rng.normal(0, 0.2, n),
        rng.uniform(0.9, 1.9, n),
        ink * rng.uniform(0.6, 1.6, n),
        0.08,
        within=shape,
    )
    canvas.stroke(top, 1.7, min(0.9, 1.9 * ink + 0.1))


def paint_bank(canvas: Canvas, ridge: ArrayLike, base: float) -> None:
    """The near shore: long strokes along the ground, and grass on its ridge and about it."""
    rng = canvas.rng
    top = smooth(ridge)
    shape = _ground(top, base)
    canvas.cover(shape, 0.04)
    canvas.wash(shape, 0.48, fade=(0, -1))
    low, high = top.min(0), np.array([top[:, 0].max(), base])
    n = int(np.prod(high - low) / 60)
    spots = rng.uniform(low, high, (n, 2))
    canvas.dabs(
        spots,
        rng.uniform(10, 38, n),
        rng.normal(0, 0.22, n),
        rng.uniform(1, 2.6, n),
        rng.uniform(0.15, 0.6, n),
        rng.normal(0, 0.08, n),
        within=shape,
    )
    canvas.stroke(top, 2.2, 0.85)
    for at in top + rng.normal(0, 2.5, top.shape):
        _grass(canvas, at, rng.uniform(7, 15))
    for at in spots[::16]:
        if at[1] > np.interp(at[0], *top.T) + 4:
            _grass(canvas, at, rng.uniform(6, 13))


def _grass(canvas: Canvas, at: Points, size: float) -> None:
    """A tuft of blades that spread from one root."""
    rng = canvas.rng
    n = int(rng.integers(5, 9))
    lean = np.linspace(-0.75, 0.75, n) + rng.normal(0, 0.12, n)
    length = size * rng.uniform(0.6, 1.1, n)
    centres = at + length[:, None] / 2 * np.stack([np.sin(lean), -np.cos(lean)], axis=1)
    bend = 0.1 * np.sign(lean)
    canvas.dabs(centres, length, lean - np.pi / 2, 1.9, rng.uniform(0.6, 0.95, n), bend)


def paint_rock(canvas: Canvas, at: ArrayLike, size: float) -> None:
    """A boulder with a lit top and hatched flanks."""
    angle = np.linspace(np.pi, 2 * np.pi, 7)
    radius = size * canvas.rng.uniform(0.75, 1.15, 7)
    dome = np.stack([1.3 * radius * np.cos(angle), 0.8 * radius * np.sin(angle)], axis=1)
    shape = np.asarray(at) + dome
    canvas.cover(shape, 0.06)
    canvas.wash(shape, 0.65, fade=(-1, -0.5))
    canvas.hatch(shape, 1.1, 0.16 * size + 1.2, 0.75, 1.5, fade=(-1, -0.3))
    canvas.strokes([shape[:4], shape[3:]], 1.8, 0.9)
