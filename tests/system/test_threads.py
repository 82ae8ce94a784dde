"""Work shared out among threads."""

import os
import threading
import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from azulejar.errors import AzulejarError
from azulejar.system.threads import in_threads, share_out, thread_count


@settings(deadline=None)
@given(count=st.integers(0, 60), chunk=st.integers(1, 70))
def test_every_item_is_worked_on_exactly_once(count, chunk):
    times = [0] * count

    def work(first, stop):
        assert 0 < stop - first <= chunk
        for item in range(first, stop):
            times[item] += 1

    share_out(work, count, chunk)
    assert times == [1] * count


def test_results_come_in_the_order_of_the_items(monkeypatch):
    monkeypatch.setenv("AZULEJAR_THREADS", "2")
    later = threading.Event()

    def work(item):
        if item == 0:
            assert later.wait(20)
        elif item == 3:
            later.set()
        return item * item

    assert list(in_threads(work, range(4))) == [0, 1, 4, 9]


def test_what_has_not_begun_is_left_when_the_caller_stops(monkeypatch):
    monkeypatch.setenv("AZULEJAR_THREADS", "1")
    begun = []

    def work(item):
        begun.append(item)
        if item == 1:
            time.sleep(0.5)

    for _ in in_threads(work, range(50)):
        break
    assert len(begun) < 5


def test_threads_work_side_by_side(monkeypatch):
    monkeypatch.setenv("AZULEJAR_THREADS", "2")
    both = threading.Barrier(2, timeout=20)
    share_out(lambda first, stop: both.wait(), 2, 1)


def test_one_thread_works_alone(monkeypatch):
    monkeypatch.setenv("AZULEJAR_THREADS", "1")
    workers = set()
    share_out(lambda first, stop: workers.add(threading.get_ident()), 40, 1)
    assert len(workers) == 1


def test_an_error_in_a_thread_is_not_lost():
    def work(first, stop):
        if first == 3:
            raise RuntimeError("item 3")

    with pytest.raises(RuntimeError, match="item 3"):
        share_out(work, 5, 1)


def test_as_many_threads_as_this_process_may_use_cores(monkeypatch):
    monkeypatch.delenv("AZULEJAR_THREADS", raising=False)
    monkeypatch.setattr(os, "sched_getaffinity", lambda process: {0, 3, 5}, raising=False)
    assert thread_count() == 3
    monkeypatch.delattr(os, "sched_getaffinity")
    monkeypatch.setattr(os, "cpu_count", lambda: 7)
    assert thread_count() == 7
    monkeypatch.setattr(os, "cpu_count", lambda: None)
    assert thread_count() == 1


@pytest.mark.parametrize("wanted", [1, 2, 16])
def test_the_environment_decides(monkeypatch, wanted):
    monkeypatch.setenv("AZULEJAR_THREADS", str(wanted))
    assert thread_count() == wanted


@pytest.mark.parametrize("wanted", ["", "0", "-1", "two", "1.5"])
def test_a_number_of_threads_that_is_none_is_refused(monkeypatch, wanted):
    monkeypatch.setenv("AZULEJAR_THREADS", wanted)
    with pytest.raises(AzulejarError, match="AZULEJAR_THREADS"):
        thread_count()
