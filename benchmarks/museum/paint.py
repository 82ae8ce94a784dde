"""Paint the tiles of a planned panel: crop, colour as azulejos, cut, age, trim, turn.

A tile is resampled from its own cell alone and aged alone, so that two neighbours have nothing in
common but the picture. Colours are distributed nearly as in training.
"""

from dataclasses import dataclass
from functools import lru_cache
from math import exp
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray
from plan import Crop, count_present

from azulejar.imaging.picture import read_picture, resize_square
from azulejar.practice.puzzles import cut
from azulejar.practice.wear import age_tiles

TRIM = 0.03
SMALLEST, LARGEST = 64, 100  # pixels of a tile's photograph
SHADE = 1.25  # tiles: light and shade broader than this is flattened
ALL_BLUE, PARTLY = 0.72, 0.12  # shares of panels turned blue on white, and half so


@dataclass(frozen=True)
class Style:
    """How a panel was painted and photographed.

    ``flatten`` is the share of broad light and shade that is removed; ``contrast``, ``light`` and
    ``gamma`` set the tone, ``dark``, ``middle`` and ``white`` its colours; ``mix`` is their share,
    the rest is left as in the picture. ``size`` is that of a tile's photograph, in pixels, and
    ``wear`` the range of the strength of ageing.
    """

    flatten: float
    contrast: float
    light: float
    gamma: float
    dark: NDArray[np.float64]
    middle: NDArray[np.float64]
    white: NDArray[np.float64]
    mix: float
    size: int
    wear: tuple[float, float]

    @classmethod
    def random(cls, rng: np.random.Generator) -> "Style":
        """Draw a style nearly as training does: mostly cobalt or manganese on white."""
        flatten = rng.uniform(0, 0.9)
        tone = rng.uniform(0.2, 0.45), rng.uniform(0.3, 0.7), exp(rng.uniform(-0.35, 0.35))
        colours = _ramp(rng)
        kind, partly = rng.random(), rng.uniform(0.3, 0.9)
        mix = 1.0 if kind < ALL_BLUE else partly if kind < ALL_BLUE + PARTLY else 0.0
        size = int(rng.integers(SMALLEST, LARGEST + 1))
        return cls(flatten, *tone, *colours, mix, size, (0.7, 1.3))


# One workshop, one photographer: only the picture tells such panels apart.
ALIKE = Style(
    0.5, 0.33, 0.55, 1.0,
    np.array([0.12, 0.2, 0.55]), np.array([0.5, 0.56, 0.75]), np.array([0.9, 0.91, 0.92]),
    1.0, 80, (1.0, 1.0),
)  # fmt: skip


def draw_tiles(
    crop: Crop, rng: np.random.Generator, style: Style | None = None
) -> tuple[list[NDArray[np.uint8]], NDArray[np.int64], NDArray[np.int64]]:
    """Return photographs of the tiles that are left, the cell of each, and its turn in quarters.

    The turn brings a tile upright again, clockwise. Real panels are whole and worn as they are; the
    others have a random style if none is given.
    """
    picture = _picture(crop.picture)
    wide, tall = crop.cols * crop.tile, crop.rows * crop.tile
    part = picture[crop.top : crop.top + tall, crop.left : crop.left + wide]
    count = crop.rows * crop.cols
    if crop.kind == "real":
        tiles = cut(part, crop.rows, crop.cols, TRIM, SMALLEST)
        cells = np.arange(count)
    else:
        style = style or Style.random(rng)
        whole = picture if count == 1 else part
        part = _paint(_flatten_shade(part, crop.tile, style.flatten), whole, style)
        cells = np.sort(rng.permutation(count)[: count_present(crop.rows, crop.cols)])
        side = round(style.size / (1 - 2 * TRIM))
        tiles = cut(part, crop.rows, crop.cols, tile_size=side)[cells]
        tiles = _trim(age_tiles(tiles, rng, rng.uniform(*style.wear)), style.size)
    turn = rng.integers(0, 4, len(cells))
    return [np.rot90(*pair) for pair in zip(tiles, turn, strict=True)], cells, turn


@lru_cache(maxsize=8)
def _picture(path: Path) -> NDArray[np.uint8]:
    return read_picture(path)


def _trim(tiles: NDArray[np.uint8], size: int) -> NDArray[np.uint8]:
    lost = TRIM * tiles.shape[1]
    box = (lost, lost, tiles.shape[1] - lost, tiles.shape[1] - lost)
    return np.stack([resize_square(tile, size, box) for tile in tiles])


def _flatten_shade(part: NDArray[np.uint8], tile: int, share: float) -> NDArray[np.float32]:
    """Return pixels from 0 to 1 with less broad shade: painters leave the ground white."""
    pixels = part.astype(np.float32) / 255
    height, width = part.shape[:2]
    few = (max(round(width / tile / SHADE), 1), max(round(height / tile / SHADE), 1))
    broad = cv2.resize(pixels, few, interpolation=cv2.INTER_AREA)
    broad = cv2.resize(broad, (width, height), interpolation=cv2.INTER_LINEAR)
    taken = np.float32(share) * (few != (1, 1))
    return np.asarray(pixels - taken * (broad - broad.mean((0, 1))), np.float32)


def _paint(
    pixels: NDArray[np.float32], whole: NDArray[np.uint8], style: Style
) -> NDArray[np.uint8]:
    """Paint in the colours of a style; light and contrast are measured on ``whole``."""
    light = _light(pixels)
    measured = _light(whole.astype(np.float32) / 255)
    light = (light - measured.mean()) / max(float(measured.std()), 0.05)
    light = np.clip(light * style.contrast + style.light, 0, 1) ** style.gamma
    light = light[..., None]
    ramp = (1 - light) ** 2 * style.dark + 2 * light * (1 - light) * style.middle
    ramp = ramp + light**2 * style.white
    mixed = pixels * (1 - style.mix) + ramp * style.mix
    return np.round(np.clip(mixed, 0, 1) * 255).astype(np.uint8)


def _light(pixels: NDArray[np.float32]) -> NDArray[np.float32]:
    return np.asarray(pixels @ np.array([0.3, 0.59, 0.11], np.float32))


def _ramp(rng: np.random.Generator) -> tuple[NDArray, NDArray, NDArray]:
    """Draw the darkest, middle and lightest colour."""
    cobalt = rng.uniform((0.05, 0.02, 0.4), (0.25, 0.14, 0.68))
    cobalt[1] += cobalt[0]  # greener than red, or it would be violet
    manganese = rng.uniform((0.2, 0.1, 0.08), (0.45, 0.3, 0.35))
    dark = cobalt if rng.random() < 0.88 else manganese
    white = np.clip(rng.uniform(0.72, 0.98) + rng.uniform(-0.05, 0.05, 3), 0, 1)
    middle = (dark + white) / 2 + rng.uniform(-0.12, 0.12) + rng.uniform(-0.05, 0.05, 3)
    return dark, middle, white
