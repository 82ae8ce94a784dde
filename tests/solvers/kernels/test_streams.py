"""Random streams against splitmix64 in Python's whole numbers."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from azulejar.solvers.kernels.streams import below, bits, stream, uniform

SALT = 0xD1342543DE82EF95
number = st.integers(0, 2**31)


def test_bits_are_those_of_splitmix64():
    """The first outputs for seed 0, as published with the reference code."""
    state = np.zeros(1, np.uint64)
    first = [int(bits(state)) for _ in range(3)]
    assert first == [0xE220A8397B1DCDAF, 0x6E789E6AA1B965F4, 0x06C45D188009454F]


@given(seed=number, generation=number, child=number)
def test_a_stream_follows_its_slow_twin(slow_stream, seed, generation, child):
    slow = slow_stream(seed)
    for salted in (generation, child):
        mixed = slow.bits() ^ (salted * SALT) % 2**64
        slow = slow_stream(mixed)
    state = stream(seed, generation, child)
    assert int(state[0]) == slow.state
    assert [int(bits(state)) for _ in range(4)] == [slow.bits() for _ in range(4)]
    assert [uniform(state) for _ in range(4)] == [slow.uniform() for _ in range(4)]
    assert [below(state, 1000) for _ in range(4)] == [slow.below(1000) for _ in range(4)]


def test_every_child_has_a_stream_of_its_own():
    first = {
        int(bits(stream(seed, generation, child)))
        for seed in range(5)
        for generation in range(20)
        for child in range(20)
    }
    assert len(first) == 5 * 20 * 20


@given(seed=number, limit=st.integers(1, 2**31 - 1))
def test_below_stays_below(seed, limit):
    state = stream(seed, 0, 0)
    assert all(0 <= below(state, limit) < limit for _ in range(20))


def test_draws_are_spread_evenly():
    state = stream(1, 2, 3)
    count = np.bincount([below(state, 10) for _ in range(20_000)], minlength=10)
    assert len(count) == 10
    assert count == pytest.approx(2000, abs=200)
    drawn = np.array([uniform(state) for _ in range(20_000)])
    assert drawn.min() >= 0
    assert drawn.max() < 1
    assert drawn.mean() == pytest.approx(0.5, abs=0.01)
