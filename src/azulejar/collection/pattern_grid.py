"""Find the joints of a photographed wall by the stored patterns that it shows.

Where joints are too fine to be seen, the painting still tells where the tiles lie: each design is
sought in all four turns and in many sizes, and where it is found at even distances, rows and cols
are grown from tile to tile. Walls are found that are seen nearly from the front.
"""

from collections.abc import Callable, Iterator
from typing import NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray

from azulejar.collection.patterns import CollectionPatterns
from azulejar.imaging.walls.grid import Grid

REDUCED = 360  # longest side in pixels of the copy that is searched
SMALLEST, LARGEST = 14, 110  # pixels of a tile there
STEP = 1.05  # from one size to the next
ALIKE = 0.6  # correlation from which a design may lie at a place
MOST = 400  # places that are looked at, the likeliest ones
TRIED = 3  # sizes of each pattern for which a grid is grown
NEAR = 0.15  # of a side, by which a neighbour may lie off
FEWEST = 8  # tiles of a grid
FILLED = 1 / 3  # share of what a row or col of a wall shows that its outermost ones show

Points = NDArray[np.float64]


class _Places(NamedTuple):
    """Where tiles of a ``side`` in pixels may lie: their middles [n, 2], the likeliest first.

    ``surplus`` [n] is by how much their likeness exceeds the least.
    """

    side: float
    middles: Points
    surplus: NDArray[np.float64]
    worth: float


def find_pattern_grid(
    kept: CollectionPatterns,
    picture: NDArray[np.uint8],
    on_progress: Callable[[float], None] = lambda fraction: None,
) -> Grid | None:
    """Return the grid that most tiles of one stored pattern form in a photograph [H, W, 3].

    Args:
        kept: The patterns of a collection.
        picture: The photograph.
        on_progress: Called with the fraction done.
    """
    grey = _grey(picture)
    scale = min(1.0, REDUCED / max(grey.shape))
    size = [max(1, round(scale * length)) for length in grey.shape[::-1]]
    small = np.asarray(cv2.resize(grey, size, interpolation=cv2.INTER_AREA), np.float32)
    best, found = 0.0, None
    for number in range(len(kept)):
        on_progress(number / len(kept))
        pictures = [_grey(kept.found.designs.pictures[each]) for each in kept.found[number].designs]
        sizes = sorted(_search(small, pictures), key=lambda each: -each.worth)
        for each in sizes[:TRIED]:
            cells, tiles = _grow(each)
            own = _within_wall(cells, each.surplus[tiles])
            cells, middles = cells[own], each.middles[tiles[own]]
            area = len(cells) * each.side**2
            if len(cells) >= FEWEST and area > best:
                grid = _fit(cells, (middles + 0.5) / scale - 0.5, each.side / scale)
                best, found = (area, grid) if grid is not None else (best, found)
    return found


def _search(small: NDArray[np.float32], pictures: list[NDArray[np.float32]]) -> Iterator[_Places]:
    """Yield the places where the pictures of a pattern's designs may lie, size by size."""
    size = float(SMALLEST)
    while size < min(LARGEST, *small.shape):
        side = round(size)
        alike = np.full(np.array(small.shape) - side + 1, -1, np.float32)
        for picture in pictures:
            tile = cv2.resize(picture, (side, side), interpolation=cv2.INTER_AREA)
            for quarters in range(4):
                turned = np.rot90(tile, quarters).copy()
                here = cv2.matchTemplate(small, turned, cv2.TM_CCOEFF_NORMED)
                np.maximum(alike, here, out=alike)
        around = np.ones((2 * (side // 3) + 1,) * 2, np.uint8)
        y, x = np.nonzero((alike == cv2.dilate(alike, around)) & (alike >= ALIKE))
        order = np.argsort(-alike[y, x], kind="stable")[:MOST]
        middles = np.stack([x, y], axis=1)[order].astype(np.float64) + (side - 1) / 2
        surplus = alike[y, x][order].astype(np.float64) - ALIKE
        yield _Places(side, middles, surplus, float(side**2 * (alike[y, x] - ALIKE).sum()))
        size = max(size * STEP, size + 1)


def _grow(places: _Places) -> tuple[Points, NDArray[np.int64]]:
    """Grow a grid from the likeliest place; return each tile's col and row, and its number."""
    if not len(places.middles):
        return np.empty((0, 2)), np.empty(0, int)
    at = {(0, 0): 0}
    steps = {0: places.side * np.eye(2)}  # to the next col, and to the next row
    queue = [(0, 0)]
    for col, row in queue:
        tile = at[col, row]
        for axis, sign in ((0, 1), (0, -1), (1, 1), (1, -1)):
            there = (col + sign, row) if axis == 0 else (col, row + sign)
            wanted = places.middles[tile] + sign * steps[tile][axis]
            off = np.abs(places.middles - wanted).max(axis=1)
            other = int(off.argmin())
            if there in at or other in steps or off[other] > NEAR * places.side:
                continue
            step = steps[tile].copy()
            step[axis] = (step[axis] + sign * (places.middles[other] - places.middles[tile])) / 2
            at[there], steps[other] = other, step
            queue.append(there)
    return np.array(list(at), float), np.array(list(at.values()))


def _within_wall(cells: Points, surplus: NDArray[np.float64]) -> NDArray[np.bool_]:
    """Return which tiles [n, 2] (col, row) remain without sparse, poorly matching outer lines.

    What lies around a wall is like a tile here and there, in part of it.
    """
    own = np.ones(len(cells), bool)
    while own.any():
        low, high = cells[own].min(axis=0), cells[own].max(axis=0)
        least = FILLED * np.median(surplus[own]) * (high - low + 1)[::-1]
        outer = [(cells[:, axis] == end[axis]) & own for end in (low, high) for axis in (0, 1)]
        poor = [line for line, part in zip(outer, [*least, *least], strict=True)
                if surplus[line].sum() < part]  # fmt: skip
        if not poor:
            break
        own &= ~poor[0]
    return own


def _fit(cells: Points, middles: Points, side: float) -> Grid | None:
    """Return the grid whose tiles [n, 2] (col, row) have their middles at pixels [n, 2]."""
    matrix, _ = cv2.findHomography(cells, middles, cv2.RANSAC, NEAR * side)
    if matrix is None:
        return None
    (left, top), (right, bottom) = cells.min(axis=0), cells.max(axis=0)
    lines = np.meshgrid(np.arange(left, right + 2) - 0.5, np.arange(top, bottom + 2) - 0.5)
    places = np.stack(lines, axis=-1)
    seen = cv2.perspectiveTransform(places.reshape(1, -1, 2), matrix)
    crossings = np.asarray(seen, np.float64).reshape(places.shape)
    rows, cols = places.shape[0] - 1, places.shape[1] - 1
    return Grid(crossings, np.zeros((rows, cols + 1)), np.zeros((rows + 1, cols)), 1.0)


def _grey(picture: NDArray[np.uint8]) -> NDArray[np.float32]:
    grey = cv2.cvtColor(np.ascontiguousarray(picture), cv2.COLOR_RGB2GRAY)
    return np.asarray(grey, np.float32)
