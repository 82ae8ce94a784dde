"""Evidence: what holds the tiles of a group together, and where it would come apart first."""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import coo_array
from scipy.sparse.csgraph import minimum_spanning_tree

from azulejar.core.edges import rotate_edge
from azulejar.sorting.links import Links
from azulejar.sorting.paint import PaintEvidence
from azulejar.sorting.partition import STRAY
from azulejar.system.compiling import lean

LIKELY = 0.5  # least probability of a joint that is counted
LEAST_PART, SMALLEST_SHARE = 4, 0.1  # tiles, and share of the group, of a part that may come off
LEAST_PANEL, PANEL_SHARE = 12, 0.2  # the same of a part that may be a panel of its own
# Share of tiles whose pigments tell to which part they belong, and how many times the joints of its
# border such a part needs to be held.
TOLD, NEEDED = 0.75, 1.5


@dataclass(frozen=True)
class GroupEvidence:
    """What holds one panel together.

    ``probability`` is the mean over its tiles that they belong to it; ``joints`` counts its likely
    joints, of ``mean`` probability; ``loops`` counts the loops of four tiles that these close;
    ``weakest`` says in words where the panel is weakest, empty if it is too small to say; ``apart``
    counts the tiles of a part that may be a panel of its own, since less holds it to the rest than
    the joints along its border would, or little more while its pigments differ, and ``part`` names
    them; for ``probability`` they count by half.
    """

    probability: float
    joints: int
    mean: float
    loops: int
    weakest: str
    apart: int = 0
    part: tuple[int, ...] = ()


class WeakCut(NamedTuple):
    """The weakest cut through a panel.

    ``part`` counts the tiles of the smaller side, and ``tiles`` lists them; ``joints`` counts the
    likely joints across the cut, of total weight ``held``.
    """

    part: int
    joints: int
    held: float
    tiles: tuple[int, ...]


