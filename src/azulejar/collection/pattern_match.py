"""Which stored pattern continues a wall, and how many tiles are there to mend it."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import product

import numpy as np
from numpy.typing import NDArray
from scipy.ndimage import distance_transform_edt

from azulejar.collection.pattern_grid import find_pattern_grid
from azulejar.collection.patterns import CollectionPatterns
from azulejar.core.edges import rotate_place
from azulejar.imaging.walls.cut import cut_tiles
from azulejar.imaging.walls.grid import Grid
from azulejar.patterns.designs import ALIKE, match_copies
from azulejar.patterns.likeness import FINE, copy_tiles
from azulejar.patterns.repeats import Module

LEAST = 0.1  # share of a wall's painted tiles that a pattern explains
JOINT = 0.03  # share of the side at each side that a joint may take in a photograph
OUTSIDE = 0.1  # of a side, by which a joint may lie outside the photograph
SIDE = 64  # pixels of a tile that is cut out of a photograph
SOUGHT = 0.8  # of the time, for seeking patterns where the joints do not tell the tiles


@dataclass(frozen=True)
class PatternMatch:
    """A pattern that a wall shows.

    Args:
        number: Number of the pattern in the collection's list.
        name: Its name.
        seen: Whether each place of the wall shows it: [rows, cols].
        gaps: Whether each place is to be mended with it: [rows, cols].
        share: Of the wall's tiles that are not plain, the share that shows it.
        needed: By design, the places that are to be mended.
        stock: By design, the tiles that the collection has.
    """

    number: int
    name: str
    seen: NDArray[np.bool_]
    gaps: NDArray[np.bool_]
    share: float
    needed: dict[int, int]
    stock: dict[int, int]

    @property
    def lacking(self) -> int:
        """How many tiles are still missing when all stock is used."""
        return sum(max(0, count - self.stock[each]) for each, count in self.needed.items())


def find_wall(
    kept: CollectionPatterns,
    picture: NDArray[np.uint8],
    seen: Grid | None,
    on_progress: Callable[[float], None] = lambda fraction: None,
) -> tuple[Grid | None, list[PatternMatch]]:
    """Find the joints of a photographed wall without any hints, and its patterns.

    Where no joints were seen, or none between tiles of a stored pattern, as where lines of the
    painting were taken for joints, tiles are sought by the patterns themselves. If they show none
    either, what was seen remains.

    Args:
        kept: The patterns of a collection.
        picture: The photograph [H, W, 3].
        seen: The joints that were found in it, if any were.
        on_progress: Called with the fraction done.
    """
    if seen is not None:
        grid, found = match_photograph(
            kept, picture, seen, lambda done: on_progress((1 - SOUGHT) * done)
        )
        if found:
            return grid, found
    painted = find_pattern_grid(kept, picture, lambda done: on_progress(1 - SOUGHT + SOUGHT * done))
    if painted is not None:
        grid, found = match_photograph(kept, picture, painted)
        if found:
            return grid, found
    return seen, []


def match_photograph(
    kept: CollectionPatterns,
    picture: NDArray[np.uint8],
    grid: Grid,
    on_progress: Callable[[float], None] = lambda fraction: None,
) -> tuple[Grid, list[PatternMatch]]:
    """Return the joints of a photographed wall, and the patterns that continue it.

    Mirror axes of a pattern look like joints, so that a grid may be half a tile off or twice as
    fine. Of these grids, that one is taken whose tiles show the patterns on most of the wall.

    Args:
        kept: The patterns of a collection.
        picture: The photograph [H, W, 3].
        grid: The joints that were found in it.
        on_progress: Called with the fraction done.
    """
    best, answer = -1, (grid, list[PatternMatch]())
    grids = list(_likely_grids(grid, *picture.shape[:2]))
    for done, (size, each) in enumerate(grids):
        on_progress(done / len(grids))
        found = match_wall(kept, cut_tiles(picture, each, SIDE), each.rows, each.cols)
        shown = size**2 * sum(int(match.seen.sum()) for match in found)
        if shown > best:
            best, answer = shown, (each, found)
    return answer


def _likely_grids(grid: Grid, height: int, width: int) -> Iterator[tuple[int, Grid]]:
    """Yield a grid, others half a tile off, and twice as coarse ones, with the sides' lengths.

    Those half a tile off go on beyond the grid, as far as the photograph shows it.
    """
    for length, starts in ((1, (0.0, -0.5)), (2, (0.0, 1.0))):
        for down, right in product(starts, repeat=2):
            lines = _along(grid.crossings, np.arange(down, grid.rows + 0.6, length))
            lines = lines[_within(lines[..., 1].mean(axis=1), height, grid.side)]
            lines = _along(lines.swapaxes(0, 1), np.arange(right, grid.cols + 0.6, length))
            lines = lines[_within(lines[..., 0].mean(axis=1), width, grid.side)]
            crossings = lines.swapaxes(0, 1)
            rows, cols = crossings.shape[0] - 1, crossings.shape[1] - 1
            if min(rows, cols) > 0:
                unseen = np.zeros((rows, cols + 1)), np.zeros((rows + 1, cols))
                yield length, Grid(crossings, *unseen, grid.confidence)


def _within(places: NDArray[np.float64], length: int, side: float) -> NDArray[np.bool_]:
    """Tell which places lie in a photograph of that length, or hardly outside."""
    return np.abs(places - length / 2) < length / 2 + OUTSIDE * side


def _along(points: NDArray[np.float64], places: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the points [n, ...] at places between or beyond them: [places, ...]."""
    before = np.clip(np.floor(places).astype(int), 0, len(points) - 2)
    share = (places - before).reshape(-1, *[1] * (points.ndim - 1))
    return (1 - share) * points[before] + share * points[before + 1]


