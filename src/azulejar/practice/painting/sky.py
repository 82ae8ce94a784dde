"""Sky: brushed air, clouds and birds."""

import numpy as np
from numpy.typing import ArrayLike, NDArray

from azulejar.practice.painting.canvas import Canvas
from azulejar.practice.painting.curves import Place, Points, ellipse, points, smooth

WINGS = points("-1,-.25 -.55,-.55 -.1,0"), points("-.05,0 .1,0 .5,-.6 1,-.35")
# The broad brush and then the fine one: sky a stroke, lengths, widths, ink.
BRUSHES = (
    (700, (40.0, 110.0), (6.0, 15.0), 0.22),
    (230, (14.0, 60.0), (1.0, 3.2), 0.42),
)
# Tiers of a cloud from the top: height of its puffs, half its width, their number.
TIERS = ((0.30, 0.15, 3), (0.17, 0.27, 5), (0.04, 0.37, 7))


def paint_air(canvas: Canvas, left: float, top: float, right: float, horizon: float) -> None:
    """Strokes that drift with the wind, dense at the zenith and thin above the sea."""
    rng = canvas.rng
    box = np.array([(left, top), (right, top), (right, horizon), (left, horizon)])
    canvas.wash(box, 0.20, fade=(0, 1))
    phase = rng.uniform(0, 2 * np.pi, 3)
    for share, length, width, ink in BRUSHES:
        n = int((right - left) * (horizon - top) / share)
        depth = rng.beta(1.0, 1.2, n)
        centres = np.stack([rng.uniform(left, right, n), top + depth * (horizon - top)], axis=1)
        canvas.dabs(
            centres,
            rng.uniform(*length, n),
            _wind(centres, phase) + rng.normal(0, 0.06, n),
            rng.uniform(*width, n),
            ink * (1 - 0.55 * depth) * rng.uniform(0.3, 1.2, n),
            rng.normal(0, 0.03, n),
        )


def _wind(at: Points, phase: NDArray[np.float64]) -> NDArray[np.float64]:
    """Angle of the brush at points [n, 2]: level on the whole, in slow eddies."""
    x, y = at.T
    eddies = np.sin(x / 70 + y / 45 + phase[0]) + np.sin(x / 41 - y / 37 + phase[1])
    return 0.25 * eddies + 0.15 * np.sin(x / 130 + phase[2])


def paint_cloud(canvas: Canvas, centre: ArrayLike, width: float) -> None:
    """A heap of puffs on a level base, lit from the upper left and hatched below."""
    rng = canvas.rng
    x, y = np.asarray(centre, float)
    for lift, reach, puffs in TIERS:
        for s in rng.permutation(np.linspace(-1, 1, puffs) + rng.normal(0, 0.12, puffs)):
            radius = width * (0.14 - 0.05 * s * s) * rng.uniform(0.7, 1.25)
            height = width * (lift + rng.normal(0, 0.03)) * (1 - 0.4 * s * s)
            _puff(canvas, (x + s * reach * width, y - height), radius, shade=1.3 - lift)
    n = max(6, int(width / 7))
    streaks = np.stack([rng.normal(0, 0.28, n), rng.uniform(0.04, 0.13, n)], axis=1)
    canvas.dabs(
        Place(centre, width)(streaks),
        rng.uniform(0.12, 0.35, n) * width,
        0,
        rng.uniform(1, 3, n),
        0.4,
    )


def _puff(canvas: Canvas, at: ArrayLike, radius: float, shade: float) -> None:
    rng = canvas.rng
    shape = ellipse(at, radius * rng.uniform(1.0, 1.25), radius, rng.uniform(-0.2, 0.2))
    canvas.cover(shape)
    canvas.wash(shape, 0.28 * shade, fade=(-0.6, -1))
    slant = 0.35 + rng.normal(0, 0.2)
    canvas.hatch(shape, slant, 3.4, 0.42 * shade, 1.2, fade=(-0.5, -1), bend=0.13)
    canvas.stroke(shape[rng.integers(14, 19) : rng.integers(32, 39)], 1.5, 0.6)


def paint_birds(canvas: Canvas, centre: ArrayLike, spread: float, count: int) -> None:
    """A loose flock of gulls."""
    rng = canvas.rng
    for _ in range(count):
        at = np.asarray(centre) + rng.normal(0, (spread, spread / 3))
        place = Place(at, rng.uniform(4.5, 9), rng.normal(0, 0.25))
        canvas.strokes([smooth(place(wing)) for wing in WINGS], 1.9, 0.85)
