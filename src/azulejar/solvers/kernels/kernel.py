"""The growing kernel: tiles placed so far, on a grid without bounds.

A growing kernel never gives anything back: a place once taken, a tile once used, and a place once
outside the box stay so. The growths rely on that to throw away for good what no longer fits.

Four arrays, passed one by one because compiled code pays dearly for taking them out of a tuple:

- ``placed`` int32 [n, 3]: row, col and turn (clockwise quarters) of each placed tile;
- ``pool`` int32 [2, n]: the tiles still free, and each tile's position among them or NOTHING;
- ``cells`` int64 [power of 2, 2]: hash table from place to tile, so that a kernel of unknown size
  may grow in any direction in time and memory linear in its tiles;
- ``now`` int64 [9]: the box so far, how many tiles are left, and the knowns.
"""

import numpy as np

from azulejar.core.joints import NOTHING
from azulejar.system.compiling import allocating, lean

ROW, COL, TURN = range(3)
FREE, POSITION = range(2)
KEY, TILE = range(2)
LOW_ROW, HIGH_ROW, LOW_COL, HIGH_COL, LEFT, ROWS, COLS, UPRIGHT, SIDEWAYS = range(9)
KEPT_EMPTY = NOTHING - 1  # in the place of a tile: none may lie there

EMPTY = np.int64(-(2**62))
SPREAD = np.uint64(0x9E3779B97F4A7C15)


@allocating
def new_kernel(n, rows, cols, upright, spare=0):
    """An empty kernel for n tiles; 0 rows and cols mean that the size is unknown.

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
    return placed, pool, cells, now


@lean
def _probe(cells, row, col):
    """The place's key, and where the table holds it or would."""
    key = np.int64(row) * np.int64(2**31) + np.int64(col)
    mask = len(cells) - 1
    at = np.int64((np.uint64(key) * SPREAD) >> np.uint64(32)) & mask
    while cells[at, KEY] != key and cells[at, KEY] != EMPTY:
        at = (at + 1) & mask
    return key, at


@lean
def tile_at(cells, row, col):
    """The tile that lies there, or NOTHING."""
    key, at = _probe(cells, row, col)
    return np.int32(cells[at, TILE]) if cells[at, KEY] == key else np.int32(NOTHING)


@lean
def is_free(pool, tile):
    """Whether the tile is still to be placed."""
    return pool[POSITION, tile] != NOTHING


@lean
def facing(placed, edge):
    """Direction of a placed tile's edge, and the place that it faces."""
    tile = edge // 4
    direction = (edge + placed[tile, TURN]) % 4
    row = placed[tile, ROW] + (direction == 2) - (direction == 0)
    col = placed[tile, COL] + (direction == 1) - (direction == 3)
    return direction, row, col


@lean
def box_takes(now, low_row, high_row, low_col, high_col):
    """Whether the box may be widened so far."""
    if now[ROWS] == 0:
        return True
    height = max(now[HIGH_ROW], high_row) - min(now[LOW_ROW], low_row) + 1
    width = max(now[HIGH_COL], high_col) - min(now[LOW_COL], low_col) + 1
    as_known = height <= now[ROWS] and width <= now[COLS]
    return as_known or (now[SIDEWAYS] == 1 and height <= now[COLS] and width <= now[ROWS])


@lean
def is_open(cells, now, row, col):
    """Whether a tile may be put there: nothing lies there and the box can take it."""
    return box_takes(now, row, row, col, col) and tile_at(cells, row, col) == NOTHING


@lean
def put(placed, pool, cells, now, tile, row, col, turn):
    """Place a free tile."""
    placed[tile, ROW] = row
    placed[tile, COL] = col
    placed[tile, TURN] = turn
    key, at = _probe(cells, row, col)
    cells[at, KEY] = key
    cells[at, TILE] = tile
    now[LOW_ROW] = min(now[LOW_ROW], row)
    now[HIGH_ROW] = max(now[HIGH_ROW], row)
    now[LOW_COL] = min(now[LOW_COL], col)
    now[HIGH_COL] = max(now[HIGH_COL], col)
    _take_from_pool(pool, now, tile)


@lean
def _take_from_pool(pool, now, tile):
    now[LEFT] -= 1
    last = pool[FREE, now[LEFT]]
    position = pool[POSITION, tile]
    pool[FREE, position] = last
    pool[POSITION, last] = position
    pool[POSITION, tile] = NOTHING


@lean
def give_back(placed, pool, cells, now, tile):
    """Take a placed tile off again; only when the growth is over."""
    _, at = _probe(cells, placed[tile, ROW], placed[tile, COL])
    cells[at, TILE] = NOTHING
    pool[FREE, now[LEFT]] = tile
    pool[POSITION, tile] = now[LEFT]
    now[LEFT] += 1


@lean
def keep_empty(cells, row, col):
    """Let no tile lie there."""
    key, at = _probe(cells, row, col)
    cells[at, KEY] = key
    cells[at, TILE] = KEPT_EMPTY


@lean
def edge_facing(placed, cells, direction, row, col):
    """The edge that looks at a place from its neighbour in that direction, or NOTHING."""
    other = tile_at(
        cells,
        row + (direction == 2) - (direction == 0),
        col + (direction == 1) - (direction == 3),
    )
    if other < 0:
        return np.int32(NOTHING)
    return np.int32(4 * other + (direction + 2 - placed[other, TURN]) % 4)


@lean
def write_met(placed, cells, met):
    """Into ``met`` [4n]: for each edge the edge that it meets, or NOTHING."""
    for tile in range(len(placed)):
        for direction in range(4):
            met[4 * tile + (direction - placed[tile, TURN]) % 4] = edge_facing(
                placed, cells, direction, placed[tile, ROW], placed[tile, COL]
            )
