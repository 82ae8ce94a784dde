"""How well a measure ranks the true neighbour (paper, section 6.1)."""

import numpy as np
from numpy.typing import NDArray

from azulejar.assembly import Assembly
from azulejar.compatibility import Compatibility


def true_ranks(compatibility: Compatibility, truth: Assembly, *, upright: bool) -> NDArray[np.intp]:
    """For each edge that has a true neighbour, how many partners score higher, from 0.

    Partners are the edges of other tiles; if ``upright``, only their opposite sides. Ties count
    half, so that equal scores gain nothing from the order of the files.
    """
    true = truth.neighbours()
    edge = np.flatnonzero(true >= 0)
    other = np.arange(len(true))
    scores = compatibility.dense()
    ranks = np.empty(len(edge), np.intp)
    for i, e in enumerate(edge):
        allowed = other // 4 != e // 4
        if upright:
            allowed &= other % 4 == (e + 2) % 4
        own = scores[e, true[e]]
        rivals = scores[e, allowed]
        ranks[i] = (rivals > own).sum() + (rivals == own).sum() // 2
    return ranks


def rank_1(compatibility: Compatibility, truth: Assembly, *, upright: bool) -> float:
    """Fraction of edges whose best-scored partner is the true neighbour."""
    return float((true_ranks(compatibility, truth, upright=upright) == 0).mean())
