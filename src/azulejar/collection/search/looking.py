"""A close look at the likely partners of some edges: the task that workers do, block by block."""

from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from azulejar.collection.search.closeness import mgc_scores, twin_scores
from azulejar.collection.search.index import unpack_index

ASKED = 128  # partners that the index is asked for
LOOKED_AT = 48  # the best of them by their full descriptions, which MGC looks at too
CROWD = 512  # edges that stand for everybody else
SEED = 1


class Shelf(NamedTuple):
    """All that a look needs of the whole collection.

    The lists of the index as bytes (none: all keys are searched), keys [4n, d] and the signs that
    make them questions, descriptions and scales of all edges, and MGC's lines.
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
class Looks:
    """Of some edges their best partners ``other`` int32 [b, 48], -1 for nobody.

    ``twin`` float32 [b, 48] are the twin's scores of them, log-odds up to ``norm`` [b], which is
    taken over all edges; ``mgc`` float32 [b, 48] are MGC's dissimilarities.
    """

    other: NDArray[np.int32]
    twin: NDArray[np.float32]
    mgc: NDArray[np.float32]
    norm: NDArray[np.float32]


def look_closely(shared: tuple[NDArray, ...], edges: NDArray[np.int64]) -> Looks:
    """Ask the index for partners of ``edges`` [b] and look at the best of them."""
    shelf = Shelf(*shared)
    asked = shelf.keys[edges] * shelf.signs
    asked[:, -1] = 1
    count = min(ASKED, len(shelf.keys))
    near = _opened(shelf).search(asked, count)[1].astype(np.int32)
    near[near // 4 == edges[:, None] // 4] = -1
    twin = twin_of(shelf, edges, near)
    best = np.argsort(-twin, axis=1, kind="stable")[:, :LOOKED_AT]
    other, twin = np.take_along_axis(near, best, 1), np.take_along_axis(twin, best, 1)
    norm = _norm(twin, _twin_with_crowd(shelf, edges), len(shelf.keys))
    return Looks(other, twin, mgc_of(shelf, edges, other), norm)


def twin_of(
    shelf: Shelf, edges: NDArray[np.int64], others: NDArray[np.int32]
) -> NDArray[np.float32]:
    """The twin's scores of ``edges`` [b] with ``others`` [b, k]."""
    scores = np.empty(others.shape, np.float32)
    twin_scores(shelf.descriptions, shelf.scales, edges, others, scores)
    return scores


def mgc_of(
    shelf: Shelf, edges: NDArray[np.int64], others: NDArray[np.int32]
) -> NDArray[np.float32]:
    """MGC's dissimilarities of ``edges`` [b] with ``others`` [b, k]."""
    scores = np.empty(others.shape, np.float32)
    mgc_scores(shelf.outer, shelf.mean, shelf.inverse, edges, others, scores)
    return scores


def _twin_with_crowd(shelf: Shelf, edges: NDArray[np.int64]) -> NDArray[np.float32]:
    everybody = len(shelf.keys)
    rng = np.random.default_rng(SEED)
    crowd = np.sort(rng.choice(everybody, min(CROWD, everybody), replace=False))
    own, theirs = (
        [
            shelf.descriptions[which, role].astype(np.float32) * shelf.scales[which, role, None]
            for role in range(2)
        ]
        for which in (edges, crowd)
    )
    scores = own[0] @ theirs[1].T + own[1] @ theirs[0].T
    scores[edges[:, None] // 4 == crowd // 4] = -np.inf
    return scores


def _norm(best: NDArray, crowd: NDArray, edges: int) -> NDArray[np.float32]:
    """Log of the sum over all edges: of the best partners, and of a crowd for those below them."""
    highest = best.max(axis=1, keepdims=True).astype(np.float64)
    highest[~np.isfinite(highest)] = 0
    counted = np.exp(best - highest).sum(axis=1)
    least = np.where(np.isfinite(best), best, np.inf).min(axis=1, keepdims=True)
    below = np.where(crowd < least, np.exp(np.minimum(crowd - highest, 0)), 0).mean(axis=1)
    return (highest[:, 0] + np.log(counted + edges * below + 1e-30)).astype(np.float32)


_last: list[Any] = [None, None]


def _opened(shelf: Shelf) -> Any:
    """The index; a worker opens it once for all its blocks."""
    if _last[0] is not shelf.keys:
        _last[:] = [shelf.keys, unpack_index(shelf.lists, shelf.keys)]
    return _last[1]
