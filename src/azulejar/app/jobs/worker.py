"""The process of one job: ``python -m azulejar.app.jobs.worker PROJECT_FOLDER JOB``.

Lines of JSON on its standard output report its progress; the result is written to a file. A line
``stop`` on its standard input, or SIGTERM, asks it to end and keep what it has; when the input
ends, the server is gone, and this process exits at once.
"""

import os
import signal
import sys
import threading
import traceback
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import Any

from azulejar.app.jobs.context import JobContext, Stopped
from azulejar.app.jobs.job_result import JobResult, save_result
from azulejar.app.jobs.reporter import Reporter
from azulejar.app.projects.store import ProjectStore
from azulejar.errors import AzulejarError

STOP = b"stop\n"


def main(folder: Path, number: int) -> int:
    """Run the job; return the exit status."""
    # Whatever else is printed must not get between the lines that the server reads.
    out = os.fdopen(os.dup(sys.stdout.fileno()), "w", encoding="utf-8")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())
    stop = threading.Event()
    signal.signal(signal.SIGTERM, lambda *_: stop.set())
    threading.Thread(target=_listen, args=(stop,), daemon=True).start()
    store = ProjectStore(folder)
    job = store.job(number).model_copy(update={"state": "running"})
    reporter = Reporter(job, out, folder)
    try:
        result = job_function(job.request.kind)(JobContext(store, reporter, stop), job.request)
        save_result(folder, number, result)
    except Stopped:
        reporter.stopped()
    except AzulejarError as error:
        reporter.failed(error)
        return 1
    except MemoryError:
        reporter.failed(
            AzulejarError(
                "memory-exhausted",
                "There was not enough memory.",
                "Close other programs, or use fewer tiles.",
            )
        )
        return 1
    except Exception:
        traceback.print_exc()
        reporter.failed(
            AzulejarError(
                "job-bug", "Something went wrong that should not.", "Please report what you did."
            )
        )
        return 1
    finally:
        store.close()
    return 0


def job_function(kind: str) -> Callable[[JobContext, Any], JobResult]:
    """Return the function for a kind of job, imported when needed: an export needs no solver."""
    module = "museum_jobs" if kind.startswith("museum_") else f"{kind}_job"
    return getattr(import_module(f"azulejar.app.jobs.{module}"), f"run_{kind}")


def _listen(stop: threading.Event) -> None:
    """Obey the server."""
    while chunk := os.read(sys.stdin.fileno(), 1024):
        if STOP in chunk:
            stop.set()
    os._exit(1)


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]), int(sys.argv[2])))
