"""Which other tiles would fit a tile's place."""

import numpy as np

from azulejar.core.assembly import Assembly
from azulejar.core.compatibility import Compatibility
from azulejar.judging.confidence import pair_confidence


def alternatives(
    compatibility: Compatibility, assembly: Assembly, tile: int, k: int, upright: bool
) -> list[tuple[int, int, float]]:
    """The k other tiles that fit best among the neighbours of ``tile``, best first.

    Each is (tile, turn in clockwise quarters, score), the score being its fit there (see ``fit``),
    at the turn that fits best; ``upright`` leaves turn 0 alone.
    The neighbours themselves stay out, since they cannot lie beside themselves. Empty where the
    tile meets no other.
    """
    directions = np.arange(4)
    met = assembly.neighbours()[4 * tile + (directions - assembly.turn[tile]) % 4]
    directions, met = directions[met >= 0], met[met >= 0]
    if not len(met):
        return []
    others = np.setdiff1d(np.arange(len(assembly)), [tile, *(met // 4)])
    turns = np.arange(1 if upright else 4)
    edges = 4 * others[:, None, None] + (directions - turns[:, None]) % 4
    score = pair_confidence(compatibility, edges, np.broadcast_to(met, edges.shape)).mean(-1)
    best = score.max(1)
    order = np.argsort(-best, kind="stable")[:k]
    return [(int(others[i]), int(score[i].argmax()), float(best[i])) for i in order]


def fit(compatibility: Compatibility, assembly: Assembly, tile: int) -> float:
    """Mean confidence in a tile's joints, each pair by itself; 0 where it meets no other."""
    edges = 4 * tile + np.arange(4)
    met = assembly.neighbours()[edges]
    if (met < 0).all():
        return 0.0
    return float(pair_confidence(compatibility, edges[met >= 0], met[met >= 0]).mean())
