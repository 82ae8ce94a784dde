"""A pool of worker processes on this machine, each with one thread."""

import os
import signal
import sys
import threading
import time
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from multiprocessing import get_context, parent_process
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess
from typing import Any, Self

GRACE = 0.5  # seconds that workers have to tidy up
LISTENING = "listening"  # the first word of a worker
LIMITS = ("AZULEJAR_THREADS", "OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS")
ONE_THREAD = dict.fromkeys(LIMITS, "1")

Answer = Callable[[Any], Iterable[Any]]
"""A function at the top of a module that yields the answers to a message."""


@dataclass(frozen=True, eq=False)
class Worker:
    """A process, and our end of the pipe to it."""

    process: BaseProcess
    pipe: Connection


@dataclass(frozen=True)
class Died:
    """Takes the place of an answer when the worker's process has ended."""

    exitcode: int | None


class WorkerPool:
    """Processes that answer messages; they start when needed and stay until the pool is closed.

    A worker is busy from ``send`` until ``release``, since one message may have many answers.
    """

    def __init__(self, answer: Answer) -> None:
        self._answer = answer
        self._idle: list[Worker] = []
        self._busy: list[Worker] = []
        self._first: dict[Worker, Any] = {}  # messages of workers that do not listen yet

    def send(self, messages: Sequence[Any]) -> list[Worker]:
        """Give each message to an idle worker, or to a new one; return these workers."""
        self._drop([worker for worker in self._idle if not worker.process.is_alive()])
        workers = []
        for message in messages:
            if self._idle:
                worker = self._idle.pop()
                _send(worker, message)
            else:  # it takes a while to start, for which nobody should have to wait
                worker = _start_worker(self._answer)
                self._first[worker] = message
            workers.append(worker)
        self._busy += workers
        return workers

    def receive(
        self, workers: Iterable[Worker], seconds: float | None = None
    ) -> list[tuple[Worker, Any]]:
        """Return one answer of each worker that has any, or ``Died``.

        Waits until there is one, at most so many ``seconds``.
        """
        by_pipe = {worker.pipe: worker for worker in workers}
        end = None if seconds is None else time.monotonic() + seconds
        while True:
            ready = wait(list(by_pipe), None if end is None else max(0.0, end - time.monotonic()))
            answers = []
            for pipe in ready:
                worker = by_pipe[pipe]  # type: ignore[index]
                answer = self._read(worker)
                if worker in self._first and answer == LISTENING:
                    _send(worker, self._first.pop(worker))
                else:
                    answers.append((worker, answer))
            if answers or not ready:
                return answers

    def release(self, worker: Worker) -> None:
        """Make a worker that has answered idle again."""
        self._busy.remove(worker)
        self._idle.append(worker)

    def terminate(self, workers: Collection[Worker]) -> None:
        """End workers, whatever they are doing."""
        self._drop([worker for worker in self._busy if worker in workers])

    def kill_busy(self) -> None:
        """Kill workers at once, from any thread; whoever waits for them receives ``Died``."""
        for worker in list(self._busy):
            worker.process.kill()

    def terminate_idle(self) -> None:
        """End the workers that have nothing to do."""
        self._drop(self._idle)

    def close(self) -> None:
        """End all workers."""
        self._drop(self._idle + self._busy)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exception: object) -> None:
        self.close()

    def _read(self, worker: Worker) -> Any:
        try:
            return worker.pipe.recv()
        except (EOFError, OSError):
            worker.process.join(GRACE)
            self._drop([worker])
            return Died(worker.process.exitcode)

    def _drop(self, workers: Sequence[Worker]) -> None:
        gone = list(workers)
        self._idle = [worker for worker in self._idle if worker not in gone]
        self._busy = [worker for worker in self._busy if worker not in gone]
        for worker in gone:
            self._first.pop(worker, None)
            worker.pipe.close()
            worker.process.terminate()
        end = time.monotonic() + GRACE
        for worker in gone:
            worker.process.join(max(0.0, end - time.monotonic()))
            worker.process.kill()
            worker.process.join()


def _send(worker: Worker, message: Any) -> None:
    with suppress(OSError):  # a worker that has died is noticed when it is received from
        worker.pipe.send(message)


def _start_worker(answer: Answer) -> Worker:
    context = get_context("spawn")
    ours, theirs = context.Pipe()
    process = context.Process(target=_serve, args=(theirs, answer), daemon=True)
    with _settings_of_workers():
        process.start()
    theirs.close()
    return Worker(process, ours)


def _serve(pipe: Connection, answer: Answer) -> None:
    """Answer each message, in the worker, until the pipe is closed or the parent has ended."""
    # As an exception, so that half-written files are removed.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
    threading.Thread(target=_end_with_parent, daemon=True).start()
    _answer_all(pipe, answer)
    signal.signal(signal.SIGTERM, signal.SIG_IGN)  # it is ending already


def _answer_all(pipe: Connection, answer: Answer) -> None:
    with suppress(EOFError, OSError):
        pipe.send(LISTENING)
        while True:
            for each in answer(pipe.recv()):
                pipe.send(each)


def _end_with_parent() -> None:
    """End this process when its parent has ended: one that was killed cannot tell its workers."""
    parent = parent_process()
    if parent is not None:
        wait([parent.sentinel])
        os.kill(os.getpid(), signal.SIGTERM)


@contextmanager
def _settings_of_workers() -> Iterator[None]:
    """Let processes that start in the block have one thread each and ignore Ctrl-C."""
    before = {name: os.environ.get(name) for name in ONE_THREAD}
    # Only the main thread may set handlers of signals.
    main = threading.current_thread() is threading.main_thread()
    handler = signal.signal(signal.SIGINT, signal.SIG_IGN) if main else None
    os.environ.update(ONE_THREAD)
    try:
        yield
    finally:
        for name, value in before.items():
            if value is None:
                del os.environ[name]
            else:
                os.environ[name] = value
        if main:
            signal.signal(signal.SIGINT, handler)
