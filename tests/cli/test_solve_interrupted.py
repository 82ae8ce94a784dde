"""Ctrl-C: the best assembly so far is kept; before there is one, nothing is written."""

import csv
import os
import pty
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from azulejar.solution import Solution

SCRIPT = Path(sys.executable).parent / "azulejar"
PATIENCE = 180  # seconds; the first solve compiles
UNDER_WAY = re.compile(
    r"Solving.*run 1 of 1000, generation \d+, fitness \d+\.\d, at most \d+:\d\d left"
)

# Sends Ctrl-C to itself when the function NAME of MODULE is called for the nth time.
INTERRUPTED = """
import importlib, os, signal
from azulejar.cli import main

module = importlib.import_module({module!r})
owner = getattr(module, {owner!r}) if {owner!r} else module
original, calls = getattr(owner, {name!r}), []

def interrupted(*arguments, **options):
    calls.append(1)
    if len(calls) == {call}:
        for _ in range({times}):
            os.kill(os.getpid(), signal.SIGINT)
    return original(*arguments, **options)

setattr(owner, {name!r}, interrupted)
main.run()
"""


class Terminal:
    """A program that believes in a terminal, and what it has shown so far."""

    def __init__(self, *arguments, cwd):
        self.mine, theirs = pty.openpty()
        environment = os.environ | {"TERM": "xterm", "COLUMNS": "200", "NO_COLOR": "1"}
        self.process = subprocess.Popen(
            [str(argument) for argument in (SCRIPT, *arguments)],
            cwd=cwd, env=environment, stdin=theirs, stdout=theirs, stderr=theirs,
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
        end = time.monotonic() + PATIENCE
        while not pattern.search(self.shown):
            assert time.monotonic() < end, self.shown
            assert self.read(), self.shown

    def close(self):
        while self.read():
            pass
        os.close(self.mine)
        return self.process.wait(PATIENCE)


@pytest.fixture
def terminal(tmp_path):
    started = []

    def start(*arguments):
        started.append(Terminal(*arguments, cwd=tmp_path))
        return started[0]

    yield start
    for program in started:
        program.process.kill()
        program.process.wait()


def interrupted(module, name, *, owner="", call=1, times=1):
    """A program that runs azulejar and gets Ctrl-C in the midst of it."""
    text = INTERRUPTED.format(module=module, name=name, owner=owner, call=call, times=times)
    return (sys.executable, "-c", text)


def test_ctrl_c_keeps_the_best_so_far(terminal, tmp_path, tiles):
    """A thousand runs would take half an hour; the bar shows how far it is."""
    program = terminal("solve", tiles, "-o", "out", "--preset", "paper", "--runs", 1000)
    program.read_until(UNDER_WAY)
    program.process.send_signal(signal.SIGINT)
    assert program.close() == 0, program.shown
    assert "Stopped; this is the best assembly so far." in program.shown
    assert [entry.name for entry in tmp_path.iterdir()] == ["out"]
    out = tmp_path / "out"
    solution = Solution.load(out / "solution.json")
    assert sorted(solution.files) == sorted(path.name for path in tiles.iterdir())
    with Image.open(out / "panel.png") as panel:
        assert np.asarray(panel).shape == (64 * solution.rows, 64 * solution.cols, 3)
    with (out / "placement.csv").open(encoding="utf-8-sig", newline="") as file:
        assert len(list(csv.DictReader(file))) == len(solution.files)
    assert (out / "report.html").read_text(encoding="utf-8").rstrip().endswith("</html>")


@pytest.mark.parametrize(
    "stage",
    [
        {"module": "azulejar.imaging.folder", "name": "read_tile", "call": 5},
        {"module": "azulejar.measures.base", "name": "_scored"},
    ],
    ids=["reading", "scoring"],
)
def test_ctrl_c_before_the_search_leaves_nothing(process, tmp_path, tiles, stage):
    result = process("solve", tiles, "-o", "out", program=interrupted(**stage))
    assert result.returncode == 130
    assert "Traceback" not in result.stderr
    assert not any(tmp_path.iterdir())


def test_ctrl_c_is_answered_with_a_sentence(process, tiles):
    program = interrupted("azulejar.measures.base", "_scored")
    result = process("solve", tiles, "-o", "out", program=program)
    assert result.stderr == "azulejar: stopped; nothing was written.\n"


def test_a_second_ctrl_c_ends_at_once(process, tmp_path, tiles, solved):
    program = interrupted("azulejar.solvers.budget", "tick", owner="Clock", call=2, times=2)
    result = process("solve", tiles, "-o", "out", "--preset", "fast", program=program)
    assert result.returncode == 130
    assert "Traceback" not in result.stderr
    assert not any(tmp_path.iterdir())


def test_one_ctrl_c_in_the_midst_of_the_search_ends_it_well(process, tmp_path, tiles, solved):
    program = interrupted("azulejar.solvers.budget", "tick", owner="Clock", call=2)
    result = process("solve", tiles, "-o", "out", "--preset", "fast", program=program)
    assert result.returncode == 0, result.stderr
    assert "Stopped; this is the best assembly so far." in result.stdout
    assert len(list((tmp_path / "out").iterdir())) == 4


def test_ctrl_c_keeps_a_result_that_is_to_be_overwritten(process, tmp_path, tiles, contents):
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "solution.json").write_text("the old result")
    before = contents(tmp_path)
    program = interrupted("azulejar.measures.base", "_scored")
    result = process("solve", tiles, "-o", "out", "--overwrite", program=program)
    assert result.returncode == 130
    assert contents(tmp_path) == before
