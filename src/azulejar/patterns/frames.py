"""Repeated frames: one border tile (*barra*) all around a panel, and one corner tile (*canto*).

Which of the alike tiles lay where cannot be known, and scores spread thinly over all of them, so a
solver lays them anywhere. But their numbers tell the size of the panel: only one rectangle of n
tiles has so many places along its rim. And their designs tell how they lie: border tiles continue
in one another and in the corners in one way only. What is no such frame to the last tile is left
to the solver.
"""

from dataclasses import replace
from itertools import product

import numpy as np

from azulejar.core.edges import edge_towards
from azulejar.core.knowns import Knowns, Lock
from azulejar.patterns.designs import Designs
from azulejar.patterns.repeats import edge_misfits

CLEAR = 0.95  # most misfit of the best way to lay a frame, as a share of that of the second best
CORNERS = 4


def lay_frame(designs: Designs, knowns: Knowns) -> Knowns | None:
    """Return what is known once the frame is laid: size, and places of border and corner tiles.

    None if the designs show no frame, or something is known that it could contradict.

    Examples:
        >>> import numpy as np
        >>> from azulejar import Knowns
        >>> from azulejar.patterns.designs import find_designs
        >>> from azulejar.patterns.frames import lay_frame
        >>> alone = np.random.default_rng(0).integers(0, 256, (12, 20, 20, 3), np.uint8)
        >>> lay_frame(find_designs(alone), Knowns()) is None
        True
    """
    if knowns.upright or knowns.constrained or knowns.together:
        return None
    n, counts = len(designs.design), designs.counts
    sizes = {2 * (rows + n // rows) - 8: (rows, n // rows)
             for rows in range(3, int(np.sqrt(n)) + 1) if n % rows == 0}  # fmt: skip
    for border, corner in product(range(len(designs)), repeat=2):
        size = sizes.get(int(counts[border]))
        if border == corner or size is None or counts[corner] != CORNERS:
            continue
        fitting = [each for each in (size, size[::-1]) if _agree(each, knowns)]
        turns = _best_turns(designs, border, corner)
        if fitting and turns:
            return _locked(designs, (border, corner), turns, replace(
                knowns, rows=fitting[0][0], cols=fitting[0][1]))  # fmt: skip
    return None


def _agree(size: tuple[int, int], knowns: Knowns) -> bool:
    given = (knowns.rows, knowns.cols)
    return all(known in (None, own) for known, own in zip(given, size, strict=True))


def _best_turns(designs: Designs, border: int, corner: int) -> tuple[int, int] | None:
    """Return the turns of both designs at the top left, None unless they are clearly best."""
    misfits = edge_misfits(designs.pictures[[border, corner]])
    found = []
    for straight, bend in product(range(4), repeat=2):
        left, right = (int(edge_towards(0, straight, side)) for side in (3, 1))
        begin = int(edge_towards(1, bend, 1))
        end = int(edge_towards(1, bend + 1, 3))  # of the corner at the top right
        total = misfits[begin, left] + misfits[right, left] + misfits[right, end]
        found.append((float(total), straight, bend))
    best, second = sorted(found)[:2]
    return best[1:] if best[0] <= CLEAR * second[0] else None


def _locked(
    designs: Designs, kinds: tuple[int, int], turns: tuple[int, int], knowns: Knowns
) -> Knowns:
    """Lock border and corner tiles all around, in the order of their numbers."""
    rows, cols = knowns.rows or 0, knowns.cols or 0
    last, end = rows - 1, cols - 1
    border = (
        *((0, col, 0) for col in range(1, end)),
        *((row, end, 1) for row in range(1, last)),
        *((last, col, 2) for col in range(1, end)),
        *((row, 0, 3) for row in range(1, last)),
    )
    corners = ((0, 0, 0), (0, end, 1), (last, end, 2), (last, 0, 3))
    locks = []
    for kind, turn, places in zip(kinds, turns, (border, corners), strict=True):
        for tile, (row, col, quarters) in zip(designs.tiles(kind).tolist(), places, strict=True):
            own = (int(designs.turn[tile]) + turn + quarters) % 4
            locks.append(Lock(tile, row, col, own))
    return replace(knowns, locks=tuple(locks))
