"""Small random streams for compiled code (splitmix64), so that each child has its own."""

import numba
import numpy as np


@numba.njit(cache=True)
def stream(seed, generation, child):
    """A state [1] that depends on all three numbers."""
    state = np.empty(1, np.uint64)
    state[0] = np.uint64(seed)
    state[0] = bits(state) ^ (np.uint64(generation) * np.uint64(0xD1342543DE82EF95))
    state[0] = bits(state) ^ (np.uint64(child) * np.uint64(0xD1342543DE82EF95))
    return state


@numba.njit(cache=True)
def bits(state):
    """The next 64 random bits."""
    state[0] += np.uint64(0x9E3779B97F4A7C15)
    z = state[0]
    z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return z ^ (z >> np.uint64(31))


@numba.njit(cache=True)
def uniform(state):
    """A number in [0, 1)."""
    return np.float64(bits(state) >> np.uint64(11)) * (1.0 / 9007199254740992.0)


@numba.njit(cache=True)
def below(state, limit):
    """A whole number in [0, limit)."""
    return np.int64(uniform(state) * limit)


@numba.njit(cache=True)
def chance(state, probability):
    """True with the given probability."""
    return probability > 0 and uniform(state) < probability
