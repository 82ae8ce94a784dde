"""A worker's process, seen from the server."""

import subprocess
import sys
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from pydantic import ValidationError

from azulejar.app.jobs.result import Line
from azulejar.app.jobs.worker import STOP
from azulejar.app.schemas import Job, Live

PATIENCE = 10.0  # seconds that a worker has to end once it was asked to


def log_of(folder: Path, job: int) -> Path:
    """What a worker says that is not meant for the page; it stays if the worker crashes."""
    return folder / "work" / f"{job}.log"


class Process:
    """Runs one job."""

    def __init__(self, folder: Path, job: int) -> None:
        self.log = log_of(folder, job)
        self.stopping = False
        self._lock = threading.Lock()
        with self.log.open("wb") as log:
            self._process = subprocess.Popen(
                [sys.executable, "-m", "azulejar.app.jobs.worker", str(folder), str(job)],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=log,
                start_new_session=True,  # Ctrl-C in the server's terminal is the server's affair
            )

    @property
    def pid(self) -> int:
        return self._process.pid

    def follow(self, on_job: Callable[[Job], None], on_live: Callable[[Live], None]) -> int:
        """Pass on what it tells until it ends; gives its exit status, negative if it was killed."""
        assert self._process.stdout is not None
        for line in self._process.stdout:
            with suppress(ValidationError):  # the last line of a killed worker may be cut off
                told = Line.model_validate_json(line)
                if told.job is not None:
                    on_job(told.job)
                if told.live is not None:
                    on_live(told.live)
        status = self._process.wait()
        for pipe in (self._process.stdin, self._process.stdout):
            if pipe is not None:
                with suppress(OSError):
                    pipe.close()
        return status

    def stop(self, patience: float = PATIENCE) -> None:
        """Ask it to end, and end it by force if it does not."""
        with self._lock:
            if self.stopping:
                return
            self.stopping = True
        with suppress(OSError, ValueError):
            assert self._process.stdin is not None
            self._process.stdin.write(STOP)
            self._process.stdin.flush()
        threading.Thread(target=self._end_by_force, args=(patience,), daemon=True).start()

    def _end_by_force(self, patience: float) -> None:
        end = time.monotonic() + patience
        while self._process.poll() is None and time.monotonic() < end:
            time.sleep(0.05)
        self.kill()

    def kill(self) -> None:
        """End it at once."""
        if self._process.poll() is None:
            self._process.kill()
