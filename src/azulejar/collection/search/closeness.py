"""How well pairs of edges fit, from what a collection keeps: the twin's score and MGC's."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from azulejar.core.edges import edge_strips
from azulejar.measures.mgc import DUMMY_GRADIENTS
from azulejar.system.compiling import lean


@dataclass(frozen=True)
class Lines:
    """What MGC needs of every edge: its outermost line and the gradients just inside.

    ``outer`` uint8 [4n, S, 3] clockwise, ``mean`` float32 [4n, 3], ``inverse`` float32 [4n, 6], the
    inverse covariance above and on its diagonal.
    """

    outer: NDArray[np.uint8]
    mean: NDArray[np.float32]
    inverse: NDArray[np.float32]

    @classmethod
    def of(cls, pixels: NDArray[np.uint8]) -> "Lines":
        """Of tiles [n, S, S, 3]."""
        n, size = pixels.shape[:2]
        outer = np.empty((4 * n, size, 3), np.uint8)
        mean = np.empty((4 * n, 3), np.float32)
        inverse = np.empty((4 * n, 6), np.float32)
        for start in range(0, n, 1024):
            rows = slice(4 * start, 4 * min(start + 1024, n))
            strips = edge_strips(pixels[start : start + 1024], 2)
            gradients = strips[:, 0] - strips[:, 1]
            dummy = np.broadcast_to(DUMMY_GRADIENTS, (len(strips), *DUMMY_GRADIENTS.shape))
            sample = np.concatenate([gradients, dummy], 1)
            centred = sample - sample.mean(1, keepdims=True)
            covariance = np.einsum("epa,epb->eab", centred, centred) / (sample.shape[1] - 1)
            outer[rows] = strips[:, 0]
            mean[rows] = gradients.mean(1)
            inverse[rows] = np.linalg.inv(covariance)[:, *np.triu_indices(3)]
        return cls(outer, mean, inverse)


@lean
def twin_scores(descriptions, scales, edges, others, scores):
    """Fill ``scores`` [b, k] of ``edges`` [b] with ``others`` [b, k], where -1 is nobody."""
    width = descriptions.shape[2]
    for i in range(others.shape[0]):
        edge = edges[i]
        for rank in range(others.shape[1]):
            other = others[i, rank]
            if other < 0:
                scores[i, rank] = -np.inf
                continue
            there = np.int32(0)
            back = np.int32(0)
            for at in range(width):
                there += np.int32(descriptions[edge, 0, at]) * np.int32(descriptions[other, 1, at])
                back += np.int32(descriptions[edge, 1, at]) * np.int32(descriptions[other, 0, at])
            scores[i, rank] = (
                there * scales[edge, 0] * scales[other, 1]
                + back * scales[edge, 1] * scales[other, 0]
            )


@lean
def mgc_scores(outer, mean, inverse, edges, others, scores):
    """The same for MGC (Gallagher 2012), as a dissimilarity."""
    for i in range(others.shape[0]):
        edge = edges[i]
        for rank in range(others.shape[1]):
            other = others[i, rank]
            scores[i, rank] = np.inf
            if other >= 0:
                there = _one_way(outer, mean, inverse, edge, other)
                scores[i, rank] = there + _one_way(outer, mean, inverse, other, edge)


@lean
def _one_way(outer, mean, inverse, edge, other):
    size = outer.shape[1]
    total = np.float32(0)
    for at in range(size):
        r = np.float32(outer[other, size - 1 - at, 0]) - outer[edge, at, 0] - mean[edge, 0]
        g = np.float32(outer[other, size - 1 - at, 1]) - outer[edge, at, 1] - mean[edge, 1]
        b = np.float32(outer[other, size - 1 - at, 2]) - outer[edge, at, 2] - mean[edge, 2]
        total += r * (inverse[edge, 0] * r + 2 * (inverse[edge, 1] * g + inverse[edge, 2] * b))
        total += g * (inverse[edge, 3] * g + 2 * inverse[edge, 4] * b) + inverse[edge, 5] * b * b
    return total
