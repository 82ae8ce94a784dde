"""Make textures to lay tiles on, from noise alone: float32 [H, W, 3] from 0 to 255."""

from collections.abc import Callable

import cv2
import numpy as np
from numpy.typing import NDArray

Texture = NDArray[np.float32]
Random = np.random.Generator

DARK_CLOTHS = ((28, 28, 32), (26, 34, 60), (62, 20, 26), (30, 48, 38))
LIGHT_CLOTHS = ((176, 164, 142), (150, 152, 156), (196, 188, 172), (138, 108, 84))
WOODS = ((168, 122, 78), (112, 74, 46), (202, 168, 122), (84, 60, 44))
PAPERS = ((238, 237, 232), (232, 226, 212), (244, 244, 244))


def dark_cloth(random: Random, shape: tuple[int, int]) -> Texture:
    """Make woven cloth of a dark colour, with folds."""
    return _cloth(random, shape, DARK_CLOTHS)


def light_cloth(random: Random, shape: tuple[int, int]) -> Texture:
    """Make woven cloth of a light or middle colour, with folds."""
    return _cloth(random, shape, LIGHT_CLOTHS)


def wood(random: Random, shape: tuple[int, int]) -> Texture:
    """Make planks with grain along them and dark gaps between."""
    height = shape[0]
    colour = _pick(random, WOODS)
    bend = 18 * smooth_noise(random, shape, 3)
    y = np.arange(height, dtype=np.float32)[:, None] + bend
    plank = random.uniform(0.18, 0.4) * height
    number = np.floor(y / plank).astype(int) % 16
    rings = np.sin(y / random.uniform(5, 9) + 5 * smooth_noise(random, shape, 5))
    fibre = cv2.blur(random.normal(0, 1, shape).astype(np.float32), (61, 1)) * 7
    tone = 1 + 0.05 * rings + 0.05 * fibre + random.normal(0, 0.06, 16)[number]
    gap = np.minimum(y % plank, plank - y % plank)
    return _colour(colour, tone * (1 - 0.65 * np.exp(-((gap / 1.8) ** 2))))


def paper(random: Random, shape: tuple[int, int]) -> Texture:
    """Make white or cream paper with faint fibres."""
    fibres = cv2.GaussianBlur(random.normal(0, 1, shape).astype(np.float32), (0, 0), 1.2) * 3
    return _colour(
        _pick(random, PAPERS), 1 + 0.006 * fibres + 0.01 * smooth_noise(random, shape, 4)
    )


def scanner(random: Random, shape: tuple[int, int]) -> Texture:
    """Make the lid of a scanner, white or black, with a little dust."""
    colour = np.array([246, 246, 246] if random.random() < 0.5 else [18, 18, 20], np.float32)
    dust = (random.random(shape) < 2e-5).astype(np.float32)
    dust = cv2.GaussianBlur(dust, (0, 0), 1.0) * 6 * (128 - colour[0])
    return _colour(colour, np.ones(shape, np.float32)) + dust[..., None]


def smooth_noise(random: Random, shape: tuple[int, int], patches: int) -> NDArray[np.float32]:
    """Return noise [H, W] of about unit strength, with so many patches across."""
    coarse = random.normal(0, 1, (patches, patches)).astype(np.float32)
    return np.asarray(cv2.resize(coarse, shape[::-1], interpolation=cv2.INTER_CUBIC), np.float32)


def _cloth(random: Random, shape: tuple[int, int], colours: tuple) -> Texture:
    height, width = shape
    pitch = random.uniform(3.5, 7)
    x = np.arange(width, dtype=np.float32) + 3 * smooth_noise(random, shape, 6)
    y = np.arange(height, dtype=np.float32)[:, None] + 3 * smooth_noise(random, shape, 6)
    weave = np.sin(2 * np.pi * x / pitch) * np.sin(2 * np.pi * y / pitch)
    yarn = sum(
        cv2.blur(random.normal(0, 4, shape).astype(np.float32), way) for way in ((15, 1), (1, 15))
    )
    folds = smooth_noise(random, shape, 5)
    coarse = random.uniform(0.04, 0.12)
    return _colour(_pick(random, colours), 1 + coarse * weave + 0.04 * yarn + 0.05 * folds)


def _pick(random: Random, colours: tuple) -> NDArray[np.float32]:
    chosen = np.array(colours[random.integers(len(colours))]) * random.uniform(0.9, 1.08)
    return chosen.astype(np.float32)


def _colour(colour: NDArray[np.float32], tone: NDArray[np.floating]) -> Texture:
    return (colour * tone[..., None]).astype(np.float32)


TEXTURES: dict[str, Callable[[Random, tuple[int, int]], Texture]] = {
    "dark cloth": dark_cloth,
    "light cloth": light_cloth,
    "wood": wood,
    "paper": paper,
    "scanner": scanner,
}
