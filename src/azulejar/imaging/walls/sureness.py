"""How sure a whole grid is: as sure as the part of it where joints are seen least."""

import numpy as np
from numpy.typing import NDArray

from azulejar.imaging.walls.refine import Clear

PARTS = 3  # each way into which a grid is divided


def sureness(clear: Clear) -> float:
    """0 to 1: the joints that are seen, of those in the worst part, in the worse direction. About
    0.4 for lines where no joints are.
    """
    return min(_worst(seen) for seen in clear)


def _worst(seen: NDArray[np.float64]) -> float:
    parts = [
        part
        for band in np.array_split(seen, min(PARTS, len(seen)))
        for part in np.array_split(band, min(PARTS, band.shape[1]), axis=1)
    ]
    return float(min(part.mean() for part in parts))
