"""The likely outline of a panel of which tiles are missing, or lie where they should not."""

import numpy as np
from numpy.typing import NDArray


def likely_outline(lies: NDArray[np.bool_]) -> tuple[slice, slice]:
    """The rows and cols of the rectangle that agrees best with where tiles lie [rows, cols].

    It makes twice the tiles within, over all tiles and all its places, as large as can be: holes
    inside speak against it as tiles outside do. There must be one tile at least.
    """
    rows, cols = lies.shape
    total = lies.sum()
    above = np.pad(np.cumsum(lies, axis=0), ((1, 0), (0, 0)))
    wide = np.arange(cols + 1)[None] - np.arange(cols + 1)[:, None]
    best, found = -1.0, (slice(0, rows), slice(0, cols))
    for top in range(rows):
        for bottom in range(top + 1, rows + 1):
            before = np.pad(np.cumsum(above[bottom] - above[top]), (1, 0))
            within = before[None] - before[:, None]
            agreement = 2 * within / (total + (bottom - top) * np.maximum(wide, 1))
            if agreement.max() > best:
                left, right = np.unravel_index(agreement.argmax(), agreement.shape)
                best = float(agreement.max())
                found = slice(top, bottom), slice(int(left), int(right))
    return found
