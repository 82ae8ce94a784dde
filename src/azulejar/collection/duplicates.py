"""Duplicates: the same tile photographed twice, under two inventory numbers.

Two photographs of one tile agree in everything but light, colour cast, a turn and a slight shift.
Small copies find the pairs that may be meant, in all turns; then the finest strokes decide, since
tiles of one pattern look alike at a glance and differ in the hand that painted them. Plain tiles
cannot be told apart, so they are never reported.
"""

import cv2
import numpy as np
from numpy.typing import NDArray

from azulejar.core.edges import turn_picture
from azulejar.patterns.likeness import distance_factors, principal_directions
from azulejar.system.compiling import lean
from azulejar.system.threads import share_out

CELLS = 10  # rows and cols of the small copy
DIRECTIONS = 32  # principal directions that are compared at first; the rest only adds distance
FARTHEST = 0.6  # distance of two small copies, each of length 1
PLAIN = 4.0  # standard deviation of a small copy, in grey levels; below, a tile is plain
FINE, COARSE = 0.7, 2.5  # pixels; strokes between these are compared
FAINT = 2.0  # grey levels; fainter strokes are mostly noise
SHIFT = 2  # pixels by which two photographs may be off
ALIKE = 0.78  # least correlation of the finest strokes of duplicates
LEAD = 0.1  # by which it must exceed the correlation with any third tile
NEAREST = 8  # nearest tiles of each that are compared closely
CROWD = 256  # tiles; a tile that is near to more shows a common pattern and cannot be judged
ROUNDING = 1e-4
BLOCK = 512  # tiles, or pairs, handled at a time


def find_duplicates(pixels: NDArray[np.uint8]) -> list[tuple[int, int]]:
    """Return the pairs of tiles [n, S, S, 3] that show the same, in rising order."""
    one, other, quarters = _find_near(_small_copies(pixels))
    likeness = _compare_strokes(pixels, one, other, quarters)
    chosen = _select_duplicates(len(pixels), one, other, likeness)
    return sorted(set(zip(one[chosen].tolist(), other[chosen].tolist(), strict=True)))


def _small_copies(pixels: NDArray[np.uint8]) -> NDArray[np.float32]:
    """Shrink tiles to [n, CELLS, CELLS, 3], without brightness and contrast; plain ones to 0."""
    n, size = pixels.shape[:2]
    cell = size // CELLS
    rim = (size - cell * CELLS) // 2
    inner = pixels[:, rim : rim + cell * CELLS, rim : rim + cell * CELLS]
    cells = inner.reshape(n, CELLS, cell, CELLS, cell, 3)
    small = np.empty((n, CELLS, CELLS, 3), np.float32)
    for start in range(0, n, BLOCK):
        rows = slice(start, start + BLOCK)
        small[rows] = cells[rows].mean(axis=(2, 4), dtype=np.float32)
    small -= small.mean(axis=(1, 2), keepdims=True)
    deviation = np.sqrt((small**2).mean(axis=(1, 2, 3), keepdims=True))
    scale = np.where(deviation < PLAIN, 0, 1 / np.maximum(deviation, 1e-6))
    return small * (scale / np.sqrt(np.float32(CELLS * CELLS * 3)))


def _find_near(small: NDArray[np.float32]) -> tuple[NDArray[np.int64], ...]:
    """Return tiles, later tiles, and clockwise quarters at which their small copies are near.

    Leaving directions out can only bring two copies nearer, so no pair is missed.
    """
    shape = len(small), CELLS * CELLS * 3
    flat = [np.rot90(small, -quarters, axes=(1, 2)).reshape(shape) for quarters in range(4)]
    busy = np.flatnonzero(flat[0].any(axis=1))
    basis = principal_directions(flat[0][busy], DIRECTIONS)
    factors = [distance_factors(copies @ basis) for copies in flat]
    found = []
    for start in range(0, len(busy), BLOCK):
        rows, later = busy[start : start + BLOCK], busy[start:]
        for quarters in range(4):
            near = factors[0][0][rows] @ factors[quarters][1][later].T <= FARTHEST**2 + ROUNDING
            near[near.sum(axis=1) > CROWD] = False
            a, b = np.nonzero(near)
            a, b = rows[a], later[b]
            a, b = a[a < b], b[a < b]
            distance = ((flat[0][a] - flat[quarters][b]) ** 2).sum(axis=1)
            found.append(np.stack([a, b, np.full(len(a), quarters), distance]))
    pairs = np.concatenate(found, axis=1) if found else np.empty((4, 0))
    pairs = pairs[:, pairs[3] <= FARTHEST**2]
    one, other, quarters = pairs[:3].astype(np.int64)
    kept = _among_nearest(one, other, pairs[3]) | _among_nearest(other, one, pairs[3])
    return one[kept], other[kept], quarters[kept]


