"""Paint the landscape: sky, sea, land and trees."""

import numpy as np
from numpy.typing import ArrayLike, NDArray

from azulejar.practice.painting.canvas import Canvas
from azulejar.practice.painting.curves import Points, Transform, ellipse, points, ribbon, smooth

WINGS = points("-1,-.25 -.55,-.55 -.1,0"), points("-.05,0 .1,0 .5,-.6 1,-.35")
# The broad brush and then the fine one: sky a stroke, lengths, widths, ink.
BRUSHES = (
    (700, (40.0, 110.0), (6.0, 15.0), 0.22),
    (230, (14.0, 60.0), (1.0, 3.2), 0.42),
)
# Tiers of a cloud from the top: height of its puffs, half its width, their number.
TIERS = ((0.30, 0.15, 3), (0.17, 0.27, 5), (0.04, 0.37, 7))
CREST = points("-1,.10 -.55,-.12 -.15,.12 .3,-.16 .62,.06 1,0")
# A tree 1 high with its foot at the origin: the trunk, and where each bough ends.
TRUNK = points("0,0 .03,-.2 -.035,-.42 .01,-.62 -.02,-.84")
BOUGHS = points("-.17,-.62 .17,-.64 -.14,-.78 .13,-.80 0,-.70 -.02,-.92")
BUSH = points("-.5,-.25 .5,-.2 0,-.6 .05,-.15")


def paint_air(canvas: Canvas, left: float, top: float, right: float, horizon: float) -> None:
    """Paint the sky: strokes that drift with the wind, dense at the zenith, thin above the sea."""
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
    """Return the angle of the brush at points [n, 2]: level on the whole, in slow eddies."""
    x, y = at.T
    eddies = np.sin(x / 70 + y / 45 + phase[0]) + np.sin(x / 41 - y / 37 + phase[1])
    return 0.25 * eddies + 0.15 * np.sin(x / 130 + phase[2])


def paint_cloud(canvas: Canvas, centre: ArrayLike, width: float) -> None:
    """Paint a heap of puffs on a level base, lit from the upper left and hatched below."""
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
        Transform(centre, width)(streaks),
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
    """Paint a loose flock of gulls."""
    rng = canvas.rng
    for _ in range(count):
        at = np.asarray(centre) + rng.normal(0, (spread, spread / 3))
        place = Transform(at, rng.uniform(4.5, 9), rng.normal(0, 0.25))
        canvas.strokes([smooth(place(wing)) for wing in WINGS], 1.9, 0.85)


def paint_sea(canvas: Canvas, left: float, horizon: float, right: float, bottom: float) -> None:
    """Paint the sea: fine strokes near the horizon that grow into waves towards the viewer."""
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
    """Paint a crest with a bare back and a dark hollow."""
    shape = CREST * [1, canvas.rng.uniform(0.7, 1.2)]
    crest = Transform(at, size)(smooth(shape))
    canvas.scratch(crest - [0, 0.14 * size], 0.16 * size)
    canvas.stroke(crest, 0.13 * size + 0.5, 0.72)
    hollow = Transform((0, 0.2))(smooth(shape[1:-1] * [0.8, 0.7]))
    canvas.stroke(Transform(at, size)(hollow), 0.08 * size + 0.4, 0.5)


def _ground(top: Points, base: float) -> Points:
    """Return the outline of the ground between a ridge line and the level ``base``."""
    return np.concatenate([top, [(top[-1, 0], base), (top[0, 0], base)]])


def paint_hill(canvas: Canvas, ridge: ArrayLike, base: float, ink: float) -> None:
    """Paint bare slopes under a ridge line; far hills take little ink."""
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
    """Paint the near shore: long strokes along the ground, and grass on and about its ridge."""
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
    """Paint a tuft of blades that spread from one root."""
    rng = canvas.rng
    n = int(rng.integers(5, 9))
    lean = np.linspace(-0.75, 0.75, n) + rng.normal(0, 0.12, n)
    length = size * rng.uniform(0.6, 1.1, n)
    centres = at + length[:, None] / 2 * np.stack([np.sin(lean), -np.cos(lean)], axis=1)
    bend = 0.1 * np.sign(lean)
    canvas.dabs(centres, length, lean - np.pi / 2, 1.9, rng.uniform(0.6, 0.95, n), bend)


def paint_rock(canvas: Canvas, at: ArrayLike, size: float) -> None:
    """Paint a boulder with a lit top and hatched flanks."""
    angle = np.linspace(np.pi, 2 * np.pi, 7)
    radius = size * canvas.rng.uniform(0.75, 1.15, 7)
    dome = np.stack([1.3 * radius * np.cos(angle), 0.8 * radius * np.sin(angle)], axis=1)
    shape = np.asarray(at) + dome
    canvas.cover(shape, 0.06)
    canvas.wash(shape, 0.65, fade=(-1, -0.5))
    canvas.hatch(shape, 1.1, 0.16 * size + 1.2, 0.75, 1.5, fade=(-1, -0.3))
    canvas.strokes([shape[:4], shape[3:]], 1.8, 0.9)


def paint_tree(canvas: Canvas, foot: ArrayLike, height: float) -> None:
    """Paint a large tree, ``height`` units from its foot to its top."""
    rng = canvas.rng
    place = Transform(foot, height)
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
    """Paint a few tufts heaped on the ground."""
    for spot in Transform(at, size)(BUSH):
        _tuft(canvas, spot, size * canvas.rng.uniform(0.4, 0.55))


def _bark(canvas: Canvas, path: Points, width: ArrayLike) -> None:
    shape = ribbon(path, width)
    canvas.cover(shape, 0.10)
    canvas.wash(shape, 0.8, fade=(-1, 0))
    canvas.hatch(shape, 0.6, 3.2, 0.7, 1.2, fade=(-1, 0.1))
    canvas.strokes([shape[: len(path)], shape[len(path) :]], 1.7, 0.92)


def _tuft(canvas: Canvas, centre: Points, size: float) -> None:
    """Paint a tuft of leaves, pale where the light falls from the upper left, dark beneath."""
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
