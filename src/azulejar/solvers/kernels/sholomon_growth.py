"""The crossover of Sholomon, David and Netanyahu (CVPR 2013; AAAI 2014 for turned tiles).

A child grows from a random tile, and after each placement it starts again at phase 1:

1. an open edge gets the edge that it meets in both parents;
2. an open edge gets its best buddy, if it meets it in one parent;
3. upright tiles: a random open edge gets the most compatible free tile; turned tiles: in the manner
   of Prim, of all pairs of an open edge and a free tile's edge the most compatible one is joined.

In phases 1 and 3 mutation puts a random free tile instead.
"""

import numpy as np

from azulejar.solvers.kernels.heap import new_heap, pop, push
from azulejar.solvers.kernels.kernel import (
    FREE,
    LEFT,
    NOTHING,
    UPRIGHT,
    facing,
    is_free,
    is_open,
    new_kernel,
    put,
)
from azulejar.solvers.kernels.streams import below, uniform
from azulejar.system.compiling import allocating, lean

AGREED, BUDDIES, ANY = range(3)  # phases, and the bags of open edges that they draw from


@allocating
def inherit(one, other, buddy):
    """What phases 1 and 2 want: [2, 4n], for each edge the edge to meet, or NOTHING.

    ``one`` and ``other`` [4n] are the parents, each as the edges that meet in it; ``buddy`` [4n]
    are the best buddies.
    """
    wanted = np.full((2, len(one)), NOTHING, np.int32)
    for edge in range(len(one)):
        if one[edge] == other[edge]:
            wanted[AGREED, edge] = one[edge]
        if buddy[edge] == one[edge] or buddy[edge] == other[edge]:
            wanted[BUDDIES, edge] = buddy[edge]
    return wanted


@lean
def _most_compatible(best, scores, pool, now, edge):
    """The free edge that fits ``edge`` best: from its sorted candidates, else of all free tiles."""
    for k in range(best.shape[1]):
        partner = np.int64(best[edge, k])
        if partner != NOTHING and is_free(pool, partner // 4):
            return partner
    partner = np.int64(NOTHING)
    for i in range(now[LEFT]):
        for side in range(4):
            other = 4 * np.int64(pool[FREE, i]) + side
            if now[UPRIGHT] and side != (edge + 2) % 4:
                continue
            if partner == NOTHING or scores[edge, other] > scores[edge, partner]:
                partner = other
    return partner


@lean
def _expose(wanted, best, scores, placed, pool, cells, now, bags, count, key, entry, size, tile):
    """Put the open edges of a placed tile where the phases look for them."""
    for edge in range(4 * tile, 4 * tile + 4):
        _, row, col = facing(placed, edge)
        if not is_open(cells, now, row, col):
            continue
        for phase in range(2):
            partner = wanted[phase, edge]
            if partner != NOTHING and is_free(pool, partner // 4):
                bags[phase, count[phase]] = edge
                count[phase] += 1
        if now[UPRIGHT]:
            bags[ANY, count[ANY]] = edge
            count[ANY] += 1
        else:
            partner = _most_compatible(best, scores, pool, now, edge)
            push(key, entry, size, scores[edge, partner], edge, partner)


@lean
def _draw(phase, placed, cells, now, bags, count, state):
    """A random edge of a bag that is still open, or NOTHING if there is none."""
    while count[phase] > 0:
        pick = below(state, count[phase])
        edge = np.int64(bags[phase, pick])
        count[phase] -= 1
        bags[phase, pick] = bags[phase, count[phase]]
        _, row, col = facing(placed, edge)
        if is_open(cells, now, row, col):
            return edge
    return np.int64(NOTHING)


@lean
def _draw_wanted(phase, wanted, placed, pool, cells, now, bags, count, state):
    """A pair that phase 1 or 2 can join, or NOTHING twice."""
    while True:
        edge = _draw(phase, placed, cells, now, bags, count, state)
        if edge == NOTHING:
            return edge, edge
        partner = np.int64(wanted[phase, edge])
        if is_free(pool, partner // 4):
            return edge, partner


@lean
def _next_by_prim(best, scores, placed, pool, cells, now, key, entry, size):
    """The most compatible pair of an open edge and a free one."""
    while True:
        _, edge32, partner32 = pop(key, entry, size)
        edge, partner = np.int64(edge32), np.int64(partner32)
        _, row, col = facing(placed, edge)
        if not is_open(cells, now, row, col):
            continue
        if is_free(pool, partner // 4):
            return edge, partner
        partner = _most_compatible(best, scores, pool, now, edge)
        push(key, entry, size, scores[edge, partner], edge, partner)


@lean
def _next(wanted, best, scores, mutation, placed, pool, cells, now, bags, count, key, entry, size,
          state):  # fmt: skip
    """The pair to join next, by the first phase that has one."""
    phase = AGREED
    edge, partner = _draw_wanted(AGREED, wanted, placed, pool, cells, now, bags, count, state)
    if edge == NOTHING:
        phase = BUDDIES
        edge, partner = _draw_wanted(BUDDIES, wanted, placed, pool, cells, now, bags, count, state)
    if edge == NOTHING:
        phase = ANY
        if now[UPRIGHT]:
            edge = _draw(ANY, placed, cells, now, bags, count, state)
            partner = _most_compatible(best, scores, pool, now, edge)
        else:
            edge, partner = _next_by_prim(best, scores, placed, pool, cells, now, key, entry, size)
    if phase != BUDDIES and uniform(state) < mutation:
        side = (edge + 2) % 4 if now[UPRIGHT] else below(state, 4)
        partner = 4 * np.int64(pool[FREE, below(state, now[LEFT])]) + side
    return edge, partner


@lean
def _fill(wanted, best, scores, mutation, placed, pool, cells, now, bags, count, key, entry, size,
          state):  # fmt: skip
    """Start with a random tile and add tiles until none is left."""
    tile = below(state, len(placed))
    put(placed, pool, cells, now, tile, 0, 0, 0)
    while now[LEFT] > 0:
        _expose(wanted, best, scores, placed, pool, cells, now, bags, count, key, entry, size, tile)
        edge, partner = _next(wanted, best, scores, mutation, placed, pool, cells, now, bags, count,
                              key, entry, size, state)  # fmt: skip
        direction, row, col = facing(placed, edge)
        tile = partner // 4
        put(placed, pool, cells, now, tile, row, col, (direction + 2 - partner) % 4)


@allocating
def grow_by_buddies(wanted, best, scores, mutation, rows, cols, upright, state):
    """Grow a child: its ``placed`` [n, 3] and ``cells``.

    ``best`` [4n, k] are the most compatible edges, best first, and ``scores`` [4n, 4n] tell what
    fits best where those are used up; ``mutation`` is the chance of a random tile.
    """
    edges = wanted.shape[1]
    placed, pool, cells, now = new_kernel(edges // 4, rows, cols, upright)
    bags = np.empty((3, edges), np.int32)
    count = np.zeros(3, np.int64)
    key, entry, size = new_heap(edges)
    _fill(wanted, best, scores, mutation, placed, pool, cells, now, bags, count, key, entry, size,
          state)  # fmt: skip
    return placed, cells
