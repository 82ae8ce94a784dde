"""Four-sided outlines [4, 2] in pixels, clockwise as seen, and the tiles straightened from them."""

import cv2
import numpy as np
from numpy.typing import NDArray

from azulejar.imaging.photographs.geometry import Lens

Quad = NDArray[np.float64]

LONGEST = 1.45  # longest side over the shortest, and longer diagonal over the other
UNIT = np.array([[0, 0], [1, 0], [1, 1], [0, 1]], float)
CUT_MARGIN = 3  # pixels around the tile that interpolation reads


def side_of(quad: Quad) -> float:
    """Return the mean side in pixels."""
    return float(np.linalg.norm(quad - np.roll(quad, 1, axis=0), axis=1).mean())


def is_squarish(quad: Quad, longest: float = LONGEST) -> bool:
    """Tell whether a tile seen at a slant may look like this.

    ``longest`` is the most by which its longest side may exceed the shortest, as a factor.
    """
    if not np.isfinite(quad).all() or not cv2.isContourConvex(quad.astype(np.float32)):
        return False
    sides = np.linalg.norm(quad - np.roll(quad, 1, axis=0), axis=1)
    across = np.linalg.norm(quad[:2] - quad[2:], axis=1)
    return bool(sides.max() < longest * sides.min() and across.max() < LONGEST * across.min())


def clockwise(quad: Quad) -> Quad:
    """Return the corners in clockwise order, starting with the same one."""
    return quad if area_of(quad) > 0 else quad[[0, 3, 2, 1]]


def area_of(quad: Quad) -> float:
    """Return the area in square pixels, negative if the corners run anticlockwise."""
    return float(cv2.contourArea(quad.astype(np.float32), oriented=True))


def overlap_area(quad: Quad, other: Quad) -> float:
    """Return the common area in square pixels of two convex quads."""
    apart = (quad.max(axis=0) < other.min(axis=0)) | (other.max(axis=0) < quad.min(axis=0))
    if apart.any():
        return 0.0
    return float(cv2.intersectConvexConvex(quad.astype(np.float32), other.astype(np.float32))[0])


def corner_distance(quad: Quad, other: Quad) -> float:
    """Return the largest distance in pixels between corresponding corners of two quads, whichever
    corner each quad starts with.
    """
    turned = np.stack([np.roll(quad, k, axis=0) for k in range(4)])
    return float(np.linalg.norm(turned - other, axis=2).max(axis=1).min())


def divide_quad(quad: Quad, rows: int, cols: int) -> list[Quad]:
    """Divide the quad in perspective; ``cols`` count along its first side."""
    matrix = cv2.getPerspectiveTransform(UNIT.astype(np.float32), quad.astype(np.float32))
    corners = [
        (UNIT + np.array([col, row])) / [cols, rows] for row in range(rows) for col in range(cols)
    ]
    return [np.asarray(cv2.perspectiveTransform(each[None], matrix)[0], float) for each in corners]


def straighten(
    picture: NDArray[np.uint8], corners: Quad, lens: Lens, size: int | None = None
) -> NDArray[np.uint8]:
    """Cut out the tile within ``corners`` [4, 2] as uint8 [S, S, 3], perspective and lens undone.

    S is ``size``, by default the longest side, so that nothing is lost.
    """
    places = pixel_places(corners, lens, size or full_size(corners))
    # OpenCV's remap counts pixels in 16 bits, so it is given only the part that is needed.
    low = np.maximum(np.floor(places.min(axis=(0, 1))).astype(int) - CUT_MARGIN, 0)
    high = np.ceil(places.max(axis=(0, 1))).astype(int) + CUT_MARGIN + 1
    part = np.ascontiguousarray(picture[low[1] : high[1], low[0] : high[0]])
    where = (places - low).astype(np.float32)
    cut = cv2.remap(
        part, where[..., 0], where[..., 1], cv2.INTER_CUBIC, borderMode=cv2.BORDER_REPLICATE
    )
    return np.asarray(cut, np.uint8)


def full_size(corners: Quad) -> int:
    """Return the longest side in whole pixels."""
    return round(np.linalg.norm(corners - np.roll(corners, 1, axis=0), axis=1).max())


def pixel_places(corners: Quad, lens: Lens, size: int) -> NDArray[np.float64]:
    """Return where in the photograph each pixel of the straightened tile lies: [size, size, 2]."""
    straight = lens.undistort(corners)
    middle = straight.mean(axis=0)  # float32, which OpenCV wants, is exact near 0
    matrix = cv2.getPerspectiveTransform(
        UNIT.astype(np.float32), (straight - middle).astype(np.float32)
    )
    share = (np.arange(size) + 0.5) / size
    grid = np.stack(np.meshgrid(share, share), axis=-1)
    return lens.distort(cv2.perspectiveTransform(grid, matrix) + middle)
