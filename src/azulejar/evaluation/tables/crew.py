"""Crew of the benchmark: tasks that share a puzzle are worked on by one process."""

import threading
from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from multiprocessing.connection import Connection, wait
from typing import Any

from azulejar.errors import AzulejarError
from azulejar.evaluation.tables.tasks import Task
from azulejar.system.processes import Worker, dismiss, hire, serve

SECONDS = 0.2  # between two looks at whether to stop


@dataclass(frozen=True)
class Report:
    """What came of a task: its ``outcome``, or the ``error`` that prevented it."""

    task: Task
    outcome: dict[str, Any] | None = None
    error: str = ""


@dataclass
class _Busy:
    """A worker, and the tasks it has not told of yet, in order."""

    worker: Worker
    pending: list[Task] = field(default_factory=list)

    def give(self, tasks: list[Task]) -> None:
        self.pending = list(tasks)
        self.worker.give(tasks)


def work_through(
    groups: Sequence[list[Task]], workers: int, stop: threading.Event
) -> Iterator[Report]:
    """Report on all tasks, in whatever order they end, until all are done or ``stop`` is set.

    The tasks of a group share a puzzle and its scores, and go to one worker.
    """
    waiting = deque(groups)
    crew: list[_Busy] = []
    try:
        while (crew or waiting) and not stop.is_set():
            # All start before the first is given anything, which takes until it listens.
            crew += [_Busy(hire(_work)) for _ in range(min(workers - len(crew), len(waiting)))]
            for each in crew:
                if waiting and not each.pending and each.worker.process.is_alive():
                    each.give(waiting.popleft())
            dismiss([each.worker for each in crew if not each.pending])
            crew = [each for each in crew if each.pending]
            for line in wait([each.worker.line for each in crew], SECONDS):
                yield from _listen(next(each for each in crew if each.worker.line is line))
    finally:
        dismiss([each.worker for each in crew])


def _listen(busy: _Busy) -> list[Report]:
    """What a worker says next; if it has died, that nothing more will be done."""
    try:
        count, outcome, error = busy.worker.listen()
    except EOFError:
        count, outcome = len(busy.pending), None
        status = busy.worker.process.exitcode
        error = f"The process ended with status {status}; was memory short?"
    told, busy.pending = busy.pending[:count], busy.pending[count:]
    return [Report(task, outcome, error) for task in told]


def _work(line: Connection) -> None:
    serve(line, _outcomes)


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
