"""Running tasks side by side: those that share a puzzle are given to one process."""

import threading
from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from azulejar.errors import AzulejarError
from azulejar.evaluation.tables.tasks import BenchmarkTask
from azulejar.system.processes import Died, Worker, WorkerPool

SECONDS = 0.2  # between two looks at whether to stop


@dataclass(frozen=True)
class TaskReport:
    """The ``outcome`` of a task, or the ``error`` that prevented it."""

    task: BenchmarkTask
    outcome: dict[str, Any] | None = None
    error: str = ""


def run_tasks(
    groups: Sequence[list[BenchmarkTask]], workers: int, stop: threading.Event
) -> Iterator[TaskReport]:
    """Report on all tasks, in the order in which they end, until all are done or ``stop`` is set.

    The tasks of a group share a puzzle and its scores, and go to one worker.
    """
    waiting = deque(groups)
    pending: dict[Worker, list[BenchmarkTask]] = {}  # that each worker has not reported on yet
    with WorkerPool(_outcomes) as pool:
        while (pending or waiting) and not stop.is_set():
            given = [waiting.popleft() for _ in range(min(workers - len(pending), len(waiting)))]
            pending |= zip(pool.send(given), given, strict=True)
            pool.terminate_idle()
            for worker, answer in pool.receive(pending, SECONDS):
                tasks = pending.pop(worker)
                reports = _report(tasks, answer)
                if len(reports) < len(tasks):
                    pending[worker] = tasks[len(reports) :]
                elif not isinstance(answer, Died):
                    pool.release(worker)
                yield from reports


def _report(tasks: list[BenchmarkTask], answer: Any) -> list[TaskReport]:
    """Return what a worker's answer says of the first of its tasks; if it died, of all."""
    if isinstance(answer, Died):
        error = f"The process ended with status {answer.exitcode}; was memory short?"
        return [TaskReport(task, None, error) for task in tasks]
    count, outcome, error = answer
    return [TaskReport(task, outcome, error) for task in tasks[:count]]


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
