"""Workers come and go, and leave our own settings alone."""

import os
import signal
import threading
import time
from multiprocessing import active_children
from multiprocessing.connection import Connection

import pytest

from azulejar.system.processes import Died, WorkerPool

ANSWER = str.split  # answers a text with its words, which any process can do
SECONDS = 120


@pytest.fixture
def pool():
    with WorkerPool(ANSWER) as pool:
        yield pool
    assert not active_children()


def answers(pool, worker, count):
    found = []
    while len(found) < count:
        found += [answer for _, answer in pool.receive([worker], SECONDS)]
    return found


def test_one_message_may_have_many_answers_and_workers_stay(pool):
    (worker,) = pool.send(["one two three"])
    assert answers(pool, worker, 3) == ["one", "two", "three"]
    pool.release(worker)
    again, other = pool.send(["four", "five"])
    assert worker in (again, other)
    assert answers(pool, again, 1) + answers(pool, other, 1) == ["four", "five"]


def test_nobody_waits_for_a_worker_that_starts(pool, monkeypatch):
    monkeypatch.setattr(Connection, "send", lambda *_: pytest.fail("it would not be read yet"))
    workers = pool.send(["a long message"])
    pool.terminate(workers)


def test_nothing_is_received_from_workers_that_have_nothing_to_say(pool):
    (worker,) = pool.send([""])
    assert pool.receive([worker], 0.01) == []


def test_a_busy_worker_that_was_killed_is_noticed(pool):
    (worker,) = pool.send([""])
    os.kill(worker.process.pid, signal.SIGKILL)
    assert pool.receive([worker], SECONDS) == [(worker, Died(-signal.SIGKILL))]


def test_an_idle_worker_that_was_killed_is_replaced(pool):
    (worker,) = pool.send(["one"])
    answers(pool, worker, 1)
    pool.release(worker)
    os.kill(worker.process.pid, signal.SIGKILL)
    worker.process.join()
    (other,) = pool.send(["two"])
    assert other is not worker
    assert answers(pool, other, 1) == ["two"]


def test_workers_go_when_told_to(pool):
    idle, busy = pool.send(["one", ""])
    answers(pool, idle, 1)
    pool.release(idle)
    pool.terminate_idle()
    assert not idle.process.is_alive()
    assert busy.process.is_alive()
    started = time.monotonic()
    pool.terminate([busy])
    assert not busy.process.is_alive()
    assert time.monotonic() - started < SECONDS


def test_our_own_settings_stay(monkeypatch):
    monkeypatch.setenv("AZULEJAR_THREADS", "7")
    monkeypatch.delenv("OMP_NUM_THREADS", raising=False)
    before = signal.getsignal(signal.SIGINT)
    with WorkerPool(ANSWER) as pool:
        pool.send([""])
    assert signal.getsignal(signal.SIGINT) is before
    assert os.environ["AZULEJAR_THREADS"] == "7"
    assert "OMP_NUM_THREADS" not in os.environ


def test_other_threads_may_start_workers(pool):
    started = []
    thread = threading.Thread(target=lambda: started.extend(pool.send([""])))
    thread.start()
    thread.join()
    assert started[0].process.is_alive()
