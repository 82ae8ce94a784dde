"""The ink on a panel before it is fired, and the brush strokes that lay it down."""

from collections.abc import Iterable, Sequence
from functools import cache
from itertools import pairwise
from math import ceil, floor

import cv2
import numpy as np
from numpy.typing import ArrayLike, NDArray

from azulejar.practice.painting.curves import Points, dabs, normals, resample_path

# OpenCV takes polygon corners as integers with this many fractional bits.
FRACTION_BITS = 4

PixelBox = tuple[slice, slice]
Direction = tuple[float, float]


class Canvas:
    """Ink from 0 (bare glaze) to 1 (darkest cobalt) as float32 [height, width] in ``ink``.

    Everything is drawn in the units of ``curves``; ``scale`` is pixels a unit. Brush strokes
    tremble and vary in pressure with ``rng``. A ``fade`` is the direction in which ink thins out.
    """

    def __init__(self, width: float, height: float, scale: float, rng: np.random.Generator):
        self.width, self.height, self.scale, self.rng = width, height, scale, rng
        self.ink = np.zeros((round(height * scale), round(width * scale)), np.float32)

    def cover(self, shape: Points, ink: float = 0.0) -> None:
        """Fill a shape with opaque ink; whatever lies beneath is gone."""
        box, mask = self._stencil([shape], 1.0)
        self.ink[box] += mask * (ink - self.ink[box])

    def wash(self, shape: Points, ink: float, fade: Direction | None = None) -> None:
        """Lay transparent ink over a shape, with the darker rim that a drying wash leaves."""
        box, mask = self._stencil([shape], 1.0)
        if mask.size:
            rim = mask - cv2.blur(mask, (int(5 * self.scale) | 1,) * 2)
            mask = mask * (1 + 0.5 * np.maximum(rim, 0))
            self._glaze(box, np.minimum(ink * mask * _thinning(mask.shape, fade), 1))

    def stroke(self, path: Points, width: float = 1.6, ink: float = 0.85) -> None:
        """Draw a brush line that swells and thins with the pressure of the hand."""
        self.strokes([path], width, ink)

    def strokes(self, paths: Iterable[Points], width: float = 1.6, ink: float = 0.85) -> None:
        """Draw several brush lines of one kind, each with a little more or less ink."""
        bands = [self._brush_outline(path, width) for path in paths]
        self._glaze(*self._stencil(bands, ink * self.rng.uniform(0.85, 1.1, len(bands))))

    def scratch(self, path: Points, width: float = 1.6) -> None:
        """Draw a line of bare glaze through whatever was painted."""
        self.cover(self._brush_outline(path, width))

    def outline(self, shape: Points, width: float = 1.6, ink: float = 0.85) -> None:
        """Outline a round shape in a few overlapping strokes, as a hand would."""
        around = np.roll(shape, -int(self.rng.integers(len(shape))), axis=0)
        around = np.concatenate([around, around[: max(2, len(shape) // 20)]])
        cuts = np.linspace(0, len(around) - 1, max(2, min(4, len(shape) // 12)) + 1).astype(int)
        self.strokes([around[max(a - 1, 0) : b + 1] for a, b in pairwise(cuts)], width, ink)

    def sides(self, shape: Points, width: float = 1.6, ink: float = 0.85) -> None:
        """Outline an angular shape, one stroke a side."""
        closed = np.concatenate([shape, shape[:1]])
        self.strokes([closed[k : k + 2] for k in range(len(shape))], width, ink)

    def dabs(
        self,
        centres: Points,
        length: ArrayLike,
        angle: ArrayLike,
        width: ArrayLike,
        ink: ArrayLike,
        bend: ArrayLike = 0.0,
        within: Points | None = None,
    ) -> None:
        """Draw many short strokes, see ``curves.dabs``; ``within`` keeps them inside a shape."""
        box, mask = self._stencil(list(dabs(centres, length, angle, width, bend)), ink)
        if within is not None:
            mask = mask * self._stencil([within], 1.0, box)[1]
        self._glaze(box, mask)

    def hatch(
        self,
        shape: Points,
        angle: float,
        spacing: float = 4.0,
        ink: float = 0.5,
        width: float = 1.3,
        fade: Direction | None = None,
        bend: float = 0.04,
    ) -> None:
        """Draw parallel strokes across a shape, ``spacing`` units apart."""
        rng = self.rng
        box, inside = self._stencil([shape], 1.0)
        if inside.size == 0:
            return
        low, high = shape.min(0), shape.max(0)
        reach = float(np.hypot(*(high - low)))
        n = max(1, int(reach / spacing))
        offset = (np.arange(n) - n / 2 + rng.uniform(-0.3, 0.3, n)) * spacing
        lines = dabs(
            (low + high) / 2 + offset[:, None] * [-np.sin(angle), np.cos(angle)],
            reach * rng.uniform(0.85, 1.2, n),
            angle + rng.normal(0, 0.03, n),
            width * rng.uniform(0.7, 1.4, n),
            bend + rng.normal(0, 0.01, n),
        )
        mask = self._stencil(list(lines), ink * rng.uniform(0.6, 1.2, n), box)[1]
        self._glaze(box, mask * inside * _thinning(mask.shape, fade))

    def _brush_outline(self, path: Points, width: float) -> Points:
        """Return the outline of a stroke: the path trembles, and its width follows the pressure."""
        path = resample_path(path, 3.0)
        count = len(path)
        t, taper = _along_stroke(count)
        drawn = self.rng.random(3).tolist()
        waves, phases = 1 + 2 * drawn[0], (2 * np.pi * drawn[1], 2 * np.pi * drawn[2])
        tremble = 0.35 * np.sin(phases[0] + 2 * waves * np.pi * t)
        swell = 1 + 0.25 * np.sin(phases[1] + waves * np.pi * t)
        half = width / 2 * swell * taper
        side = normals(path)
        outline = np.empty((2 * count, 2))
        np.add(path, (tremble + half)[:, None] * side, out=outline[:count])
        np.add(path, (tremble - half)[:, None] * side, out=outline[: count - 1 : -1])
        return outline

    def _stencil(
        self, shapes: Sequence[Points], inks: ArrayLike, box: PixelBox | None = None
    ) -> tuple[PixelBox, NDArray[np.float32]]:
        """Return a box of pixels and the ink of the shapes in it; later shapes replace earlier."""
        corners = np.concatenate(shapes) * self.scale
        rows, cols = box = box or self._box(corners)
        mask = np.zeros((rows.stop - rows.start, cols.stop - cols.start), np.uint8)
        if mask.size:
            greys = (np.minimum(inks, 1.0) * 255).tolist()
            if isinstance(greys, float):
                greys = [greys] * len(shapes)
            corners -= (cols.start, rows.start)
            corners *= 1 << FRACTION_BITS
            rounded = np.rint(corners, corners).astype(np.int32)
            start = 0
            for shape, grey in zip(shapes, greys, strict=True):
                stop = start + len(shape)
                cv2.fillPoly(mask, [rounded[start:stop]], grey, cv2.LINE_AA, FRACTION_BITS)
                start = stop
        return box, np.divide(mask, 255, dtype=np.float32)

    def _box(self, corners: Points) -> PixelBox:
        """Return the part of the canvas that shapes with these corners touch, perhaps empty."""
        height, width = self.ink.shape
        left, top = np.minimum.reduce(corners).tolist()
        right, bottom = np.maximum.reduce(corners).tolist()
        return (
            slice(_within(floor(top) - 2, height), _within(ceil(bottom) + 3, height)),
            slice(_within(floor(left) - 2, width), _within(ceil(right) + 3, width)),
        )

    def _glaze(self, box: PixelBox, mask: NDArray[np.float32]) -> None:
        """Add transparent ink: what shows through the old takes up the new."""
        ink = self.ink[box]
        ink += (1 - ink) * mask


@cache
def _along_stroke(count: int) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return so many numbers evenly spaced from 0 to 1, and how wide a stroke is there."""
    t = np.linspace(0, 1, count)
    return t, np.sin(np.pi * (0.06 + 0.9 * t)) ** 0.5


def _within(pixel: int, limit: int) -> int:
    return min(max(pixel, 0), limit)


def _thinning(shape: tuple[int, ...], fade: Direction | None) -> NDArray[np.float32]:
    """Return a ramp over a box of pixels that falls from 1 to 0 along ``fade``, or all 1."""
    if fade is None:
        return np.ones((1, 1), np.float32)
    height, width = shape
    y, x = _across(height)[:, None], _across(width)
    dx, dy = fade
    return (0.5 - 0.5 * (x * dx + y * dy) / (abs(dx) + abs(dy))).astype(np.float32)


@cache
def _across(count: int) -> NDArray[np.float64]:
    """Return so many numbers evenly spaced from -1 to 1."""
    return np.linspace(-1, 1, count)
