"""Canvas: the ink on a panel before it is fired, and the few ways a brush lays it down."""

from collections.abc import Iterable, Sequence

import cv2
import numpy as np
from numpy.typing import ArrayLike, NDArray

from azulejar.imaging.painting.curves import Points, dabs, normals, resampled

# OpenCV takes polygon corners as integers with this many fractional bits.
FRACTION_BITS = 4

Box = tuple[slice, slice]


class Canvas:
    """Ink from 0 (bare glaze) to 1 (darkest cobalt) as float32 [height, width] in ``ink``.

    Everything is drawn in units of 1/64 tile; ``scale`` is pixels a unit. Brush strokes tremble
    and vary in pressure with ``rng``.
    """

    def __init__(self, width: float, height: float, scale: float, rng: np.random.Generator):
        self.width, self.height, self.scale, self.rng = width, height, scale, rng
        self.ink = np.zeros((round(height * scale), round(width * scale)), np.float32)

    def cover(self, shape: Points, ink: float = 0.0) -> None:
        """Opaque: whatever lies beneath is gone."""
        box, mask = self._stencil([shape], [1.0])
        self.ink[box] += mask * (ink - self.ink[box])

    def wash(self, shape: Points, ink: float, fade: tuple[float, float] | None = None) -> None:
        """Transparent ink over a shape, with the darker rim that a drying wash leaves.

        ``fade`` is the direction in which the ink thins out to nothing.
        """
        box, mask = self._stencil([shape], [1.0])
        if mask.size == 0:
            return
        rim = mask - cv2.blur(mask, (int(5 * self.scale) | 1,) * 2)
        mask *= 1 + 0.5 * np.maximum(rim, 0)
        if fade:
            mask *= _fading(mask.shape, fade)
        self._glaze(box, np.minimum(mask * ink, 1))

    def stroke(self, path: Points, width: float = 1.6, ink: float = 0.85) -> None:
        """One brush line that swells and thins with the pressure of the hand."""
        self.strokes([path], width, ink)

    def strokes(self, paths: Iterable[Points], width: float = 1.6, ink: float = 0.85) -> None:
        """Several brush lines of one kind, each with a little more or less ink."""
        bands = [self._brushed(path, width) for path in paths]
        inks = ink * self.rng.uniform(0.85, 1.1, len(bands))
        self._glaze(*self._stencil(bands, inks))

    def scratch(self, path: Points, width: float = 1.6) -> None:
        """One brush line of bare glaze through whatever was painted."""
        self.cover(self._brushed(path, width))

    def outline(self, shape: Points, width: float = 1.6, ink: float = 0.85) -> None:
        """A closed shape drawn around in a few overlapping strokes, as a hand would."""
        start, parts = int(self.rng.integers(len(shape))), max(2, min(4, len(shape) // 12))
        around = np.roll(shape, -start, axis=0)
        around = np.concatenate([around, around[: max(2, len(shape) // 20)]])
        cuts = np.linspace(0, len(around) - 1, parts + 1).astype(int)
        pairs = zip(cuts[:-1], cuts[1:], strict=True)
        self.strokes([around[max(a - 1, 0) : b + 1] for a, b in pairs], width, ink)

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
        """Many short strokes; ``within`` keeps them inside a shape."""
        inks = np.broadcast_to(np.asarray(ink, float), len(centres))
        box, mask = self._stencil(list(dabs(centres, length, angle, width, bend)), inks)
        if within is not None:
            mask = mask * self._stencil([within], [1.0], box)[1]
        self._glaze(box, mask)

    def hatch(
        self,
        shape: Points,
        angle: float,
        spacing: float = 4.0,
        ink: float = 0.5,
        width: float = 1.3,
        fade: tuple[float, float] | None = None,
        bend: float = 0.04,
    ) -> None:
        """Parallel strokes across a shape, thinning out along ``fade``."""
        low, high = shape.min(0), shape.max(0)
        reach = float(np.hypot(*(high - low)))
        lines = max(1, int(reach / spacing))
        offset = (np.arange(lines) - lines / 2 + self.rng.uniform(-0.3, 0.3, lines)) * spacing
        centres = (low + high) / 2 + offset[:, None] * [-np.sin(angle), np.cos(angle)]
        bands = list(
            dabs(
                centres,
                reach * self.rng.uniform(0.85, 1.2, lines),
                angle + self.rng.normal(0, 0.03, lines),
                width * self.rng.uniform(0.7, 1.4, lines),
                bend + self.rng.normal(0, 0.01, lines),
            )
        )
        box, inside = self._stencil([shape], [1.0])
        if inside.size == 0:
            return
        mask = self._stencil(bands, ink * self.rng.uniform(0.6, 1.2, lines), box)[1] * inside
        self._glaze(box, mask * _fading(mask.shape, fade) if fade else mask)

    def _brushed(self, path: Points, width: float) -> Points:
        path = resampled(path, 3.0)
        t = np.linspace(0, 1, len(path))
        waves, phase = self.rng.uniform(1, 3), self.rng.uniform(0, 6.3, 2)
        tremble = 0.35 * np.sin(phase[0] + 2 * waves * np.pi * t)
        pressure = np.sin(np.pi * (0.06 + 0.9 * t)) ** 0.5
        swell = 1 + 0.25 * np.sin(phase[1] + waves * np.pi * t)
        side, half = normals(path), width / 2 * pressure * swell
        edges = (tremble + half)[:, None] * side, (tremble - half)[::-1, None] * side[::-1]
        return np.concatenate([path + edges[0], path[::-1] + edges[1]])

    def _stencil(
        self, shapes: Sequence[Points], inks: ArrayLike, box: Box | None = None
    ) -> tuple[Box, NDArray[np.float32]]:
        """Box of pixels and the ink of the filled shapes in it; later shapes replace earlier."""
        if box is None:
            box = self._box(shapes)
        rows, cols = box
        mask = np.zeros((max(rows.stop - rows.start, 0), max(cols.stop - cols.start, 0)), np.uint8)
        if mask.size:
            origin = np.array([cols.start, rows.start])
            for shape, ink in zip(shapes, np.asarray(inks, float), strict=True):
                corners = np.round((shape * self.scale - origin) * (1 << FRACTION_BITS))
                grey = float(min(ink, 1.0) * 255)
                cv2.fillPoly(mask, [corners.astype(np.int32)], grey, cv2.LINE_AA, FRACTION_BITS)
        return box, mask.astype(np.float32) / 255

    def _box(self, shapes: Sequence[Points]) -> Box:
        corners = np.concatenate(shapes) * self.scale
        low, high = np.floor(corners.min(0)).astype(int) - 2, np.ceil(corners.max(0)).astype(int) + 3
        height, width = self.ink.shape
        left, right = np.clip([low[0], high[0]], 0, width).tolist()
        top, bottom = np.clip([low[1], high[1]], 0, height).tolist()
        return slice(top, bottom), slice(left, right)

    def _glaze(self, box: Box, mask: NDArray[np.float32]) -> None:
        self.ink[box] += (1 - self.ink[box]) * mask


def _fading(shape: tuple[int, ...], direction: tuple[float, float]) -> NDArray[np.float32]:
    """Plane over a box of pixels that falls from 1 to 0 along the direction."""
    y, x = np.linspace(-1, 1, shape[0])[:, None], np.linspace(-1, 1, shape[1])
    dx, dy = direction
    reach = abs(dx) + abs(dy)
    return (0.5 - 0.5 * (x * dx + y * dy) / reach).astype(np.float32)
