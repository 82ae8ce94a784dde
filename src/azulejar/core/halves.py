"""Half and quarter tiles: which sides are half as long, and which rows and cols are half as wide.

A panel with half tiles is a grid like any other, whose rows and cols are whole or half: a half tile
lies where a half row crosses a whole col, a quarter where two halves cross. So every side meets one
of its own length, and places, joints and turns are those of whole tiles.

``halved`` [n, 2] tells of each tile whether it is half as high, and half as wide, as its file shows
it.
"""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from azulejar.core.assembly import Assembly

Halved = NDArray[np.bool_]

# What ``half`` says of a tile in solution.json; None of a whole one.
NAMES = {
    (False, False): None,
    (True, False): "height",
    (False, True): "width",
    (True, True): "both",
}
_BY_NAME = {name: halved for halved, name in NAMES.items()}


def half_names(halved: Halved | None, n: int) -> list[str | None]:
    """Return for each of n tiles which of its measures are halved."""
    if halved is None:
        return [None] * n
    return [NAMES[bool(high), bool(wide)] for high, wide in halved]


def halved_by_names(names: Sequence[str | None]) -> Halved | None:
    """Return the tiles' ``halved``; None if all tiles are whole."""
    return np.array([_BY_NAME[name] for name in names], bool) if any(names) else None


def is_half_side(halved: Halved) -> NDArray[np.bool_]:
    """Return which edges are half as long as a whole side [4n].

    >>> is_half_side(np.array([[True, False]])).tolist()  # its left and right sides
    [False, True, False, True]
    """
    high, wide = halved.T
    return np.stack([wide, high, wide, high], axis=1).ravel()


def count_kinds(halved: Halved) -> tuple[int, int]:
    """Return how many half and how many quarter tiles there are."""
    sides = halved.sum(axis=1)
    return int((sides == 1).sum()), int((sides == 2).sum())


def half_lines(
    assembly: Assembly, halved: Halved | None, panel: int
) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Return which rows of a panel are half as high, and which cols half as wide, by most tiles."""
    if halved is None:
        return (), ()
    here = np.flatnonzero(assembly.panel == panel)
    lying = np.where((assembly.turn[here] % 2 == 1)[:, None], halved[here][:, ::-1], halved[here])
    found = []
    for count, line, half in zip(
        assembly.box(panel), (assembly.row, assembly.col), lying.T, strict=True
    ):
        balance = np.bincount(line[here], np.where(half, 1, -1), minlength=count)
        found.append(tuple(np.flatnonzero(balance > 0).tolist()))
    return found[0], found[1]
