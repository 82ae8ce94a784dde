"""Take tiles, corners and painting away from a puzzle, after Dirauf et al. 2025.

With the same seed, a larger share takes everything that a smaller share takes, and more.
"""

import cv2
import numpy as np
from numpy.typing import NDArray

from azulejar.core.assembly import Assembly
from azulejar.errors import AzulejarError

BISCUIT = np.array([[206, 170, 138], [186, 136, 106], [214, 192, 164]])  # bare fired clay
CRUST = np.array([[168, 158, 140], [122, 108, 90], [104, 98, 92], [150, 116, 82]])
OCTAVES = {4: 1.2, 9: 0.65, 19: 0.4}  # patches across a tile, and their strength
CHIP = (0.1, 0.25)  # of the side: legs of a broken corner
RAGGED = 0.06  # of its legs: how far a break departs from a straight line
RIM = 0.035  # width of a hole's or a stain's rim, in tiles


def take_away(
    pixels: NDArray[np.uint8], truth: Assembly, fraction: float, seed: int
) -> tuple[NDArray[np.uint8], Assembly]:
    """Remove that fraction of a puzzle's tiles ``pixels`` [n, S, S, 3]; return the rest with truth.

    At least one tile is taken, unless the fraction is 0, and at least one stays. An assembly's box
    starts at its first tile, so a tile is kept in the first and last row and col where possible
    (fewer than four tiles cannot always do that), and no place changes.
    """
    _check(fraction)
    n = len(pixels)
    count = min(max(round(n * fraction), 1), n - 1) if fraction else 0
    order = np.random.default_rng(seed).permutation(n)
    ends = (truth.row, 0), (truth.row, truth.rows - 1), (truth.col, 0), (truth.col, truth.cols - 1)
    holders = [order[line[order] == end][0] for line, end in ends]
    last_to_go = order[np.argsort(~np.isin(order, holders), kind="stable")]
    left = np.sort(last_to_go[: n - count])
    return pixels[left], Assembly.of(truth.row[left], truth.col[left], truth.turn[left])


def stain(pixels: NDArray[np.uint8], share: float, seed: int) -> NDArray[np.uint8]:
    """Remove the painting from that share of the area of each tile uint8 [n, S, S, 3].

    The loss lies anywhere, also over the edges: half of the tiles are chipped down to the clay,
    half lie under a crust of old mortar, soot or rust.
    """
    _check(share)
    random = np.random.default_rng(seed)
    return np.stack([_stain_tile(tile, share, random) for tile in pixels])


def break_corners(pixels: NDArray[np.uint8], count: int, seed: int) -> NDArray[np.uint8]:
    """Break ``count`` corners off tiles uint8 [n, S, S, 3]; return them with alpha [n, S, S, 4]."""
    n, size = pixels.shape[:2]
    if not 0 <= count <= 4 * n:
        raise AzulejarError(
            "corners-out-of-range",
            "{tiles} tiles cannot lose {count} corners.",
            "Give a number from 0 to {most}.",
            tiles=n,
            count=count,
            most=4 * n,
        )
    random = np.random.default_rng(seed)
    place = np.moveaxis(np.mgrid[:size, :size], 0, -1) / (size - 1)
    kept = np.full((n, size, size, 1), 255, np.uint8)
    for tile, corner in zip(*np.divmod(random.permutation(4 * n)[:count], 4), strict=True):
        away = np.abs(place - np.divmod(corner, 2)) / random.uniform(*CHIP, 2)
        kept[tile][away.sum(axis=-1) < 1 + RAGGED * _patches(size, random)] = 0
    return np.concatenate([pixels, kept], axis=-1)


def _check(share: float) -> None:
    if not 0 <= share <= 1:
        raise AzulejarError(
            "loss-out-of-range",
            "A share of {share} cannot be lost.",
            "Give one from 0 to 1.",
            share=share,
        )


def _stain_tile(tile: NDArray[np.uint8], share: float, random: np.random.Generator) -> NDArray:
    """Remove the painting from that share of one tile [S, S, 3]."""
    size = len(tile)
    resistance = _resistance(size, random)
    lost = np.zeros((size, size), np.uint8)
    lost.flat[np.argsort(resistance, axis=None)[: round(share * size * size)]] = 1
    # The rim is alike all around: a shadow would tell how the tile was turned.
    depth = cv2.distanceTransform(np.pad(lost, 1, mode="edge"), cv2.DIST_L2, 3)[1:-1, 1:-1]
    rim = np.exp(-depth / (RIM * size))
    paint = (_biscuit if random.random() < 0.5 else _crust)(size, rim, random)
    return np.where(lost[..., None] == 1, np.clip(np.round(paint), 0, 255), tile).astype(np.uint8)


def _resistance(size: int, random: np.random.Generator) -> NDArray[np.float64]:
    """Return how long each place [size, size] keeps its painting: least at one to three centres.

    Distances count by their logarithm, so that a small loss is as ragged as a large one.
    """
    place = np.moveaxis(np.mgrid[:size, :size], 0, -1) / size
    stretch = np.eye(2) + random.normal(0, 0.3, (2, 2))
    centres = random.random((3, 2))
    lag = np.array([0, *random.uniform(0.4, 2.5, 2)])
    away = np.linalg.norm((place[:, :, None] - centres) @ stretch, axis=-1)
    return (np.log(away + 0.02) + lag).min(axis=-1) + 0.28 * _patches(size, random)


def _biscuit(size: int, rim: NDArray, random: np.random.Generator) -> NDArray:
    """Paint bare clay [size, size, 3], grainy and pitted, shaded by the glaze around it."""
    clay = random.choice(BISCUIT) * random.normal(1, 0.04)
    grain = 0.05 * _patches(size, random) + random.normal(0, 0.025, (size, size))
    return clay * (1 + grain - 0.32 * rim)[..., None]


def _crust(size: int, rim: NDArray, random: np.random.Generator) -> NDArray:
    """Paint a crust on the glaze [size, size, 3], blotchy, darker where it dried last."""
    crust = random.choice(CRUST) * random.normal(1, 0.06)
    blotches = 0.07 * _patches(size, random) + random.normal(0, 0.012, (size, size))
    return crust * (1 + blotches - 0.16 * rim)[..., None]


def _patches(size: int, random: np.random.Generator) -> NDArray[np.float64]:
    """Return smooth noise [size, size] of about unit strength."""
    noise = np.zeros((size, size))
    for count, strength in OCTAVES.items():
        coarse = random.normal(0, strength, (count, count))
        noise += cv2.resize(coarse, (size, size), interpolation=cv2.INTER_CUBIC)
    return noise
