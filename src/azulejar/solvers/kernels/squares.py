"""Squares of tiles in which all joints are likely, from 2×2 to as large as there are.

A square of order m consists of four overlapping squares of order m - 1, its corners: top left, top
right, bottom left, bottom right. Squares of order 1 are single tiles as they may lie, numbered by
the edge that faces right. All orders are found in the same way, since one square lies one tile
right of another if its left corners are the other's right corners.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from azulejar.core.edges import rotate_edge
from azulejar.core.joints import NOTHING
from azulejar.system.compiling import allocating

TOP_LEFT, TOP_RIGHT, BOTTOM_LEFT, BOTTOM_RIGHT = range(4)


class Shifts(NamedTuple):
    """The squares that lie one tile further than square s: ``other[start[s] : stop[s]]``."""

    start: NDArray[np.int64]
    stop: NDArray[np.int64]
    other: NDArray[np.int64]


def squares_of_all_orders(
    partners: NDArray[np.int32], upright: bool, most: int
) -> list[NDArray[np.int32]]:
    """Return the corners [squares, 4] of orders 2, 3 and so on, as long as there are any.

    ``partners`` [4n, k] are the likely partners of each edge, NOTHING where there are fewer. Of
    turned tiles each square is found in all four turns. The first order with ``most`` squares or
    more ends the search and is left out: where so much closes, closing says nothing.
    """
    tiles = np.arange(len(partners), dtype=np.int32)[:, None, None] // 4
    right, below = _shifts_of_tiles(partners, upright)
    orders: list[NDArray[np.int32]] = []
    while True:
        corners = close_squares(right, below, most)
        if len(corners) == most:
            return orders
        tiles, corners = _without_repeats(tiles, corners)
        if len(corners) == 0:
            return orders
        orders.append(corners)
        right = _shifts(corners, (TOP_RIGHT, BOTTOM_RIGHT), (TOP_LEFT, BOTTOM_LEFT))
        below = _shifts(corners, (BOTTOM_LEFT, BOTTOM_RIGHT), (TOP_LEFT, TOP_RIGHT))


def joints_in_squares(
    orders: list[NDArray[np.int32]],
) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
    """Return the joints [m, 2] of all squares, seen from both edges, and the highest order [m]."""
    if not orders:
        return np.empty((0, 2), np.int32), np.empty(0, np.int32)
    reached = np.full(len(orders[-1]), len(orders) + 1, np.int32)
    for order in range(len(orders), 1, -1):
        smaller = np.full(len(orders[order - 2]), order, np.int32)
        np.maximum.at(smaller, orders[order - 1].ravel(), np.repeat(reached, 4))
        reached = smaller
    a, b, c, d = orders[0].T
    edges = [
        [a, rotate_edge(b, 2)],
        [c, rotate_edge(d, 2)],
        [rotate_edge(a, 1), rotate_edge(c, 3)],
        [rotate_edge(b, 1), rotate_edge(d, 3)],
    ]
    pairs = np.concatenate([np.stack(two, axis=1) for two in edges])
    pairs, which = np.unique(np.concatenate([pairs, pairs[:, ::-1]]), axis=0, return_inverse=True)
    highest = np.zeros(len(pairs), np.int32)
    np.maximum.at(highest, which.ravel(), np.tile(reached, 8))
    return pairs, highest


def _shifts_of_tiles(partners: NDArray[np.int32], upright: bool) -> tuple[Shifts, Shifts]:
    edge = np.arange(len(partners))
    lies = (edge % 4 == 1) | (not upright)

    def shifts(edge_there: NDArray, quarters: int) -> Shifts:
        """Shift by ``quarters`` from the edge met to the edge of its tile that then faces right."""
        met = np.where(lies[:, None], partners[edge_there], NOTHING)
        count = (met != NOTHING).sum(axis=1)
        stop = count.cumsum()
        other = rotate_edge(met[met != NOTHING].astype(np.int64), quarters)
        return Shifts(stop - count, stop, other)

    return shifts(edge, 2), shifts(rotate_edge(edge, 1), 1)


def _shifts(corners: NDArray[np.int32], ends: tuple[int, int], begins: tuple[int, int]) -> Shifts:
    """Return the shifts: corners ``ends`` of a square are corners ``begins`` of the next one."""
    many = np.int64(corners.max()) + 1
    end = corners[:, ends[0]] * many + corners[:, ends[1]]
    begin = corners[:, begins[0]] * many + corners[:, begins[1]]
    other = np.argsort(begin, kind="stable")
    start = np.searchsorted(begin[other], end, side="left")
    return Shifts(start, np.searchsorted(begin[other], end, side="right"), other)


def _without_repeats(
    tiles: NDArray[np.int32], corners: NDArray[np.int32]
) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
    """Return tiles [squares, m, m] and corners of the new squares in which no tile comes twice."""
    m = tiles.shape[1] + 1
    whole = np.empty((len(corners), m, m), np.int32)
    whole[:, :-1, :-1] = tiles[corners[:, TOP_LEFT]]
    whole[:, :-1, 1:] = tiles[corners[:, TOP_RIGHT]]
    whole[:, 1:, :-1] = tiles[corners[:, BOTTOM_LEFT]]
    whole[:, 1:, 1:] = tiles[corners[:, BOTTOM_RIGHT]]
    in_order = np.sort(whole.reshape(len(whole), m * m), axis=1)
    once = (np.diff(in_order, axis=1) != 0).all(axis=1)
    return whole[once], corners[once]


@allocating
def close_squares(right, below, most):
    """Return the corners of the squares of the next order, the first ``most`` of them."""
    corners = np.empty((most, 4), np.int32)
    found = 0
    for a in range(len(right.start)):
        for b in right.other[right.start[a] : right.stop[a]]:
            for c in below.other[below.start[a] : below.stop[a]]:
                for d in below.other[below.start[b] : below.stop[b]]:
                    for closing in right.other[right.start[c] : right.stop[c]]:
                        if closing == d and found < most:
                            corners[found, TOP_LEFT] = a
                            corners[found, TOP_RIGHT] = b
                            corners[found, BOTTOM_LEFT] = c
                            corners[found, BOTTOM_RIGHT] = d
                            found += 1
        if found == most:
            break
    return corners[:found].copy()
