"""Try something hostile in a process of its own, and judge the answer.

A module of cases has ``prepare(folder)``, which makes what its tries share, and ``KINDS``, a table
of functions. Each takes a random generator and an empty folder, in which it may write, and returns
a ``Try``. ``benchmarks/hostile.py`` and the tests run them all alike.
"""

import os
import pickle
import re
import resource
import signal
import sys
import traceback
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

SECONDS = 20  # of processor time that an answer may take
MEMORY = 3 * 2**30  # bytes beyond what the program has anyway
FINE = {0, 1, 2, 130}
WRONG = 3
LOST = "acknowledged"  # in what a case says of something that is gone
SENTENCE = re.compile(r"^azulejar: .+\.$", re.MULTILINE)


@dataclass
class Answer:
    """How a try ended: its exit status, what it printed, or the signal that ended it."""

    status: int = 0
    shown: str = ""
    trace: str = ""
    signal: int = 0
    seconds: float = 0.0
    memory: int = 0


@dataclass
class Try:
    """``run`` returns exit status and output; ``check`` returns what is wrong afterwards, if any.

    A case that judges the answer itself returns WRONG and what is wrong: a fault of the kind
    ``wrong``, or "lost" if what is wrong says so. ``file_limit`` is the largest file in bytes that
    may be written, as on a full disk; ``kill_at`` is the number of the change to files before which
    the process is killed.
    """

    name: str
    run: Callable[[], tuple[int, str]]
    check: Callable[[Answer], str | None] = field(default=lambda answer: None)
    file_limit: int | None = None
    kill_at: int | None = None
    wrong: str = "traceback"


def answer_of(one: Try) -> Answer:
    """Run a try in a fork of this process, under limits of time and memory."""
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(reading)
        _run_child(one, writing)
    os.close(writing)
    with os.fdopen(reading, "rb") as pipe:
        data = pipe.read()
    _, status, used = os.wait4(child, 0)
    answer = pickle.loads(data) if data else Answer()
    answer.seconds = used.ru_utime + used.ru_stime
    answer.memory = used.ru_maxrss * 1024
    answer.signal = os.WTERMSIG(status) if os.WIFSIGNALED(status) else 0
    return answer


def _run_child(one: Try, writing: int) -> None:
    answer = Answer()
    try:
        with Path("/proc/self/statm").open() as file:
            own = int(file.read().split()[0]) * os.sysconf("SC_PAGESIZE")
        resource.setrlimit(resource.RLIMIT_AS, (own + MEMORY, own + MEMORY))
        resource.setrlimit(resource.RLIMIT_CPU, (SECONDS, SECONDS))
        signal.alarm(6 * SECONDS)  # for what waits for ever
        if one.file_limit is not None:
            signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
            resource.setrlimit(resource.RLIMIT_FSIZE, (one.file_limit, one.file_limit))
        if one.kill_at is not None:
            _die_at(one.kill_at)
        answer.status, answer.shown = one.run()
    except BaseException:
        answer.trace = traceback.format_exc()
    finally:
        with os.fdopen(writing, "wb") as pipe:
            pickle.dump(answer, pipe)
        os._exit(0)


def _die_at(step: int) -> None:
    left = step

    def hook(event: str, details: object) -> None:
        nonlocal left
        if event in {"os.rename", "os.link", "os.remove", "os.rmdir", "os.mkdir", "os.chmod",
                     "shutil.rmtree", "ctypes.call_function"}:  # fmt: skip
            left -= 1
            if left == 0:
                os.kill(os.getpid(), signal.SIGKILL)

    sys.addaudithook(hook)


def fault_in(one: Try, answer: Answer) -> tuple[str, str] | None:
    """Return the kind of fault and what was seen of it; None for a proper answer."""
    if answer.signal and one.kill_at is None:
        over = answer.signal in (signal.SIGXCPU, signal.SIGALRM, signal.SIGKILL)
        return "over the limit" if over else "crash", f"signal {answer.signal}"
    if answer.trace:
        return "traceback", answer.trace
    if "Traceback" in answer.shown or "Warning:" in answer.shown:
        return "traceback", answer.shown
    if "out of memory" in answer.shown:
        return "over the limit", answer.shown
    if answer.status == WRONG:
        return "lost" if LOST in answer.shown else one.wrong, answer.shown
    if answer.status not in FINE:
        return "traceback", f"exit status {answer.status}: {answer.shown}"
    refused = answer.status == 2
    if refused and not SENTENCE.search(answer.shown) and "Usage:" not in answer.shown:
        return "traceback", f"refused without a sentence: {answer.shown}"
    wrong = one.check(answer)
    return ("half-written", wrong) if wrong else None
