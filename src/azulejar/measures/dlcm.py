"""dlcm: a network combined with MGC; its scores are probabilities.

The network describes each edge, as it is and mirrored; MGC compares the pixels at the joint.

The network relies on colour. Where the joints that it is sure of show that every tile was lit in
its own way, the scores of a network that was trained on such tiles are mixed with its own, and
replace them where light differs strongly.
"""

import numpy as np
from numpy.typing import NDArray

from azulejar.measures.calibration import Rows
from azulejar.measures.ensemble import Ensemble
from azulejar.measures.learned import Features, LearnedMeasure, as_input, encode_cached, unmirror
from azulejar.measures.lighting import Joints, sure_joints, tint_spread
from azulejar.measures.runtime import Runtime
from azulejar.measures.twin import as_vectors, twin_rows
from azulejar.weights import Model, load_model

SHOWN = 6  # pairs that are shown while the work goes on
# Spread of tint from which tiles count as lit differently, and from which the network for such
# tiles is used alone; chosen on pictures and panels that no figure is reported on
# (docs/results/training.md).
LIT, STRONGLY_LIT = 0.02, 0.045

Vectors = tuple[NDArray[np.float32], NDArray[np.float32]]


class Dlcm(LearnedMeasure):
    """The default measure."""

    name = "dlcm"
    model_name = "best"
    graphs = ("encoder",)
    post = ("outer",)
    rank_post = ()
    version = 6

    def __init__(self, device: str = "auto", model: str | None = None) -> None:
        self.light_model = "light" if model is None else None  # your own model stands alone
        super().__init__(device, model)

    @property
    def checksum(self) -> str:
        own = super().checksum
        return own if self.light_model is None else f"{own} {load_model(self.light_model).checksum}"

    def prepare(self, pixels: NDArray[np.uint8]) -> None:
        vectors, model = as_vectors(self.encode(pixels)), self.model
        spread = self._tint_spread(vectors, pixels) if self.light_model else 0.0
        if self.light_model is not None and spread >= LIT:
            model = load_model(self.light_model)
            vectors = self._mixed(vectors, model, min(1.0, spread / STRONGLY_LIT), pixels)
        self.anchor, self.partner = vectors
        self.ensemble = Ensemble(self._twin, pixels, model.card["calibration"], self.upright)

    def encode(
        self,
        pixels: NDArray[np.uint8],
        runtime: Runtime | None = None,
        start: float = 0.0,
        stop: float = 0.8,
    ) -> list[Features]:
        """Encode the tiles, and the tiles mirrored, which takes most of the time.

        ``start`` and ``stop`` are the fractions of all work between which progress is reported.
        """
        runtime = runtime or self.runtime
        tiles = as_input(pixels)
        half = (start + stop) / 2
        seen = encode_cached(runtime, tiles, self.part(start, half))
        if self.on_pairs is not None and not start:
            self.on_pairs(self._likeliest(as_vectors([seen])))
        flipped = np.ascontiguousarray(tiles[:, :, ::-1])
        return [seen, unmirror(encode_cached(runtime, flipped, self.part(half, stop)))]

    def _mixed(
        self, own: Vectors, light: Model, share: float, pixels: NDArray[np.uint8]
    ) -> Vectors:
        """Return vectors whose inner products mix both networks, ``share`` of that for light."""
        runtime = Runtime(light, self.runtime.device)
        runtime.runs = self.runtime.runs
        other = as_vectors(self.encode(pixels, runtime, 0.8, 0.99))
        # Inner products of vectors put end to end add up, each with its share.
        shares = np.sqrt(np.array([1 - share, share], np.float32))
        anchor, partner = (
            np.concatenate([shares[0] * a, shares[1] * b], 1)
            for a, b in zip(own, other, strict=True)
        )
        return anchor, partner

    def _tint_spread(self, vectors: Vectors, pixels: NDArray[np.uint8]) -> float:
        return tint_spread(pixels, self._sure_joints(vectors))

    def _likeliest(self, vectors: Vectors) -> list[tuple[int, int]]:
        """Return the pairs of edges that the network is surest of, best first."""
        edge, other = self._sure_joints(vectors)
        anchor, partner = vectors
        score = (anchor[edge] * partner[other] + anchor[other] * partner[edge]).sum(axis=1)
        best = np.argsort(-score)[:SHOWN]
        return list(zip(edge[best].tolist(), other[best].tolist(), strict=True))

    def _sure_joints(self, vectors: Vectors) -> Joints:
        edges = len(vectors[0])

        def scores(rows: NDArray[np.intp]) -> Rows:
            found = twin_rows(*vectors, rows).astype(np.float64)
            found[self.barred(rows, edges, self.upright)] = -np.inf
            return found

        return sure_joints(scores, edges)

    def dissimilarity(self, rows: NDArray[np.intp]) -> Rows:
        """Return minus the probability, the mean of both directions."""
        return -self.ensemble.probability(rows)

    def _twin(self, rows: NDArray[np.intp]) -> Rows:
        """Return the network's own scores of some edges with all edges: [rows, 4n]."""
        return twin_rows(self.anchor, self.partner, rows).astype(np.float64)
