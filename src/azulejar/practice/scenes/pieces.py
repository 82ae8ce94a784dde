"""Pieces: tile pictures made into things of clay, with worn rims and chipped corners."""

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from azulejar.practice.scenes.textures import smooth_noise

CLAYS = ((190, 140, 108), (206, 176, 146), (168, 120, 92))


@dataclass(frozen=True)
class Piece:
    """What lies on the table: ``face`` float32 [S, S, 3] seen from above, ``solid`` float32
    [S, S] where there is clay at all, and the colour of the clay on its sides.
    """

    face: NDArray[np.float32]
    solid: NDArray[np.float32]
    clay: NDArray[np.float32]


def make_piece(tile: NDArray[np.uint8], random: np.random.Generator, size: int) -> Piece:
    """A piece from a tile's picture [s, s, 3], as worn as tiles off a wall are."""
    large = cv2.resize(tile, (size, size), interpolation=cv2.INTER_CUBIC)
    grain = random.normal(0, 6, (size, size, 3))
    face = large.astype(np.float32) + cv2.GaussianBlur(grain, (0, 0), 1.0)
    clay = np.array(CLAYS[random.integers(len(CLAYS))], np.float32)
    clay *= np.float32(random.uniform(0.85, 1.1))
    body = clay * (1 + 0.1 * smooth_noise(random, (size, size), 9))[..., None]
    body = body + random.normal(0, 4, (size, size, 1))
    worn = _rim(size, random) | _corners(size, random, chance=0.2, largest=0.16)
    face = np.where(
        cv2.GaussianBlur(worn.astype(np.float32), (0, 0), 0.8)[..., None] > 0.5, body, face
    )
    solid = 1 - _corners(size, random, chance=0.1, largest=0.14).astype(np.float32)
    return Piece(np.clip(face, 0, 255), solid, clay)


def _rim(size: int, random: np.random.Generator) -> NDArray[np.bool_]:
    """Glaze worn off along the sides, up to 1.2 % of the side deep, here and there."""
    depth = np.minimum(np.arange(size), np.arange(size)[::-1])
    distance = np.minimum(depth, depth[:, None]) + 0.5
    wear = random.uniform(-0.4, 0.8) + 0.6 * smooth_noise(random, (size, size), 12)
    return distance < 0.012 * size * np.clip(wear, 0, 1)


def _corners(
    size: int, random: np.random.Generator, chance: float, largest: float
) -> NDArray[np.bool_]:
    """Where something broke off: at each corner with that chance, ragged, up to ``largest``."""
    place = np.stack(np.meshgrid(np.arange(size), np.arange(size)), -1) / (size - 1)
    broken = np.zeros((size, size), bool)
    for corner in np.ndindex(2, 2):
        if random.random() < chance:
            legs = random.uniform(0.04, largest, 2)
            away = np.abs(place - corner) / legs
            ragged = 1 + 0.12 * smooth_noise(random, (size, size), 30)
            broken |= away.sum(axis=-1) < ragged
    return broken
