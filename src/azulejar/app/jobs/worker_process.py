"""The process of a worker, as the server controls it."""

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from pydantic import ValidationError

from azulejar.app.jobs.reporter import ProgressLine
from azulejar.app.jobs.worker import STOP
from azulejar.app.schemas.jobs import Job, LiveAssembly

PATIENCE = 2.5  # seconds that a worker gets to end by itself: nobody waits longer for a stop


def worker_log(folder: Path, job: int) -> Path:
    """Return the path of a worker's log, which stays if the worker crashes."""
    return folder / "work" / f"{job}.log"


class WorkerProcess:
    """The process that runs one job."""

    def __init__(self, folder: Path, job: int) -> None:
        self.log = worker_log(folder, job)
        self.stopping = False
        self._lock = threading.Lock()
        with self.log.open("wb") as log:
            self._process = subprocess.Popen(
                [sys.executable, "-m", "azulejar.app.jobs.worker", str(folder), str(job)],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=log,
                start_new_session=True,  # Ctrl-C in the terminal must reach the server alone
            )

    @property
    def pid(self) -> int:
        return self._process.pid

    def follow(self, on_job: Callable[[Job], None], on_live: Callable[[LiveAssembly], None]) -> int:
        """Pass on its reports until it ends; return its exit status, negative if it was killed."""
        assert self._process.stdout is not None
        for line in self._process.stdout:
            with suppress(ValidationError):  # the last line of a killed worker may be incomplete
                line_read = ProgressLine.model_validate_json(line)
                if line_read.job is not None:
                    on_job(line_read.job)
                if line_read.live is not None:
                    on_live(line_read.live)
        status = self._process.wait()
        for pipe in (self._process.stdin, self._process.stdout):
            if pipe is not None:
                with suppress(OSError):
                    pipe.close()
        return status

    def stop(self, patience: float = PATIENCE) -> None:
        """Ask it to end, and kill it if it does not in time."""
        with self._lock:
            if self.stopping:
                return
            self.stopping = True
        with suppress(OSError, ValueError):
            assert self._process.stdin is not None
            self._process.stdin.write(STOP)
            self._process.stdin.flush()
        threading.Thread(target=self._kill_after, args=(patience,), daemon=True).start()

    def _kill_after(self, patience: float) -> None:
        end = time.monotonic() + patience
        while self._process.poll() is None and time.monotonic() < end:
            time.sleep(0.05)
        self.kill()

    def kill(self) -> None:
        """Kill it at once, with all processes that it has started."""
        if self._process.poll() is not None:
            return
        if os.name == "nt":
            self._process.kill()
        else:
            with suppress(ProcessLookupError):
                os.killpg(self.pid, signal.SIGKILL)
