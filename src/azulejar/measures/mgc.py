"""MGC: Mahalanobis gradient compatibility (Gallagher, CVPR 2012, section 3)."""

import numpy as np
from numpy.typing import NDArray

from azulejar.core.edges import edge_strips
from azulejar.measures.measure import Measure

# Gallagher's nine dummy gradients, which keep the covariance invertible on plain edges.
DUMMY_GRADIENTS = np.array(
    [
        [0, 0, 0],
        [1, 1, 1],
        [-1, -1, -1],
        [0, 0, 1],
        [0, 1, 0],
        [1, 0, 0],
        [0, 0, -1],
        [0, -1, 0],
        [-1, 0, 0],
    ],
    float,
)


def edge_gradients(
    pixels: NDArray[np.uint8],
) -> tuple[NDArray[np.floating], NDArray[np.floating], NDArray[np.floating]]:
    """Return what MGC needs of every edge of tiles [n, S, S, 3].

    Returns:
        The outermost line of pixels, clockwise [4n, S, 3]; the mean gradient just inside [4n, 3];
        the inverse covariance of the gradients [4n, 3, 3].
    """
    strips = edge_strips(pixels, 2)
    outer, inner = strips[:, 0], strips[:, 1]
    gradients = outer - inner
    sample = np.concatenate(
        [gradients, np.broadcast_to(DUMMY_GRADIENTS, (len(outer), *DUMMY_GRADIENTS.shape))], 1
    )
    centred = sample - sample.mean(1, keepdims=True)
    covariance = np.einsum("epa,epb->eab", centred, centred) / (sample.shape[1] - 1)
    return outer, gradients.mean(1), np.linalg.inv(covariance)


class MGC(Measure):
    """Measures how unusual the step across a joint is among the gradients just inside each tile.

    D(i→j) = Σ_p (G_ij(p) − μ_i) S_i⁻¹ (G_ij(p) − μ_i)ᵀ with G_ij the step from the outermost line
    of i to that of j; the measure is D(i→j) + D(j→i). Expanded, each D is one matrix product.
    """

    name = "mgc"

    def prepare(self, pixels: NDArray[np.uint8]) -> None:
        outer, mean, inverse = edge_gradients(pixels)
        edges, size = outer.shape[:2]
        expected = outer + mean[:, None]
        weighted = np.einsum("epa,eab->epb", expected, inverse)
        reversed_outer = outer[:, ::-1]
        moments = np.einsum("epa,epb->eab", reversed_outer, reversed_outer)
        constant = np.einsum("epa,epa->e", weighted, expected)
        # D(i→j) = S_i⁻¹·M_j − 2 (S_i⁻¹ expected_i)·outer_j + constant_i, as anchor_i · partner_j.
        self.anchor = np.concatenate(
            [inverse.reshape(edges, 9), -2 * weighted.reshape(edges, -1), constant[:, None]], 1
        )
        self.partner = np.concatenate(
            [
                moments.reshape(edges, 9),
                reversed_outer.reshape(edges, 3 * size),
                np.ones((edges, 1)),
            ],
            1,
        )
        # Seen from j, both lines are read backwards; the sum over p does not change.
        self.anchor_back = np.concatenate(
            [
                inverse.reshape(edges, 9),
                -2 * weighted[:, ::-1].reshape(edges, -1),
                constant[:, None],
            ],
            1,
        )
        self.partner_back = np.concatenate(
            [moments.reshape(edges, 9), outer.reshape(edges, 3 * size), np.ones((edges, 1))], 1
        )

    def dissimilarity(self, rows: NDArray[np.intp]) -> NDArray[np.float64]:
        there = self.anchor[rows] @ self.partner.T
        back = self.partner_back[rows] @ self.anchor_back.T
        return np.maximum(there + back, 0)
