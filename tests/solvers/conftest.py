"""Small puzzles with a known truth, and a slow twin of the random streams."""

import numpy as np
import pytest

from azulejar.core.assembly import Assembly

MASK = 2**64 - 1


class SlowStream:
    """splitmix64 (Steele, Lea and Flood 2014) in Python's own whole numbers."""

    def __init__(self, state):
        self.state = int(state)

    def bits(self):
        self.state = (self.state + 0x9E3779B97F4A7C15) & MASK
        z = self.state
        z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9 & MASK
        z = (z ^ (z >> 27)) * 0x94D049BB133111EB & MASK
        return z ^ (z >> 31)

    def uniform(self):
        return (self.bits() >> 11) / 2**53

    def below(self, limit):
        return int(self.uniform() * limit)


def _make_truth(rows, cols, upright, seed=0):
    """A full panel whose tiles lie in random order, each with a random turn unless upright."""
    rng = np.random.default_rng(seed)
    place = rng.permutation(rows * cols)
    turn = np.zeros(len(place), int) if upright else rng.integers(0, 4, len(place))
    return Assembly.of(*np.divmod(place, cols), turn)


@pytest.fixture(scope="session")
def slow_stream():
    return SlowStream


@pytest.fixture(scope="session")
def make_truth():
    return _make_truth


@pytest.fixture(
    params=[(True, True), (True, False), (False, True), (False, False)],
    ids=["upright-known", "upright-unknown", "turned-known", "turned-unknown"],
)
def variant(request):
    """Whether the tiles are upright, and whether the size is known."""
    return request.param
