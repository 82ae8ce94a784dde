"""dlcm: the cascade of twin, pair network and MGC; its scores are probabilities.

The twin scores all pairs; the pair network looks closely at the most likely partners of each edge
(at all of them if ``exact``); MGC compares the pixels at the joint.

The network relies on colour. Where the joints that it is sure of show that every tile was lit in
its own way, an encoder that was trained on such tiles takes the place of the pair network: its
scores are mixed with those of the first, and replace them where light differs strongly.
"""

import numpy as np
from numpy.typing import NDArray

from azulejar.measures.calibration import Rows
from azulejar.measures.ensemble import Ensemble
from azulejar.measures.learned import Features, LearnedMeasure, as_input, encode_cached, unmirror
from azulejar.measures.lighting import Joints, sure_joints, tint_spread
from azulejar.measures.measure import blocks
from azulejar.measures.runtime import Runtime
from azulejar.measures.twin import as_vectors, twin_rows
from azulejar.weights import load_model

SHOWN = 6  # pairs that are shown while the work goes on
SHORTLIST = 16  # partners of each edge that the pair network looks at
PIECE = 4096  # pairs scored at a time
# Spread of tint from which tiles count as lit differently, and from which the encoder for such
# tiles is used alone; chosen on pictures and panels that no figure is reported on
# (docs/results/training.md).
LIT, STRONGLY_LIT = 0.02, 0.045

Vectors = tuple[NDArray[np.float32], NDArray[np.float32]]


class Dlcm(LearnedMeasure):
    """The default measure."""

    name = "dlcm"
    model_name = "best"
    graphs = ("encoder", "pair")
    post = ("outer",)
    rank_post = ()
    version = 5

    def __init__(self, device: str = "auto", exact: bool = False, model: str | None = None) -> None:
        self.light_model = "light" if model is None else None  # your own model stands alone
        super().__init__(device, exact, model)

    @property
    def checksum(self) -> str:
        own = super().checksum
        return own if self.light_model is None else f"{own} {load_model(self.light_model).checksum}"

    def prepare(self, pixels: NDArray[np.uint8]) -> None:
        seen = self.encode(pixels)
        spread = self._tint_spread(as_vectors(seen), pixels) if self.light_model else 0.0
        if spread < LIT:
            self.compare(seen, pixels)
        else:
            self._compare_lit(as_vectors(seen), min(1.0, spread / STRONGLY_LIT), pixels)

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

    def compare(self, seen: list[Features], pixels: NDArray[np.uint8]) -> None:
        """Score the likely pairs with the pair network and combine both networks with MGC."""
        self.edges = 4 * len(pixels)
        self.anchor, self.partner = as_vectors(seen)
        weights = self.model.card["calibration"]
        network = self._twin
        if weights["pair"]:
            self._score_pairs(seen)
            network = self._network
        self.ensemble = Ensemble(network, pixels, weights, self.upright)

    def _compare_lit(self, own: Vectors, share: float, pixels: NDArray[np.uint8]) -> None:
        """Mix the scores of both encoders, ``share`` of that for light, and combine with MGC."""
        assert self.light_model is not None
        model = load_model(self.light_model)
        runtime = Runtime(model, self.runtime.device)
        runtime.runs = self.runtime.runs
        light = as_vectors(self.encode(pixels, runtime, 0.8, 0.99))
        # Inner products of vectors put end to end add up, each with its share.
        shares = np.sqrt(np.array([1 - share, share], np.float32))
        self.anchor, self.partner = (
            np.concatenate([shares[0] * a, shares[1] * b], 1)
            for a, b in zip(own, light, strict=True)
        )
        self.edges = len(self.anchor)
        self.ensemble = Ensemble(self._twin, pixels, model.card["calibration"], self.upright)

    def _tint_spread(self, vectors: Vectors, pixels: NDArray[np.uint8]) -> float:
        return tint_spread(pixels, self._sure_joints(vectors))

    def _likeliest(self, vectors: Vectors) -> list[tuple[int, int]]:
        """Return the pairs of edges that the encoder is most sure of, the best first."""
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

    def _score_pairs(self, seen: list[Features]) -> None:
        """Run the pair network on the shortlist; results are sorted by edge, both orders each."""
        edge, other = self._shortlist()
        scores = np.zeros(len(edge), np.float32)
        views = len(seen)
        for number, view in enumerate(seen):
            there = self._pair_scores(view, edge, other, number / views)
            back = self._pair_scores(view, other, edge, (number + 0.5) / views)
            scores += (there + back) / views
        rough = np.concatenate(
            [
                (self.anchor[e] * self.partner[o]).sum(1)
                + (self.anchor[o] * self.partner[e]).sum(1)
                for e, o in _pieces(edge, other)
            ]
        )
        # Pairs that were not looked at are corrected like the common shortlisted pair.
        correction = self.model.card["calibration"]["pair"] * (scores - rough)
        self.correction = float(np.median(correction)) if len(edge) else 0.0
        both = np.concatenate([edge, other]), np.concatenate([other, edge])
        order = np.argsort(both[0], kind="stable")
        self.pair_edge, self.pair_other = both[0][order], both[1][order]
        self.pair_score = np.tile(rough + correction, 2)[order]

    def _shortlist(self) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
        """Return pairs, each once, of which one edge has the other among its best."""
        count = self.edges if self.exact else min(SHORTLIST, self.edges)
        codes = []
        for rows in blocks(self.edges):
            scores = twin_rows(self.anchor, self.partner, rows)
            scores[self.barred(rows, self.edges, self.upright)] = -np.inf
            best = np.argpartition(-scores, count - 1, axis=1)[:, :count]
            partner = np.isfinite(np.take_along_axis(scores, best, 1)).ravel()
            edge, other = np.repeat(rows, count)[partner], best.ravel()[partner]
            codes.append(np.minimum(edge, other) * self.edges + np.maximum(edge, other))
        code = np.unique(np.concatenate(codes))
        return code // self.edges, code % self.edges

    def _pair_scores(
        self, view: Features, edge: NDArray[np.intp], other: NDArray[np.intp], done: float
    ) -> NDArray[np.float32]:
        anchor, partner, left, right = view
        scores = np.empty(len(edge), np.float32)
        self.runtime.run(
            "pair",
            len(edge),
            lambda part: (anchor[edge[part]], partner[other[part]],
                          left[edge[part]], right[other[part]]),
            (scores,),
            self.part(0.8 + 0.19 * done, 0.8 + 0.19 * (done + 0.25)),
        )  # fmt: skip
        return scores

    def _twin(self, rows: NDArray[np.intp]) -> Rows:
        """Return the scores of the encoder alone of some edges with all: [rows, 4n]."""
        return twin_rows(self.anchor, self.partner, rows).astype(np.float64)

    def _network(self, rows: NDArray[np.intp]) -> Rows:
        """Return the scores of twin and pair network of some edges with all: [rows, 4n]."""
        scores = self._twin(rows) + self.correction
        first, stop = np.searchsorted(self.pair_edge, [rows[0], rows[-1] + 1])
        known = slice(first, stop)
        scores[self.pair_edge[known] - rows[0], self.pair_other[known]] = self.pair_score[known]
        return scores


def _pieces(*arrays: NDArray) -> list[tuple[NDArray, ...]]:
    return [
        tuple(array[start : start + PIECE] for array in arrays)
        for start in range(0, max(1, len(arrays[0])), PIECE)
    ]
