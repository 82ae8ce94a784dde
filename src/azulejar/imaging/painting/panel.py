"""The composition."""
import numpy as np
from azulejar.imaging.painting.canvas import Canvas
from azulejar.imaging.painting.glaze import fired
from azulejar.imaging.painting.scene import paint_scene
from azulejar.imaging.painting.frame import paint_frame
from azulejar.imaging.painting.cartouche import paint_cartouche
UNITS = 64
OVERSAMPLING = 2
def paint_panel(rows, cols, tile=64, seed=0):
    rng = np.random.default_rng(seed)
    canvas = Canvas(cols*UNITS, rows*UNITS, OVERSAMPLING*tile/UNITS, rng)
    border = UNITS*_border(min(rows, cols))
    paint_scene(canvas, border)
    paint_frame(canvas, border)
    paint_cartouche(canvas, border)
    return fired(canvas.ink, (rows*tile, cols*tile), rng)

def _border(across):
    wide = 0.14*across
    return min(wide, 0.88) if wide < 1.1 else max(round(wide-.4),1)+.4
