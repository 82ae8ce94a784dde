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


def ridges(view: NDArray[np.float32]) -> NDArray[np.float32]:
    """How much lighter each pixel is than those two to its left and right, over what is usual
    around it; a joint that runs down shows as a line of one sign.
    """
    smooth = cv2.GaussianBlur(view, (0, 0), sigmaX=1, sigmaY=0.01)
    padded = cv2.copyMakeBorder(smooth, 0, 0, 2, 2, cv2.BORDER_REPLICATE)
    ridge = smooth - (padded[:, :-4] + padded[:, 4:]) / 2
    usual = cv2.blur(np.abs(ridge), (SIDE + 1, SIDE + 1))
    return (ridge / (usual + 1)).astype(np.float32)


def bands(
    ridge: NDArray[np.float32], tone: Tone, other: float = 0.0
) -> tuple[NDArray[np.float32], NDArray]:
    """Ridges gathered over LENGTH rows, at every STRIDE-th row: [bands, width], and where in tiles
    down the view the bands' middles lie.
    """
    middles = np.arange(STRIDE // 2, len(ridge), STRIDE)
    gathered = cv2.blur(ridge, (1, LENGTH), borderType=cv2.BORDER_REFLECT)[middles]
    strength = np.abs(gathered)
    if tone != 0:
        strength[gathered * tone < 0] *= other
    return np.minimum(strength, MOST), (middles + 0.5) / SIDE


def above_usual(profiles: NDArray[np.float32]) -> NDArray[np.float32]:
    """Profiles [n, width] less their mean over a tile's width."""
    return profiles - cv2.blur(profiles, (SIDE + 1, 1), borderType=cv2.BORDER_REFLECT)
