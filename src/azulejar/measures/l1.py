"""L1: asymmetric prediction of the next pixel (Paikin and Tal, CVPR 2015)."""

from functools import partial

import numpy as np
from numpy.typing import NDArray

from azulejar.core.edges import edge_strips
from azulejar.measures.measure import Measure
from azulejar.system.compiling import lean
from azulejar.system.threads import share_out

CHUNK = 64  # edges handled by a thread at a time


class L1(Measure):
    """|2·last − second-last − first of the neighbour|, summed over pixels and channels.

    The anchor extrapolates its outermost two lines by one step; the prediction is compared with
    the neighbour's outermost line. Asymmetric, since each edge predicts for itself.
    """

    name = "l1"

    def prepare(self, pixels: NDArray[np.uint8]) -> None:
        strips = edge_strips(pixels, 2).astype(np.int16)
        predicted = 2 * strips[:, 0] - strips[:, 1]
        edges = len(strips)
        self.predicted = predicted.reshape(edges, -1)
        self.partner = np.ascontiguousarray(strips[:, 0, ::-1]).reshape(edges, -1)

    def dissimilarity(self, rows: NDArray[np.intp]) -> NDArray[np.float64]:
        distance = np.empty((len(rows), len(self.partner)))
        predicted = self.predicted[rows]
        share_out(partial(_city_block, predicted, self.partner, distance), len(rows), CHUNK)
        return distance


@lean
def _city_block(a, b, distance, first, stop):
    for i in range(first, stop):
        for j in range(len(b)):
            total = 0
            for p in range(a.shape[1]):
                total += abs(a[i, p] - b[j, p])
            distance[i, j] = total
