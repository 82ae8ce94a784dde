"""Four-sided outlines [4, 2] in pixels, clockwise as seen."""

import cv2
import numpy as np
from numpy.typing import NDArray

Quad = NDArray[np.float64]

LONGEST = 1.45  # a side over the shortest, and a diagonal over the other
UNIT = np.array([[0, 0], [1, 0], [1, 1], [0, 1]], float)


def side_of(quad: Quad) -> float:
    """Mean side in pixels."""
    return float(np.linalg.norm(quad - np.roll(quad, 1, axis=0), axis=1).mean())


def is_squarish(quad: Quad) -> bool:
    """Whether a tile seen at a slant may look like this."""
    if not np.isfinite(quad).all() or not cv2.isContourConvex(quad.astype(np.float32)):
        return False
    sides = np.linalg.norm(quad - np.roll(quad, 1, axis=0), axis=1)
    across = np.linalg.norm(quad[:2] - quad[2:], axis=1)
    return bool(sides.max() < LONGEST * sides.min() and across.max() < LONGEST * across.min())


def clockwise(quad: Quad) -> Quad:
    """The corners in clockwise order as seen, starting where they started."""
    return quad if area_of(quad) > 0 else quad[[0, 3, 2, 1]]


def area_of(quad: Quad) -> float:
    """Area in square pixels, negative if the corners run anticlockwise."""
    return float(cv2.contourArea(quad.astype(np.float32), oriented=True))


def overlap(quad: Quad, other: Quad) -> float:
    """Common area in square pixels of two convex quads."""
    apart = (quad.max(axis=0) < other.min(axis=0)) | (other.max(axis=0) < quad.min(axis=0))
    if apart.any():
        return 0.0
    return float(cv2.intersectConvexConvex(quad.astype(np.float32), other.astype(np.float32))[0])


def distance(quad: Quad, other: Quad) -> float:
    """The farthest that a corner lies from its own in the other quad, in pixels, however the
    corners of the two are counted.
    """
    turned = np.stack([np.roll(quad, k, axis=0) for k in range(4)])
    return float(np.linalg.norm(turned - other, axis=2).max(axis=1).min())


def cells(quad: Quad, rows: int, cols: int) -> list[Quad]:
    """The quad divided in perspective; ``cols`` count along its first side."""
    matrix = cv2.getPerspectiveTransform(UNIT.astype(np.float32), quad.astype(np.float32))
    corners = [
        (UNIT + np.array([col, row])) / [cols, rows] for row in range(rows) for col in range(cols)
    ]
    return [np.asarray(cv2.perspectiveTransform(each[None], matrix)[0], float) for each in corners]
