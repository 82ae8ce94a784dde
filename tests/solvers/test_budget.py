"""A search ends with whichever limit comes first."""

import threading

import pytest
from hypothesis import given
from hypothesis import strategies as st

from azulejar.errors import AzulejarError
from azulejar.solvers import budget as module
from azulejar.solvers.budget import Budget, Clock


@pytest.fixture
def seconds(monkeypatch):
    """A clock that is set by hand: seconds[0]."""
    now = [100.0]
    monkeypatch.setattr(module.time, "perf_counter", lambda: now[0])
    return now


def ticks(fitness, *limits, limit=1000):
    """Generations until the clock stops, the best fitness after each given in turn."""
    clock = Clock(Budget(), *limits)
    while clock.running and clock.generation < limit:
        clock.tick(fitness(clock.generation))
    return clock.generation


@given(st.integers(1, 50))
def test_generations_end_a_search(generations):
    assert ticks(lambda g: g, generations) == generations


def test_stagnation_ends_a_search():
    assert ticks(lambda g: 7.0, 100, 5) == 6
    assert ticks(lambda g: min(g, 10), 100, 5) == 16
    assert ticks(lambda g: float(g // 5), 300, 5) == 300
    assert ticks(lambda g: float(g // 6), 100, 5) == 6


def test_a_worse_generation_is_no_progress():
    clock = Clock(Budget(), stagnation=2)
    for fitness in (5.0, 3.0):
        clock.tick(fitness)
    assert clock.running
    assert clock.best == 5
    clock.tick(4.0)
    assert not clock.running


def test_seconds_end_a_search(seconds):
    clock = Clock(Budget(seconds=10))
    for generation in range(1, 10):
        seconds[0] += 1
        clock.tick(generation)
        assert clock.running
        assert clock.seconds == pytest.approx(generation)
    seconds[0] += 1
    assert not clock.running


def test_the_stop_ends_a_search():
    stop = threading.Event()
    clock = Clock(Budget(stop=stop))
    clock.tick(1.0)
    assert clock.running
    stop.set()
    assert not clock.running


def test_the_first_generation_is_always_finished(seconds):
    stop = threading.Event()
    stop.set()
    clock = Clock(Budget(seconds=1, stop=stop), 1, 1)
    seconds[0] += 99
    assert clock.running
    clock.tick(0.0)
    assert not clock.running


def test_the_fraction_is_that_of_the_limit_that_is_nearest(seconds):
    clock = Clock(Budget(seconds=100), 10)
    assert clock.fraction == 0
    clock.tick(1.0)
    assert clock.fraction == pytest.approx(0.1)
    seconds[0] += 50
    assert clock.fraction == pytest.approx(0.5)
    seconds[0] += 1000
    assert clock.fraction == 1


def test_two_budgets_do_not_share_their_stop():
    Budget().stop.set()
    assert not Budget().stop.is_set()


@pytest.mark.parametrize("generations", [0, -1])
def test_no_generations_are_refused(generations):
    with pytest.raises(AzulejarError, match="at least 1 generation"):
        Clock(Budget(), generations)


@pytest.mark.parametrize("seconds", [0, -2.5])
def test_no_time_is_refused(seconds):
    with pytest.raises(AzulejarError, match="leaves no time"):
        Budget(seconds=seconds)
