"""Paint the whole panel: scene, frame and cartouche in ink, then the colours of the firing."""

import cv2
import numpy as np
from numpy.typing import NDArray

from azulejar.practice.painting.canvas import Canvas
from azulejar.practice.painting.composition import paint_scene
from azulejar.practice.painting.frame import paint_cartouche, paint_frame

OVERSAMPLING = 2
# Drawing units to a tile's side. A panel fewer than ROOMY tiles across has more of them; otherwise
# lines, whose width is fixed in units, would leave no room for the subject.
UNITS = 64
ROOMY = 8
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


def paint_panel(
    rows: int, cols: int, tile: int = 64, seed: int = 0, *, border: float | None = None
) -> NDArray[np.uint8]:
    """Paint a panel, from about 4 × 4 tiles upwards, as RGB [rows * tile, cols * tile, 3].

    ``tile`` is the side of a tile in pixels, ``border`` the width of the frame in tiles, by default
    one that suits the panel's size. The same arguments give the same picture; another seed moves
    the clouds and the brush, not the subject.
    """
    rng = np.random.default_rng(seed)
    across = min(rows, cols)
    units = UNITS * max(1.0, ROOMY / across)
    canvas = Canvas(cols * units, rows * units, OVERSAMPLING * tile / units, rng)
    wide = units * (_border_tiles(across) if border is None else border)
    paint_scene(canvas, wide)
    paint_frame(canvas, wide)
    paint_cartouche(canvas, wide)
    return _fire(canvas.ink, tile, (rows * tile, cols * tile), rng)


def _border_tiles(across: int) -> float:
    """Return the width of the frame, in tiles, of a panel so many tiles across.

    Joints must cut through the scrollwork: along a joint within the straight mouldings, one tile
    looks like the next.
    """
    wanted = 0.14 * across
    return min(wanted, 0.88) if wanted < 1.2 else max(round(wanted - 0.4), 1) + 0.4


def _fire(
    ink: NDArray[np.float32], tile: int, size: tuple[int, int], rng: np.random.Generator
) -> NDArray[np.uint8]:
    """Turn ink [h, w] into RGB of ``size`` (height, width), with tiles of ``tile`` pixels.

    The colours are those of cobalt on tin glaze.
    """
    height, width = size
    shrunk = cv2.resize(ink, (width, height), interpolation=cv2.INTER_AREA)
    ink = 1.18 * np.asarray(cv2.GaussianBlur(shrunk, (0, 0), BLEED * tile), np.float32) ** 1.2
    pools = _patches(size, 0.3 * tile, rng)
    grains = _patches(size, 0.04 * tile, rng)
    # Pigment pools in the washes; bare glaze has hardly any tone.
    ink = ink * (1 + 0.10 * pools + 0.07 * grains) + 0.022 * (1 + pools) + 0.008 * grains
    rgb = np.stack([np.interp(ink, RAMP_INK, RAMP_RGB[:, c]) for c in range(3)], axis=2)
    rgb += rng.normal(0, 1.5, rgb.shape)
    return np.clip(np.round(rgb), 0, 255).astype(np.uint8)


def _patches(size: tuple[int, int], across: float, rng: np.random.Generator) -> NDArray[np.float32]:
    """Return smooth noise of about unit spread, with patches so many pixels across."""
    height, width = size
    coarse = (int(height / across) + 3, int(width / across) + 3)
    noise = rng.standard_normal(coarse, np.float32)
    return cv2.resize(noise, (width, height), interpolation=cv2.INTER_CUBIC).astype(np.float32)
