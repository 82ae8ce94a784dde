"""The crossover of Sholomon, David and Netanyahu (GECCO 2014): segments that grow side by side.

A relation is a pair of edges that meet. Relations are tied one by one, each only if no two tiles of
the segments that it brings together would share a place:

1. those of both parents;
2. those of either parent that are best buddies, in random order;
3. strong ones of all, by falling score. Then it is settled which segments stay as panels;
4. all the others, by falling score, as long as they don't tie two panels.

What no relation could tie is taken apart, and each tile goes where it fits best. A relation may be
passed over at random, so that children differ.
"""

import numpy as np

from azulejar.core.joints import joint_score
from azulejar.solvers.kernels.forest import join, new_forest, tile_in
from azulejar.solvers.kernels.kernel import COL, NOTHING, ROW, TURN
from azulejar.solvers.kernels.streams import below, uniform
from azulejar.system.compiling import allocating, lean

LEFT, LIMIT = range(2)  # how many segments there are, and how many there have to be


@lean
def _tie(place, root, chain, members, taken, staying, now, a, b):
    """Tie two segments, if that is possible and neither ties panels nor leaves too few of them."""
    one, other = root[a // 4], root[b // 4]
    stays = staying[one] or staying[other]
    if now[LEFT] == now[LIMIT] or (staying[one] and staying[other]):
        return
    if join(place, root, chain, members, taken, a, b):
        staying[root[a // 4]] = stays
        now[LEFT] -= 1


@lean
def _tie_inherited(one, other, buddy, skip, order, place, root, chain, members, taken, staying, now,
                   state):  # fmt: skip
    """Phases 1 and 2; ``order`` [4n] is that of the edges in phase 2."""
    for edge in range(len(one)):
        if one[edge] > edge and one[edge] == other[edge] and uniform(state) >= skip:
            _tie(place, root, chain, members, taken, staying, now, edge, one[edge])
    for edge in order:
        partner = buddy[edge]
        if partner > edge and (one[edge] == partner or other[edge] == partner):
            _tie(place, root, chain, members, taken, staying, now, edge, partner)


@lean
def _tie_best(relations, stop, skip, place, root, chain, members, taken, staying, now, state):
    """The first ``stop`` relations, of which each may be passed over."""
    for i in range(stop):
        if now[LEFT] == now[LIMIT]:
            return
        a, b = relations[0, i], relations[1, i]
        if root[a // 4] != root[b // 4] and uniform(state) >= skip:
            _tie(place, root, chain, members, taken, staying, now, a, b)


@lean
def _settle(root, members, panels, least, staying):
    """Mark the segments that stay: the ``panels`` largest, or for 0 those of ``least`` tiles."""
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
def _take_apart(place, root, chain, members, staying, now):
    """Make every tile that is in no panel a segment by itself."""
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
def _look_around(place, taken, segment, row, col, around):
    """Into ``around`` [4]: for each direction the segment's edge that faces the place."""
    for direction in range(4):
        other = tile_in(
            taken, segment,
            row + (direction == 2) - (direction == 0), col + (direction == 1) - (direction == 3),
        )  # fmt: skip
        around[direction] = NOTHING
        if other != NOTHING:
            around[direction] = 4 * other + (direction + 2 - place[other, TURN]) % 4


@lean
def _best_place(start, others, score, upright, place, root, taken, staying, around, tile):
    """Where a loose tile gains most: the edge of a panel that it meets there, and its own."""
    highest = np.float32(-1)
    edge = partner = np.int64(NOTHING)
    for beside in range(len(root)):
        if not staying[root[beside]]:
            continue
        for direction in range(4):
            row = place[beside, ROW] + (direction == 2) - (direction == 0)
            col = place[beside, COL] + (direction == 1) - (direction == 3)
            if tile_in(taken, root[beside], row, col) != NOTHING:
                continue
            _look_around(place, taken, root[beside], row, col, around)
            for turn in range(1 if upright else 4):
                gain = np.float32(0)
                for d in range(4):
                    if around[d] != NOTHING:
                        own = 4 * tile + (d - turn) % 4
                        gain += joint_score(start, others, score, around[d], own)
                if gain > highest:
                    highest = gain
                    edge = 4 * beside + (direction - place[beside, TURN]) % 4
                    partner = 4 * tile + (direction + 2 - turn) % 4
    return edge, partner


@lean
def _lay_loose(start, others, score, upright, order, place, root, chain, members, taken, staying,
               now, around):  # fmt: skip
    """Take apart what is in no panel, and lay it tile by tile, in a random order."""
    _take_apart(place, root, chain, members, staying, now)
    for first in order:
        tile = np.int64(first // 4)
        if first % 4 == 0 and not staying[root[tile]]:
            edge, partner = _best_place(
                start, others, score, upright, place, root, taken, staying, around, tile
            )
            _tie(place, root, chain, members, taken, staying, now, edge, partner)


@allocating
def _shuffled(count, state):
    order = np.arange(count).astype(np.int32)
    for i in range(count - 1, 0, -1):
        j = below(state, i + 1)
        order[i], order[j] = order[j], order[i]
    return order


@lean
def _write(place, root, taken, start, others, score, met, placed, around):
    """Into ``met`` [4n] the edges that meet and into ``placed`` [n, 3] the places; fitness.

    Panels lie side by side, a column apart.
    """
    fitness = 0.0
    for tile in range(len(root)):
        _look_around(place, taken, root[tile], place[tile, ROW], place[tile, COL], around)
        for direction in range(4):
            edge = 4 * tile + (direction - place[tile, TURN]) % 4
            met[edge] = around[direction]
            if around[direction] > edge:
                fitness += joint_score(start, others, score, edge, around[direction])
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
def cross_segments(
    one, other, buddy, relations, strong, skip_shared, skip, start, others, score, panels, least,
    upright, state, met, placed,
):  # fmt: skip
    """Make a child of parents ``one`` and ``other`` [4n]: into ``met`` and ``placed``; its fitness.

    ``relations`` [2, m] are the likely ones, best first, and the first ``strong`` of them strong;
    ``start``, ``others`` and ``score`` tell their scores (joints.py). ``panels`` is 0 if unknown.
    """
    n = len(one) // 4
    place, root, chain, members, taken = new_forest(n)
    staying = np.zeros(n, np.bool_)
    now = np.array([n, max(panels, 1)])
    order = _shuffled(4 * n, state)
    around = np.empty(4, np.int32)
    _tie_inherited(one, other, buddy, skip_shared, order, place, root, chain, members, taken,
                   staying, now, state)  # fmt: skip
    _tie_best(relations, strong, skip, place, root, chain, members, taken, staying, now, state)
    _settle(root, members, panels, least, staying)
    _tie_best(relations, relations.shape[1], skip, place, root, chain, members, taken, staying, now,
              state)  # fmt: skip
    _lay_loose(start, others, score, upright, order, place, root, chain, members, taken, staying,
               now, around)  # fmt: skip
    return _write(place, root, taken, start, others, score, met, placed, around)
