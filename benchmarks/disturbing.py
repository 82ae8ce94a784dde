"""Errors that hands make while laying a panel: exchanged, turned and shifted tiles."""

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from azulejar.core.assembly import Assembly

Disturbance = Callable[[Assembly, np.random.Generator], Assembly | None]


def swapped(laid: Assembly, rng: np.random.Generator) -> Assembly | None:
    """Exchange two tiles anywhere."""
    return _exchanged(laid, rng.permutation(np.flatnonzero(laid.panel == 0))[:2])


def ring_of_three(laid: Assembly, rng: np.random.Generator) -> Assembly | None:
    """Exchange three neighbouring tiles, in a line or around a corner, in a ring."""
    grid = _grid(laid)
    rows, cols = grid.shape
    shape = [((0, 0), (0, 1), (0, 2)), ((0, 0), (1, 0), (2, 0)), ((0, 0), (0, 1), (1, 0)),
             ((0, 0), (0, 1), (1, 1))][rng.integers(4)]  # fmt: skip
    at = rng.integers(rows), rng.integers(cols)
    places = [(at[0] + r, at[1] + c) for r, c in shape]
    if any(r >= rows or c >= cols or grid[r, c] < 0 for r, c in places):
        return None
    return _exchanged(laid, np.array([grid[place] for place in places]))


def turned(laid: Assembly, rng: np.random.Generator) -> Assembly | None:
    """Turn one tile."""
    turn = laid.turn.copy()
    tile = rng.choice(np.flatnonzero(laid.panel == 0))
    turn[tile] = (turn[tile] + rng.integers(1, 4)) % 4
    return Assembly(laid.row, laid.col, turn, laid.panel, laid.size)


def shifted_block(laid: Assembly, rng: np.random.Generator) -> Assembly | None:
    """Move a block of two or three rows one place on; what was there closes the gap."""
    grid = _grid(laid)
    rows, cols = grid.shape
    tall, wide = rng.integers(2, 4), rng.integers(2, 4)
    if rows < tall or cols < wide + 1:
        return None
    top, left = rng.integers(rows - tall + 1), rng.integers(cols - wide)
    block = grid[top : top + tall, left : left + wide + 1]
    if (block < 0).any():
        return None
    moved = np.roll(block, 1 if rng.random() < 0.5 else -1, axis=1)
    return _laid_as(laid, moved.ravel(), block.ravel())


def misplaced_corner(laid: Assembly, rng: np.random.Generator) -> Assembly | None:
    """Exchange a corner of the panel for a tile inside."""
    grid = _grid(laid)
    if min(grid.shape) < 3:
        return None
    corner = grid[rng.choice([0, -1]), rng.choice([0, -1])]
    inside = rng.choice(grid[1:-1, 1:-1].ravel())
    return _exchanged(laid, np.array([corner, inside])) if min(corner, inside) >= 0 else None


def doubled_border(laid: Assembly, rng: np.random.Generator) -> Assembly | None:
    """Move the first row to the middle, beside another border or the scene."""
    grid = _grid(laid)
    if len(grid) < 4:
        return None
    to = int(rng.integers(2, len(grid)))
    moved = np.concatenate([grid[1 : to + 1], grid[:1], grid[to + 1 :]])
    old, new = grid.ravel(), moved.ravel()
    return (
        _laid_as(laid, new[(new >= 0) & (old >= 0)], old[(new >= 0) & (old >= 0)])
        if ((old >= 0) == (new >= 0)).all()
        else None
    )


DISTURBANCES: dict[str, Disturbance] = {
    "swapped": swapped,
    "ring of three": ring_of_three,
    "turned": turned,
    "shifted block": shifted_block,
    "misplaced corner": misplaced_corner,
    "doubled border": doubled_border,
}


def disturb(
    laid: Assembly, kind: str, times: int, rng: np.random.Generator
) -> tuple[Assembly, NDArray[np.bool_]]:
    """Disturb the first panel so often; return it, and which tiles do not lie as before."""
    now = laid
    for _ in range(20 * times):
        if times == 0:
            break
        made = DISTURBANCES[kind](now, rng)
        if made is not None:
            now, times = made, times - 1
    moved = (now.row != laid.row) | (now.col != laid.col) | (now.turn != laid.turn)
    return now, moved


def _grid(laid: Assembly) -> NDArray[np.int64]:
    """Return the tile at each place of the first panel, -1 for none [rows, cols]."""
    rows, cols = laid.box(0)
    grid = np.full((rows, cols), -1)
    here = np.flatnonzero(laid.panel == 0)
    grid[laid.row[here], laid.col[here]] = here
    return grid


def _exchanged(laid: Assembly, tiles: NDArray[np.int64]) -> Assembly | None:
    """Lay each tile in the place of the next."""
    return _laid_as(laid, tiles, np.roll(tiles, -1)) if len(tiles) > 1 else None


def _laid_as(laid: Assembly, tiles: NDArray[np.int64], before: NDArray[np.int64]) -> Assembly:
    """Lay tiles where those of ``before`` lay, each as upright as it was."""
    row, col = laid.row.copy(), laid.col.copy()
    row[tiles], col[tiles] = laid.row[before], laid.col[before]
    return Assembly(row, col, laid.turn, laid.panel, laid.size)
