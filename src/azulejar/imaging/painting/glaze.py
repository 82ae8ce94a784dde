"""Firing: from ink to the colours of cobalt on tin glaze."""

import cv2
import numpy as np
from numpy.typing import NDArray

# Ink and the colour it fires to, from bare glaze to the deepest cobalt.
RAMP_INK = (0.0, 0.15, 0.38, 0.62, 0.85, 1.0)
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


def fired(ink: NDArray[np.float32], size: tuple[int, int], rng: np.random.Generator):
    """Ink [h, w] as an RGB picture uint8 of ``size`` (height, width)."""
    height, width = size
    ink = cv2.resize(ink, (width, height), interpolation=cv2.INTER_AREA)
    ink = np.minimum(1.18 * cv2.GaussianBlur(ink, (0, 0), 0.6) ** 1.2, 1)
    tile_px = max(height, width) / 16
    pooled = _clouded(size, tile_px / 3, rng)
    grain = _clouded(size, tile_px / 24, rng)
    # Pigment pools in the washes; the bare glaze only has a breath of tone.
    ink = ink * (1 + 0.10 * pooled + 0.07 * grain) + 0.022 * (1 + pooled) + 0.008 * grain
    ink = np.clip(ink, 0, 1)
    rgb = np.stack([np.interp(ink, RAMP_INK, RAMP_RGB[:, c]) for c in range(3)], axis=2)
    rgb += rng.normal(0, 1.5, rgb.shape)
    return np.clip(np.round(rgb), 0, 255).astype(np.uint8)


def _clouded(size: tuple[int, int], patch: float, rng: np.random.Generator) -> NDArray[np.float32]:
    """Smooth noise of unit spread [h, w] whose patches are about so many pixels wide."""
    height, width = size
    coarse = (int(height / patch) + 3, int(width / patch) + 3)
    noise = rng.standard_normal(coarse).astype(np.float32)
    return cv2.resize(noise, (width, height), interpolation=cv2.INTER_CUBIC)
