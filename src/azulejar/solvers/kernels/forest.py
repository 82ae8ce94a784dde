"""Segments that grow side by side: tiles tied to each other, each segment with a frame of its own.

Every tile starts as a segment by itself.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from azulejar.core.edges import rotate_place
from azulejar.core.joints import NOTHING
from azulejar.solvers.kernels.kernel import COL, EMPTY, KEY, ROW, SPREAD, TILE, TURN
from azulejar.system.compiling import allocating, lean

_rotate = lean(rotate_place)
HALF = 2**19  # rows and cols from -HALF to HALF


class Forest(NamedTuple):
    """Segments of n tiles.

    - ``place`` [n, 3]: row, col and turn of each tile in the frame of its segment;
    - ``root`` [n]: the tile after which its segment is named;
    - ``chain`` [n]: the next tile of the same segment, or NOTHING;
    - ``members`` [n]: for a root, how many tiles its segment has;
    - ``taken`` [power of 2, 2]: hash table from segment and place to tile. Entries of a segment
      that went into another stay behind: they are never looked up again.
    """

    place: NDArray[np.int32]
    root: NDArray[np.int32]
    chain: NDArray[np.int32]
    members: NDArray[np.int32]
    taken: NDArray[np.int64]


@allocating
def new_forest(n):
    """Return n segments of one tile."""
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
    return Forest(place, root, chain, members, taken)


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
def tile_in(forest, segment, row, col):
    """Return the tile of a segment at a place, or NOTHING."""
    taken = forest.taken
    key, at = _probe(taken, segment, row, col)
    return np.int32(taken[at, TILE]) if taken[at, KEY] == key else np.int32(NOTHING)


@lean
def join(forest, a, b):
    """Tie two segments so that edges ``a`` and ``b`` meet; return whether that was possible.

    It is not if both edges are of one segment, or if two tiles would share a place.
    """
    place, root, chain, members = forest.place, forest.root, forest.chain, forest.members
    if root[a // 4] == root[b // 4]:
        return False
    if members[root[a // 4]] < members[root[b // 4]]:
        a, b = b, a
    stays, comes = root[a // 4], root[b // 4]
    tile, guest = a // 4, b // 4
    direction = (a + place[tile, TURN]) % 4
    quarters = (direction + 2 - b - place[guest, TURN]) % 4
    row, col = _rotate(place[guest, ROW], place[guest, COL], quarters)
    down = place[tile, ROW] + (direction == 2) - (direction == 0) - row
    right = place[tile, COL] + (direction == 1) - (direction == 3) - col
    member = comes
    while member != NOTHING:
        row, col = _rotate(place[member, ROW], place[member, COL], quarters)
        if tile_in(forest, stays, row + down, col + right) != NOTHING:
            return False
        member = chain[member]
    member = comes
    while True:
        row, col = _rotate(place[member, ROW], place[member, COL], quarters)
        place[member, ROW] = row + down
        place[member, COL] = col + right
        place[member, TURN] = (place[member, TURN] + quarters) % 4
        root[member] = stays
        _take(forest.taken, stays, row + down, col + right, member)
        if chain[member] == NOTHING:
            break
        member = chain[member]
    chain[member] = chain[stays]
    chain[stays] = comes
    members[stays] += members[comes]
    return True
