"""Trees: a trunk that bends and forks, and foliage in tufts of small dabs."""

import numpy as np
from numpy.typing import ArrayLike

from azulejar.practice.painting.canvas import Canvas
from azulejar.practice.painting.curves import Place, Points, ellipse, points, ribbon, smooth

# A tree 1 high with its foot at the origin: the trunk, and where each bough ends.
TRUNK = points("0,0 .03,-.2 -.035,-.42 .01,-.62 -.02,-.84")
BOUGHS = points("-.17,-.62 .17,-.64 -.14,-.78 .13,-.80 0,-.70 -.02,-.92")
BUSH = points("-.5,-.25 .5,-.2 0,-.6 .05,-.15")


def paint_tree(canvas: Canvas, foot: ArrayLike, height: float) -> None:
    """A large tree, ``height`` units from its foot to its top."""
    rng = canvas.rng
    place = Place(foot, height)
    trunk = smooth(place(TRUNK), samples=10)
    ends = place(BOUGHS + rng.normal(0, 0.012, BOUGHS.shape))
    for fork, end in zip(trunk[20:32:2], ends, strict=True):
        sag = (fork + end) / 2 + rng.normal(0, 3, 2) + [0, 5]
        bough = smooth([fork, sag, end])
        _bark(canvas, bough, np.linspace(0.024, 0.008, len(bough)) * height)
    _bark(canvas, trunk, np.linspace(0.085, 0.012, len(trunk)) * height)
    spread = rng.normal(0, (0.048, 0.038), (len(ends), 6, 2)) * height
    tufts = (ends[:, None] + spread).reshape(-1, 2)
    for tuft in tufts[np.argsort(tufts[:, 1])]:
        _tuft(canvas, tuft, height * rng.uniform(0.04, 0.062))


def paint_bush(canvas: Canvas, at: ArrayLike, size: float) -> None:
    """A few tufts heaped on the ground."""
    for spot in Place(at, size)(BUSH):
        _tuft(canvas, spot, size * canvas.rng.uniform(0.4, 0.55))


def _bark(canvas: Canvas, path: Points, width: ArrayLike) -> None:
    shape = ribbon(path, width)
    canvas.cover(shape, 0.10)
    canvas.wash(shape, 0.8, fade=(-1, 0))
    canvas.hatch(shape, 0.6, 3.2, 0.7, 1.2, fade=(-1, 0.1))
    canvas.strokes([shape[: len(path)], shape[len(path) :]], 1.7, 0.92)


def _tuft(canvas: Canvas, centre: Points, size: float) -> None:
    """Pale where the light falls, from the upper left, dark beneath."""
    rng = canvas.rng
    blob = ellipse(centre, size * 1.2, size * 0.85, n=14)
    blob = smooth(blob + rng.normal(0, 0.09 * size, blob.shape), closed=True, samples=3)
    canvas.cover(blob, 0.04)
    canvas.wash(blob, 0.85, fade=(-0.8, -1))
    n = int(20 + 1.9 * size)
    angle, radius = rng.uniform(0, 2 * np.pi, n), np.sqrt(rng.uniform(0, 1.25, n))
    offset = radius[:, None] * np.stack([1.2 * np.cos(angle), 0.85 * np.sin(angle)], axis=1)
    shade = offset @ [0.6, 0.8]
    canvas.dabs(
        centre + size * offset,
        rng.uniform(4, 8.5, n),
        angle + rng.normal(0, 0.7, n),
        rng.uniform(1.8, 3.6, n),
        np.clip(0.42 + 0.55 * shade + rng.normal(0, 0.12, n), 0.08, 0.98),
        rng.normal(0, 0.2, n),
    )
    rim = rng.uniform(-2.4, 2.6, int(5 + size * 0.5))
    ring = np.stack([1.2 * np.cos(rim), 0.85 * np.sin(rim)], axis=1)
    canvas.dabs(centre + size * ring, 6.0, rim + np.pi / 2, 2.2, 0.88, -0.35)
