"""The whole panel: scene, frame, cartouche, and the firing."""

import numpy as np
from numpy.typing import NDArray

from azulejar.practice.painting.canvas import Canvas
from azulejar.practice.painting.cartouche import paint_cartouche
from azulejar.practice.painting.frame import paint_frame
from azulejar.practice.painting.glaze import fired
from azulejar.practice.painting.scene import paint_scene

OVERSAMPLING = 2
# Drawing units to a tile's side; on a panel fewer than ROOMY tiles across there are more of
# them, or lines as thick as ever would leave no room for the subject.
UNITS = 64
ROOMY = 8


def paint_panel(rows: int, cols: int, tile: int = 64, seed: int = 0) -> NDArray[np.uint8]:
    """RGB picture [rows * tile, cols * tile, 3] of a panel, from about 4 × 4 tiles upwards.

    ``tile`` is the side of a tile in pixels. The same arguments give the same picture; another
    seed moves the clouds and the brush, not the subject.
    """
    rng = np.random.default_rng(seed)
    across = min(rows, cols)
    units = UNITS * max(1.0, ROOMY / across)
    canvas = Canvas(cols * units, rows * units, OVERSAMPLING * tile / units, rng)
    border = units * _border_tiles(across)
    paint_scene(canvas, border)
    paint_frame(canvas, border)
    paint_cartouche(canvas, border)
    return fired(canvas.ink, tile, (rows * tile, cols * tile), rng)


def _border_tiles(across: int) -> float:
    """Width of the frame, in tiles, of a panel so many tiles across.

    Joints must cut through the scrollwork: along a joint that runs in the straight mouldings one
    tile looks like the next.
    """
    wanted = 0.14 * across
    return min(wanted, 0.88) if wanted < 1.2 else max(round(wanted - 0.4), 1) + 0.4
