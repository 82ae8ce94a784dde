"""Randomness for compiled code: small streams (splitmix64), and bags of edges to draw from.

Every child has a stream of its own, so that it does not depend on which thread grows it, nor on
how many there are.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from azulejar.system.compiling import allocating, lean

GOLDEN = np.uint64(0x9E3779B97F4A7C15)
MIX_1 = np.uint64(0xBF58476D1CE4E5B9)
MIX_2 = np.uint64(0x94D049BB133111EB)
SALT = np.uint64(0xD1342543DE82EF95)


@allocating
def stream(seed, generation, child):
    """Return a state [1] that depends on all three numbers."""
    state = np.empty(1, np.uint64)
    state[0] = np.uint64(seed)
    state[0] = bits(state) ^ (np.uint64(generation) * SALT)
    state[0] = bits(state) ^ (np.uint64(child) * SALT)
    return state


@lean
def bits(state):
    """Return the next 64 random bits."""
    state[0] += GOLDEN
    z = state[0]
    z = (z ^ (z >> np.uint64(30))) * MIX_1
    z = (z ^ (z >> np.uint64(27))) * MIX_2
    return z ^ (z >> np.uint64(31))


@lean
def uniform(state):
    """Return a number in [0, 1)."""
    return np.float64(bits(state) >> np.uint64(11)) * (1.0 / 9007199254740992.0)


@lean
def below(state, limit):
    """Return a whole number in [0, limit)."""
    return np.int64(uniform(state) * limit)


class Bags(NamedTuple):
    """Several bags of edges: those in bag b are ``edge[b, : size[b]]``."""

    edge: NDArray[np.int32]
    size: NDArray[np.int64]


@allocating
def new_bags(bags, edges):
    """Return that many empty bags, each with room for all ``edges``."""
    return Bags(np.empty((bags, edges), np.int32), np.zeros(bags, np.int64))


@lean
def put_in(bags, bag, edge):
    """Put an edge into a bag."""
    bags.edge[bag, bags.size[bag]] = edge
    bags.size[bag] += 1


@lean
def draw(bags, bag, state):
    """Take a random edge out of a bag that is not empty."""
    pick = below(state, bags.size[bag])
    edge = np.int64(bags.edge[bag, pick])
    bags.size[bag] -= 1
    bags.edge[bag, pick] = bags.edge[bag, bags.size[bag]]
    return edge