def weigh_evidence(
    links: Links,
    panel: NDArray[np.int64],
    probability: NDArray[np.float64],
    known: NDArray[np.bool_] | None = None,
    paint: PaintEvidence | None = None,
) -> list[GroupEvidence]:
    """Return the evidence of each panel.

    Args:
        links: Links of all tiles.
        panel: The panel of each tile, or STRAY: [n].
        probability: How likely that is: [n].
        known: Whether people have said where a tile belongs: [n]. A panel of which they have said
            that of most tiles is not taken for two.
        paint: What tiles are painted with; a part in other pigments is sooner taken for a panel.
    """
    panels = int(panel.max(initial=STRAY)) + 1
    inside = links.take(
        (panel[links.a // 4] != STRAY) & (panel[links.a // 4] == panel[links.b // 4])
    )
    sure = np.bincount(panel[panel != STRAY], probability[panel != STRAY], panels)
    tiles = np.bincount(panel[panel != STRAY], minlength=panels)
    likely = inside.take(inside.weight >= LIKELY)
    home = panel[likely.a // 4]
    joints = np.bincount(home, minlength=panels)
    mean = np.bincount(home, likely.weight, panels) / np.maximum(joints, 1)
    loops = np.bincount(panel[closed_loops(likely)], minlength=panels)
    cuts = weakest_cuts(inside, panel)
    large = weakest_cuts(inside, panel, LEAST_PANEL, PANEL_SHARE)
    if known is not None:
        told = np.bincount(panel[known & (panel != STRAY)], minlength=panels)
        large = {i: cut for i, cut in large.items() if 2 * told[i] <= tiles[i]}
    parts = {i: cut.tiles for i, cut in large.items() if _may_be_two(cut, panel == i, paint)}
    apart = [len(parts.get(i, ())) for i in range(panels)]
    return [
        GroupEvidence(
            float(sure[i] / tiles[i]) * (1 - apart[i] / (2 * int(tiles[i]))),
            int(joints[i]),
            float(mean[i]),
            int(loops[i]),
            _in_words(int(tiles[i]), cuts[i]) if i in cuts else "",
            apart[i],
            parts.get(i, ()),
        )
        for i in range(panels)
    ]


def closed_loops(links: Links) -> NDArray[np.int64]:
    """Return one tile of each loop of four that the links close; an edge's best link counts."""
    met = np.full(4 * links.n, -1)
    order = np.argsort(links.weight, kind="stable")
    for own, other in ((links.a, links.b), (links.b, links.a)):
        met[own[order]] = other[order]
    met = np.where((met >= 0) & (met[met] == np.arange(len(met))), met, -1)
    # Walk around the corner where four tiles meet, from edge a of the first back to that tile.
    a = np.flatnonzero(met >= 0)
    first: NDArray[np.integer] = a
    edge: NDArray[np.integer] = a
    for _ in range(4):
        edge = rotate_edge(met[edge], 3)
        first, edge = first[met[edge] >= 0], edge[met[edge] >= 0]
    corners = first[(edge == first) & _is_lowest(met, first)]
    return corners // 4


def _is_lowest(met: NDArray[np.integer], first: NDArray[np.integer]) -> NDArray[np.bool_]:
    """Return whether a tile is the lowest around its corner, so that each corner counts once."""
    lowest, edge = np.ones(len(first), bool), first.copy()
    for _ in range(3):
        edge = rotate_edge(met[edge], 3)
        lowest &= first // 4 < edge // 4
    return lowest


def weakest_cuts(
    links: Links,
    panel: NDArray[np.int64],
    least: int = LEAST_PART,
    share: float = SMALLEST_SHARE,
) -> dict[int, WeakCut]:
    """Find the part of each panel that is most weakly connected to the rest.

    Parts are what falls off when one link of the panel's maximum spanning tree is removed. The
    weight that connects a part is divided by the square root of its tiles, which is about the
    number of joints it should have.

    Args:
        links: Links inside panels.
        panel: The panel of each tile, or STRAY: [n].
        least: Tiles that a part has at least.
        share: Share of its panel's tiles that a part has at least.

    Returns:
        The weakest cut by panel; panels too small to have one are left out.
    """
    n = links.n
    one, other = links.a // 4, links.b // 4
    tree = minimum_spanning_tree(_cost(links)).tocoo()
    parent, order = _root_trees(n, *map(np.asarray, tree.coords))
    size, held, joints = np.ones(n, np.int64), np.zeros(n), np.zeros(n, np.int64)
    _add_up(parent, order, size)
    depth = _depths(parent, order)
    _hold(one, other, links.weight, links.weight >= LIKELY, parent, depth, held, joints)
    tiles = np.bincount(panel[panel != STRAY], minlength=int(panel.max(initial=0)) + 1)
    part = np.minimum(size, tiles[panel] - size)
    enough = np.maximum(least, share * tiles[panel])
    eligible = np.flatnonzero((panel != STRAY) & (part >= enough))
    support = held[eligible] / np.sqrt(part[eligible])
    weakest: dict[int, int] = {}
    for at in eligible[np.argsort(support, kind="stable")].tolist():
        weakest.setdefault(int(panel[at]), at)
    below = np.zeros(n, bool)
    below[list(weakest.values())] = True
    _spread(parent, order, below)
    at = np.array(list(weakest.values()), np.int64)
    smaller = np.zeros(len(tiles), bool)  # whether the branch is the smaller part of its panel
    smaller[panel[at]] = size[at] == part[at]
    inside = np.flatnonzero((panel != STRAY) & (below == smaller[panel]))
    own: dict[int, list[int]] = {number: [] for number in weakest}
    for tile in inside.tolist():
        if int(panel[tile]) in own:
            own[int(panel[tile])].append(tile)
    return {
        number: WeakCut(int(part[at]), int(joints[at]), float(held[at]), tuple(own[number]))
        for number, at in weakest.items()
    }


def _cost(links: Links) -> coo_array:
    """Return distances between tiles; the strongest of several links counts."""
    pairs, which = np.unique((links.a // 4) * links.n + links.b // 4, return_inverse=True)
    strongest = np.zeros(len(pairs))
    np.maximum.at(strongest, which, links.weight)
    # All above 0, since a sparse matrix holds no distance of 0.
    return coo_array((3 - strongest, (pairs // links.n, pairs % links.n)), (links.n, links.n))


def _root_trees(
    n: int, a: NDArray[np.integer], b: NDArray[np.integer]
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return parents [n] in the trees with branches a-b, -1 at a root, and tiles, roots first."""
    own, other = np.concatenate([a, b]).astype(np.int64), np.concatenate([b, a]).astype(np.int64)
    sort = np.argsort(own, kind="stable")
    start = np.concatenate([[0], np.cumsum(np.bincount(own, minlength=n))])
    parent, order = np.full(n, -2), np.empty(n, np.int64)
    _walk(start, other[sort], parent, order)
    return parent, order


@lean
def _walk(start, other, parent, order):
    """Fill ``parent`` [n], all -2, and ``order`` [n], walking each tree from its first tile."""
    done = 0
    for root in range(len(parent)):
        if parent[root] != -2:
            continue
        parent[root] = -1
        order[done] = root
        at, done = done, done + 1
        while at < done:
            tile = order[at]
            at += 1
            for k in range(start[tile], start[tile + 1]):
                if parent[other[k]] == -2:
                    parent[other[k]] = tile
                    order[done] = other[k]
                    done += 1


@lean
def _add_up(parent, order, size):
    """Fill ``size`` [n], all 1, with the number of tiles of the branch that each tile begins."""
    for i in range(len(order) - 1, -1, -1):
        if parent[order[i]] >= 0:
            size[parent[order[i]]] += size[order[i]]


@lean
def _spread(parent, order, below):
    """Mark all descendants of marked tiles too."""
    for tile in order:
        if parent[tile] >= 0 and below[parent[tile]]:
            below[tile] = True


def _depths(parent: NDArray[np.int64], order: NDArray[np.int64]) -> NDArray[np.int64]:
    depth = np.zeros(len(parent), np.int64)
    _count_up(parent, order, depth)
    return depth


@lean
def _count_up(parent, order, depth):
    for tile in order:
        if parent[tile] >= 0:
            depth[tile] = depth[parent[tile]] + 1


@lean
def _hold(one, other, weight, likely, parent, depth, held, joints):
    """Add to ``held`` and ``joints`` [n] the links that connect each tile's branch to the rest."""
    for i in range(len(one)):
        a, b = one[i], other[i]
        while a != b:
            if depth[a] < depth[b]:
                a, b = b, a
            if parent[a] < 0:
                break
            held[a] += weight[i]
            joints[a] += likely[i]
            a = parent[a]


def _is_weak(part: int, held: float) -> bool:
    """Whether less holds a part than the joints that its border should have."""
    return held < float(np.sqrt(part))


def _may_be_two(cut: WeakCut, inside: NDArray[np.bool_], paint: PaintEvidence | None) -> bool:
    """Whether the part that a cut takes off a panel may be one of its own.

    ``inside`` [n] are the tiles of the panel.
    """
    if _is_weak(cut.part, cut.held):
        return True
    if paint is None or not _is_weak(cut.part, cut.held / NEEDED**paint.trust):
        return False
    rest = np.setdiff1d(np.flatnonzero(inside), cut.tiles)
    return paint.tell_apart(cut.tiles, rest.tolist()) >= TOLD


def _in_words(tiles: int, cut: WeakCut) -> str:
    part, joints, held, _ = cut
    by = "no likely joint" if joints == 0 else f"{joints} likely joint{'s' * (joints > 1)}"
    doubt = " only" if _is_weak(part, held) else ""
    return f"Weakest where {part} of the {tiles} tiles hold to the rest by {by}{doubt}."
