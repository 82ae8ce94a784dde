"""Score the likely partners of edges precisely: the work that is shared out in blocks of edges.

The index finds partners by short keys. They are scored again by the full descriptions of the twin
network, and the best of them by MGC as well.
"""

from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from azulejar.collection.search.index import unpack_index
from azulejar.measures.mgc import edge_gradients
from azulejar.system.compiling import lean

ASKED = 128  # partners that the index is asked for
KEPT = 48  # the best of them by their full descriptions, which MGC scores too
SAMPLE = 512  # edges that stand for all others
SEED = 1
BLOCK = 1024  # tiles whose gradients are computed together


class EdgeTable(NamedTuple):
    """Arrays over all 4n edges of a collection, which workers share.

    ``lists`` is the faiss index as bytes (empty: all keys are searched); ``keys`` [4n, d] with the
    ``signs`` [d] that turn a key into a query; MGC's ``outer`` [4n, S, 3], ``mean`` [4n, 3] and
    ``inverse`` [4n, 6] (see ``mgc_arrays``); the ``descriptions`` [4n, 2, 1600] of each edge as
    anchor and as partner, and their ``scales`` [4n, 2].
    """

    lists: NDArray[np.uint8]
    keys: NDArray[np.float32]
    signs: NDArray[np.float32]
    outer: NDArray[np.uint8]
    mean: NDArray[np.float32]
    inverse: NDArray[np.float32]
    descriptions: NDArray[np.int8]
    scales: NDArray[np.float32]


@dataclass(frozen=True)
class PartnerScores:
    """The best partners of b edges, ``other`` int32 [b, 48], -1 for none, and their scores.

    ``twin`` float32 [b, 48] are the network's scores, log-odds up to ``norm`` [b], which is taken
    over all edges of the collection; ``mgc`` float32 [b, 48] are MGC's dissimilarities.
    """

    other: NDArray[np.int32]
    twin: NDArray[np.float32]
    mgc: NDArray[np.float32]
    norm: NDArray[np.float32]


def mgc_arrays(
    pixels: NDArray[np.uint8],
) -> tuple[NDArray[np.uint8], NDArray[np.float32], NDArray[np.float32]]:
    """Return MGC's arrays for tiles [n, S, S, 3]: outer [4n, S, 3], mean [4n, 3], inverse [4n, 6].

    Only the upper triangle of the symmetric inverse covariance is kept, row by row.
    """
    n, size = pixels.shape[:2]
    outer = np.empty((4 * n, size, 3), np.uint8)
    mean = np.empty((4 * n, 3), np.float32)
    inverse = np.empty((4 * n, 6), np.float32)
    for start in range(0, n, BLOCK):
        rows = slice(4 * start, 4 * min(start + BLOCK, n))
        outer[rows], mean[rows], whole = edge_gradients(pixels[start : start + BLOCK])
        inverse[rows] = whole[:, *np.triu_indices(3)]
    return outer, mean, inverse


