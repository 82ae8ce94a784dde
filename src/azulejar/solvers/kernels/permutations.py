"""Gradient ascent on relaxed permutations of tiles over places.

``share`` [places, tiles] is doubly stochastic: no entry is negative, and each row and each column
adds up to 1. The objective is the sum, over all pairs of adjacent places, of the compatibility of
the tiles there, weighted by their shares. The grid wraps around: places on opposite borders are
adjacent too.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array

from azulejar.core.edges import COL_STEP, ROW_STEP
from azulejar.core.joints import NOTHING
from azulejar.system.compiling import allocating, lean

ROUNDS = 3  # in which rows and columns are projected alternately


class Neighbours(NamedTuple):
    """Compatible neighbours on one side, as compressed rows.

    Those of tile t are ``other[start[t] : start[t + 1]]``, with compatibilities ``value``.
    """

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
    """Return the gradient [places, tiles] of the objective; it is 0 for settled places.

    ``sides`` holds the ``Neighbours`` on sides 0 to 3. ``settled`` [places] is the tile that was
    fixed at each place, or NOTHING.
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
                    continue  # the grid is one tile wide or high: the place would meet itself
                # Neighbours of the tile there, on its side that faces this place.
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
    """Add to ``slope`` [tiles] what an adjacent tile contributes whose share is ``weight``."""
    for at in range(neighbours.start[tile], neighbours.start[tile + 1]):
        slope[neighbours.other[at]] += weight * neighbours.value[at]


@lean
def _project_lines(block, total, count, axis):
    """Move the sum of every row (axis 1) or column (axis 0) of ``block`` towards 1.

    The excess is subtracted in equal parts from the positive entries, which are clipped at 0.
    ``total`` and ``count`` are buffers for the sums and numbers of those entries.
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
    """Project ``block`` [m, m] in place, approximately, onto the doubly stochastic matrices."""
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
    """Subtract row and column means from ``block`` [m, m] in place.

    All its rows and columns then add up to 0, so that adding it changes no sums of shares.
    """
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
    """Ascend until a share reaches ``sure``; return the place and tile of the largest share.

    ``places`` and ``tiles`` [m] are those that are not settled. A step is ``step`` times the
    projected gradient. If several shares reach ``sure`` at once, the one with the highest gradient
    is taken, since with smaller steps it would have been the first. The ascent also ends when no
    share changes by ``still`` or more, or after ``most`` steps.
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
