"""Commands as a person types them, within the test's process or in one of their own."""

import contextlib
import os
import pkgutil
import pty
import re
import resource
import signal
import subprocess
import sys
from functools import partial
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from azulejar.practice.painting import paint_panel

SCRIPT = Path(sys.executable).parent / "azulejar"
ROWS, COLS = 4, 5
REFUSAL = re.compile(r"azulejar: [^\n]+[^.]\. [A-Z][^\n]+\.\n")


def _heed_interrupts():
    """Programs started from a background job would otherwise ignore Ctrl-C."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


def _run_process(*arguments, cwd, file_limit=None, program=(SCRIPT,), **variables):
    """Run a process to the end; ``file_limit`` is the largest file it may write, in bytes."""

    def prepare():
        _heed_interrupts()
        if file_limit is not None:
            resource.setrlimit(resource.RLIMIT_FSIZE, (file_limit, file_limit))

    return subprocess.run(
        [*map(str, program), *map(str, arguments)],
        cwd=cwd,
        env=os.environ | variables,
        capture_output=True,
        encoding="utf-8",
        preexec_fn=prepare,
    )


def _shown(result):
    """What a command printed that ended well."""
    assert result.returncode == 0, result.stdout + result.stderr
    assert result.stderr == ""
    return result.stdout


def _refusal(run, *arguments, cwd, **options):
    """The message of a command that was refused as users are to see it.

    Exit status 2, one line with a sentence and its remedy, no traceback, and the folder as it was
    before.
    """
    before = _contents(cwd)
    result = run(*arguments, cwd=cwd, **options)
    assert result.returncode == 2, result.stdout + result.stderr
    assert REFUSAL.fullmatch(result.stderr)
    assert "Traceback" not in result.stdout
    assert _contents(cwd) == before
    return result.stderr


@contextlib.contextmanager
def _limit_files(size):
    """Let this process write no file of more than so many bytes: the disk is full."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)


def _run_limited(run, *arguments, file_limit=None, **options):
    """Run a command; ``file_limit`` is the largest file it may write, in bytes."""
    with contextlib.nullcontext() if file_limit is None else _limit_files(file_limit):
        return run(*arguments, **options)


@contextlib.contextmanager
def _ctrl_c(at, call, times):
    """Send Ctrl-C to this process when the function with this dotted name is called."""
    original, calls = pkgutil.resolve_name(at), []

    def interrupted(*arguments, **options):
        calls.append(1)
        if len(calls) == call:
            for _ in range(times):
                os.kill(os.getpid(), signal.SIGINT)
        return original(*arguments, **options)

    # Tests started from a background job would otherwise ignore Ctrl-C.
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(at, interrupted)
            yield
    except KeyboardInterrupt:
        pytest.fail("Ctrl-C was not answered")
    finally:
        signal.signal(signal.SIGINT, before)
    assert len(calls) >= call


class Terminal:
    """A program run in a pseudo-terminal, and what it has shown so far."""

    def __init__(self, *arguments, cwd, program=(SCRIPT,)):
        self.mine, theirs = pty.openpty()
        environment = os.environ | {"TERM": "xterm", "COLUMNS": "200", "NO_COLOR": "1"}
        self.process = subprocess.Popen(
            [str(argument) for argument in (*program, *arguments)],
            cwd=cwd, env=environment, stdin=theirs, stdout=theirs, stderr=theirs,
            preexec_fn=_heed_interrupts,
        )  # fmt: skip
        os.close(theirs)
        self.shown = ""

    def read(self):
        """Read on; False once the program has ended."""
        try:
            more = os.read(self.mine, 4096)
        except OSError:
            return False
        self.shown += more.decode("utf-8", "replace")
        return bool(more)

    def read_until(self, pattern):
        while not pattern.search(self.shown):
            assert self.read(), self.shown

    def close(self):
        while self.read():
            pass
        os.close(self.mine)
        return self.process.wait()


def _contents(folder):
    return {
        path.relative_to(folder).as_posix(): path.read_bytes() if path.is_file() else None
        for path in folder.rglob("*")
    }