def rescore_edges(shared: tuple[NDArray, ...], edges: NDArray[np.int64]) -> PartnerScores:
    """Find the partners of ``edges`` [b] in the index and score the best of them.

    ``shared`` are the arrays of an ``EdgeTable``.
    """
    table = EdgeTable(*shared)
    queries = table.keys[edges] * table.signs
    queries[:, -1] = 1
    count = min(ASKED, len(table.keys))
    near = _open_index(table).search(queries, count)[1].astype(np.int32)
    near[near // 4 == edges[:, None] // 4] = -1
    twin = score_twin(table, edges, near)
    best = np.argsort(-twin, axis=1, kind="stable")[:, :KEPT]
    other, twin = np.take_along_axis(near, best, 1), np.take_along_axis(twin, best, 1)
    norm = _log_total(twin, _score_sample(table, edges), len(table.keys))
    return PartnerScores(other, twin, score_mgc(table, edges, other), norm)


def score_twin(
    table: EdgeTable, edges: NDArray[np.int64], others: NDArray[np.int32]
) -> NDArray[np.float32]:
    """Return the network's scores of ``edges`` [b] with ``others`` [b, k]; -inf with -1."""
    scores = np.empty(others.shape, np.float32)
    _fill_twin(table.descriptions, table.scales, edges, others, scores)
    return scores


def score_mgc(
    table: EdgeTable, edges: NDArray[np.int64], others: NDArray[np.int32]
) -> NDArray[np.float32]:
    """Return MGC's dissimilarities of ``edges`` [b] with ``others`` [b, k]; inf with -1."""
    scores = np.empty(others.shape, np.float32)
    _fill_mgc(table.outer, table.mean, table.inverse, edges, others, scores)
    return scores


def _score_sample(table: EdgeTable, edges: NDArray[np.int64]) -> NDArray[np.float32]:
    """Return the network's scores of ``edges`` [b] with a sample of all edges: [b, SAMPLE]."""
    total = len(table.keys)
    rng = np.random.default_rng(SEED)
    sample = np.sort(rng.choice(total, min(SAMPLE, total), replace=False))
    own, theirs = (
        [
            table.descriptions[which, role].astype(np.float32) * table.scales[which, role, None]
            for role in range(2)
        ]
        for which in (edges, sample)
    )
    scores = own[0] @ theirs[1].T + own[1] @ theirs[0].T
    scores[edges[:, None] // 4 == sample // 4] = -np.inf
    return scores


def _log_total(best: NDArray, sample: NDArray, edges: int) -> NDArray[np.float32]:
    """Return the log of the summed odds with all edges [b].

    The best partners [b, k] are counted as they are; a sample stands for those below them.
    """
    highest = best.max(axis=1, keepdims=True).astype(np.float64)
    highest[~np.isfinite(highest)] = 0
    counted = np.exp(best - highest).sum(axis=1)
    least = np.where(np.isfinite(best), best, np.inf).min(axis=1, keepdims=True)
    below = np.where(sample < least, np.exp(np.minimum(sample - highest, 0)), 0).mean(axis=1)
    return (highest[:, 0] + np.log(counted + edges * below + 1e-30)).astype(np.float32)


_last: list[Any] = [None, None]


def _open_index(table: EdgeTable) -> Any:
    """Return the index; a worker opens it once for all its blocks."""
    if _last[0] is not table.keys:
        _last[:] = [table.keys, unpack_index(table.lists, table.keys)]
    return _last[1]


@lean
def _fill_twin(descriptions, scales, edges, others, scores):
    """Fill ``scores`` [b, k] for ``edges`` [b] with ``others`` [b, k], where -1 is none."""
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
def _fill_mgc(outer, mean, inverse, edges, others, scores):
    """Fill ``scores`` [b, k] with MGC (Gallagher 2012), as a dissimilarity."""
    for i in range(others.shape[0]):
        edge = edges[i]
        for rank in range(others.shape[1]):
            other = others[i, rank]
            scores[i, rank] = np.inf
            if other >= 0:
                there = _mgc_one_way(outer, mean, inverse, edge, other)
                scores[i, rank] = there + _mgc_one_way(outer, mean, inverse, other, edge)


@lean
def _mgc_one_way(outer, mean, inverse, edge, other):
    size = outer.shape[1]
    total = np.float32(0)
    for at in range(size):
        r = np.float32(outer[other, size - 1 - at, 0]) - outer[edge, at, 0] - mean[edge, 0]
        g = np.float32(outer[other, size - 1 - at, 1]) - outer[edge, at, 1] - mean[edge, 1]
        b = np.float32(outer[other, size - 1 - at, 2]) - outer[edge, at, 2] - mean[edge, 2]
        total += r * (inverse[edge, 0] * r + 2 * (inverse[edge, 1] * g + inverse[edge, 2] * b))
        total += g * (inverse[edge, 3] * g + 2 * inverse[edge, 4] * b) + inverse[edge, 5] * b * b
    return total
