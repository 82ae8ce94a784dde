"""Polynomials over the crossings of a panel."""

import numpy as np
from numpy.polynomial.legendre import legvander
from numpy.typing import NDArray


def terms(rows: int, cols: int, degree: int) -> tuple[NDArray[np.float64], NDArray[np.intp]]:
    """Products of Legendre polynomials [terms, rows + 1, cols + 1] up to a degree in all, the
    panel's sides being −1 and 1; and the degree of each.
    """
    across = legvander(np.linspace(-1, 1, cols + 1), degree)
    down = legvander(np.linspace(-1, 1, rows + 1), degree)
    pairs = [(i, j) for i in range(degree + 1) for j in range(degree + 1 - i)]
    products = [np.outer(down[:, j], across[:, i]) for i, j in pairs]
    return np.stack(products), np.array([i + j for i, j in pairs])
