"""dlcm: the cascade of twin, pair network and MGC; its scores are probabilities.

The twin scores all pairs; the pair network looks closely at the most likely partners of each edge
(at all of them if ``exact``); MGC compares the pixels at the joint.
"""

import numpy as np
from numpy.typing import NDArray

from azulejar.measures.calibration import Rows
from azulejar.measures.ensemble import CROWD, Ensemble
from azulejar.measures.learned import Features, LearnedMeasure, as_input, encode_edges, unmirror
from azulejar.measures.measure import blocks
from azulejar.measures.twin import as_vectors, twin_rows

SHORTLIST = 16  # partners of each edge that the pair network looks at


class Dlcm(LearnedMeasure):
    """The default measure."""

    name = "dlcm"
    model_name = "best"
    graphs = ("encoder", "pair")
    post = ()
    rank_post = ()

    def version_for(self, tiles: int) -> int:
        return 3 if tiles < CROWD else 1

    def prepare(self, pixels: NDArray[np.uint8]) -> None:
        self.compare(self.encode(pixels), pixels)

    def encode(self, pixels: NDArray[np.uint8]) -> list[Features]:
        """Encode the tiles, and the tiles mirrored, which takes most of the time."""
        tiles = as_input(pixels)
        seen = encode_edges(self.runtime, tiles, self.part(0, 0.4))
        flipped = np.ascontiguousarray(tiles[:, :, ::-1])
        return [seen, unmirror(encode_edges(self.runtime, flipped, self.part(0.4, 0.8)))]

    def compare(self, seen: list[Features], pixels: NDArray[np.uint8]) -> None:
        """Score the likely pairs with the pair network and combine both networks with MGC."""
        self.edges = 4 * len(pixels)
        self.anchor, self.partner = as_vectors(seen)
        self._score_pairs(seen)
        weights = self.model.card["calibration"]
        self.ensemble = Ensemble(self._network, pixels, weights, self.upright)

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

    def _network(self, rows: NDArray[np.intp]) -> Rows:
        """Return the scores of twin and pair network of some edges with all: [rows, 4n]."""
        scores = twin_rows(self.anchor, self.partner, rows).astype(np.float64) + self.correction
        first, stop = np.searchsorted(self.pair_edge, [rows[0], rows[-1] + 1])
        known = slice(first, stop)
        scores[self.pair_edge[known] - rows[0], self.pair_other[known]] = self.pair_score[known]
        return scores


def _pieces(*arrays: NDArray, size: int = 4096) -> list[tuple[NDArray, ...]]:
    return [
        tuple(array[start : start + size] for array in arrays)
        for start in range(0, max(1, len(arrays[0])), size)
    ]
