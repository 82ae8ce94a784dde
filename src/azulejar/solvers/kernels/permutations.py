"""Relaxed permutations: how far each tile lies at each place, and how they ascend.

``share`` [places, tiles] is doubly stochastic: no entry is below 0, and each row and column adds
up to 1. Its objective is the sum, over all places that meet, of the compatibility of the tiles
there, weighed by their shares. Places on opposite borders meet too.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array

from azulejar.core.edges import COL_STEP, ROW_STEP
from azulejar.core.joints import NOTHING
from azulejar.system.compiling import allocating, lean

ROUNDS = 3  # of projections onto rows and columns in turn


class Neighbours(NamedTuple):
    """Compressed rows: tile t goes well with ``other[start[t] : start[t + 1]]`` on one side."""

    start: NDArray[np.int32]
    other: NDArray[np.int32]
    value: NDArray[np.float64]

    @classmethod
    def of(cls, matrix: csr_array) -> "Neighbours":
        """Take the entries of a sparse matrix [tiles, tiles]."""
        return cls(
            matrix.indptr.astype(np.int32),
            matrix.indices.astype(np.int32),
            matrix.data.astype(np.float64),
        )


@allocating
def gradient(share, settled, sides, rows, cols):
    """Return the gradient [places, tiles] of the objective; rows of settled places are left at 0.

    ``sides`` holds the neighbours of a tile on sides 0 to 3. ``settled`` [places] is the tile that
    lies at a place for good, or NOTHING.
    """
    slope = np.zeros_like(share)
    for row in range(rows):
        for col in range(cols):
            place = row * cols + col
            if settled[place] != NOTHING:
                continue
            for side in range(4):
                beside, along = row + ROW_STEP[side], col + COL_STEP[side]
                there = beside % rows * cols + along % cols
                if there == place:
                    continue  # the only one of its row or column
                # What a tile there wants on its side that faces this place.
                wanted = sides[(side + 2) % 4]
                if settled[there] != NOTHING:
                    _add(wanted, settled[there], 1.0, slope[place])
                    continue
                for tile in range(share.shape[1]):
                    if share[there, tile] > 0:
                        _add(wanted, tile, share[there, tile], slope[place])
    return slope


@lean
def _add(neighbours, tile, weight, slope):
    """Add to ``slope`` [tiles] what a tile beside, present by ``weight``, contributes."""
    for at in range(neighbours.start[tile], neighbours.start[tile + 1]):
        slope[neighbours.other[at]] += weight * neighbours.value[at]


@lean
def _project_lines(block, total, count, axis):
    """Move every row (axis 1) or column (axis 0) of ``block`` towards the sum 1, and none below 0.

    The excess is taken in equal parts from the entries above 0. ``total`` and ``count`` are room.
    """
    high, wide = block.shape
    total[:] = 0
    count[:] = 0
    for i in range(high):
        for j in range(wide):
            if block[i, j] > 0:
                line = i if axis == 1 else j
                total[line] += block[i, j]
                count[line] += 1
    for i in range(high):
        for j in range(wide):
            if block[i, j] > 0:
                line = i if axis == 1 else j
                block[i, j] = max(block[i, j] - (total[line] - 1) / count[line], 0.0)


@allocating
def project(block):
    """Make ``block`` [m, m] nearly doubly stochastic, close to what it was; negatives become 0."""
    size = len(block)
    total, count = np.empty(size), np.empty(size)
    for i in range(size):
        for j in range(size):
            block[i, j] = max(block[i, j], 0.0)
    for _ in range(ROUNDS):
        for axis in (1, 0):
            _project_lines(block, total, count, axis)
            _project_lines(block, total, count, axis)


@allocating
def centre(block):
    """Take the means of rows and columns from ``block`` [m, m], so that sums stay as they are."""
    size = len(block)
    of_row, of_col = np.zeros(size), np.zeros(size)
    for i in range(size):
        for j in range(size):
            of_row[i] += block[i, j] / size
            of_col[j] += block[i, j] / size
    mean = of_row.mean()
    for i in range(size):
        for j in range(size):
            block[i, j] += mean - of_row[i] - of_col[j]


@allocating
def ascend(share, settled, sides, rows, cols, places, tiles, step, sure, still, most):
    """Ascend until a share reaches ``sure``; return place and tile of the largest.

    ``places`` and ``tiles`` [m] are free. A step is ``step`` times the projected gradient. Of
    several sure shares, the one with the highest gradient counts: smaller steps would have brought
    it there first. The ascent also ends when no share changes by ``still`` any more, or after
    ``most`` steps.
    """
    size = len(places)
    block = np.empty((size, size))
    best_place, best_tile = places[0], tiles[0]
    for _ in range(most):
        slope = gradient(share, settled, sides, rows, cols)
        for i in range(size):
            for j in range(size):
                block[i, j] = slope[places[i], tiles[j]]
        centre(block)
        for i in range(size):
            for j in range(size):
                block[i, j] = share[places[i], tiles[j]] + step * block[i, j]
        project(block)
        change, highest, steepest = 0.0, -1.0, -np.inf
        for i in range(size):
            for j in range(size):
                before = share[places[i], tiles[j]]
                change = max(change, abs(block[i, j] - before))
                share[places[i], tiles[j]] = block[i, j]
                height, steep = min(block[i, j], sure), slope[places[i], tiles[j]]
                if height > highest or (height == highest and steep > steepest):
                    highest, steepest = height, steep
                    best_place, best_tile = places[i], tiles[j]
        if highest >= sure or change < still:
            break
    return best_place, best_tile
