"""From segments to a panel: what is done once nothing more can be tied (Gallagher, CVPR 2012).

The largest segment becomes the panel. *Trimming*: if the size is known, the frame lies where it
holds most tiles, and what sticks out is cut off. *Filling*: of the empty places, those with most
neighbours come first, and among them the one at which a free tile fits best; that tile goes there.
"""

import numpy as np
from numpy.typing import NDArray

from azulejar.core.assembly import Assembly
from azulejar.core.joints import Joints, joint_score
from azulejar.core.knowns import Knowns
from azulejar.solvers.kernels.heap import new_heap, pop, push
from azulejar.solvers.kernels.kernel import (
    COL,
    FREE,
    LEFT,
    NOTHING,
    ROW,
    TURN,
    edge_facing,
    facing,
    is_free,
    is_open,
    new_kernel,
    put,
)
from azulejar.system.compiling import allocating, lean


def complete(
    place: NDArray[np.int32], segment: NDArray[np.int32], joints: Joints, knowns: Knowns
) -> Assembly:
    """Put all tiles into one panel, around the largest segment.

    ``place`` [n, 3] is row, col and turn of each tile in the frame of its segment, ``segment`` [n]
    any number for each. Tiles of the other segments are free, each by itself. ``joints`` are those
    of ``knowns.upright``; a panel of turned tiles may come out lying on its side.
    """
    number, size = np.unique(segment, return_counts=True)
    kept = segment == number[size.argmax()]
    if any(knowns.frame):
        kept[kept] = _within_frame(place[kept], *knowns.frame, knowns.upright)
    # So that the scores of four joints count less than one neighbour.
    share = 0.2 / float(joints.score.max(initial=1e-30))
    placed = _fill(place.astype(np.int32), kept, joints.table, share, *knowns.frame, knowns.upright)
    return Assembly.of(*placed.T)


def _within_frame(
    place: NDArray[np.int32], rows: int, cols: int, upright: bool
) -> NDArray[np.bool_]:
    """Return whether each tile lies within the frame, put where it cuts off the fewest."""
    row, col = place[:, ROW] - place[:, ROW].min(), place[:, COL] - place[:, COL].min()
    before = np.zeros((row.max() + 2, col.max() + 2), np.int32)  # tiles further up and left
    before[row + 1, col + 1] = 1
    before = before.cumsum(axis=0).cumsum(axis=1)
    best = np.zeros(len(place), np.bool_)
    for height, width in [(rows, cols)] if upright else [(rows, cols), (cols, rows)]:
        high, wide = min(height, len(before) - 1), min(width, before.shape[1] - 1)
        held = before[high:, wide:] - before[:-high, wide:]
        held -= before[high:, :-wide] - before[:-high, :-wide]
        top, left = np.unravel_index(held.argmax(), held.shape)
        if held[top, left] > best.sum():
            best = (row >= top) & (row < top + high) & (col >= left) & (col < left + wide)
    return best


@lean
def _best_there(table, kernel, row, col, around):
    """Return the free tile and turn that fit a place best, their score, and the neighbours."""
    neighbours = 0
    for direction in range(4):
        around[direction] = edge_facing(kernel, direction, row, col)
        neighbours += around[direction] != NOTHING
    highest = 0.0
    tile, turn = np.int64(kernel.pool[FREE, 0]), np.int64(0)  # any, if none is likely
    for direction in range(4):
        if around[direction] == NOTHING:
            continue
        for at in range(table.start[around[direction]], table.start[around[direction] + 1]):
            own = np.int64(table.other[at])
            if not is_free(kernel, own // 4):
                continue
            quarters = (direction - own) % 4
            total = 0.0
            for side in range(4):
                if around[side] != NOTHING:
                    meets = own - own % 4 + (side - quarters) % 4
                    total += joint_score(table, around[side], meets)
            if total > highest:
                highest, tile, turn = total, own // 4, quarters
    return tile, turn, highest, neighbours


@lean
def _offer(table, kernel, heap, around, share, edge):
    """Push what fits best at the place that an edge faces, the key led by the neighbours there."""
    direction, row, col = facing(kernel, edge)
    if not is_open(kernel, row, col):
        return
    tile, turn, total, neighbours = _best_there(table, kernel, row, col, around)
    partner = 4 * tile + (direction + 2 - turn) % 4
    push(heap, neighbours + share * total, edge, partner)


@lean
def _add(table, kernel, heap, around, share):
    """Put tiles into the best places, one by one, until none is left."""
    while kernel.now[LEFT] > 0:
        hoped, edge32, partner32 = pop(heap)
        edge, partner = np.int64(edge32), np.int64(partner32)
        direction, row, col = facing(kernel, edge)
        if not is_open(kernel, row, col):
            continue
        neighbours = 0
        for side in range(4):
            neighbours += edge_facing(kernel, side, row, col) != NOTHING
        if neighbours > np.int64(hoped):
            continue  # offered anew when that neighbour came
        if not is_free(kernel, partner // 4):
            _offer(table, kernel, heap, around, share, edge)
            continue
        tile = partner // 4
        put(kernel, tile, row, col, (direction + 2 - partner) % 4)
        for new in range(4 * tile, 4 * tile + 4):
            if kernel.now[LEFT] > 0:
                _offer(table, kernel, heap, around, share, new)


@allocating
def _fill(place, kept, table, share, rows, cols, upright):
    """Leave the kept tiles where they are and put all others around them: ``placed`` [n, 3]."""
    kernel = new_kernel(len(place), rows, cols, upright)
    top, left = place[kept, ROW].min(), place[kept, COL].min()
    for tile in np.flatnonzero(kept):
        row, col = place[tile, ROW] - top, place[tile, COL] - left
        put(kernel, tile, row, col, place[tile, TURN])
    heap = new_heap(4 * len(place) + 1)
    around = np.empty(4, np.int32)
    for tile in np.flatnonzero(kept):
        for edge in range(4 * tile, 4 * tile + 4):
            if kernel.now[LEFT] > 0:
                _offer(table, kernel, heap, around, share, edge)
    _add(table, kernel, heap, around, share)
    return kernel.placed
