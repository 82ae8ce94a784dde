"""How a stage grows with the number of tiles: a · n^b, fitted to what was measured."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray


def power_law(
    sizes: Sequence[float] | NDArray, values: Sequence[float] | NDArray
) -> tuple[float, float]:
    """a and b of a · n^b with the least squares of the logarithms; one point counts as linear."""
    x, y = np.log(np.asarray(sizes, float)), np.log(np.asarray(values, float))
    if len(x) == 1:
        return float(np.exp(y[0] - x[0])), 1.0
    power, scale = np.polyfit(x, y, 1)
    return float(np.exp(scale)), float(power)


def predicted(law: tuple[float, float], tiles: float) -> float:
    """The fitted value at so many tiles."""
    return law[0] * tiles ** law[1]
