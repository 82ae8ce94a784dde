"""Crew: processes that work through tasks side by side, each on one thread."""

import os
import signal
import sys
import threading
from collections import deque
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from multiprocessing import get_context
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess
from typing import Any

from azulejar.bench.tasks import Task
from azulejar.errors import AzulejarError

SECONDS = 0.2  # between two looks at whether to stop
GRACE = 2.0  # seconds that a worker has to tidy up
LIMITS = ("AZULEJAR_THREADS", "OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS")
ONE_THREAD = dict.fromkeys(LIMITS, "1")


@dataclass(frozen=True)
class Report:
    """What came of a task: its ``outcome``, or the ``error`` that prevented it."""

    task: Task
    outcome: dict[str, Any] | None = None
    error: str = ""


@dataclass
class _Worker:
    """A process, our end of the line to it, and what it has not told of yet, in order."""

    process: BaseProcess
    line: Connection
    pending: list[Task] = field(default_factory=list)

    def give(self, tasks: list[Task]) -> None:
        self.pending = list(tasks)
        with suppress(OSError):  # one that has died is noticed when it is listened to
            self.line.send(tasks)


def work_through(
    groups: Sequence[list[Task]], workers: int, stop: threading.Event
) -> Iterator[Report]:
    """Report on all tasks, in whatever order they end, until all are done or ``stop`` is set.

    The tasks of a group share a puzzle and its scores, and go to one worker.
    """
    waiting = deque(groups)
    crew: list[_Worker] = []
    try:
        while (crew or waiting) and not stop.is_set():
            # All start before the first is given anything, which takes until it listens.
            crew += [_hire() for _ in range(min(workers - len(crew), len(waiting)))]
            for worker in crew:
                if waiting and not worker.pending and worker.process.is_alive():
                    worker.give(waiting.popleft())
            _dismiss([worker for worker in crew if not worker.pending])
            crew = [worker for worker in crew if worker.pending]
            for line in wait([worker.line for worker in crew], SECONDS):
                yield from _listen(next(worker for worker in crew if worker.line is line))
    finally:
        _dismiss(crew)


def _listen(worker: _Worker) -> list[Report]:
    """What a worker says next; if it has died, that nothing more will be done."""
    try:
        count, outcome, error = worker.line.recv()
    except (EOFError, OSError):
        worker.process.join(GRACE)
        count, outcome = len(worker.pending), None
        error = f"The process ended with status {worker.process.exitcode}; was memory short?"
    told, worker.pending = worker.pending[:count], worker.pending[count:]
    return [Report(task, outcome, error) for task in told]


def _hire() -> _Worker:
    context = get_context("spawn")
    ours, theirs = context.Pipe()
    process = context.Process(target=_work, args=(theirs,), daemon=True)
    with _as_workers_start():
        process.start()
    theirs.close()
    return _Worker(process, ours)


@contextmanager
def _as_workers_start() -> Iterator[None]:
    """Processes started here have one thread each, and Ctrl-C is not for them."""
    before = {name: os.environ.get(name) for name in ONE_THREAD}
    handler = signal.signal(signal.SIGINT, signal.SIG_IGN)
    os.environ.update(ONE_THREAD)
    try:
        yield
    finally:
        for name, value in before.items():
            if value is None:
                del os.environ[name]
            else:
                os.environ[name] = value
        signal.signal(signal.SIGINT, handler)


def _dismiss(crew: Sequence[_Worker]) -> None:
    for worker in crew:
        worker.line.close()
        worker.process.terminate()
    for worker in crew:
        worker.process.join(GRACE)
        worker.process.kill()
        worker.process.join()


def _work(line: Connection) -> None:
    """A worker's life: take tasks, tell what came of each, until the line is closed."""
    # As an exception, so that what is half written is tidied away.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
    with suppress(EOFError, OSError):
        while True:
            tasks: list[Task] = line.recv()
            for news in _outcomes(tasks):
                line.send(news)
    signal.signal(signal.SIGTERM, signal.SIG_IGN)  # it is ending already


def _outcomes(tasks: list[Task]) -> Iterator[tuple[int, dict[str, Any] | None, str]]:
    """In the order of the tasks: how many are meant, the outcome, or the error."""
    try:
        puzzle = tasks[0].recipe.make()
        scores = tasks[0].scorer.score(puzzle)
    except Exception as error:
        yield len(tasks), None, _told(error)
        return
    for task in tasks:
        try:
            yield 1, task.run(puzzle, scores), ""
        except Exception as error:
            yield 1, None, _told(error)


def _told(error: Exception) -> str:
    return str(error) if isinstance(error, AzulejarError) else f"{type(error).__name__}: {error}"
