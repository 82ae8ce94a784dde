"""Add the wear of two centuries on a wall to clean tiles, each tile on its own.

Lengths are in units of 1/64 of a tile's side, so that wear looks alike at any size. In every
function ``tile`` is float32 [S, S, 3] from 0 to 255 and ``strength`` scales the wear: 0 leaves
the tile as it is, 1 gives a worn tile that is still easy to read.
"""

from collections.abc import Callable

import cv2
import numpy as np
from numpy.typing import NDArray

Tile = NDArray[np.float32]
Wear = Callable[[Tile, np.random.Generator, float], Tile]

UNITS = 64
TERRACOTTA = np.array([188, 128, 94], np.float32)
GRIME = np.array([104, 94, 80], np.float32)
CRACKLE = np.array([112, 108, 104], np.float32)


def age_tiles(
    pixels: NDArray[np.uint8], rng: np.random.Generator, strength: float = 1.0
) -> NDArray[np.uint8]:
    """Return tiles uint8 [n, S, S, 3] fired unevenly, set askew, chipped, cracked and dirty."""
    if strength == 0:
        return pixels.copy()
    aged = np.empty_like(pixels)
    for k, clean in enumerate(pixels):
        tile = clean.astype(np.float32)
        for wear in WEAR:
            tile = wear(tile, rng, strength)
        aged[k] = np.clip(np.round(tile), 0, 255)
    return aged


def move(tile: Tile, rng: np.random.Generator, strength: float) -> Tile:
    """Shift, scale, turn and skew the tile, together by about half a unit."""
    size = len(tile)
    middle = (size - 1) / 2
    matrix = np.eye(2) + strength * rng.normal(0, 0.003, (2, 2))
    shift = strength * rng.normal(0, 0.2, 2) * size / UNITS
    offset = middle - matrix @ [middle, middle] + shift
    warp = np.column_stack([matrix, offset])
    moved = cv2.warpAffine(tile, warp, (size, size), borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(moved, np.float32)


def soften(tile: Tile, rng: np.random.Generator, strength: float) -> Tile:
    """Blur the tile by at most half a unit, as worn glaze does."""
    sigma = strength * rng.uniform(0.1, 0.5) * len(tile) / UNITS
    return np.asarray(cv2.GaussianBlur(tile, (0, 0), sigma), np.float32)


def light(tile: Tile, rng: np.random.Generator, strength: float) -> Tile:
    """Make the tile brighter or darker, and light it unevenly from one side to the other."""
    ramp = np.linspace(-1, 1, len(tile), dtype=np.float32)
    across, down = strength * rng.normal(0, 0.02, 2)
    gain = 1 + strength * rng.normal(0, 0.035) + across * ramp + down * ramp[:, None]
    return tile * gain[:, :, None].astype(np.float32)


def tint(tile: Tile, rng: np.random.Generator, strength: float) -> Tile:
    """Tint the tile like glaze of another batch: warmer or cooler, more often yellowed."""
    warmth = strength * rng.normal(0.012, 0.012)
    veil = strength * rng.normal(0, 0.004, 3)
    return tile * (1 + veil + warmth * np.array([0.5, 0.2, -1])).astype(np.float32)


def crack(tile: Tile, rng: np.random.Generator, strength: float) -> Tile:
    """Draw crackle: a few hair-fine lines that wander across the glaze."""
    size = len(tile)
    mask = np.zeros((size, size), np.uint8)
    for _ in range(rng.poisson(3 * strength)):
        steps = rng.normal(0, 0.5, 14).cumsum() + rng.uniform(0, 2 * np.pi)
        walk = np.stack([np.cos(steps), np.sin(steps)], axis=1).cumsum(0) * size / 14
        points = np.round((walk + rng.uniform(0, size, 2)) * 16).astype(np.int32)
        cv2.polylines(mask, [points], False, int(rng.integers(40, 110)), 1, cv2.LINE_AA, 4)
    return _blend(tile, CRACKLE, mask.astype(np.float32) / 255)


def soil(tile: Tile, rng: np.random.Generator, strength: float) -> Tile:
    """Add grime that creeps unevenly from the joints a unit or two onto the glaze."""
    size = len(tile)
    depth = np.minimum(np.arange(size), np.arange(size)[::-1]) * UNITS / size
    distance = np.minimum(depth, depth[:, None])
    patches = cv2.resize(rng.uniform(0.1, 1, (7, 7)), (size, size), interpolation=cv2.INTER_LINEAR)
    cover = 0.45 * strength * patches * np.exp(-distance / 1.1)
    return _blend(tile, GRIME, cover)


def chip(tile: Tile, rng: np.random.Generator, strength: float) -> Tile:
    """Break, now and then, a chip off an edge or a corner, down to the terracotta."""
    size = len(tile)
    mask = np.zeros((size, size), np.uint8)
    for _ in range(rng.poisson(0.25 * strength)):
        place = rng.uniform(0, 1, 2)
        side = rng.integers(2)
        place[side] = np.round(place[side])
        if rng.random() < 0.35:
            place = np.round(place)
        angle = np.linspace(0, 2 * np.pi, 11, endpoint=False)
        radius = rng.uniform(2, 5.5) * rng.uniform(0.6, 1.2, 11) * size / UNITS
        rim = place * (size - 1) + radius[:, None] * np.stack([np.cos(angle), np.sin(angle)], 1)
        cv2.fillPoly(mask, [np.round(rim * 16).astype(np.int32)], 255, cv2.LINE_AA, 4)
    body = TERRACOTTA * rng.normal(1, 0.06, (size, size, 1)).astype(np.float32)
    return _blend(tile, body, mask.astype(np.float32) / 255)


def grain(tile: Tile, rng: np.random.Generator, strength: float) -> Tile:
    """Add the noise of the surface and of the photograph."""
    return tile + rng.normal(0, 2.0 * strength, tile.shape).astype(np.float32)


def _blend(tile: Tile, colour: NDArray[np.float32], cover: NDArray[np.floating]) -> Tile:
    """Cover the tile with a colour to the degree of ``cover`` [S, S], from 0 to 1."""
    return tile + cover[:, :, None].astype(np.float32) * (colour - tile)


# The tile itself first, then its damage, and last the light and grain of its photograph.
WEAR: tuple[Wear, ...] = (move, soften, tint, crack, soil, chip, light, grain)
