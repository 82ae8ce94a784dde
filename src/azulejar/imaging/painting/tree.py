"""Trees: a trunk that bends and forks, and foliage in tufts of small dabs."""

import numpy as np
from numpy.typing import ArrayLike

from azulejar.imaging.painting.canvas import Canvas
from azulejar.imaging.painting.curves import Points, ellipse, ribbon, smooth

# A tree 1 high with its foot at the origin: the trunk, and where each bough ends.
TRUNK = np.array([(0, 0), (0.03, -0.2), (-0.035, -0.42), (0.01, -0.62), (-0.02, -0.84)])
BOUGHS = np.array(
    [(-0.17, -0.62), (0.17, -0.64), (-0.14, -0.78), (0.13, -0.80), (0.0, -0.70), (-0.02, -0.92)]
)


def paint_tree(canvas: Canvas, foot: ArrayLike, height: float, lean: float = 0.0) -> None:
    """A large tree; ``lean`` is how far its top hangs to the right, as a fraction of height."""
    rng = canvas.rng

    def at(points: Points) -> Points:
        bent = points + np.stack([lean * points[:, 1] ** 2, 0 * points[:, 1]], axis=1)
        return np.asarray(foot, float) + height * bent

    trunk = smooth(at(TRUNK), samples=10)
    ends = at(BOUGHS + rng.normal(0, 0.012, BOUGHS.shape))
    for k, end in enumerate(ends):
        _bough(canvas, trunk[20 + 2 * k], end, 0.024 * height)
    _bark(canvas, trunk, np.linspace(0.085, 0.012, len(trunk)) * height)
    tufts = (ends[:, None] + rng.normal(0, (0.048, 0.038), (len(ends), 6, 2)) * height).reshape(-1, 2)
    for spot in tufts[np.argsort(tufts[:, 1])]:
        paint_foliage(canvas, spot, height * rng.uniform(0.04, 0.062))


def paint_bush(canvas: Canvas, at: ArrayLike, size: float) -> None:
    """A few tufts heaped on the ground."""
    spots = np.asarray(at) + size * np.array([(-0.5, -0.25), (0.5, -0.2), (0, -0.6), (0.05, -0.15)])
    for spot in spots:
        paint_foliage(canvas, spot, size * canvas.rng.uniform(0.4, 0.55))


def _bough(canvas: Canvas, start: Points, end: Points, width: float) -> None:
    middle = (start + end) / 2 + canvas.rng.normal(0, 3, 2) + [0, 5]
    path = smooth([start, middle, end])
    _bark(canvas, path, np.linspace(width, width * 0.35, len(path)))


def _bark(canvas: Canvas, path: Points, width: ArrayLike) -> None:
    shape = ribbon(path, width)
    canvas.cover(shape, 0.10)
    canvas.wash(shape, 0.8, fade=(-1, 0))
    canvas.hatch(shape, 0.6, 3.2, 0.7, 1.2, fade=(-1, 0.1))
    half = len(path)
    canvas.strokes([shape[:half], shape[half:]], 1.7, 0.92)


def paint_foliage(canvas: Canvas, at: ArrayLike, size: float) -> None:
    """One tuft: pale where the light falls, from the upper left, dark beneath."""
    rng = canvas.rng
    centre = np.asarray(at, float)
    blob = ellipse(centre, size * 1.2, size * 0.85, n=14)
    blob = smooth(blob + rng.normal(0, 0.09 * size, blob.shape), closed=True, samples=3)
    canvas.cover(blob, 0.04)
    canvas.wash(blob, 0.85, fade=(-0.8, -1))
    n = int(20 + 1.9 * size)
    angle, radius = rng.uniform(0, 2 * np.pi, n), np.sqrt(rng.uniform(0, 1.25, n)) * size
    offset = np.stack([1.2 * radius * np.cos(angle), 0.85 * radius * np.sin(angle)], axis=1)
    shade = (offset @ [0.6, 0.8]) / size
    canvas.dabs(
        centre + offset,
        rng.uniform(4, 8.5, n),
        angle + rng.normal(0, 0.7, n),
        rng.uniform(1.8, 3.6, n),
        np.clip(0.42 + 0.55 * shade + rng.normal(0, 0.12, n), 0.08, 0.98),
        rng.normal(0, 0.2, n),
    )
    rim = rng.uniform(-2.4, 2.6, int(5 + size * 0.5))
    ring = np.stack([1.2 * np.cos(rim), 0.85 * np.sin(rim)], axis=1) * size
    canvas.dabs(centre + ring, 6.0, rim + np.pi / 2, 2.2, 0.88, -0.35)
