"""dlcm: the cascade of twin, pair network and MGC; its scores are probabilities.

The twin scores all pairs; the pair network looks closely at the most likely partners of each edge
(at all of them if ``exact``); MGC adds what the pixels at the joint say.
"""

import numpy as np
from numpy.typing import NDArray

from azulejar.measures.learned import Features, LearnedMeasure, as_input, describe, mirrored
from azulejar.measures.measure import blocks
from azulejar.measures.postprocess import Rows
from azulejar.measures.twin import as_vectors, twin_rows
from azulejar.measures.voices import CROWD, Voices

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
        self.compare(self.look(pixels), pixels)

    def look(self, pixels: NDArray[np.uint8]) -> list[Features]:
        """What the encoder says of the tiles, and of the tiles mirrored: most of the time."""
        tiles = as_input(pixels)
        seen = describe(self.runtime, tiles, self.part(0, 0.4))
        flipped = np.ascontiguousarray(tiles[:, :, ::-1])
        return [seen, mirrored(describe(self.runtime, flipped, self.part(0.4, 0.8)))]

    def compare(self, seen: list[Features], pixels: NDArray[np.uint8]) -> None:
        """Judge the likely pairs, hear MGC, and find what makes the sum a probability."""
        self.edges = 4 * len(pixels)
        self.anchor, self.partner = as_vectors(seen)
        self._judge(seen)
        weights = self.model.card["calibration"]
        self.voices = Voices(self._network, pixels, weights, self.upright)

    def dissimilarity(self, rows: NDArray[np.intp]) -> Rows:
        """Minus the probability; the mean of both directions."""
        return -self.voices.probability(rows)

    def _judge(self, seen: list[Features]) -> None:
        """Scores of the pair network for the shortlist: sorted by edge, both orders of a pair."""
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
        # What was not looked at is corrected like the common shortlisted pair.
        correction = self.model.card["calibration"]["pair"] * (scores - rough)
        self.correction = float(np.median(correction)) if len(edge) else 0.0
        both = np.concatenate([edge, other]), np.concatenate([other, edge])
        order = np.argsort(both[0], kind="stable")
        self.judged_edge, self.judged_other = both[0][order], both[1][order]
        self.judged = np.tile(rough + correction, 2)[order]

    def _shortlist(self) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
        """Pairs, each once, of which one edge has the other among its best."""
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
        """What twin and pair network say of some edges with all: [rows, 4n]."""
        scores = twin_rows(self.anchor, self.partner, rows).astype(np.float64) + self.correction
        first, stop = np.searchsorted(self.judged_edge, [rows[0], rows[-1] + 1])
        known = slice(first, stop)
        scores[self.judged_edge[known] - rows[0], self.judged_other[known]] = self.judged[known]
        return scores


def _pieces(*arrays: NDArray, size: int = 4096) -> list[tuple[NDArray, ...]]:
    return [
        tuple(array[start : start + size] for array in arrays)
        for start in range(0, max(1, len(arrays[0])), size)
    ]
