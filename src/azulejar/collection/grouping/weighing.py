"""How likely joints are, once the loops of four around them are seen."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from azulejar.core.joints import Joints
from azulejar.measures.loops import loop_support
from azulejar.sorting.links import Links

NEGLIGIBLE = 1e-3  # probabilities below say nothing
ROUNDS = 3
PARTNERS = 16  # of each edge, that are tried when closing a square
WITHOUT_SUPPORT = 0.02  # what is left of a joint that closes no square
NOBODY = 0.4  # share that every edge keeps for having no neighbour here
FEW = 1000  # tiles beyond which rivals make links weigh less


def weighed_links(joints: Joints, refused: Sequence[tuple[int, int]] = ()) -> Links:
    """Links of all tiles; ``refused`` are pairs of edges that do not meet.

    As ``weigh_by_loops`` does, but each round starts from the joints' own probabilities, so that
    nothing is counted twice, and an edge whose partners close no square may stay without any: in a
    large collection some edge always looks right for one whose neighbour is missing.
    """
    joints = _likely(joints.without(refused))
    edges = len(joints.start) - 1
    edge = np.repeat(np.arange(edges, dtype=np.int32), np.diff(joints.start))
    alone = np.maximum(0, 1 - np.bincount(edge, joints.score, edges)) + NOBODY
    weighed = joints
    for _ in range(ROUNDS):
        score = joints.score * (np.float32(WITHOUT_SUPPORT) + loop_support(weighed, PARTNERS))
        total = np.bincount(edge, score, edges) + WITHOUT_SUPPORT * alone
        weighed = joints.with_scores((score / total[edge]).astype(np.float32))
    kept = (edge < joints.other) & (weighed.score >= NEGLIGIBLE)
    a, b = edge[kept].astype(np.int64), joints.other[kept].astype(np.int64)
    return Links(edges // 4, a, b, weighed.score[kept].astype(np.float64))


def diluted(weight: float, n: int, power: float) -> float:
    """What to ask of links in a collection of ``n`` tiles, by what is asked for among few."""
    return weight * min(1.0, float((FEW / n) ** power))


def _likely(joints: Joints) -> Joints:
    """Without what is negligible."""
    kept = joints.score >= NEGLIGIBLE
    start = np.concatenate([[0], np.cumsum(kept)])[joints.start].astype(np.int32)
    return replace(joints, start=start, other=joints.other[kept], score=joints.score[kept])