def match_wall(
    kept: CollectionPatterns, pixels: NDArray[np.uint8], rows: int, cols: int
) -> list[PatternMatch]:
    """Return the patterns that continue a wall, that with the largest share first.

    Args:
        kept: The patterns of a collection.
        pixels: The wall's tiles in reading order: uint8 [rows · cols, S, S, 3].
        rows: Rows of the wall.
        cols: Its cols.

    Examples:
        >>> import azulejar
        >>> with azulejar.Collection.open("museum") as museum:
        ...     kept = azulejar.list_patterns(museum)
        >>> wall, _ = azulejar.practice_puzzle(4, 4, size=24)
        >>> azulejar.match_wall(kept, wall.pixels, 4, 4)  # a painted panel has no patterns
        []
    """
    if not len(kept):
        return []
    designs = kept.found.designs
    rim = round(JOINT * pixels.shape[1])
    inner = pixels[:, rim : pixels.shape[1] - rim, rim : pixels.shape[1] - rim]
    copies = copy_tiles(inner, FINE)
    found, likeness, _ = match_copies(copies, copy_tiles(designs.pictures, FINE))
    found = np.where(likeness >= ALIKE, found, -1).reshape(rows, cols)
    painted = max(1, int(copies.any(axis=(1, 2, 3)).sum()))
    shown = np.where(found >= 0, kept.found.of_designs()[found], -1)
    shares = np.array([(shown == number).sum() / painted for number in range(len(kept))])
    shown[~np.isin(shown, np.flatnonzero(shares >= LEAST))] = -1
    gaps = _gaps(shown)
    matches = []
    for number in np.argsort(-shares, kind="stable").tolist():
        if shares[number] >= LEAST:
            pattern, seen = kept.found[number], shown == number
            own = gaps == number
            expected = _continue(pattern.module, np.where(seen, found, -1))[own]
            needed = {each: int((expected == each).sum()) for each in pattern.designs}
            stock = {each: int(designs.counts[each]) for each in pattern.designs}
            share = float(shares[number])
            name = kept.names[number]
            matches.append(PatternMatch(number, name, seen, own, share, needed, stock))
    return matches


def _continue(module: Module, found: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return the design at each place of a wall, as a module continues what was found there.

    ``found`` [rows, cols] has -1 where nothing was. The wall may hang in any turn.
    """
    rows, cols = found.shape
    across = module.cols * int(module.rows // np.gcd(module.rows, module.drop))
    best, chosen = -1, found
    for quarters in range(4):
        for down in range(module.rows):
            for right in range(across):
                wall = np.empty_like(found)
                for row, col in np.ndindex(rows, cols):
                    there = rotate_place(row, col, quarters)
                    wall[row, col] = module.at(there[0] + down, there[1] + right)[0]
                agreeing = int((wall == found).sum())
                if agreeing > best:
                    best, chosen = agreeing, wall
    return chosen


def _gaps(shown: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return the pattern of each place that is to be mended, -1 for others: [rows, cols].

    ``shown`` is the pattern at each place, -1 for none. A gap lies within a pattern, and belongs to
    that of the nearest place: two patterns, or two parts of one, do not both count it.
    """
    inside = np.zeros(shown.shape, bool)
    for number in np.unique(shown[shown >= 0]):
        inside |= _inside(shown == number)
    nearest = distance_transform_edt(shown < 0, return_distances=False, return_indices=True)
    return np.where(inside & (shown < 0), shown[tuple(nearest)], -1)


def _inside(seen: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Return the places between the first and the last that show a pattern, in row or col."""
    inside = np.zeros_like(seen)
    for places, mask in ((seen, inside), (seen.T, inside.T)):
        for line, own in zip(places, mask, strict=True):
            at = np.flatnonzero(line)
            if len(at):
                own[at[0] : at[-1] + 1] = True
    return inside
