"""Whether two grids, found in one photograph, are the same where both of them lie."""

import numpy as np
from numpy.typing import NDArray
from scipy.spatial import cKDTree

from azulejar.imaging.walls.photo import Points

SAME = 0.05  # tiles by which the crossings of one and the same joints may differ
COMMON = 0.75  # tiles to the other grid's next crossing, at most, where both grids lie
OVERLAP = 0.5  # of the smaller grid's crossings that must lie in the other
FEWEST = 20  # of them: fewer may fit by chance


def agreement(one: Points, other: Points) -> float:
    """Share of the crossings that both grids [rows + 1, cols + 1, 2] have, where both lie; 0 if
    hardly any part of the photograph is common to them.
    """
    shares, same = zip(*(_common(*pair) for pair in ((one, other), (other, one))), strict=True)
    if min(map(len, same)) < FEWEST or max(shares) < OVERLAP:
        return 0.0
    return min(float(each.mean()) for each in same)


def tiles_off(points: Points, crossings: Points) -> NDArray[np.float64]:
    """How far ``points`` lie from the ``crossings``, both [rows + 1, cols + 1, 2], in tiles as if
    the wall were seen from straight ahead.
    """
    return _in_tiles(points - crossings, _sides(crossings))


def _common(one: Points, other: Points) -> tuple[float, NDArray[np.bool_]]:
    """How much of one grid lies in the other, and which of its crossings there are the other's."""
    points = other.reshape(-1, 2)
    _, which = cKDTree(points).query(one)
    apart = points[which] - one
    own = _in_tiles(apart, _sides(one))
    others = _in_tiles(apart, _sides(other).reshape(-1, 2, 2)[which])
    common = np.minimum(own, others) < COMMON  # tiles of either: those of one may be smaller
    return float(common.mean()), own[common] < SAME


def _sides(crossings: Points) -> NDArray[np.float64]:
    """At every crossing the steps to the next one along the row and down the column, as columns."""
    return np.stack([np.gradient(crossings, axis=1), np.gradient(crossings, axis=0)], axis=-1)


def _in_tiles(apart: Points, sides: NDArray[np.float64]) -> NDArray[np.float64]:
    tiles = np.linalg.solve(sides, apart[..., None])[..., 0]
    return np.asarray(np.linalg.norm(tiles, axis=-1), np.float64)
