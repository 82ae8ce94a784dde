"""Segments that grow side by side: tiles tied to each other, each segment with a frame of its own.

Every tile starts as a segment by itself. Arrays, passed one by one as in kernel.py:

- ``place`` int32 [n, 3]: row, col and turn of each tile in the frame of its segment;
- ``root`` int32 [n]: the tile after which its segment is named;
- ``chain`` int32 [n]: the next tile of the same segment, or NOTHING;
- ``members`` int32 [n]: for a root, how many tiles its segment has;
- ``taken`` int64 [power of 2, 2]: hash table from segment and place to tile. Entries of a segment
  that went into another stay behind: nobody asks for them again.
"""

import numpy as np

from azulejar.core.joints import NOTHING
from azulejar.solvers.kernels.kernel import COL, EMPTY, KEY, ROW, SPREAD, TILE, TURN
from azulejar.system.compiling import allocating, lean

HALF = 2**19  # rows and cols from -HALF to HALF


@allocating
def new_forest(n):
    """n segments of one tile."""
    place = np.zeros((n, 3), np.int32)
    root = np.arange(n).astype(np.int32)
    chain = np.full(n, NOTHING, np.int32)
    members = np.ones(n, np.int32)
    moves, rest = 1, n
    while rest > 1:  # the smaller segment moves, so a tile moves at most log2 n times
        moves += 1
        rest //= 2
    capacity = 8
    while capacity < 2 * n * moves:
        capacity *= 2
    taken = np.full((capacity, 2), EMPTY, np.int64)
    for tile in range(n):
        _take(taken, tile, 0, 0, tile)
    return place, root, chain, members, taken


@lean
def _probe(taken, segment, row, col):
    key = (np.int64(segment) * (2 * HALF) + row + HALF) * (2 * HALF) + col + HALF
    mask = len(taken) - 1
    at = np.int64((np.uint64(key) * SPREAD) >> np.uint64(32)) & mask
    while taken[at, KEY] != key and taken[at, KEY] != EMPTY:
        at = (at + 1) & mask
    return key, at


@lean
def _take(taken, segment, row, col, tile):
    key, at = _probe(taken, segment, row, col)
    taken[at, KEY] = key
    taken[at, TILE] = tile


@lean
def tile_in(taken, segment, row, col):
    """The tile of a segment that lies there, or NOTHING."""
    key, at = _probe(taken, segment, row, col)
    return np.int32(taken[at, TILE]) if taken[at, KEY] == key else np.int32(NOTHING)


@lean
def _turned(row, col, quarters):
    """A place seen after so many clockwise quarters about the origin."""
    for _ in range(quarters):
        row, col = col, -row
    return row, col


@lean
def join(place, root, chain, members, taken, a, b):
    """Tie two segments so that edges ``a`` and ``b`` meet; whether that was possible.

    It is not if both edges are of one segment, or if two tiles would share a place.
    """
    if root[a // 4] == root[b // 4]:
        return False
    if members[root[a // 4]] < members[root[b // 4]]:
        a, b = b, a
    stays, comes = root[a // 4], root[b // 4]
    tile, guest = a // 4, b // 4
    direction = (a + place[tile, TURN]) % 4
    quarters = (direction + 2 - b - place[guest, TURN]) % 4
    row, col = _turned(place[guest, ROW], place[guest, COL], quarters)
    down = place[tile, ROW] + (direction == 2) - (direction == 0) - row
    right = place[tile, COL] + (direction == 1) - (direction == 3) - col
    member = comes
    while member != NOTHING:
        row, col = _turned(place[member, ROW], place[member, COL], quarters)
        if tile_in(taken, stays, row + down, col + right) != NOTHING:
            return False
        member = chain[member]
    member = comes
    while True:
        row, col = _turned(place[member, ROW], place[member, COL], quarters)
        place[member, ROW] = row + down
        place[member, COL] = col + right
        place[member, TURN] = (place[member, TURN] + quarters) % 4
        root[member] = stays
        _take(taken, stays, row + down, col + right, member)
        if chain[member] == NOTHING:
            break
        member = chain[member]
    chain[member] = chain[stays]
    chain[stays] = comes
    members[stays] += members[comes]
    return True
