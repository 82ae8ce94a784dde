"""Seams: a part of a panel that may not belong to the rest, and why.

Two parts of a panel, or two panels, can be joined along a wrong seam although nearly all joints are
right. Parts are what falls off if one joint of the panel's strongest spanning tree is removed; one
is loose if the joints that connect it are, on average, more likely wrong than right. Joints between
tiles that mirror each other connect less than they seem to (see ``imaging.mirroring``): the borders
of two panels fit each other back to back. A large part is loose, too, if none of its joints
surely connects it: of a right seam, however doubtful, hardly ever all joints are doubtful.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import coo_array
from scipy.sparse.csgraph import breadth_first_order, connected_components, minimum_spanning_tree

from azulejar.core.assembly import Assembly
from azulejar.imaging.mirroring import Reliefs
from azulejar.judging.confidence import middle_by_tile
from azulejar.judging.verdict import is_probably_wrong, mean_confidence

HELD = 0.5  # mean probability of the joints around a part, below which it is loose
# Probability that one of the joints around a large part must reach, mirroring counted. Chosen on
# practice panels; of 87 others that are right, none is doubted for this alone (from 0.93 on, some
# are), and of 61 pairs that were solved as one panel, 55 are told instead of 50.
SURE = 0.9
# Tiles of a part, and its share of all, that count: by the joints alone, and with mirroring. Of 642
# assemblies of stored cases with 97 % or more of the joints right, 3 have a loose part by the
# joints alone; of 812 others that pass for right, 387.
LEAST, LEAST_SHARE = 4, 0.05
LEAST_MIRRORED, MIRRORED_SHARE = 8, 0.1
# How far two tiles mirror each other: up to the first, their joint counts in full; from the second
# on, not at all.
UNLIKE, ALIKE = 0.3, 0.6
BLOCK = 1 << 22  # pairs of branches and joints that are compared at a time


@dataclass(frozen=True)
class LoosePart:
    """The ``tiles`` of a part, in rising order; ``mirrored`` if only mirroring speaks against it.

    Then the joints around it are likely by themselves, but both sides of the seam mirror each
    other: two panels may lie side by side.
    """

    tiles: tuple[int, ...]
    mirrored: bool = False

    def __len__(self) -> int:
        return len(self.tiles)


def find_loose_part(
    pixels: NDArray[np.uint8],
    assembly: Assembly,
    joints: NDArray[np.int32],
    confidence: NDArray[np.floating],
) -> LoosePart | None:
    """Return the loose part of a panel of tiles [n, S, S, 3], as ``loose_part`` finds it."""
    return loose_part(assembly, joints, confidence, Reliefs.of(pixels).likeness(*joints.T))


def loose_part(
    assembly: Assembly,
    joints: NDArray[np.int32],
    confidence: NDArray[np.floating],
    likeness: NDArray[np.floating] | None = None,
) -> LoosePart | None:
    """Return the part of a panel that is connected worst, if it is loose.

    Nothing is said of a panel that is probably wrong as a whole.

    Args:
        assembly: The one panel that was found.
        joints: Its joints [m, 2].
        confidence: The probability that each is right [m].
        likeness: How far the tiles of each mirror each other (``Reliefs.likeness``) [m].
    """
    n = len(assembly)
    mean = mean_confidence(assembly, middle_by_tile(joints, confidence, n))
    if not len(joints) or is_probably_wrong(mean):
        return None
    if likeness is not None:
        held = confidence * np.clip((ALIKE - likeness) / (ALIKE - UNLIKE), 0, 1)
        least = max(LEAST_MIRRORED, MIRRORED_SHARE * n)
        part = _weakest_part(n, joints // 4, held, least, SURE)
        if part is not None:
            across = (part[joints // 4].sum(axis=1)) == 1
            mirrored = bool(across.any() and _holds(confidence[across]))
            return LoosePart(tuple(np.flatnonzero(part).tolist()), mirrored)
    part = _weakest_part(n, joints // 4, confidence, max(LEAST, LEAST_SHARE * n))
    return None if part is None else LoosePart(tuple(np.flatnonzero(part).tolist()))


def _holds(confidence: NDArray[np.floating]) -> bool:
    """Return whether joints with these probabilities hold a large part, mirroring aside."""
    return bool(confidence.mean() >= HELD and confidence.max() >= SURE)


def _weakest_part(
    n: int,
    tiles: NDArray[np.integer],
    held: NDArray[np.floating],
    least: float,
    sure: float = 0.0,
) -> NDArray[np.bool_] | None:
    """Return which tiles [n] are of the part that is held worst, if it is loose.

    ``tiles`` [m, 2] are joined pairs, ``held`` [m] how surely; parts have ``least`` tiles or more.
    One is loose if the mean of what holds it is below HELD, or all of that below ``sure``.
    """
    one, other = tiles.T
    tree = minimum_spanning_tree(coo_array((2 - held, (one, other)), (n, n)))
    _, number = connected_components(tree, directed=False)
    sizes = np.bincount(number)
    by_size = np.argsort(-sizes, kind="stable")
    if len(sizes) > 1 and sizes[by_size[1]] >= least:
        return number == by_size[1]  # nothing connects it at all
    root = int(np.flatnonzero(number == by_size[0])[0])
    order, parent = breadth_first_order(tree, root, directed=False)
    size, start = np.ones(n, np.int64), np.full(n, -1)
    for tile in order[:0:-1]:
        size[parent[tile]] += size[tile]
    # Number the tiles so that every branch is a range.
    start[root], free = 0, np.ones(n, np.int64)
    for tile in order[1:]:
        start[tile] = free[parent[tile]]
        free[parent[tile]] += size[tile]
        free[tile] = start[tile] + 1
    branches = order[1:][np.minimum(size, len(order) - size)[order[1:]] >= least]
    means, most = np.empty(len(branches)), np.empty(len(branches))
    step = max(1, BLOCK // len(held))
    for first in range(0, len(branches), step):
        some = branches[first : first + step]
        begin, end = start[some, None], (start + size)[some, None]
        ends = [(start[tile] >= begin) & (start[tile] < end) for tile in (one, other)]
        across = ends[0] != ends[1]
        means[first : first + step] = (across @ held) / across.sum(axis=1)
        most[first : first + step] = (across * held).max(axis=1)
    loose = (means < HELD) | (most < sure)
    if not loose.any():
        return None
    worst = branches[np.where(loose, means, np.inf).argmin()]
    part = (start >= start[worst]) & (start < start[worst] + size[worst])
    return part if 2 * part.sum() <= len(order) else (start >= 0) & ~part
