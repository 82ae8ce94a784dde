"""The crossover of Sholomon, David and Netanyahu (GECCO 2014): segments that grow side by side.

A relation is a pair of edges that meet. Relations are tied one by one, each only if no two tiles of
the segments that it brings together would share a place:

1. those of both parents;
2. those of either parent that are best buddies, in random order;
3. strong ones of all, by falling score. Then the segments that stay as panels are chosen;
4. all the others, by falling score, as long as they don't tie two panels.

What no relation could tie is taken apart, and each tile goes where it fits best. A relation may be
passed over at random, so that children differ.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from azulejar.core.joints import JointTable, joint_score
from azulejar.solvers.kernels.forest import Forest, join, new_forest, tile_in
from azulejar.solvers.kernels.kernel import COL, NOTHING, ROW, TURN
from azulejar.solvers.kernels.streams import below, uniform
from azulejar.system.compiling import allocating, lean

LEFT, LIMIT = range(2)  # how many segments there are, and how many there have to be


class Relations(NamedTuple):
    """Likely relations, and how they are chosen.

    - ``table``: likely joints and their scores;
    - ``buddy`` [4n]: the best buddy of each edge, or NOTHING;
    - ``pair`` [2, m]: the edges of each relation, best first, the first ``strong`` of them strong;
    - ``skip_shared``, ``skip``: the chances that a relation of both parents, or one that is tied
      for its score, is passed over.
    """

    table: JointTable
    buddy: NDArray[np.int32]
    pair: NDArray[np.int32]
    strong: int
    skip_shared: float
    skip: float


class Segments(NamedTuple):
    """The segments of a child.

    ``staying`` [n] tells whether the segment of a root stays as a panel, ``now`` [2] how many
    segments there are and have to be; ``around`` [4] is scratch space.
    """

    forest: Forest
    staying: NDArray[np.bool_]
    now: NDArray[np.int64]
    around: NDArray[np.int32]


@lean
def _tie(segments, a, b):
    """Tie two segments, if that is possible and neither ties panels nor leaves too few of them."""
    root, staying, now = segments.forest.root, segments.staying, segments.now
    one, other = root[a // 4], root[b // 4]
    stays = staying[one] or staying[other]
    if now[LEFT] == now[LIMIT] or (staying[one] and staying[other]):
        return
    if join(segments.forest, a, b):
        staying[root[a // 4]] = stays
        now[LEFT] -= 1


@lean
def _tie_inherited(one, other, relations, order, segments, state):
    """Do phases 1 and 2; ``order`` [4n] is that of the edges in phase 2."""
    skip = relations.skip_shared
    for edge in range(len(one)):
        if one[edge] > edge and one[edge] == other[edge] and uniform(state) >= skip:
            _tie(segments, edge, one[edge])
    for edge in order:
        partner = relations.buddy[edge]
        if partner > edge and (one[edge] == partner or other[edge] == partner):
            _tie(segments, edge, partner)


@lean
def _tie_best(relations, stop, segments, state):
    """Tie the first ``stop`` relations, of which each may be passed over."""
    root, now = segments.forest.root, segments.now
    for i in range(stop):
        if now[LEFT] == now[LIMIT]:
            return
        a, b = relations.pair[0, i], relations.pair[1, i]
        if root[a // 4] != root[b // 4] and uniform(state) >= relations.skip:
            _tie(segments, a, b)


@lean
def _choose_panels(segments, panels, least):
    """Mark the segments that stay: the ``panels`` largest, or for 0 those of ``least`` tiles."""
    root, members, staying = segments.forest.root, segments.forest.members, segments.staying
    found = 0
    if panels == 0:
        for tile in range(len(root)):
            staying[tile] = root[tile] == tile and members[tile] >= least
            found += staying[tile]
    for _ in range(found, max(panels, 1)):
        largest = NOTHING
        for tile in range(len(root)):
            candidate = root[tile] == tile and not staying[tile]
            if candidate and (largest == NOTHING or members[tile] > members[largest]):
                largest = tile
        staying[largest] = True


@lean
def _take_apart(segments):
    """Make every tile that is in no panel a segment by itself."""
    place, root, chain, members, _ = segments.forest
    staying, now = segments.staying, segments.now
    for tile in range(len(root)):
        if staying[root[tile]]:
            continue
        if root[tile] == tile:
            now[LEFT] += members[tile] - 1
        place[tile, ROW] = place[tile, COL] = place[tile, TURN] = 0
        root[tile] = tile
        chain[tile] = NOTHING
        members[tile] = 1


@lean
def _look_around(segments, segment, row, col):
    """Write into ``around`` [4], for each direction, the segment's edge that faces the place."""
    forest, around = segments.forest, segments.around
    for direction in range(4):
        other = tile_in(
            forest,
            segment,
            row + (direction == 2) - (direction == 0),
            col + (direction == 1) - (direction == 3),
        )
        around[direction] = NOTHING
        if other != NOTHING:
            around[direction] = 4 * other + (direction + 2 - forest.place[other, TURN]) % 4


