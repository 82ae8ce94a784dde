"""The paper's crossover: six phases that grow one child from two parents (section 3).

A chromosome is told by the edges that meet in it: ``met[e]`` is the edge that meets edge e, or
NOTHING. That form is free of place and turn, so segments of either parent fit however the child
lies.

Every exposed edge waits in one bag a phase and is drawn at random; a draw that no longer fits is
thrown away, so a child costs time linear in its tiles.
"""

import numpy as np

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

PHASES = 6


@allocating
def crossover(fitter, other, rich_fitter, rich_other, first, second):
    """What phases I to V want: ``partners`` [5, 4n], for each edge the edge to meet, or NOTHING.

    ``fitter`` and ``other`` [4n] are the parents; ``rich_*`` [4n] tells whether both tiles of the
    parent's joint score above max(0.8, C_mean); ``first`` and ``second`` [4n] are the most and
    second-most compatible edges.
    """
    partners = np.full((PHASES - 1, len(fitter)), NOTHING, np.int32)
    for edge in range(len(fitter)):
        if rich_fitter[edge]:
            partners[0, edge] = fitter[edge]
        if rich_other[edge]:
            partners[1, edge] = other[edge]
        if fitter[edge] == other[edge]:
            partners[2, edge] = fitter[edge]
        partners[3, edge] = first[edge]
        partners[4, edge] = second[edge]
    return partners


@lean
def _expose(tile, partners, placed, pool, cells, now, bags, count):
    """Put the open edges of a placed tile into the bags of the phases that can use them."""
    for edge in range(4 * tile, 4 * tile + 4):
        _, row, col = facing(placed, edge)
        if not is_open(cells, now, row, col):
            continue
        for phase in range(PHASES):
            if phase < PHASES - 1:
                partner = partners[phase, edge]
                if partner == NOTHING or not is_free(pool, partner // 4):
                    continue
            bags[phase, count[phase]] = edge
            count[phase] += 1


@lean
def _partner(phase, edge, partners, pool, now, state):
    """The edge that a phase wants to meet ``edge``; phase VI takes any free tile."""
    if phase < PHASES - 1:
        return np.int64(partners[phase, edge])
    tile = np.int64(pool[FREE, below(state, now[LEFT])])
    side = (edge + 2) % 4 if now[UPRIGHT] else below(state, 4)
    return 4 * tile + side


@lean
def _draw(phase, partners, placed, pool, cells, now, bags, count, state):
    """An edge and its partner that this phase can join, or NOTHING twice if it is exhausted."""
    while count[phase] > 0:
        pick = below(state, count[phase])
        edge = np.int64(bags[phase, pick])
        count[phase] -= 1
        bags[phase, pick] = bags[phase, count[phase]]
        partner = _partner(phase, edge, partners, pool, now, state)
        if not is_free(pool, partner // 4):
            continue
        _, row, col = facing(placed, edge)
        if is_open(cells, now, row, col):
            return edge, partner
    return np.int64(NOTHING), np.int64(NOTHING)


@lean
def _fill(partners, skip, placed, pool, cells, now, bags, count, state, used):
    """Start with a random tile and add tiles until none is left."""
    tile = below(state, len(placed))
    put(placed, pool, cells, now, tile, 0, 0, 0)
    while now[LEFT] > 0:
        _expose(tile, partners, placed, pool, cells, now, bags, count)
        for phase in range(PHASES):
            if skip[phase] > 0 and uniform(state) < skip[phase]:
                continue
            edge, partner = _draw(phase, partners, placed, pool, cells, now, bags, count, state)
            if edge != NOTHING:
                direction, row, col = facing(placed, edge)
                tile = partner // 4
                put(placed, pool, cells, now, tile, row, col, (direction + 2 - partner) % 4)
                used[phase] += 1
                break


@allocating
def grow(partners, skip, rows, cols, upright, state, used):
    """Grow a child: its ``placed`` [n, 3] and ``cells``.

    ``skip`` [6] is the chance that a phase is passed over at a placement; ``used`` [6] counts the
    tiles that each phase places.
    """
    edges = partners.shape[1]
    placed, pool, cells, now = new_kernel(edges // 4, rows, cols, upright)
    bags = np.empty((PHASES, edges), np.int32)
    count = np.zeros(PHASES, np.int64)
    _fill(partners, skip, placed, pool, cells, now, bags, count, state, used)
    return placed, cells
