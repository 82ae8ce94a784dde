"""Firing: from ink to the colours of cobalt on tin glaze."""

import cv2
import numpy as np
from numpy.typing import NDArray

# Ink and the colour it fires to, from bare glaze to the deepest cobalt.
RAMP_INK = np.array([0.0, 0.15, 0.38, 0.62, 0.85, 1.0])
RAMP_RGB = np.array(
    [
        (245, 244, 238),
        (216, 226, 238),
        (142, 172, 217),
        (70, 108, 184),
        (30, 58, 136),
        (17, 32, 90),
    ],
    float,
)
# How far the ink creeps in the molten glaze, as a fraction of the tile's side.
BLEED = 0.6 / 64


def fired(
    ink: NDArray[np.float32], tile: int, size: tuple[int, int], rng: np.random.Generator
) -> NDArray[np.uint8]:
    """Ink [h, w] as an RGB picture of ``size`` (height, width), with tiles of ``tile`` pixels."""
    height, width = size
    shrunk = cv2.resize(ink, (width, height), interpolation=cv2.INTER_AREA)
    ink = 1.18 * np.asarray(cv2.GaussianBlur(shrunk, (0, 0), BLEED * tile), np.float32) ** 1.2
    pools = _patches(size, 0.3 * tile, rng)
    grains = _patches(size, 0.04 * tile, rng)
    # Pigment pools in the washes; bare glaze has no more than a breath of tone.
    ink = ink * (1 + 0.10 * pools + 0.07 * grains) + 0.022 * (1 + pools) + 0.008 * grains
    rgb = np.stack([np.interp(ink, RAMP_INK, RAMP_RGB[:, c]) for c in range(3)], axis=2)
    rgb += rng.normal(0, 1.5, rgb.shape)
    return np.clip(np.round(rgb), 0, 255).astype(np.uint8)


def _patches(size: tuple[int, int], across: float, rng: np.random.Generator) -> NDArray[np.float32]:
    """Smooth noise of about unit spread, with patches so many pixels across."""
    height, width = size
    coarse = (int(height / across) + 3, int(width / across) + 3)
    noise = rng.standard_normal(coarse, np.float32)
    return cv2.resize(noise, (width, height), interpolation=cv2.INTER_CUBIC).astype(np.float32)
