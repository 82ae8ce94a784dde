"""Scores among some tiles of a collection, as if there were no others."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from azulejar.collection.storage.catalogue import Collection
from azulejar.core.compatibility import Compatibility
from azulejar.measures.measure import blocks
from azulejar.measures.postprocess import Rows
from azulejar.measures.twin import twin_rows
from azulejar.measures.voices import Voices
from azulejar.weights import load_model

MEASURE = "swift"


def scores_among(
    pixels: NDArray[np.uint8],
    descriptions: NDArray[np.int8],
    scales: NDArray[np.float32],
    files: Sequence[str],
) -> Compatibility:
    """Scores of all pairs of edges of n tiles: pixels [n, S, S, 3] and what describes the edges.

    They are those of ``dlcm`` without its pair network and its second view, made from what the
    collection keeps, so that no network looks at the tiles again.
    """
    anchor, partner = (
        descriptions[:, role].astype(np.float32) * scales[:, role, None] for role in range(2)
    )

    def network(rows: NDArray[np.intp]) -> Rows:
        return twin_rows(anchor, partner, rows).astype(np.float64)

    voices = Voices(network, pixels, load_model("best").card["calibration"])
    scores = np.empty((len(anchor), len(anchor)), np.float32)
    for rows in blocks(len(anchor)):
        scores[rows] = voices.probability(rows)
    return Compatibility(scores, tuple(files), MEASURE)


def group_scores(collection: Collection, tiles: Sequence[int]) -> Compatibility:
    """Scores among some tiles of a collection."""
    which = np.asarray(tiles, np.int64)
    edges = (4 * which[:, None] + np.arange(4)).ravel()
    return scores_among(
        collection.pixels[which],
        collection.descriptions[edges],
        collection.scales[edges],
        [entry.inventory for entry in collection.entries(which.tolist())],
    )
