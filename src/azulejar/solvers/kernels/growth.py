"""The paper's crossover: six phases that grow one child from two parents (section 3).

A chromosome is represented by the edges that meet in it: ``met[e]`` is the edge that meets edge e,
or NOTHING. That form is independent of place and turn, so segments of either parent fit however the
child lies.

Every exposed edge waits in one bag a phase and is drawn at random; a draw that no longer fits is
discarded, so a child costs time linear in its tiles.
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
from azulejar.solvers.kernels.streams import below, draw, new_bags, put_in, uniform
from azulejar.system.compiling import allocating, lean

PHASES = 6


@allocating
def crossover(fitter, other, rich_fitter, rich_other, first, second):
    """Return what phases I to V want: [5, 4n], for each edge the edge to meet, or NOTHING.

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
def _expose(tile, partners, kernel, bags):
    """Put the open edges of a placed tile into the bags of the phases that can use them."""
    for edge in range(4 * tile, 4 * tile + 4):
        _, row, col = facing(kernel, edge)
        if not is_open(kernel, row, col):
            continue
        for phase in range(PHASES):
            if phase < PHASES - 1:
                partner = partners[phase, edge]
                if partner == NOTHING or not is_free(kernel, partner // 4):
                    continue
            put_in(bags, phase, edge)


@lean
def _partner(phase, edge, partners, kernel, state):
    """Return the edge that a phase wants to meet ``edge``; phase VI takes any free tile."""
    if phase < PHASES - 1:
        return np.int64(partners[phase, edge])
    tile = np.int64(kernel.pool[FREE, below(state, kernel.now[LEFT])])
    side = (edge + 2) % 4 if kernel.now[UPRIGHT] else below(state, 4)
    return 4 * tile + side


@lean
def _draw_pair(phase, partners, kernel, bags, state):
    """Return an edge and its partner that a phase can join, or NOTHING twice if it has none."""
    while bags.size[phase] > 0:
        edge = draw(bags, phase, state)
        partner = _partner(phase, edge, partners, kernel, state)
        if not is_free(kernel, partner // 4):
            continue
        _, row, col = facing(kernel, edge)
        if is_open(kernel, row, col):
            return edge, partner
    return np.int64(NOTHING), np.int64(NOTHING)


@lean
def _fill(partners, skip, kernel, bags, state, used):
    """Start with a random tile and add tiles until none is left."""
    tile = below(state, len(kernel.placed))
    put(kernel, tile, 0, 0, 0)
    while kernel.now[LEFT] > 0:
        _expose(tile, partners, kernel, bags)
        for phase in range(PHASES):
            if skip[phase] > 0 and uniform(state) < skip[phase]:
                continue
            edge, partner = _draw_pair(phase, partners, kernel, bags, state)
            if edge != NOTHING:
                direction, row, col = facing(kernel, edge)
                tile = partner // 4
                put(kernel, tile, row, col, (direction + 2 - partner) % 4)
                used[phase] += 1
                break


@allocating
def grow(partners, skip, rows, cols, upright, state, used):
    """Grow a child and return its kernel.

    ``skip`` [6] is the chance that a phase is passed over at a placement; ``used`` [6] counts the
    tiles that each phase places.
    """
    edges = partners.shape[1]
    kernel = new_kernel(edges // 4, rows, cols, upright)
    bags = new_bags(PHASES, edges)
    _fill(partners, skip, kernel, bags, state, used)
    return kernel
