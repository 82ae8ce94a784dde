"""The crossover of Sholomon, David and Netanyahu (CVPR 2013; AAAI 2014 for turned tiles).

A child grows from a random tile, and after each placement it starts again at phase 1:

1. an open edge gets the edge that it meets in both parents;
2. an open edge gets its best buddy, if it meets it in one parent;
3. upright tiles: a random open edge gets the most compatible free tile; turned tiles: in the manner
   of Prim, of all pairs of an open edge and a free tile's edge the most compatible one is joined.

In phases 1 and 3, mutation puts a random free tile instead.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from azulejar.solvers.kernels.heap import Heap, new_heap, pop, push
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
from azulejar.solvers.kernels.streams import Bags, below, draw, new_bags, put_in, uniform
from azulejar.system.compiling import allocating, lean

AGREED, BUDDIES, ANY = range(3)  # phases, and the bags of open edges that they draw from


class Fits(NamedTuple):
    """The compatibility of edges.

    ``best`` [4n, k] are the most compatible partners of each edge, best first; ``scores`` [4n, 4n]
    tell what fits best where those are used up.
    """

    best: NDArray[np.int32]
    scores: NDArray[np.float32]


class Open(NamedTuple):
    """The open edges, where the phases look for them.

    ``bags`` has one bag for each of phases 1 and 2, and one for phase 3 on upright tiles; on turned
    ones, ``heap`` holds pairs of an open edge and a free one by their score.
    """

    bags: Bags
    heap: Heap


@allocating
def inherit(one, other, buddy):
    """Return what phases 1 and 2 want: [2, 4n], for each edge the edge to meet, or NOTHING.

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
def _most_compatible(fits, kernel, edge):
    """Return the free edge that fits ``edge`` best: a sorted candidate, else any free one."""
    best, scores = fits.best, fits.scores
    for k in range(best.shape[1]):
        partner = np.int64(best[edge, k])
        if partner != NOTHING and is_free(kernel, partner // 4):
            return partner
    partner = np.int64(NOTHING)
    for i in range(kernel.now[LEFT]):
        for side in range(4):
            other = 4 * np.int64(kernel.pool[FREE, i]) + side
            if kernel.now[UPRIGHT] and side != (edge + 2) % 4:
                continue
            if partner == NOTHING or scores[edge, other] > scores[edge, partner]:
                partner = other
    return partner


@lean
def _expose(wanted, fits, kernel, found, tile):
    """Put the open edges of a placed tile where the phases look for them."""
    for edge in range(4 * tile, 4 * tile + 4):
        _, row, col = facing(kernel, edge)
        if not is_open(kernel, row, col):
            continue
        for phase in range(2):
            partner = wanted[phase, edge]
            if partner != NOTHING and is_free(kernel, partner // 4):
                put_in(found.bags, phase, edge)
        if kernel.now[UPRIGHT]:
            put_in(found.bags, ANY, edge)
        else:
            partner = _most_compatible(fits, kernel, edge)
            push(found.heap, fits.scores[edge, partner], edge, partner)


@lean
def _draw_open(phase, kernel, bags, state):
    """Return a random edge of a bag that is still open, or NOTHING if there is none."""
    while bags.size[phase] > 0:
        edge = draw(bags, phase, state)
        _, row, col = facing(kernel, edge)
        if is_open(kernel, row, col):
            return edge
    return np.int64(NOTHING)


@lean
def _draw_wanted(phase, wanted, kernel, bags, state):
    """Return a pair that phase 1 or 2 can join, or NOTHING twice."""
    while True:
        edge = _draw_open(phase, kernel, bags, state)
        if edge == NOTHING:
            return edge, edge
        partner = np.int64(wanted[phase, edge])
        if is_free(kernel, partner // 4):
            return edge, partner


@lean
def _next_by_prim(fits, kernel, heap):
    """Return the most compatible pair of an open edge and a free one."""
    while True:
        _, edge32, partner32 = pop(heap)
        edge, partner = np.int64(edge32), np.int64(partner32)
        _, row, col = facing(kernel, edge)
        if not is_open(kernel, row, col):
            continue
        if is_free(kernel, partner // 4):
            return edge, partner
        partner = _most_compatible(fits, kernel, edge)
        push(heap, fits.scores[edge, partner], edge, partner)


@lean
def _next(wanted, fits, mutation, kernel, found, state):
    """Return the pair to join next, by the first phase that has one."""
    phase = AGREED
    edge, partner = _draw_wanted(AGREED, wanted, kernel, found.bags, state)
    if edge == NOTHING:
        phase = BUDDIES
        edge, partner = _draw_wanted(BUDDIES, wanted, kernel, found.bags, state)
    if edge == NOTHING:
        phase = ANY
        if kernel.now[UPRIGHT]:
            edge = _draw_open(ANY, kernel, found.bags, state)
            partner = _most_compatible(fits, kernel, edge)
        else:
            edge, partner = _next_by_prim(fits, kernel, found.heap)
    if phase != BUDDIES and uniform(state) < mutation:
        side = (edge + 2) % 4 if kernel.now[UPRIGHT] else below(state, 4)
        partner = 4 * np.int64(kernel.pool[FREE, below(state, kernel.now[LEFT])]) + side
    return edge, partner


@lean
def _fill(wanted, fits, mutation, kernel, found, state):
    """Start with a random tile and add tiles until none is left."""
    tile = below(state, len(kernel.placed))
    put(kernel, tile, 0, 0, 0)
    while kernel.now[LEFT] > 0:
        _expose(wanted, fits, kernel, found, tile)
        edge, partner = _next(wanted, fits, mutation, kernel, found, state)
        direction, row, col = facing(kernel, edge)
        tile = partner // 4
        put(kernel, tile, row, col, (direction + 2 - partner) % 4)


@allocating
def grow_by_buddies(wanted, fits, mutation, rows, cols, upright, state):
    """Grow a child and return its kernel; ``mutation`` is the chance of a random tile."""
    edges = wanted.shape[1]
    kernel = new_kernel(edges // 4, rows, cols, upright)
    found = Open(new_bags(3, edges), new_heap(edges))
    _fill(wanted, fits, mutation, kernel, found, state)
    return kernel
