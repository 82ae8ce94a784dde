"""Crew: processes of this machine that work side by side, each on one thread."""

import os
import signal
import sys
import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from multiprocessing import get_context, parent_process
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess
from typing import Any

GRACE = 2.0  # seconds that a worker has to tidy up
LIMITS = ("AZULEJAR_THREADS", "OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS")
ONE_THREAD = dict.fromkeys(LIMITS, "1")


@dataclass(frozen=True)
class Worker:
    """A process, and our end of the line to it."""

    process: BaseProcess
    line: Connection

    def give(self, message: Any) -> None:
        with suppress(OSError):  # one that has died is noticed when it is listened to
            self.line.send(message)

    def listen(self) -> Any:
        """What it says next; EOFError if it has died, and then its process has ended."""
        try:
            return self.line.recv()
        except (EOFError, OSError) as error:
            self.process.join(GRACE)
            raise EOFError from error


def hire(life: Callable[[Connection], None]) -> Worker:
    """Start a process that spends its life on the other end of a line."""
    context = get_context("spawn")
    ours, theirs = context.Pipe()
    process = context.Process(target=life, args=(theirs,), daemon=True)
    with _as_workers_start():
        process.start()
    theirs.close()
    return Worker(process, ours)


def dismiss(workers: Sequence[Worker]) -> None:
    """End them, whatever they are at."""
    for worker in workers:
        worker.line.close()
        worker.process.terminate()
    for worker in workers:
        worker.process.join(GRACE)
        worker.process.kill()
        worker.process.join()


def serve(line: Connection, answers: Callable[[Any], Iterable[Any]]) -> None:
    """A worker's life: answer each message, until the line is closed or nobody is left there."""
    # As an exception, so that what is half written is tidied away.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
    threading.Thread(target=_leave_with_parent, daemon=True).start()
    with suppress(EOFError, OSError):
        while True:
            for answer in answers(line.recv()):
                line.send(answer)
    signal.signal(signal.SIGTERM, signal.SIG_IGN)  # it is ending already


def _leave_with_parent() -> None:
    """A parent that was killed can tell nobody to go."""
    parent = parent_process()
    if parent is not None:
        wait([parent.sentinel])
        os.kill(os.getpid(), signal.SIGTERM)


@contextmanager
def _as_workers_start() -> Iterator[None]:
    """Processes started here have one thread each, and Ctrl-C is not for them."""
    before = {name: os.environ.get(name) for name in ONE_THREAD}
    # Other threads than the main one may not say what becomes of signals.
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
