"""The growing kernel: the tiles placed so far, on a grid without bounds.

A growing kernel never gives anything back: a place once taken, a tile once used, and a place once
outside the box stay so. The growths rely on that to discard for good what no longer fits.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from azulejar.core.joints import NOTHING
from azulejar.system.compiling import allocating, lean

ROW, COL, TURN = range(3)
FREE, POSITION = range(2)
KEY, TILE = range(2)
LOW_ROW, HIGH_ROW, LOW_COL, HIGH_COL, LEFT, ROWS, COLS, UPRIGHT, SIDEWAYS = range(9)
KEPT_EMPTY = NOTHING - 1  # in the place of a tile: none may lie there

EMPTY = np.int64(-(2**62))
SPREAD = np.uint64(0x9E3779B97F4A7C15)


class Kernel(NamedTuple):
    """The state of one growth.

    - ``placed`` [n, 3]: row, col and turn (clockwise quarters) of each placed tile;
    - ``pool`` [2, n]: the tiles still free, and each tile's position among them or NOTHING;
    - ``cells`` [power of 2, 2]: hash table from place to tile, so that a kernel of unknown size may
      grow in any direction in time and memory linear in its tiles;
    - ``now`` [9]: the box so far, how many tiles are left, and the knowns.
    """

    placed: NDArray[np.int32]
    pool: NDArray[np.int32]
    cells: NDArray[np.int64]
    now: NDArray[np.int64]


@allocating
def new_kernel(n, rows, cols, upright, spare=0):
    """Return an empty kernel for n tiles; 0 rows and cols mean that the size is unknown.

    A panel of turned tiles may come out on its side, so then the box may be either way round.
    ``spare`` is how many places beyond n may be noted.
    """
    capacity = 8
    while capacity < 4 * n + 2 * spare:
        capacity *= 2
    placed = np.empty((n, 3), np.int32)
    pool = np.empty((2, n), np.int32)
    pool[FREE] = np.arange(n)
    pool[POSITION] = np.arange(n)
    cells = np.full((capacity, 2), EMPTY, np.int64)
    now = np.array([0, 0, 0, 0, n, rows, cols, np.int64(upright), np.int64(not upright)])
    return Kernel(placed, pool, cells, now)


@lean
def _probe(cells, row, col):
    """Return the key of a place, and the row of the table that holds it or would."""
    key = np.int64(row) * np.int64(2**31) + np.int64(col)
    mask = len(cells) - 1
    at = np.int64((np.uint64(key) * SPREAD) >> np.uint64(32)) & mask
    while cells[at, KEY] != key and cells[at, KEY] != EMPTY:
        at = (at + 1) & mask
    return key, at


@lean
def tile_at(kernel, row, col):
    """Return the tile at a place, or NOTHING."""
    key, at = _probe(kernel.cells, row, col)
    return np.int32(kernel.cells[at, TILE]) if kernel.cells[at, KEY] == key else np.int32(NOTHING)


@lean
def is_free(kernel, tile):
    """Whether the tile is still to be placed."""
    return kernel.pool[POSITION, tile] != NOTHING


@lean
def facing(kernel, edge):
    """Return the direction of a placed tile's edge, and the row and col that it faces."""
    tile = edge // 4
    direction = (edge + kernel.placed[tile, TURN]) % 4
    row = kernel.placed[tile, ROW] + (direction == 2) - (direction == 0)
    col = kernel.placed[tile, COL] + (direction == 1) - (direction == 3)
    return direction, row, col


@lean
def box_takes(kernel, low_row, high_row, low_col, high_col):
    """Whether the box may be widened so far."""
    now = kernel.now
    if now[ROWS] == 0:
        return True
    height = max(now[HIGH_ROW], high_row) - min(now[LOW_ROW], low_row) + 1
    width = max(now[HIGH_COL], high_col) - min(now[LOW_COL], low_col) + 1
    as_known = height <= now[ROWS] and width <= now[COLS]
    return as_known or (now[SIDEWAYS] == 1 and height <= now[COLS] and width <= now[ROWS])


@lean
def is_open(kernel, row, col):
    """Whether a tile may be put there: nothing lies there and the box can take it."""
    return box_takes(kernel, row, row, col, col) and tile_at(kernel, row, col) == NOTHING


@lean
def put(kernel, tile, row, col, turn):
    """Place a free tile."""
    kernel.placed[tile, ROW] = row
    kernel.placed[tile, COL] = col
    kernel.placed[tile, TURN] = turn
    key, at = _probe(kernel.cells, row, col)
    kernel.cells[at, KEY] = key
    kernel.cells[at, TILE] = tile
    now = kernel.now
    now[LOW_ROW] = min(now[LOW_ROW], row)
    now[HIGH_ROW] = max(now[HIGH_ROW], row)
    now[LOW_COL] = min(now[LOW_COL], col)
    now[HIGH_COL] = max(now[HIGH_COL], col)
    _take_from_pool(kernel, tile)


@lean
def _take_from_pool(kernel, tile):
    kernel.now[LEFT] -= 1
    last = kernel.pool[FREE, kernel.now[LEFT]]
    position = kernel.pool[POSITION, tile]
    kernel.pool[FREE, position] = last
    kernel.pool[POSITION, last] = position
    kernel.pool[POSITION, tile] = NOTHING


@lean
def give_back(kernel, tile):
    """Take a placed tile off again; only once the growth is over."""
    _, at = _probe(kernel.cells, kernel.placed[tile, ROW], kernel.placed[tile, COL])
    kernel.cells[at, TILE] = NOTHING
    kernel.pool[FREE, kernel.now[LEFT]] = tile
    kernel.pool[POSITION, tile] = kernel.now[LEFT]
    kernel.now[LEFT] += 1


@lean
def keep_empty(kernel, row, col):
    """Mark a place at which no tile may lie."""
    key, at = _probe(kernel.cells, row, col)
    kernel.cells[at, KEY] = key
    kernel.cells[at, TILE] = KEPT_EMPTY


@lean
def edge_facing(kernel, direction, row, col):
    """Return the edge that faces a place from its neighbour in that direction, or NOTHING."""
    other = tile_at(
        kernel,
        row + (direction == 2) - (direction == 0),
        col + (direction == 1) - (direction == 3),
    )
    if other < 0:
        return np.int32(NOTHING)
    return np.int32(4 * other + (direction + 2 - kernel.placed[other, TURN]) % 4)


@lean
def write_met(kernel, met):
    """Write into ``met`` [4n], for each edge, the edge that it meets, or NOTHING."""
    for tile in range(len(kernel.placed)):
        for direction in range(4):
            met[4 * tile + (direction - kernel.placed[tile, TURN]) % 4] = edge_facing(
                kernel, direction, kernel.placed[tile, ROW], kernel.placed[tile, COL]
            )
