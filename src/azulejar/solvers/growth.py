"""Compiled kernel growth: one child from two parents (paper, section 3).

A chromosome is told by the edges that meet in it: ``met[e]`` is the edge that meets edge e, or
-1. That form is free of place and turn, so segments of either parent fit a child turned any way.

A growing kernel never gives anything back: a place once taken, a tile once used, and a place once
outside the box stay so. Hence every exposed edge waits in one bag a phase, drawn at random, and a
draw that no longer fits is thrown away for good: a child costs time linear in its tiles.
"""

import numba
import numpy as np

from azulejar.solvers.random import below, chance

FREE = -1


@numba.njit(cache=True)
def _fits(row, col, low_row, high_row, low_col, high_col, rows, cols, upright):
    """Whether the box, grown to take the place, stays within the size; 0 rows is unknown."""
    if rows == 0:
        return True
    height = max(high_row, row) - min(low_row, row) + 1
    width = max(high_col, col) - min(low_col, col) + 1
    if height <= rows and width <= cols:
        return True
    return not upright and height <= cols and width <= rows


@numba.njit(cache=True)
def _grown(grid, r0, c0):
    """The grid with as much room again on every side, and its new origin."""
    height, width = grid.shape
    bigger = np.full((2 * height, 2 * width), FREE, np.int32)
    bigger[height // 2 : height // 2 + height, width // 2 : width // 2 + width] = grid
    return bigger, r0 + height // 2, c0 + width // 2


@numba.njit(cache=True, nogil=True)
def grow(fitter, other, rich_fitter, rich_other, first, second, skip, rows, cols, upright, state,
         row, col, turn, met):
    """Grow a child into ``row``, ``col``, ``turn`` [n] and ``met`` [4n].

    ``fitter`` and ``other`` [4n]: the parents' met edges; ``rich_*`` [4n]: whether both tiles of
    the parent's joint pass phase I's threshold; ``first`` and ``second`` [4n]: most and
    second-most compatible edges; ``skip`` [3]: chance to skip phases I, II and III.
    """
    edges = len(first)
    n = edges // 4
    bags = np.empty((6, edges), np.int32)
    count = np.zeros(6, np.int64)
    free = np.arange(n)
    where = np.arange(n)
    left = n
    side = 8
    while side * side < 9 * n:
        side *= 2
    grid = np.full((side, side), FREE, np.int32)
    r0 = side // 2
    c0 = side // 2
    low_row = high_row = low_col = high_col = 0

    tile = below(state, n)
    place_row = place_col = quarter = 0
    while True:
        # Put the tile down.
        row[tile] = place_row
        col[tile] = place_col
        turn[tile] = quarter
        low_row = min(low_row, place_row)
        high_row = max(high_row, place_row)
        low_col = min(low_col, place_col)
        high_col = max(high_col, place_col)
        r = place_row + r0
        c = place_col + c0
        if r < 1 or c < 1 or r >= grid.shape[0] - 1 or c >= grid.shape[1] - 1:
            grid, r0, c0 = _grown(grid, r0, c0)
            r = place_row + r0
            c = place_col + c0
        grid[r, c] = tile
        left -= 1
        last = free[left]
        free[where[tile]] = last
        where[last] = where[tile]
        where[tile] = -1
        if left == 0:
            break
        for s in range(4):
            e = 4 * tile + s
            d = (s + quarter) % 4
            dr = (d == 2) - (d == 0)
            dc = (d == 1) - (d == 3)
            if grid[r + dr, c + dc] != FREE:
                continue
            if not _fits(place_row + dr, place_col + dc, low_row, high_row, low_col, high_col,
                         rows, cols, upright):
                continue
            f = fitter[e]
            o = other[e]
            if f >= 0 and where[f // 4] >= 0:
                if rich_fitter[e]:
                    bags[0, count[0]] = e
                    count[0] += 1
                if f == o:
                    bags[2, count[2]] = e
                    count[2] += 1
            if o >= 0 and rich_other[e] and where[o // 4] >= 0:
                bags[1, count[1]] = e
                count[1] += 1
            if where[first[e] // 4] >= 0:
                bags[3, count[3]] = e
                count[3] += 1
            if where[second[e] // 4] >= 0:
                bags[4, count[4]] = e
                count[4] += 1
            bags[5, count[5]] = e
            count[5] += 1
        # Find the next one, phase by phase.
        placed = False
        for phase in range(6):
            if phase < 3 and chance(state, skip[phase]):
                continue
            while count[phase] > 0:
                pick = below(state, count[phase])
                e = bags[phase, pick]
                count[phase] -= 1
                bags[phase, pick] = bags[phase, count[phase]]
                if phase == 0 or phase == 2:
                    partner = fitter[e]
                elif phase == 1:
                    partner = other[e]
                elif phase == 3:
                    partner = first[e]
                elif phase == 4:
                    partner = second[e]
                else:
                    partner = 4 * free[below(state, left)]
                    partner += (e + 2) % 4 if upright else below(state, 4)
                if where[partner // 4] < 0:
                    continue
                d = (e + turn[e // 4]) % 4
                place_row = row[e // 4] + (d == 2) - (d == 0)
                place_col = col[e // 4] + (d == 1) - (d == 3)
                if grid[place_row + r0, place_col + c0] != FREE:
                    continue
                if not _fits(place_row, place_col, low_row, high_row, low_col, high_col,
                             rows, cols, upright):
                    continue
                tile = partner // 4
                quarter = (d + 2 - partner) % 4
                placed = True
                break
            if placed:
                break

    for tile in range(n):
        for s in range(4):
            d = (s + turn[tile]) % 4
            o = grid[row[tile] + r0 + (d == 2) - (d == 0), col[tile] + c0 + (d == 1) - (d == 3)]
            met[4 * tile + s] = -1 if o == FREE else 4 * o + (d + 2 - turn[o]) % 4