@pytest.fixture
def azulejar(tmp_path, run_command):
    """Run a command in ``tmp_path`` that must end well; gives what it printed."""
    return lambda *arguments, **options: _shown(run_command(*arguments, cwd=tmp_path, **options))


@pytest.fixture
def azulejar_process(tmp_path):
    """The same in a process of its own: one test a command shows that the program itself works."""
    return lambda *arguments, **options: _shown(_run_process(*arguments, cwd=tmp_path, **options))


@pytest.fixture
def invoke(tmp_path, run_command):
    """Run a command in ``tmp_path``; gives its exit status and what it printed."""
    return partial(_run_limited, run_command, cwd=tmp_path)


@pytest.fixture
def process(tmp_path):
    """Run a command in ``tmp_path`` in a process of its own; gives the finished process."""
    return lambda *arguments, **options: _run_process(*arguments, cwd=tmp_path, **options)


@pytest.fixture
def refused(tmp_path, run_command):
    """Run a command that must be refused; gives the message."""
    return partial(_refusal, partial(_run_limited, run_command), cwd=tmp_path)


@pytest.fixture
def refused_process(tmp_path):
    """The same in a process of its own, for what only a process can meet."""
    return lambda *arguments, **options: _refusal(_run_process, *arguments, cwd=tmp_path, **options)


@pytest.fixture
def terminal(tmp_path):
    """Start a command in ``tmp_path``, in a pseudo-terminal."""
    started = []

    def start(*arguments, **options):
        started.append(Terminal(*arguments, cwd=tmp_path, **options))
        return started[0]

    yield start
    for program in started:
        program.process.kill()
        program.process.wait()


@pytest.fixture
def interrupted(invoke):
    """Run a command that gets Ctrl-C when the function ``at`` is called for the nth time."""

    def run(*arguments, at, call=1, times=1):
        with _ctrl_c(at, call, times):
            return invoke(*arguments)

    return run


@pytest.fixture
def pool_of_threads(workers_as_threads):
    """Let the pools of worker processes have threads instead, which need not start Python."""
    with workers_as_threads():
        yield


@pytest.fixture
def contents():
    """Every entry under a folder, hidden ones too, with the bytes of files."""
    return _contents


@pytest.fixture(scope="session")
def panel(tmp_path_factory):
    """A picture of a panel of 4 × 5 tiles."""
    path = tmp_path_factory.mktemp("panel") / "panel.png"
    Image.fromarray(paint_panel(ROWS, COLS)).save(path)
    return path


@pytest.fixture(scope="session")
def puzzles(tmp_path_factory, panel, run_command):
    """The panel as a puzzle in two folders, ``turned`` and ``upright``."""
    folder = tmp_path_factory.mktemp("puzzles")
    size = ("--rows", ROWS, "--cols", COLS)
    _shown(run_command("puzzle", panel, *size, "-o", "upright", cwd=folder))
    _shown(run_command("puzzle", panel, *size, "--turned", "-o", "turned", cwd=folder))
    return folder


@pytest.fixture(scope="session")
def tiles(puzzles):
    """The folder of the turned tiles."""
    return puzzles / "turned" / "tiles"


@pytest.fixture(scope="session")
def solved(tmp_path_factory, tiles, run_command):
    """A result for the turned tiles; tests only read it. From here on, ``fast`` is compiled."""
    folder = tmp_path_factory.mktemp("solved")
    _shown(run_command("solve", tiles, "-o", "result", "--preset", "fast", "-m", "mgc", cwd=folder))
    return folder / "result"


@pytest.fixture
def noise_tiles(tmp_path):
    """Make a folder of so many small tiles of noise."""

    def make(count, name="noise", side=16):
        (tmp_path / name).mkdir()
        for i in range(count):
            pixels = np.random.default_rng(i).integers(0, 256, (side, side, 3), np.uint8)
            Image.fromarray(pixels).save(tmp_path / name / f"{i}.png")
        return tmp_path / name

    return make
