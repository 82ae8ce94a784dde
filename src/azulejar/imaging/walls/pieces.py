"""Joints of a view, piece by piece, as they stand out beside their places."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.ndimage import gaussian_filter1d

from azulejar.imaging.walls.evidence import Tone, above_usual, bands, ridges
from azulejar.imaging.walls.photo import SIDE

OTHER = 0.7  # what a line of the other tone counts
OUTSIDE = 0.4  # weight of the outermost joints: a frame or the wall's end is often taken for them


@dataclass(frozen=True)
class Pieces:
    """``strength`` [pieces down, joints across, 2·far + 1 pixels]: how much joints that run down
    stand out beside their places, in deviations. ``between`` [pieces down, crossings down]: how
    much of each crossing's shift a piece sees.
    """

    strength: NDArray[np.float64]
    between: NDArray[np.float64]


def pieces_of(view: NDArray[np.float32], tone: Tone, length: float, reach: float) -> Pieces:
    """Pieces of about ``length`` of the joints that run down a view with one tile of margin, seen
    up to ``reach`` aside, both in tiles.
    """
    down, across = (length // SIDE - 2 for length in view.shape)
    lines, middles = bands(ridges(view), tone, OTHER)
    rows = middles - 1
    inside = (rows > 0) & (rows < down)
    rows, lines = rows[inside], above_usual(lines)[inside]
    apart = rows - (np.arange(down)[:, None] + 0.5)
    weights = np.exp(-0.5 * (apart / length) ** 2)
    weights /= weights.sum(axis=1, keepdims=True)
    strength = gaussian_filter1d(weights @ lines, 1.0, axis=1)
    middle = np.median(strength)
    strength = (strength - middle) / (1.48 * np.median(np.abs(strength - middle)) + 1e-6)
    far = round(reach * SIDE)
    beside = (np.arange(across + 1) + 1)[:, None] * SIDE + np.arange(-far - 1, far + 1)
    # A joint's place lies between two pixels.
    near = (strength[:, beside[:, 1:]] + strength[:, beside[:, :-1]]) / 2
    nearness = np.maximum(1 - np.abs(rows[:, None] - np.arange(down + 1)), 0)
    return Pieces(near, weights @ nearness)
