"""The process of one job: ``python -m azulejar.app.jobs.worker PROJECT_FOLDER JOB``.

Lines of JSON on its standard output tell how far it is; the result is left in a file. A line
``stop`` on its standard input, or SIGTERM, asks it to end and keep what it has; when the input
ends, the server is gone, and so is this process at once.
"""

import os
import re
import signal
import sys
import threading
import traceback
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import Any

from azulejar.app.jobs import result as results
from azulejar.app.jobs.bench import Bench, Stopped
from azulejar.app.jobs.result import Result
from azulejar.app.jobs.teller import Teller
from azulejar.app.store import Store
from azulejar.errors import AzulejarError

STOP = b"stop\n"
# Loaded when first asked for: an export needs no solver.
WORK = {
    "solve": "solving",
    "sort": "sorting",
    "audit": "auditing",
    "import": "importing",
    "cut": "cutting",
    "demo": "painting",
    "export": "exporting",
}
_OPTION = re.compile(r"--([a-z][a-z-]*)")


def main(folder: Path, number: int) -> int:
    """Do the job; gives the exit status."""
    # Whatever else prints something must not disturb the lines that the server reads.
    out = os.fdopen(os.dup(sys.stdout.fileno()), "w", encoding="utf-8")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())
    stop = threading.Event()
    signal.signal(signal.SIGTERM, lambda *_: stop.set())
    threading.Thread(target=_listen, args=(stop,), daemon=True).start()
    store = Store(folder)
    job = store.job(number).model_copy(update={"state": "running"})
    teller = Teller(job, out)
    try:
        result = _function(job.wish.kind)(Bench(store, teller, stop), job.wish)
        results.write(folder, number, result)
    except Stopped:
        teller.stopped()
    except AzulejarError as error:
        teller.failed(_plain(error.problem), _plain(error.remedy))
        return 1
    except MemoryError:
        teller.failed("There was not enough memory.", "Close other programs, or use fewer tiles.")
        return 1
    except Exception:
        traceback.print_exc()
        teller.failed("Something went wrong that should not.", "Please report what you did.")
        return 1
    finally:
        store.close()
    return 0


def _function(kind: str) -> Callable[[Bench, Any], Result]:
    return import_module(f"azulejar.app.jobs.{WORK[kind]}").work


def _listen(stop: threading.Event) -> None:
    """Follow what the server wants."""
    while chunk := os.read(sys.stdin.fileno(), 1024):
        if STOP in chunk:
            stop.set()
    os._exit(1)


def _plain(text: str) -> str:
    """A sentence for the command line as one for the page, which has no options."""
    return _OPTION.sub(lambda option: option[1].replace("-", " "), text)


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]), int(sys.argv[2])))
