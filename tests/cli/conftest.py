"""Commands as a person types them, each in a process of its own."""

import os
import re
import resource
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from azulejar.cli import main
from azulejar.imaging.painting import paint_panel

SCRIPT = Path(sys.executable).parent / "azulejar"
ENVIRONMENT = {name: value for name, value in os.environ.items() if name != "FORCE_COLOR"}
SECONDS = 180  # the first solve compiles
ROWS, COLS = 4, 5
REFUSAL = re.compile(r"azulejar: [^\n]+[^.]\. [A-Z][^\n]+\.\n")


def _run(*arguments, cwd, file_limit=None, program=(SCRIPT,), **variables):
    """Run to the end; ``file_limit`` is the largest file that may be written, in bytes."""

    def limit():
        resource.setrlimit(resource.RLIMIT_FSIZE, (file_limit, file_limit))

    return subprocess.run(
        [*map(str, program), *map(str, arguments)],
        cwd=cwd,
        env=ENVIRONMENT | variables,
        capture_output=True,
        encoding="utf-8",
        timeout=SECONDS,
        preexec_fn=None if file_limit is None else limit,
    )


def _done(*arguments, **options):
    """Run, and show what went wrong if anything did."""
    result = _run(*arguments, **options)
    assert result.returncode == 0, result.stdout + result.stderr
    assert result.stderr == ""
    return result.stdout


def _contents(folder):
    return {
        path.relative_to(folder).as_posix(): path.read_bytes() if path.is_file() else None
        for path in folder.rglob("*")
    }


@pytest.fixture
def azulejar(tmp_path):
    """Run a command in ``tmp_path`` that must end well; gives what it printed."""
    return lambda *arguments, **options: _done(*arguments, cwd=tmp_path, **options)


@pytest.fixture
def process(tmp_path):
    """Run a command in ``tmp_path``; gives the finished process."""
    return lambda *arguments, **options: _run(*arguments, cwd=tmp_path, **options)


@pytest.fixture
def contents():
    """Every entry under a folder, hidden ones too, with the bytes of files."""
    return _contents


@pytest.fixture
def refused(tmp_path):
    """Run a command that must be refused as users are to see it; gives the message.

    Exit status 2, one line with a sentence and its remedy, no traceback, and ``tmp_path`` as it
    was before.
    """

    def run(*arguments, **options):
        before = _contents(tmp_path)
        result = _run(*arguments, cwd=tmp_path, **options)
        assert result.returncode == 2, result.stdout + result.stderr
        assert REFUSAL.fullmatch(result.stderr)
        assert "Traceback" not in result.stdout
        assert _contents(tmp_path) == before
        return result.stderr

    return run


@pytest.fixture
def refused_here(tmp_path, monkeypatch, capsys):
    """The same without a process of its own, for long lists of refusals."""

    def run(*arguments):
        before = _contents(tmp_path)
        monkeypatch.chdir(tmp_path)
        monkeypatch.setattr(sys, "argv", ["azulejar", *map(str, arguments)])
        with pytest.raises(SystemExit) as end:
            main.run()
        message = capsys.readouterr().err
        assert end.value.code == 2, message
        assert REFUSAL.fullmatch(message)
        assert _contents(tmp_path) == before
        return message

    return run


@pytest.fixture(scope="session")
def panel(tmp_path_factory):
    """A picture of a panel of 4 × 5 tiles."""
    path = tmp_path_factory.mktemp("panel") / "panel.png"
    Image.fromarray(paint_panel(ROWS, COLS)).save(path)
    return path


@pytest.fixture(scope="session")
def puzzles(tmp_path_factory, panel):
    """The panel as a puzzle in two folders, ``turned`` and ``upright``."""
    folder = tmp_path_factory.mktemp("puzzles")
    size = ("--rows", ROWS, "--cols", COLS)
    _done("puzzle", panel, *size, "-o", "upright", cwd=folder)
    _done("puzzle", panel, *size, "--turned", "-o", "turned", cwd=folder)
    return folder


@pytest.fixture(scope="session")
def tiles(puzzles):
    """The folder of the turned tiles."""
    return puzzles / "turned" / "tiles"


@pytest.fixture(scope="session")
def solved(tmp_path_factory, tiles):
    """A result for the turned tiles; tests only read it. From here on, ``fast`` is compiled."""
    folder = tmp_path_factory.mktemp("solved")
    _done("solve", tiles, "-o", "result", "--preset", "fast", cwd=folder)
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
