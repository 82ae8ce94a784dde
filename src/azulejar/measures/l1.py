"""L1: asymmetric prediction of the next pixel (Paikin and Tal, CVPR 2015)."""

import numba
import numpy as np
from numpy.typing import NDArray

from azulejar.edges import edge_strips
from azulejar.measures.base import Measure


class L1(Measure):
    """|2·last − second-last − first of the neighbour|, summed over pixels and channels.

    The anchor extrapolates its outermost two lines by one step; the prediction is compared with
    the neighbour's outermost line. Asymmetric, since each edge predicts for itself.
    """

    name = "l1"
    symmetric = False

    def prepare(self, pixels: NDArray[np.uint8]) -> None:
        strips = edge_strips(pixels, 2).astype(np.int16)
        predicted = 2 * strips[:, 0] - strips[:, 1]
        edges = len(strips)
        self.predicted = predicted.reshape(edges, -1)
        self.partner = np.ascontiguousarray(strips[:, 0, ::-1]).reshape(edges, -1)

    def dissimilarity(self, rows: slice) -> NDArray[np.float64]:
        return _city_block(self.predicted[rows], self.partner)


@numba.njit(parallel=True, cache=True)
def _city_block(a: NDArray[np.int16], b: NDArray[np.int16]) -> NDArray[np.float64]:
    out = np.empty((len(a), len(b)))
    for i in numba.prange(len(a)):
        for j in range(len(b)):
            total = 0
            for p in range(a.shape[1]):
                total += abs(a[i, p] - b[j, p])
            out[i, j] = total
    return out
