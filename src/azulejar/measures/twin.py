"""twin: each edge is described once; a score is an inner product of two descriptions."""

import numpy as np
from numpy.typing import NDArray

from azulejar.measures.learned import Features, LearnedMeasure, as_input, encode_cached


class Twin(LearnedMeasure):
    """The encoder of the shipped network alone, with one view of each edge instead of two."""

    name = "twin"
    model_name = "best"
    graphs = ("encoder",)
    post = ("softmax", "mutual", "symmetric")
    rank_post = post

    def prepare(self, pixels: NDArray[np.uint8]) -> None:
        features = encode_cached(self.runtime, as_input(pixels), self.part(0, 0.98))
        self.anchor, self.partner = as_vectors([features])

    def dissimilarity(self, rows: NDArray[np.intp]) -> NDArray[np.float64]:
        return -twin_rows(self.anchor, self.partner, rows).astype(np.float64)


def as_vectors(views: list[Features]) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """Return anchors and partners [4n, d] whose inner product is the mean over views."""
    share = np.float32(len(views) ** -0.5)
    anchor = np.concatenate([view[0].reshape(len(view[0]), -1) for view in views], 1)
    partner = np.concatenate([view[1].reshape(len(view[1]), -1) for view in views], 1)
    return anchor * share, partner * share


def twin_rows(
    anchor: NDArray[np.float32], partner: NDArray[np.float32], rows: NDArray[np.intp]
) -> NDArray[np.float32]:
    """Return the scores of some edges with all, both orders added: [rows, 4n]."""
    return anchor[rows] @ partner.T + partner[rows] @ anchor.T
