"""Small random streams for compiled code (splitmix64): every child has one of its own.

So a child does not depend on which thread grows it, nor on how many there are.
"""

import numpy as np

from azulejar.system.compiling import allocating, lean

GOLDEN = np.uint64(0x9E3779B97F4A7C15)
MIX_1 = np.uint64(0xBF58476D1CE4E5B9)
MIX_2 = np.uint64(0x94D049BB133111EB)
SALT = np.uint64(0xD1342543DE82EF95)


@allocating
def stream(seed, generation, child):
    """A state [1] that depends on all three numbers."""
    state = np.empty(1, np.uint64)
    state[0] = np.uint64(seed)
    state[0] = bits(state) ^ (np.uint64(generation) * SALT)
    state[0] = bits(state) ^ (np.uint64(child) * SALT)
    return state


@lean
def bits(state):
    """The next 64 random bits."""
    state[0] += GOLDEN
    z = state[0]
    z = (z ^ (z >> np.uint64(30))) * MIX_1
    z = (z ^ (z >> np.uint64(27))) * MIX_2
    return z ^ (z >> np.uint64(31))


@lean
def uniform(state):
    """A number in [0, 1)."""
    return np.float64(bits(state) >> np.uint64(11)) * (1.0 / 9007199254740992.0)


@lean
def below(state, limit):
    """A whole number in [0, limit)."""
    return np.int64(uniform(state) * limit)
