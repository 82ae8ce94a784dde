"""Run commands, pools of workers and coroutines within this process."""

import asyncio
import contextlib
import io
import signal
import sys
import threading
import warnings
from concurrent.futures import ThreadPoolExecutor
from multiprocessing import Pipe
from typing import NamedTuple

import pytest

from azulejar.system import processes


class Ended(NamedTuple):
    """A command that has ended without a process of its own."""

    returncode: int
    stdout: str
    stderr: str


def run_command(*arguments, cwd, **variables):
    """Run a command to the end within this process, with these environment variables."""
    from azulejar.cli import main

    streams = [io.TextIOWrapper(io.BytesIO(), encoding="utf-8") for _ in range(2)]
    heeded = signal.getsignal(signal.SIGINT)
    with (
        contextlib.chdir(cwd),
        pytest.MonkeyPatch.context() as patch,
        contextlib.redirect_stdout(streams[0]),
        contextlib.redirect_stderr(streams[1]),
        pytest.raises(SystemExit) as end,
    ):
        patch.setattr(sys, "argv", ["azulejar", *map(str, arguments)])
        patch.setattr(warnings, "showwarning", warnings.showwarning)  # which the program changes
        for name, value in variables.items():
            patch.setenv(name, value)
        main.run()
    assert signal.getsignal(signal.SIGINT) is heeded
    for stream in streams:
        stream.flush()
    shown = [stream.buffer.getvalue().decode("utf-8") for stream in streams]
    return Ended(end.value.code or 0, *shown)


class ThreadAsProcess(threading.Thread):
    """A thread with the methods of a process; it ends when its pipe is closed."""

    exitcode = None

    def terminate(self):
        pass

    kill = terminate


@contextlib.contextmanager
def workers_as_threads():
    """Let pools of worker processes have threads instead, which need not start Python."""

    def start(answer):
        ours, theirs = Pipe()
        thread = ThreadAsProcess(target=processes._answer_all, args=(theirs, answer), daemon=True)
        thread.start()
        return processes.Worker(thread, ours)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(processes, "_start_worker", start)
        yield


def run_async(coroutine):
    """Run a coroutine in a thread: this one has a running event loop while a browser is open."""
    with ThreadPoolExecutor(1) as pool:
        return pool.submit(asyncio.run, coroutine).result()
