"""Ways to balance the colours of photographs, and the oldest of them, the grey world."""

from enum import StrEnum

import cv2
import numpy as np
from numpy.typing import NDArray


class Colour(StrEnum):
    """How the colours of photographs are balanced.

    ``auto`` trusts a colour chart, or the glaze of many tiles, and otherwise changes nothing.
    """

    AUTO = "auto"
    CHART = "chart"
    GLAZE = "glaze"
    OFF = "off"
    GREY_WORLD = "grey-world"
    CARD = "card"  # the former name of chart
    NONE = "none"  # the former name of off

    @property
    def current(self) -> "Colour":
        """The current name of this way."""
        return {Colour.CARD: Colour.CHART, Colour.NONE: Colour.OFF}.get(self, self)


def grey_world(picture: NDArray[np.uint8]) -> NDArray[np.float64]:
    """Return the gains [3] under which the photograph is grey on average."""
    mean = picture.reshape(-1, 3).mean(axis=0)
    return mean.mean() / np.maximum(mean, 1.0)


def balance(picture: NDArray[np.uint8], gains: NDArray[np.float64]) -> NDArray[np.uint8]:
    """Multiply the channels of a picture [H, W, 3], or [H, W, 4] with alpha, by the gains [3]."""
    every = np.append(gains, 1.0)[: picture.shape[2]]
    table = np.clip(np.arange(256)[:, None] * every, 0, 255).round().astype(np.uint8)
    return np.asarray(cv2.LUT(picture, table[None]), np.uint8)
