"""Where the tiles of an assembly lie, to be compared."""

import numpy as np


def lie(assembly):
    """The panel, row, col and turn of each tile."""
    return np.stack([assembly.panel, assembly.row, assembly.col, assembly.turn], axis=1).tolist()
