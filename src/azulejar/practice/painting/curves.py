"""Make curves as arrays of points: the drawing beneath every brush stroke.

All lengths are in units, 64 to a tile's side unless the panel is small, with x to the right and
y downwards; angles are in radians and grow clockwise.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

Points = NDArray[np.float64]


@dataclass(frozen=True)
class Transform:
    """Places a drawing: mirrors it left to right if ``flip``, then scales, turns and moves it."""

    at: ArrayLike
    size: float = 1.0
    turn: float = 0.0
    flip: bool = False

    def __call__(self, drawing: ArrayLike) -> Points:
        """Convert points [2] or [n, 2] around the drawing's origin to units."""
        p = np.asarray(drawing, float) * [-self.size if self.flip else self.size, self.size]
        cos, sin = np.cos(self.turn), np.sin(self.turn)
        return p @ np.array([[cos, sin], [-sin, cos]]) + np.asarray(self.at, float)


def points(text: str) -> Points:
    """Read points [n, 2] written as ``x,y x,y ...``."""
    return np.array([pair.split(",") for pair in text.split()], float)


def smooth(path: ArrayLike, closed: bool = False, samples: int = 8) -> Points:
    """Return the Catmull-Rom curve through points [n, 2], with ``samples`` from one to the next."""
    p = np.asarray(path, float)
    if closed:
        padded = np.concatenate([p[-1:], p, p[:2]])
    else:
        padded = np.concatenate([2 * p[:1] - p[1:2], p, 2 * p[-1:] - p[-2:-1]])
    a, b, c, d = (padded[k : len(padded) - 3 + k, None] for k in range(4))
    t = np.linspace(0, 1, samples, endpoint=False)[:, None]
    curve = b + t * (c - a + t * (2 * a - 5 * b + 4 * c - d + t * (3 * b - a - 3 * c + d))) / 2
    curve = curve.reshape(-1, 2)
    return curve if closed else np.concatenate([curve, p[-1:]])


def resample_path(path: Points, step: float) -> Points:
    """Return the same path with points about ``step`` apart, at least five of them."""
    x, y = path.T
    along = np.zeros(len(path))
    np.add.accumulate(np.hypot(x[1:] - x[:-1], y[1:] - y[:-1]), out=along[1:])
    whole = along[-1].item()
    count = max(5, int(whole / step) + 1)
    stops = np.arange(count) * (whole / (count - 1))
    stops[-1] = whole
    resampled = np.empty((count, 2))
    resampled[:, 0] = np.interp(stops, along, x)
    resampled[:, 1] = np.interp(stops, along, y)
    return resampled


def normals(path: Points) -> Points:
    """Return the unit vectors to the right of the direction along the path."""
    ahead = np.empty((2, len(path)))
    np.subtract(path[2:].T, path[:-2].T, out=ahead[:, 1:-1])
    ahead[:, 0], ahead[:, -1] = path[1] - path[0], path[-1] - path[-2]
    ahead /= np.maximum(np.hypot(*ahead), 1e-9)
    side = np.empty((len(path), 2))
    np.negative(ahead[1], out=side[:, 0])
    side[:, 1] = ahead[0]
    return side


def ribbon(path: Points, width: ArrayLike) -> Points:
    """Return the outline of a band along the path: one side forth, the other back.

    ``width`` is one number, or one for each point.
    """
    side = normals(path) * np.broadcast_to(width, len(path))[:, None] / 2
    return np.concatenate([path + side, (path - side)[::-1]])


def ellipse(centre: ArrayLike, rx: float, ry: float, turn: float = 0.0, n: int = 40) -> Points:
    """Return the closed outline of an ellipse, clockwise from its right end."""
    angle = np.linspace(0, 2 * np.pi, n, endpoint=False)
    return Transform(centre, turn=turn)(np.stack([rx * np.cos(angle), ry * np.sin(angle)], axis=1))


def rectangle(left: float, right: float, bottom: float, top: float) -> Points:
    """Return the corners from the lower left, clockwise."""
    return np.array([(left, bottom), (left, top), (right, top), (right, bottom)])


def spiral(centre: ArrayLike, outer: float, inner: float, start: float, sweep: float) -> Points:
    """Return a spiral that winds inwards from radius ``outer`` at angle ``start`` by ``sweep``."""
    t = np.linspace(0, 1, 60)
    angle = start + sweep * t
    radius = inner + (outer - inner) * (1 - t) ** 0.8
    return np.asarray(centre) + radius[:, None] * np.stack([np.cos(angle), np.sin(angle)], axis=1)


def dabs(
    centres: Points, length: ArrayLike, angle: ArrayLike, width: ArrayLike, bend: ArrayLike = 0.0
) -> NDArray[np.float64]:
    """Return the outlines [n, 14, 2] of n short strokes, pointed at both ends.

    ``bend`` is how far the middle strays from the chord, as a fraction of the length.
    """
    n = len(centres)
    long, angles, wide, bow = (
        np.broadcast_to(np.asarray(value, float), n)[:, None]
        for value in (length, angle, width, bend)
    )
    t = np.linspace(-1, 1, 8)
    chord, middle, half = long / 2 * t, bow * long * (1 - t**2), wide / 2 * (1 - t**2) ** 0.6
    along = np.concatenate([chord, chord[:, -2:0:-1]], axis=1)
    across = np.concatenate([middle + half, (middle - half)[:, -2:0:-1]], axis=1)
    cos, sin = np.cos(angles), np.sin(angles)
    turned = np.stack([along * cos - across * sin, along * sin + across * cos], axis=2)
    return centres[:, None] + turned
