"""Numbering of edges and the geometry of turns.

Edge ``4 * tile + side``; sides are 0 top, 1 right, 2 bottom, 3 left of the tile as its file
shows it. A turn is counted in clockwise quarters: a tile with turn ``q`` shows its side ``s``
in direction ``(s + q) % 4``, where directions are numbered like sides.
"""

import numpy as np
from numpy.typing import NDArray

ROW_STEP = np.array([-1, 0, 1, 0])
COL_STEP = np.array([0, 1, 0, -1])


def opposite(side: int) -> int:
    """The side that meets ``side`` when both tiles are upright."""
    return (side + 2) % 4


def turn_picture(picture: NDArray[np.uint8], turn: int) -> NDArray[np.uint8]:
    """Return a picture [S, S, ...] turned clockwise by so many quarters; a view, not a copy."""
    return np.rot90(picture, -turn)


def edge_strips(pixels: NDArray[np.uint8], depth: int) -> NDArray[np.float64]:
    """Pixels beside every edge, read clockwise around the tile.

    ``pixels`` [n, S, S, 3] gives [4n, depth, S, 3]; depth 0 is the outermost line. Where two
    edges meet, position p of one touches position S - 1 - p of the other.
    """
    n, size = pixels.shape[:2]
    strips = np.empty((n, 4, depth, size, 3))
    for side in range(4):
        top_up = np.rot90(pixels, side, axes=(1, 2))
        strips[:, side] = top_up[:, :depth]
    return strips.reshape(4 * n, depth, size, 3)


def upright_partners(n: int, side: int) -> NDArray[np.int64]:
    """Edges of all n tiles that may meet a given side of an upright tile."""
    return np.arange(n) * 4 + opposite(side)


def around(edge: NDArray[np.integer], quarters: int) -> NDArray[np.integer]:
    """The edge of the same tile that many sides further clockwise, element by element."""
    return edge - edge % 4 + (edge + quarters) % 4
