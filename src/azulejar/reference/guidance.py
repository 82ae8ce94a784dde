"""Turn what a picture tells of single tiles into probabilities of joints.

Two tiles meet if one lies beside the place of the other. So the places that a picture shows for
each make a joint likelier, or less likely, than it was, whatever the size of the panel and wherever
it begins: solvers and the judgement of joints take the new probabilities as they take any.
"""

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array

from azulejar.core.compatibility import Compatibility
from azulejar.core.edges import COL_STEP, ROW_STEP
from azulejar.reference.tile_likeness import Likeness, Weights

ELSEWHERE = 0.05  # least share of tiles that the picture does not show
BALANCED = 20  # rounds in which each place gives tiles up that it is too good for
KEPT = 64  # likeliest places of a tile that count; the rest is taken as unknown
OVERLOOKED = 1e-3  # share of joints that the measure may have thought impossible


def tile_places(likeness: Likeness, weights: Weights, upright: bool = False) -> NDArray[np.float64]:
    """Return how likely each tile has each turn and place [n, 4, rows, cols].

    What is missing to 1 is the probability that the picture does not show it. A place takes one
    tile: those that many want are shared among them.
    """
    total = likeness.total(weights).astype(np.float64)
    if upright:
        total[:, 1:] = -np.inf
    n, shape = len(total), total.shape
    elsewhere = float(np.clip(1 - likeness.shown.sum() / n, ELSEWHERE, 1))
    total = np.exp(total - total.max(axis=(1, 2, 3), keepdims=True)).reshape(n, 4, -1)
    share = (1 - elsewhere) * total / total.sum(axis=(1, 2), keepdims=True)
    out = np.full(n, elsewhere)
    for _ in range(BALANCED):
        share /= np.maximum(share.sum(axis=(0, 1)), 1)
        whole = share.sum(axis=(1, 2)) + out
        share /= whole[:, None, None]
        out /= whole
    return share.reshape(shape)


def reweigh(compatibility: Compatibility, places: NDArray[np.float64]) -> Compatibility:
    """Return the scores of joints times how much likelier the tiles' places make them.

    ``places`` are those of ``tile_places``. Each edge keeps the sum of its scores.
    """
    n = len(compatibility)
    meeting = _meeting(places)
    inside = np.repeat(np.asarray(places.sum(axis=(1, 2, 3))), 4)
    scores = compatibility.scores
    out = np.empty_like(scores)
    for edge in range(4 * n):
        ratio = 4 * n * meeting[[edge]].toarray()[0] + 1 - inside[edge] * inside
        if compatibility.index is not None:
            ratio = ratio[compatibility.index[edge]]
            new = scores[edge] * ratio
        else:
            allowed = np.arange(4 * n) // 4 != edge // 4
            new = (scores[edge] + OVERLOOKED / (4 * n) * allowed) * ratio
        out[edge] = new * (scores[edge].sum() / max(float(new.sum()), 1e-12))
    return compatibility.with_scores(out)


def _meeting(places: NDArray[np.float64]) -> csr_array:
    """Return the probability that any two edges meet, by the tiles' likeliest places [4n, 4n]."""
    n, _, rows, cols = places.shape
    flat = places.reshape(n, -1)
    if flat.shape[1] > KEPT:
        least = np.partition(flat, -KEPT, axis=1)[:, [-KEPT]]
        flat = np.where(flat >= least, flat, 0)
    kept = np.pad(flat.reshape(places.shape), ((0, 0), (0, 0), (1, 1), (1, 1)))
    found = csr_array((4 * n, 4 * n))
    for direction in range(4):
        down, right = int(ROW_STEP[direction]), int(COL_STEP[direction])
        # A tile shows a side in this direction at one turn, and meets what shows the opposite one.
        turns = (direction - np.arange(4)) % 4
        here = kept[:, turns, 1:-1, 1:-1].reshape(4 * n, -1)
        there = kept[:, (turns + 2) % 4, 1 + down : 1 + down + rows, 1 + right : 1 + right + cols]
        found = found + csr_array(here) @ csr_array(there.reshape(4 * n, -1)).T
    return found.tocsr()
