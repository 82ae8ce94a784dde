"""Straighten: the glazed square of a tile, cut from the full photograph."""

import cv2
import numpy as np
from numpy.typing import NDArray

from azulejar.imaging.photographs.lens import Lens
from azulejar.imaging.photographs.quads import UNIT, Quad

MARGIN = 3  # pixels around the tile that interpolation looks at


def straighten(
    picture: NDArray[np.uint8], corners: Quad, lens: Lens, size: int | None = None
) -> NDArray[np.uint8]:
    """The tile within ``corners`` [4, 2] as uint8 [S, S, 3], perspective and lens undone.

    S is ``size``, by default the longest side, so that nothing is lost.
    """
    places = pixel_places(corners, lens, size or full_size(corners))
    # remap counts pixels in 16 bits, so it is given only the part that is needed.
    low = np.maximum(np.floor(places.min(axis=(0, 1))).astype(int) - MARGIN, 0)
    high = np.ceil(places.max(axis=(0, 1))).astype(int) + MARGIN + 1
    part = np.ascontiguousarray(picture[low[1] : high[1], low[0] : high[0]])
    where = (places - low).astype(np.float32)
    cut = cv2.remap(
        part, where[..., 0], where[..., 1], cv2.INTER_CUBIC, borderMode=cv2.BORDER_REPLICATE
    )
    return np.asarray(cut, np.uint8)


def full_size(corners: Quad) -> int:
    """The longest side in whole pixels."""
    return round(np.linalg.norm(corners - np.roll(corners, 1, axis=0), axis=1).max())


def pixel_places(corners: Quad, lens: Lens, size: int) -> NDArray[np.float64]:
    """Where in the photograph each pixel [size, size, 2] of the straightened tile lies."""
    straight = lens.straight(corners)
    middle = straight.mean(axis=0)  # float32, which OpenCV wants, is exact near 0
    matrix = cv2.getPerspectiveTransform(
        UNIT.astype(np.float32), (straight - middle).astype(np.float32)
    )
    share = (np.arange(size) + 0.5) / size
    grid = np.stack(np.meshgrid(share, share), axis=-1)
    return lens.bent(cv2.perspectiveTransform(grid, matrix) + middle)
