"""The first Ctrl-C sets an event; only the second one interrupts."""

import contextlib
import os
import signal
from concurrent.futures import ThreadPoolExecutor

import pytest

from azulejar.system.interrupts import interrupted_at_progress, stopped_by_interrupt


@pytest.fixture(autouse=True)
def heeded():
    """Tests started from a background job would otherwise ignore Ctrl-C."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


def test_the_first_is_noted_and_the_second_strikes():
    with pytest.raises(KeyboardInterrupt), stopped_by_interrupt() as stop:
        assert not stop.is_set()
        os.kill(os.getpid(), signal.SIGINT)
        assert stop.is_set()
        os.kill(os.getpid(), signal.SIGINT)


def test_afterwards_all_is_as_before():
    before = signal.getsignal(signal.SIGINT)
    with stopped_by_interrupt():
        assert signal.getsignal(signal.SIGINT) is not before
    assert signal.getsignal(signal.SIGINT) is before


def test_other_threads_may_use_it():
    def work():
        with stopped_by_interrupt() as stop:
            return stop.is_set()

    with ThreadPoolExecutor(1) as pool:
        assert pool.submit(work).result() is False


def test_work_is_interrupted_where_it_reports_progress():
    seen = []
    with pytest.raises(KeyboardInterrupt), interrupted_at_progress(seen.append) as report:
        report(0.1)
        with contextlib.suppress(KeyboardInterrupt):  # as what the interpreter calls by itself does
            os.kill(os.getpid(), signal.SIGINT)
        seen.append("work")
        report(0.2)
        seen.append("not done")
    assert seen == [0.1, "work", 0.2]


def test_work_that_reports_nothing_more_is_interrupted_at_its_end():
    done = []
    with pytest.raises(KeyboardInterrupt), interrupted_at_progress(done.append):
        os.kill(os.getpid(), signal.SIGINT)
        done.append("work")
    assert done == ["work"]
