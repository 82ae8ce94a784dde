"""The tiles just beyond the sides of a grid: whether their joints are seen."""

import numpy as np
from numpy.typing import NDArray

from azulejar.imaging.walls.lattice import SMALLEST
from azulejar.imaging.walls.photo import Photo
from azulejar.imaging.walls.refine import Clear
from azulejar.imaging.walls.warp import Warp

INSIDE = 0.4  # of a further joint that must lie in the photograph
SHORTEST = 0.3  # of the side opposite that a side must have: farther away, too little is seen


def supported(photo: Photo, warp: Warp, clear: Clear, step: int, least: float) -> NDArray[np.bool_]:
    """Whether more than ``least`` of the joints that the outermost ``step`` tiles add at the left,
    top, right and bottom are seen and lie in the photograph, and their side is not too far away.
    """
    points = np.moveaxis(warp.crossings(), -1, 0)
    edges = [from_side(points, side)[:, step:-step, 0].T for side in range(4)]
    lengths = [np.linalg.norm(np.diff(edge, axis=0), axis=1).mean() for edge in edges]
    support = []
    for side, edge in enumerate(edges):
        inside = ((edge > 0) & (edge < [photo.width, photo.height])).all(axis=1).mean()
        near = lengths[side] > max(SMALLEST, SHORTEST * lengths[(side + 2) % 4])
        seen_there = shares(clear, side, slice(0, step), slice(step, -step))
        support.append(sum(seen_there) / 2 > least and inside > INSIDE and near)
    return np.array(support)


def shares(clear: Clear, side: int, tiles: slice, along: slice) -> tuple[float, float]:
    """Of the joints that are seen at the ``tiles`` next to a side: of those that run as it does,
    and of those between the tiles.
    """
    down, across = (from_side(part, side) for part in clear)
    ends, ribs = (down, across) if side % 2 == 0 else (across, down)
    return float(ends[along, tiles].mean()), float(ribs[along, tiles].mean())


def from_side(part: NDArray[np.float64], side: int) -> NDArray[np.float64]:
    """The last two axes turned so that the last one goes inwards from a side: 0 left, 1 top,
    2 right, 3 bottom.
    """
    inwards = np.swapaxes(part, -1, -2) if side % 2 else part
    return inwards[..., ::-1] if side >= 2 else inwards
