"""Break painted tiles into fragments, as they fall from a wall."""

from collections.abc import Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from azulejar.errors import AzulejarError

MOST = 5  # fragments of a tile
SMALLEST = 0.07  # of the tile: what is smaller is lost, not found
BEND, RAGGED = 0.07, 0.012  # of the side: how far a break departs from a straight line
CHIPPED = (0.0, 0.012)  # of the side: glaze that is lost along a break
TRIES = 200

Picture = NDArray[np.uint8]


def break_tile(tile: Picture, count: int, random: np.random.Generator) -> list[Picture]:
    """Break a tile uint8 [S, S, 3] into ``count`` fragments [S, S, 4], each where it was.

    Breaks run half way between ``count`` points, bent and ragged. Alpha is 0 outside of a fragment,
    also where glaze has chipped off along a break.
    """
    if not 2 <= count <= MOST:
        raise AzulejarError(
            "fragments-out-of-range",
            "A tile cannot be broken into {count} fragments.",
            "Give a number from 2 to {most}.",
            count=count,
            most=MOST,
        )
    size = len(tile)
    for _ in range(TRIES):
        masks = [_largest(mask) for mask in _split(size, count, random)]
        if min(mask.mean() for mask in masks) >= SMALLEST:
            break
    return [np.dstack([tile, 255 * _chip(mask, random)]) for mask in masks]


def break_some(tiles: Sequence[Picture], count: int, seed: int) -> list[Picture]:
    """Break the last ``count`` of tiles [S, S, 3]; return the whole ones and then the fragments,
    shuffled, each in the middle of its picture [S, S, 4].
    """
    random = np.random.default_rng(seed)
    broken = [
        centred(fragment)
        for tile in tiles[len(tiles) - count :]
        for fragment in break_tile(tile, int(random.integers(2, MOST + 1)), random)
    ]
    return [*tiles[: len(tiles) - count], *(broken[k] for k in random.permutation(len(broken)))]


def centred(fragment: Picture) -> Picture:
    """Move a fragment [S, S, 4] to the middle of its picture."""
    rows, cols = (np.flatnonzero(fragment[..., 3].any(axis=axis)) for axis in (1, 0))
    middle = (len(fragment) - 1) // 2
    shift = middle - (rows[0] + rows[-1]) // 2, middle - (cols[0] + cols[-1]) // 2
    return np.roll(fragment, shift, axis=(0, 1))


def _split(size: int, count: int, random: np.random.Generator) -> list[NDArray[np.uint8]]:
    """Return masks [size, size] of the places nearest to each of ``count`` random points."""
    points = random.uniform(0.1, 0.9, (count, 2))
    place = np.moveaxis(np.mgrid[:size, :size], 0, -1) / size
    for patches, depth in ((3, BEND), (9, BEND / 3), (32, RAGGED)):
        coarse = random.normal(0, depth, (patches, patches, 2))
        place = place + cv2.resize(coarse, (size, size), interpolation=cv2.INTER_CUBIC)
    nearest = np.linalg.norm(place[:, :, None] - points, axis=-1).argmin(axis=-1)
    return [(nearest == point).astype(np.uint8) for point in range(count)]


def _largest(mask: NDArray[np.uint8]) -> NDArray[np.uint8]:
    _, labels, stats, _ = cv2.connectedComponentsWithStats(mask)
    if len(stats) == 1:
        return mask
    return (labels == 1 + stats[1:, cv2.CC_STAT_AREA].argmax()).astype(np.uint8)


def _chip(mask: NDArray[np.uint8], random: np.random.Generator) -> NDArray[np.uint8]:
    """Take a little glaze away along the breaks, more at some places than at others."""
    size = len(mask)
    # Beyond the sides of the tile the mask continues, so that these keep their glaze.
    depth = cv2.distanceTransform(np.pad(mask, 2, mode="edge"), cv2.DIST_L2, 3)[2:-2, 2:-2]
    wear = random.uniform(*CHIPPED, (12, 12)) * size
    return _largest((depth > cv2.resize(wear, (size, size))).astype(np.uint8))