@lean
def _best_place(table, upright, segments, tile):
    """Return the edge of a panel that a loose tile meets where it gains most, and its own."""
    place, root = segments.forest.place, segments.forest.root
    staying, around = segments.staying, segments.around
    highest = np.float32(-1)
    edge = partner = np.int64(NOTHING)
    for beside in range(len(root)):
        if not staying[root[beside]]:
            continue
        for direction in range(4):
            row = place[beside, ROW] + (direction == 2) - (direction == 0)
            col = place[beside, COL] + (direction == 1) - (direction == 3)
            if tile_in(segments.forest, root[beside], row, col) != NOTHING:
                continue
            _look_around(segments, root[beside], row, col)
            for turn in range(1 if upright else 4):
                gain = np.float32(0)
                for d in range(4):
                    if around[d] != NOTHING:
                        own = 4 * tile + (d - turn) % 4
                        gain += joint_score(table, around[d], own)
                if gain > highest:
                    highest = gain
                    edge = 4 * beside + (direction - place[beside, TURN]) % 4
                    partner = 4 * tile + (direction + 2 - turn) % 4
    return edge, partner


@lean
def _lay_loose(table, upright, order, segments):
    """Take apart what is in no panel, and lay it tile by tile, in a random order."""
    _take_apart(segments)
    for first in order:
        tile = np.int64(first // 4)
        if first % 4 == 0 and not segments.staying[segments.forest.root[tile]]:
            edge, partner = _best_place(table, upright, segments, tile)
            _tie(segments, edge, partner)


@allocating
def _random_order(count, state):
    order = np.arange(count).astype(np.int32)
    for i in range(count - 1, 0, -1):
        j = below(state, i + 1)
        order[i], order[j] = order[j], order[i]
    return order


@lean
def _write(segments, table, met, placed):
    """Write into ``met`` [4n] the edges that meet and into ``placed`` [n, 3] the places.

    Panels lie side by side, a column apart. Return the fitness.
    """
    place, root, around = segments.forest.place, segments.forest.root, segments.around
    fitness = 0.0
    for tile in range(len(root)):
        _look_around(segments, root[tile], place[tile, ROW], place[tile, COL])
        for direction in range(4):
            edge = 4 * tile + (direction - place[tile, TURN]) % 4
            met[edge] = around[direction]
            if around[direction] > edge:
                fitness += joint_score(table, edge, around[direction])
    free_col = 0
    for panel in range(len(root)):
        if root[panel] != panel:
            continue
        low, high = place[panel, COL], place[panel, COL]
        for tile in range(len(root)):
            if root[tile] == panel:
                low, high = min(low, place[tile, COL]), max(high, place[tile, COL])
        for tile in range(len(root)):
            if root[tile] == panel:
                placed[tile, ROW] = place[tile, ROW]
                placed[tile, COL] = place[tile, COL] - low + free_col
                placed[tile, TURN] = place[tile, TURN]
        free_col += high - low + 2
    return fitness


@allocating
def cross_segments(one, other, relations, panels, least, upright, state, met, placed):
    """Make a child of parents ``one`` and ``other`` [4n] and return its fitness.

    It is written into ``met`` [4n] and ``placed`` [n, 3]. ``panels`` is their number, 0 if unknown;
    then segments of ``least`` tiles stay as panels.
    """
    n = len(one) // 4
    segments = Segments(
        new_forest(n),
        np.zeros(n, np.bool_),
        np.array([n, max(panels, 1)]),
        np.empty(4, np.int32),
    )
    order = _random_order(4 * n, state)
    _tie_inherited(one, other, relations, order, segments, state)
    _tie_best(relations, relations.strong, segments, state)
    _choose_panels(segments, panels, least)
    _tie_best(relations, relations.pair.shape[1], segments, state)
    _lay_loose(relations.table, upright, order, segments)
    return _write(segments, relations.table, met, placed)
