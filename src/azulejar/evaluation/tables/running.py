"""Running tasks side by side: those that share a puzzle are given to one process."""

import threading
from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from multiprocessing.connection import Connection, wait
from typing import Any

from azulejar.errors import AzulejarError
from azulejar.evaluation.tables.tasks import BenchmarkTask
from azulejar.system.processes import Worker, dismiss, hire, serve

SECONDS = 0.2  # between two looks at whether to stop


@dataclass(frozen=True)
class TaskReport:
    """The ``outcome`` of a task, or the ``error`` that prevented it."""

    task: BenchmarkTask
    outcome: dict[str, Any] | None = None
    error: str = ""


@dataclass
class _Busy:
    """A worker, and the tasks it has not reported on yet, in order."""

    worker: Worker
    pending: list[BenchmarkTask] = field(default_factory=list)

    def give(self, tasks: list[BenchmarkTask]) -> None:
        self.pending = list(tasks)
        self.worker.give(tasks)


def run_tasks(
    groups: Sequence[list[BenchmarkTask]], workers: int, stop: threading.Event
) -> Iterator[TaskReport]:
    """Report on all tasks, in the order in which they end, until all are done or ``stop`` is set.

    The tasks of a group share a puzzle and its scores, and go to one worker.
    """
    waiting = deque(groups)
    pool: list[_Busy] = []
    try:
        while (pool or waiting) and not stop.is_set():
            # All start before the first is given anything, since giving blocks until it listens.
            pool += [_Busy(hire(_work)) for _ in range(min(workers - len(pool), len(waiting)))]
            for each in pool:
                if waiting and not each.pending and each.worker.process.is_alive():
                    each.give(waiting.popleft())
            dismiss([each.worker for each in pool if not each.pending])
            pool = [each for each in pool if each.pending]
            for line in wait([each.worker.line for each in pool], SECONDS):
                yield from _listen(next(each for each in pool if each.worker.line is line))
    finally:
        dismiss([each.worker for each in pool])


def _listen(busy: _Busy) -> list[TaskReport]:
    """Return a worker's next report; if it has died, that its tasks failed."""
    try:
        count, outcome, error = busy.worker.listen()
    except EOFError:
        count, outcome = len(busy.pending), None
        status = busy.worker.process.exitcode
        error = f"The process ended with status {status}; was memory short?"
    told, busy.pending = busy.pending[:count], busy.pending[count:]
    return [TaskReport(task, outcome, error) for task in told]


def _work(line: Connection) -> None:
    serve(line, _outcomes)


def _outcomes(tasks: list[BenchmarkTask]) -> Iterator[tuple[int, dict[str, Any] | None, str]]:
    """Yield, in the order of the tasks, to how many it applies, the outcome, and the error."""
    try:
        puzzle = tasks[0].recipe.make()
        scores = tasks[0].scorer.score(puzzle)
    except Exception as error:
        yield len(tasks), None, _message(error)
        return
    for task in tasks:
        try:
            yield 1, task.run(puzzle, scores), ""
        except Exception as error:
            yield 1, None, _message(error)


def _message(error: Exception) -> str:
    return str(error) if isinstance(error, AzulejarError) else f"{type(error).__name__}: {error}"
