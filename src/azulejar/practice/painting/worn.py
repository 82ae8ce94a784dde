"""The painted demo panel as a puzzle: worn, shuffled and turned."""

import numpy as np
from numpy.typing import NDArray

from azulejar.core.assembly import Assembly
from azulejar.practice.ageing import age_tiles
from azulejar.practice.painting.panel import paint_panel
from azulejar.practice.puzzles import cut, make_puzzle

ROWS, COLS = 10, 14
WEAR = 0.5


def worn_puzzle(seed: int) -> tuple[NDArray[np.uint8], Assembly]:
    """Tiles [140, S, S, 3] of the demo panel, and where each belongs."""
    cells = cut(paint_panel(ROWS, COLS, seed=seed), ROWS, COLS)
    worn = age_tiles(cells, np.random.default_rng(seed), WEAR)
    return make_puzzle(worn, ROWS, COLS, turned=True, seed=seed)