def _among_nearest(
    tile: NDArray[np.int64], other: NDArray[np.int64], distance: NDArray[np.float64]
) -> NDArray[np.bool_]:
    """Return which pairs are among the NEAREST of their ``tile``."""
    order = np.lexsort((other, distance, tile))
    first = np.searchsorted(tile[order], tile[order])
    near = np.empty(len(tile), bool)
    near[order] = np.arange(len(tile)) - first < NEAREST
    return near


def _compare_strokes(
    pixels: NDArray[np.uint8],
    one: NDArray[np.int64],
    other: NDArray[np.int64],
    quarters: NDArray[np.int64],
) -> NDArray[np.float32]:
    """Return the correlation of the finest strokes of each pair at the best shift: [pairs]."""
    likeness = np.empty(len(one), np.float32)

    def compare(first: int, stop: int) -> None:
        own = _strokes(pixels[one[first:stop]])
        turned = zip(pixels[other[first:stop]], quarters[first:stop].tolist(), strict=True)
        theirs = _strokes(np.stack([turn_picture(tile, turn) for tile, turn in turned]))
        _correlate(own, theirs, SHIFT, likeness[first:stop])

    share_out(compare, len(one), BLOCK)
    return likeness


def _strokes(pixels: NDArray[np.uint8]) -> NDArray[np.float32]:
    """Return the finest strokes of tiles, light against dark, equally strong everywhere: [n, S, S].

    Otherwise the outlines of stripes and borders, which many tiles share, would dominate.
    """
    strokes = pixels.mean(axis=3, dtype=np.float32)
    for i, grey in enumerate(strokes):
        stroke = cv2.GaussianBlur(grey, (0, 0), FINE) - cv2.GaussianBlur(grey, (0, 0), COARSE)
        strokes[i] = stroke / (np.sqrt(cv2.GaussianBlur(stroke**2, (0, 0), COARSE)) + FAINT)
    return strokes


@lean
def _correlate(own, theirs, shift, likeness):
    """Fill ``likeness`` [pairs] with the best correlation at shifts of up to ``shift`` pixels."""
    size = own.shape[1]
    for pair in range(len(own)):
        likeness[pair] = -1
        for down in range(-shift, shift + 1):
            for right in range(-shift, shift + 1):
                both, one, other = 0.0, 1e-9, 1e-9
                for row in range(shift, size - shift):
                    for col in range(shift, size - shift):
                        a, b = own[pair, row, col], theirs[pair, row + down, col + right]
                        both += a * b
                        one += a * a
                        other += b * b
                likeness[pair] = max(likeness[pair], both / np.sqrt(one * other))


def _select_duplicates(
    n: int, one: NDArray[np.int64], other: NDArray[np.int64], likeness: NDArray[np.float32]
) -> NDArray[np.int64]:
    """Return the pairs that are alike, and more so than either is with any third tile."""
    best, second = np.zeros((2, n), np.float32)
    partner = np.full(n, -1)
    for i in np.argsort(-likeness, kind="stable").tolist():
        for tile, third in ((one[i], other[i]), (other[i], one[i])):
            if partner[tile] < 0:
                partner[tile], best[tile] = third, likeness[i]
            elif partner[tile] != third:
                second[tile] = max(second[tile], likeness[i])
    rival = np.maximum(second[one], second[other])
    first = (partner[one] == other) & (best[one] == likeness)
    return np.flatnonzero(first & (likeness >= ALIKE) & (likeness >= rival + LEAD))
