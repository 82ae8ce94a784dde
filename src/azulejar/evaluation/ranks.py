"""How well a measure ranks the true neighbour (paper, section 6.1)."""

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from azulejar.core.assembly import Assembly
from azulejar.core.compatibility import BLOCK, Compatibility


def true_ranks(compatibility: Compatibility, truth: Assembly, *, upright: bool) -> NDArray[np.intp]:
    """For each edge that has a true neighbour, how many partners score higher, from 0.

    Partners are the edges of other tiles; if ``upright``, only their opposite sides. Ties count
    half, so that equal scores gain nothing from the order of the files.
    """
    ranks = [np.empty(0, np.intp)]
    for scores, true in _blocks(compatibility, truth, upright):
        own = np.take_along_axis(scores, true[:, None], 1)
        ranks.append((scores > own).sum(axis=1) + (scores == own).sum(axis=1) // 2)
    return np.concatenate(ranks)


def best_rivals(
    compatibility: Compatibility, truth: Assembly, *, upright: bool
) -> NDArray[np.intp]:
    """For each edge that has a true neighbour, the best-scored partner that it is not."""
    rivals = [np.empty(0, np.intp)]
    for scores, true in _blocks(compatibility, truth, upright):
        np.put_along_axis(scores, true[:, None], -np.inf, 1)
        rivals.append(scores.argmax(axis=1))
    return np.concatenate(rivals)


def rank_1(compatibility: Compatibility, truth: Assembly, *, upright: bool) -> float:
    """Fraction of edges whose best-scored partner is the true neighbour."""
    return float((true_ranks(compatibility, truth, upright=upright) == 0).mean())


def _blocks(
    compatibility: Compatibility, truth: Assembly, upright: bool
) -> Iterator[tuple[NDArray[np.float32], NDArray[np.int32]]]:
    """Edges that have a true neighbour, some at a time: scores [rows, 4n], and that neighbour.

    Edges that cannot be partners score minus infinity.
    """
    met = truth.neighbours()
    edges = np.flatnonzero(met >= 0)
    every = compatibility.dense()
    other = np.arange(len(met))[None]
    step = max(1, BLOCK // len(met))
    for start in range(0, len(edges), step):
        edge = edges[start : start + step]
        allowed = edge[:, None] // 4 != other // 4
        if upright:
            allowed &= (edge[:, None] + 2) % 4 == other % 4
        yield np.where(allowed, every[edge], np.float32(-np.inf)), met[edge]
