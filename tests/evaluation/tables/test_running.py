"""Workers: what they report, that one may die, and that all go when told.

Tasks are made of what any process can import: the puzzle of ``added`` is a number, and so on.
"""

import operator
import os
import signal
import threading
import time
from functools import partial
from multiprocessing import active_children
from types import SimpleNamespace

from azulejar.evaluation.tables.running import run_tasks
from azulejar.solvers import get_preset


def task(make, run=operator.add):
    return SimpleNamespace(
        recipe=SimpleNamespace(make=make), scorer=SimpleNamespace(score=abs), run=run
    )


def added(number):
    """Comes out as twice the number."""
    return task(partial(int, number))


def work(*groups, workers=2):
    return list(run_tasks(groups, workers, threading.Event()))


def test_every_task_is_reported_once():
    before = signal.getsignal(signal.SIGINT)
    groups = [[added(i)] * 3 for i in range(4)]
    reports = work(*groups)
    assert sorted(report.outcome for report in reports) == sorted([2 * i for i in range(4)] * 3)
    assert not any(report.error for report in reports)
    assert {id(report.task) for report in reports} == {id(group[0]) for group in groups}
    assert signal.getsignal(signal.SIGINT) is before
    assert not active_children()


def test_nothing_to_do_needs_no_worker():
    assert work() == []


def test_workers_have_one_thread_each_and_we_keep_ours(monkeypatch):
    monkeypatch.setenv("AZULEJAR_THREADS", "7")
    monkeypatch.delenv("OMP_NUM_THREADS", raising=False)
    told = SimpleNamespace(
        recipe=SimpleNamespace(make=partial(os.getenv, "AZULEJAR_THREADS")),
        scorer=SimpleNamespace(score=partial(os.getenv, "OMP_NUM_THREADS")),
        run=operator.add,
    )
    # getenv(name, default): the second is given the first's answer as a default.
    assert [report.outcome for report in work([told])] == ["11"]
    assert os.environ["AZULEJAR_THREADS"] == "7"
    assert "OMP_NUM_THREADS" not in os.environ


def test_failures_are_told_and_the_rest_goes_on(workers_as_threads):
    broken = task(partial(int, 3), run=operator.getitem)
    refused = task(partial(get_preset, "slow"))
    groups = [broken, added(3)], [refused, refused], [added(4)]
    with workers_as_threads():
        reports = work(*groups, workers=1)
    assert [report.task for report in reports] == [each for group in groups for each in group]
    assert [report.outcome for report in reports] == [None, 6, None, None, 8]
    assert reports[0].error.startswith("TypeError: ")
    assert reports[2].error == reports[3].error
    assert reports[2].error.startswith("There is no preset 'slow'. Choose from ")


def test_a_worker_that_dies_is_replaced():
    deadly = task(partial(os._exit, 3))
    reports = work([deadly, added(1)], [added(2)], [added(3)], workers=1)
    assert [report.outcome for report in reports] == [None, None, 4, 6]
    assert "status 3" in reports[0].error


def test_all_go_when_told_to():
    stop = threading.Event()
    sleepy = task(partial(time.sleep, 600))
    started = time.monotonic()
    reports = []
    for report in run_tasks([[added(1)], [sleepy], [sleepy]], 2, stop):
        reports.append(report)
        stop.set()
    assert [report.outcome for report in reports] == [2]
    assert time.monotonic() - started < 60
    assert not active_children()
