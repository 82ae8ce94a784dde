"""Numbering of edges, and the one home of the arithmetic of quarter turns.

Edge ``4 * tile + side``; sides are 0 top, 1 right, 2 bottom, 3 left of the tile as its file
shows it. A turn is counted in clockwise quarters: a tile with turn ``q`` shows its side ``s``
in direction ``(s + q) % 4``, where directions are numbered like sides.

The functions take integers or integer arrays alike, element by element, and are simple enough to
be compiled: ``lean(edge_towards)`` is the same function for compiled code.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

SIDES = ("top", "right", "bottom", "left")
ROW_STEP = np.array([-1, 0, 1, 0])  # by direction
COL_STEP = np.array([0, 1, 0, -1])

Whole = Any  # an integer, or an array of integers


def opposite(side: Whole) -> Whole:
    """Return the side that meets ``side`` when both tiles are upright; also of directions."""
    return (side + 2) % 4


def edge_towards(tile: Whole, turn: Whole, direction: Whole) -> Whole:
    """Return the edge of a tile with this ``turn`` that faces a direction."""
    return 4 * tile + (direction - turn) % 4


def direction_of(edge: Whole, turn: Whole) -> Whole:
    """Return the direction that an edge of a tile with this ``turn`` faces."""
    return (edge + turn) % 4


def turn_towards(edge: Whole, direction: Whole) -> Whole:
    """Return the turn that makes an edge face a direction."""
    return (direction - edge) % 4


def rotate_edge(edge: Whole, quarters: Whole) -> Whole:
    """Return the edge of the same tile that many sides further clockwise."""
    return edge - edge % 4 + (edge + quarters) % 4


def rotate_place(row: Whole, col: Whole, quarters: int) -> tuple[Whole, Whole]:
    """Return row and col after clockwise ``quarters`` about row 0, col 0."""
    for _ in range(quarters % 4):
        row, col = col, -row
    return row, col


def turn_picture(picture: NDArray[np.uint8], turn: int) -> NDArray[np.uint8]:
    """Return a picture [S, S, ...] turned clockwise by so many quarters; a view, not a copy."""
    return np.rot90(picture, -turn)


def edge_strips(pixels: NDArray[np.uint8], depth: int) -> NDArray[np.float64]:
    """Return the pixels beside every edge, read clockwise around the tile.

    Where two edges meet, position p of one touches position S - 1 - p of the other.

    Args:
        pixels: Tiles: uint8 [n, S, S, 3].
        depth: How many lines of pixels to take, from 1 to S.

    Returns:
        [4n, depth, S, 3], in the order of the edges; depth 0 is the outermost line.

    Examples:
        >>> import numpy as np
        >>> from azulejar import edge_strips
        >>> edge_strips(np.zeros((2, 32, 32, 3), np.uint8), depth=2).shape
        (8, 2, 32, 3)
    """
    n, size = pixels.shape[:2]
    strips = np.empty((n, 4, depth, size, 3))
    for side in range(4):
        top_up = np.rot90(pixels, side, axes=(1, 2))
        strips[:, side] = top_up[:, :depth]
    return strips.reshape(4 * n, depth, size, 3)
