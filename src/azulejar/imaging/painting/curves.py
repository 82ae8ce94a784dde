"""Curves as arrays of points: the drawing beneath every brush stroke.

All lengths are in units of 1/64 of a tile's side, x to the right and y downwards; angles are in
radians and grow clockwise.
"""

import numpy as np
from numpy.typing import ArrayLike, NDArray

Points = NDArray[np.float64]


def smooth(points: ArrayLike, closed: bool = False, samples: int = 8) -> Points:
    """Catmull-Rom curve through points [n, 2], with so many samples from one to the next."""
    p = np.asarray(points, float)
    if closed:
        padded = np.concatenate([p[-1:], p, p[:2]])
    else:
        padded = np.concatenate([2 * p[:1] - p[1:2], p, 2 * p[-1:] - p[-2:-1]])
    a, b, c, d = (padded[k : len(padded) - 3 + k, None] for k in range(4))
    t = np.linspace(0, 1, samples, endpoint=False)[:, None]
    curve = b + t * (c - a + t * (2 * a - 5 * b + 4 * c - d + t * (3 * b - a - 3 * c + d))) / 2
    curve = curve.reshape(-1, 2)
    return curve if closed else np.concatenate([curve, p[-1:]])


def resampled(path: Points, step: float) -> Points:
    """The same path with points about ``step`` apart, at least five of them."""
    along = np.concatenate([[0.0], np.cumsum(np.hypot(*np.diff(path, axis=0).T))])
    places = np.linspace(0, along[-1], max(5, int(along[-1] / step) + 1))
    return np.stack([np.interp(places, along, path[:, axis]) for axis in (0, 1)], axis=1)


def normals(path: Points) -> Points:
    """Unit vectors to the right of the way along the path."""
    side = np.empty_like(path)
    side[1:-1] = path[2:] - path[:-2]
    side[0], side[-1] = path[1] - path[0], path[-1] - path[-2]
    side /= np.maximum(np.hypot(side[:, :1], side[:, 1:]), 1e-9)
    return side[:, ::-1] * [-1, 1]


def ribbon(path: Points, width: ArrayLike) -> Points:
    """Outline of a band along the path; ``width`` is one number or one a point."""
    side = normals(path) * np.broadcast_to(width, len(path))[:, None] / 2
    return np.concatenate([path + side, (path - side)[::-1]])


def ellipse(centre: ArrayLike, rx: float, ry: float, turn: float = 0.0, n: int = 40) -> Points:
    """Closed outline of an ellipse."""
    angle = np.linspace(0, 2 * np.pi, n, endpoint=False)
    return placed(np.stack([rx * np.cos(angle), ry * np.sin(angle)], axis=1), centre, turn=turn)


def spiral(
    centre: ArrayLike, outer: float, inner: float, start: float, sweep: float, n: int = 60
) -> Points:
    """Spiral that winds inwards from radius ``outer`` at angle ``start`` by ``sweep``."""
    t = np.linspace(0, 1, n)
    angle = start + sweep * t
    radius = inner + (outer - inner) * (1 - t) ** 0.8
    return np.asarray(centre) + radius[:, None] * np.stack([np.cos(angle), np.sin(angle)], axis=1)


def placed(
    points: ArrayLike, at: ArrayLike, size: float = 1.0, turn: float = 0.0, flip: bool = False
) -> Points:
    """A drawing mirrored left to right if asked, scaled, turned about its origin, and moved."""
    p = np.asarray(points, float) * [-size if flip else size, size]
    cos, sin = np.cos(turn), np.sin(turn)
    return p @ np.array([[cos, sin], [-sin, cos]]) + np.asarray(at, float)


def dabs(
    centres: Points, length: ArrayLike, angle: ArrayLike, width: ArrayLike, bend: ArrayLike = 0.0
) -> NDArray[np.float64]:
    """Outlines [n, 14, 2] of n short strokes, pointed at both ends.

    ``bend`` is how far the middle strays from the chord, as a fraction of the length.
    """
    n = len(centres)
    length, angle, width, bend = (
        np.broadcast_to(np.asarray(value, float), n)[:, None]
        for value in (length, angle, width, bend)
    )
    t = np.linspace(-1, 1, 8)
    middle = bend * length * (1 - t**2)
    half = width / 2 * (1 - t**2) ** 0.6
    along = np.concatenate([length / 2 * t + 0 * half, (length / 2 * t + 0 * half)[:, -2:0:-1]], 1)
    across = np.concatenate([middle + half, (middle - half)[:, -2:0:-1]], axis=1)
    cos, sin = np.cos(angle), np.sin(angle)
    turned = np.stack([along * cos - across * sin, along * sin + across * cos], axis=2)
    return centres[:, None] + turned
