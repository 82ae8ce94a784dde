import numpy as np
import pytest

from azulejar.assembly import Assembly


@pytest.fixture(scope="session")
def crate():
    """Make the truth of a crate: panels of these rows and cols, turned and shuffled, and strays."""

    def make(*sizes, strays=0, seed=0):
        rng = np.random.default_rng(seed)
        places = [
            (row, col, panel)
            for panel, (rows, cols) in enumerate(sizes)
            for row in range(rows)
            for col in range(cols)
        ] + [(0, 0, -1)] * strays
        row, col, panel = rng.permutation(np.array(places)).T
        return Assembly.of(row, col, rng.integers(0, 4, len(row)), panel)

    return make
