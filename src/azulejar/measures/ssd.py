"""SSD: sum of squared colour differences along the joint (Cho et al. 2010)."""

import numpy as np
from numpy.typing import NDArray

from azulejar.core.edges import edge_strips
from azulejar.measures.measure import Measure


class SSD(Measure):
    """Squared differences of the two outermost pixel lines, over pixels and RGB channels."""

    name = "ssd"

    def prepare(self, pixels: NDArray[np.uint8]) -> None:
        line = edge_strips(pixels, 1)[:, 0]
        self.left = line.reshape(len(line), -1)
        self.right = line[:, ::-1].reshape(len(line), -1)
        self.square = (self.left**2).sum(1)

    def dissimilarity(self, rows: NDArray[np.intp]) -> NDArray[np.float64]:
        cross = self.left[rows] @ self.right.T
        return np.maximum(self.square[rows, None] + self.square[None, :] - 2 * cross, 0)
