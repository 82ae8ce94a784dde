"""Where a view shows thin lines that may be joints."""

from typing import Literal

import cv2
import numpy as np
from numpy.typing import NDArray

from azulejar.imaging.walls.photo import SIDE

LENGTH = SIDE // 2  # a joint must keep its tone over this many pixels
STRIDE = SIDE // 4
MOST = 1.5  # a painted outline counts no more than a clear joint

Tone = Literal[-1, 0, 1]  # joints darker than the glaze, of either tone, lighter


def ridges(view: NDArray[np.float32], smooth: float = 1.0, side: int = SIDE) -> NDArray[np.float32]:
    """How much more of each channel, [H, W] or [H, W, channels], a pixel has than those two to its
    left and right, over what is usual within half a tile of ``side`` pixels; a joint that runs down
    shows as a line of one sign.
    """
    ridge = cv2.sepFilter2D(view, -1, _ridge_kernel(smooth), np.ones(1))
    usual = cv2.blur(np.abs(ridge), (side + 1, side + 1))
    return np.divide(ridge, usual + 1, out=ridge)


def _ridge_kernel(smooth: float) -> NDArray[np.float64]:
    """Gaussian weights less half of those two pixels to the left and to the right."""
    reach = round(4 * smooth)
    weights = np.exp(-0.5 * (np.arange(-reach, reach + 1) / smooth) ** 2)
    return np.convolve(weights / weights.sum(), [-0.5, 0, 1, 0, -0.5])


def bands(ridge: NDArray[np.float32], tone: Tone) -> tuple[NDArray[np.float32], NDArray]:
    """Ridges gathered over LENGTH rows, at every STRIDE-th row: [bands, width], and where in tiles
    down the view the bands' middles lie.
    """
    middles = np.arange(STRIDE // 2, len(ridge), STRIDE)
    gathered = cv2.blur(ridge, (1, LENGTH), borderType=cv2.BORDER_REFLECT)[middles]
    strength = np.abs(gathered)
    if tone != 0:
        strength[gathered * tone < 0] = 0
    return np.minimum(strength, MOST), (middles + 0.5) / SIDE


def above_usual(profiles: NDArray[np.float32]) -> NDArray[np.float32]:
    """Profiles [n, width] less their mean over a tile's width."""
    return profiles - cv2.blur(profiles, (SIDE + 1, 1), borderType=cv2.BORDER_REFLECT)
