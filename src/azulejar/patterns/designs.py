"""Designs: groups of tiles that show the same painting, in any turn.

Links between the most alike tiles make groups; the mean of a group, which has no wear, then says
which tiles are of it.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import coo_matrix
from scipy.sparse.csgraph import breadth_first_order, connected_components

from azulejar.core.edges import turn_picture
from azulejar.patterns.likeness import (
    BLOCK,
    COARSE,
    FINE,
    Copies,
    compare_copies,
    copy_tiles,
    find_near,
    turn_copies,
)

NEAR = 0.72  # least likeness of coarse copies that are compared closely
NEAREST = 8  # nearest tiles of each that are compared closely
ALIKE = 0.82  # least likeness of two tiles of one design, and of a tile and the design's mean
SAME = 0.93  # least likeness of the means of two groups that are one design
LEAST = 6  # tiles of a design; fewer alike tiles may be the corners of a frame
FAR = 0.4  # likeness from which no shift makes two tiles alike
SEED = 3  # linked tiles of which a mean is made
ROUNDS = 3  # in which a group is told apart
SAMPLE = 48  # tiles of which a design's picture is made


@dataclass(frozen=True)
class Designs:
    """The designs of n tiles.

    Args:
        design: Number of each tile's design, -1 for a tile that is alone: [n].
        turn: Clockwise quarters that turn each tile like the picture of its design [n].
        likeness: Of each tile and the mean of its design, 0 for a tile that is alone [n].
        pictures: The designs, without the wear of single tiles: uint8 [k, S, S, 3].
    """

    design: NDArray[np.int64]
    turn: NDArray[np.int64]
    likeness: NDArray[np.float32]
    pictures: NDArray[np.uint8]

    def __len__(self) -> int:
        return len(self.pictures)

    @property
    def counts(self) -> NDArray[np.int64]:
        """The number of tiles of each design [k]."""
        return np.bincount(self.design[self.design >= 0], minlength=len(self))

    def tiles(self, design: int) -> NDArray[np.int64]:
        """Return the tiles of a design, in rising order."""
        return np.flatnonzero(self.design == design)


def find_designs(
    pixels: NDArray[np.uint8],
    *,
    least: int = LEAST,
    on_progress: Callable[[float], None] = lambda fraction: None,
) -> Designs:
    """Find the designs that ``least`` or more of the tiles [n, S, S, 3] show, largest first.

    Plain tiles have none.

    Args:
        pixels: The tiles.
        least: Tiles of a design, at least.
        on_progress: Called with the fraction done.
    """
    n = len(pixels)
    coarse = np.empty((n, COARSE, COARSE, 3), np.float32)
    for start in range(0, n, BLOCK):
        coarse[start : start + BLOCK] = copy_tiles(pixels[start : start + BLOCK], COARSE)
    links = _alike_pairs(pixels, *find_near(coarse, NEAR, NEAREST, lambda f: on_progress(0.9 * f)))
    means = _merge(_group_means(pixels, links))
    label, turn, likeness = _assign(pixels, coarse, means)
    count = np.bincount(label[label >= 0], minlength=len(means))
    kept = sorted(np.flatnonzero(count >= least).tolist(), key=lambda each: -count[each])
    number = np.full(len(means) + 1, -1)
    number[kept] = np.arange(len(kept))
    design = number[label]
    alone = design < 0
    turn[alone], likeness[alone] = 0, 0
    pictures = [
        draw_design(pixels, np.flatnonzero(design == i), turn, likeness) for i in range(len(kept))
    ]
    on_progress(1.0)
    shape = (len(kept), *pixels.shape[1:])
    return Designs(design, turn, likeness, np.array(pictures, np.uint8).reshape(shape))


def draw_design(
    pixels: NDArray[np.uint8],
    tiles: NDArray[np.int64],
    turn: NDArray[np.int64],
    likeness: NDArray[np.float32],
) -> NDArray[np.uint8]:
    """Return the median of the tiles that are most like their design: uint8 [S, S, 3]."""
    best = tiles[np.argsort(-likeness[tiles], kind="stable")[:SAMPLE]]
    turned = [turn_picture(np.asarray(pixels[tile]), int(turn[tile])) for tile in best]
    return np.median(turned, axis=0).astype(np.uint8)


Links = tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64], NDArray[np.float32]]
"""Tiles, other tiles, the clockwise quarters that turn these like those, and their likeness."""


def _alike_pairs(
    pixels: NDArray[np.uint8],
    one: NDArray[np.int64],
    other: NDArray[np.int64],
    quarters: NDArray[np.int64],
) -> Links:
    """Compare pairs closely, and return those that are alike."""
    likeness = np.empty(len(one), np.float32)
    for start in range(0, len(one), BLOCK):
        rows = slice(start, start + BLOCK)
        tiles, place = np.unique(np.stack([one[rows], other[rows]]), return_inverse=True)
        copies = copy_tiles(pixels[tiles], FINE)
        own, theirs = copies[place.reshape(2, -1)]
        likeness[rows] = _compare_closely(own, _turn_each(theirs, quarters[rows]))
    kept = likeness >= ALIKE
    return one[kept], other[kept], quarters[kept], likeness[kept]


def _compare_closely(own: Copies, theirs: Copies) -> NDArray[np.float32]:
    """Return the likeness of each pair, at the best shift only where that may decide."""
    likeness = np.einsum("nijk,nijk->n", own, theirs)
    open_still = (likeness < ALIKE) & (likeness >= FAR)
    likeness[open_still] = compare_copies(own[open_still], theirs[open_still])
    return likeness


def _turn_each(copies: Copies, quarters: NDArray[np.int64]) -> Copies:
    """Turn each copy by its own clockwise quarters."""
    turned = copies.copy()
    for turn in range(1, 4):
        chosen = quarters == turn
        turned[chosen] = turn_copies(copies[chosen], turn)
    return turned


def _group_means(pixels: NDArray[np.uint8], links: Links) -> Copies:
    """Return the means of groups of linked tiles, as fine copies [k, g, g, 3]."""
    n = len(pixels)
    one, other, quarters, _ = links
    free = np.ones(n, bool)
    means = []
    for _ in range(ROUNDS):
        both = free[one] & free[other]
        a, b, turns = one[both], other[both], quarters[both]
        graph = coo_matrix((turns + 1, (a, b)), (n, n)).tocsr()
        graph.data = np.minimum(graph.data, 4)  # a pair that was found twice is summed
        _, group = connected_components(graph, directed=False)
        found = False
        for members in _members(group, SEED):
            copies, own = _mean_of(pixels, members, graph)
            if own.sum() >= SEED:
                means.append(copies)
                free[members[own]] = False
                found = found or not own.all()
            else:
                free[members] = False
        if not found:
            break
    return np.array(means, np.float32).reshape(len(means), FINE, FINE, 3)


def _members(group: NDArray[np.int32], least: int) -> list[NDArray[np.int64]]:
    """Return the members of each group of ``least`` or more."""
    order = np.argsort(group, kind="stable")
    parts = np.split(order, np.flatnonzero(np.diff(group[order])) + 1)
    return [np.sort(part) for part in parts if len(part) >= least]


def _mean_of(
    pixels: NDArray[np.uint8], members: NDArray[np.int64], graph: coo_matrix
) -> tuple[Copies, NDArray[np.bool_]]:
    """Return the mean of the members of a group, turned alike, and which are like it."""
    chosen = members if len(members) <= 4 * BLOCK else members[:: len(members) // (4 * BLOCK)]
    part = graph[chosen][:, chosen].tolil()
    start = int(np.argmax([len(row) for row in part.rows]))
    part = part.tocsr()
    back = part.T.tocsr()
    order, parent = breadth_first_order(part + back, start, directed=False)
    turn = np.zeros(len(chosen), np.int64)
    for tile in order[1:]:
        above = parent[tile]
        forth = part[above, tile]
        relative = forth - 1 if forth else -(back[above, tile] - 1)
        turn[tile] = (turn[above] + relative) % 4
    copies = copy_tiles(pixels[chosen], FINE)
    own = np.zeros(len(chosen), bool)
    own[order] = True
    mean = _unit(_turn_each(copies, turn)[own].mean(axis=0))
    for _ in range(2):
        likeness, turn = match_copies(copies, mean[None])[1:]
        own = likeness >= ALIKE
        if not own.any():
            break
        mean = _unit(_turn_each(copies, turn)[own].mean(axis=0))
    if len(chosen) < len(members):
        own = match_copies(copy_tiles(pixels[members], FINE), mean[None])[1] >= ALIKE
    return mean, own


def _unit(mean: NDArray[np.float32]) -> NDArray[np.float32]:
    return mean / max(float(np.linalg.norm(mean)), 1e-9)


def match_copies(
    copies: Copies, means: Copies
) -> tuple[NDArray[np.int64], NDArray[np.float32], NDArray[np.int64]]:
    """Return the most similar mean for each fine copy, its likeness, and the turn to match it.

    Means are compared unshifted first, and the best of all turns with shifts.
    """
    count = len(copies)
    label, turn = np.full(count, -1), np.zeros(count, np.int64)
    likeness = np.zeros(count, np.float32)
    if not len(means):
        return label, likeness, turn
    flat = means.reshape(len(means), -1)
    scores = np.stack(
        [turn_copies(copies, quarters).reshape(count, -1) @ flat.T for quarters in range(4)]
    )
    best = scores.max(axis=0)
    for rank in range(min(3, len(means))):
        candidate = np.argsort(-best, axis=1)[:, rank]
        quarters = scores[:, np.arange(count), candidate].argmax(axis=0)
        found = compare_copies(_turn_each(copies, quarters), means[candidate])
        better = found > likeness
        label[better], turn[better] = candidate[better], quarters[better]
        likeness = np.maximum(likeness, found)
    return label, likeness, turn


def _merge(means: Copies) -> Copies:
    """Drop means that show the same design as an earlier one."""
    kept: list[int] = []
    for i in range(len(means)):
        if kept and match_copies(means[i][None], means[kept])[1][0] >= SAME:
            continue
        kept.append(i)
    return means[kept]


def _assign(
    pixels: NDArray[np.uint8], coarse: Copies, means: Copies
) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.float32]]:
    """Assign each tile to a mean (-1: none); return mean, turn and likeness."""
    n = len(pixels)
    label, turn, likeness = np.full(n, -1), np.zeros(n, np.int64), np.zeros(n, np.float32)
    busy = np.flatnonzero(coarse.any(axis=(1, 2, 3)))
    for start in range(0, len(busy), BLOCK):
        rows = busy[start : start + BLOCK]
        found, alike, quarters = match_copies(copy_tiles(pixels[rows], FINE), means)
        own = alike >= ALIKE
        label[rows[own]], turn[rows[own]] = found[own], quarters[own]
        likeness[rows[own]] = alike[own]
    return label, turn, likeness
