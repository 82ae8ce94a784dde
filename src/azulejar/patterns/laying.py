"""Lay pattern tiles as their repeat continues; which of the alike tiles lies where is arbitrary."""

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from azulejar.core.assembly import Assembly
from azulejar.patterns.finding import MOSTLY, Patterns, recognise_wall
from azulejar.patterns.repeats import Module

SLENDER = 3.0  # longest side of a wall of unknown size, in its shorter one
SPARE = 1.2  # places of such a wall for each tile, at most


def is_wall(patterns: Patterns) -> bool:
    """Whether most of the tiles are pattern tiles."""
    return bool((patterns.of_tiles() >= 0).mean() >= MOSTLY)


def count_copies(patterns: Patterns) -> NDArray[np.int64]:
    """Return how many tiles could lie in the place of each, itself included [n]."""
    number, design = patterns.of_tiles(), patterns.designs.design
    return np.where(number >= 0, patterns.designs.counts[design], 1)


def find_copies(pixels: NDArray[np.uint8]) -> NDArray[np.int64] | None:
    """Return how many of the tiles [n, S, S, 3] could lie in the place of each; None if no patterns
    are among them."""
    patterns = recognise_wall(pixels)
    return count_copies(patterns) if len(patterns) else None


def lay_patterns(patterns: Patterns, rows: int | None = None, cols: int | None = None) -> Assembly:
    """Lay each pattern as a panel of its own; all other tiles stay without a place.

    Args:
        patterns: Patterns of n tiles.
        rows: Rows of the wall, if there is one and they are known.
        cols: Its cols likewise.
    """
    n = len(patterns.designs.design)
    whole = n if is_wall(patterns) and len(patterns) == 1 else 0
    row, col, turn = np.zeros((3, n), np.int64)
    panel = np.full(n, -1)
    for number, pattern in enumerate(patterns):
        stock = {each: patterns.designs.tiles(each).tolist() for each in pattern.designs}
        counts = {each: len(tiles) for each, tiles in stock.items()}
        tall, wide, down, right = _best_size(
            pattern.module, counts, max(whole, len(pattern)), rows, cols
        )
        for place in np.ndindex(tall, wide):
            design, quarters = pattern.module.at(place[0] + down, place[1] + right)
            if stock[design]:
                tile = stock[design].pop(0)
                row[tile], col[tile], panel[tile] = *place, number
                turn[tile] = patterns.designs.turn[tile] + quarters
    return Assembly.of(row, col, turn, panel)


def _best_size(
    module: Module, counts: dict[int, int], total: int, rows: int | None, cols: int | None
) -> tuple[int, int, int, int]:
    """Return rows and cols of a wall of ``total`` tiles, and where in the module it begins.

    It is the wall that takes most tiles, with fewest places empty, and nearest to a square;
    ``counts`` are the tiles of each design.
    """
    best: tuple[float, ...] = (-1.0,)
    chosen = (1, total, 0, 0)
    for tall, wide in _sizes(total, rows, cols):
        for down in range(module.rows):
            for right in range(module.cols):
                need = _count_designs(module, tall, wide, down, right)
                laid = sum(min(need.get(each, 0), have) for each, have in counts.items())
                worth = (laid, -tall * wide, -abs(np.log(tall / wide)))
                if worth > best:
                    best, chosen = worth, (tall, wide, down, right)
    return chosen


def _sizes(total: int, rows: int | None, cols: int | None) -> Iterator[tuple[int, int]]:
    """Yield the rows and cols that a wall of so many tiles may have."""
    for tall in [rows] if rows else range(1, total + 1):
        for wide in [cols] if cols else range(-(-total // tall), int(SPARE * total / tall) + 2):
            slender = max(tall, wide) > SLENDER * min(tall, wide)
            if not (slender and rows is None and cols is None and total >= SLENDER):
                yield tall, wide


def _count_designs(module: Module, rows: int, cols: int, down: int, right: int) -> dict[int, int]:
    """Return how often each design is shown on a wall."""
    found: dict[int, int] = {}
    for row in range(min(module.rows, rows)):
        for col in range(cols):
            design, _ = module.at(row + down, col + right)
            found[design] = found.get(design, 0) + len(range(row, rows, module.rows))
    return found
