"""The bar that tells how long the work will still take."""

import io
import os
import subprocess
import sys
from types import SimpleNamespace

import pytest
from rich.console import Console

from azulejar.cli import console


@pytest.fixture
def shown(monkeypatch):
    """What a terminal is shown."""
    shown = io.StringIO()
    terminal = Console(file=shown, force_terminal=True, width=160, color_system=None)
    monkeypatch.setattr(console, "console", terminal)
    return shown


def test_the_bar_tells_the_time_left(monkeypatch, shown):
    clock = iter([100.0, 130.0])
    monkeypatch.setattr(console.time, "perf_counter", lambda: next(clock, 130.0))
    with console.bar("Working") as progress:
        progress(0.25)
    assert "Working" in shown.getvalue()
    assert "about 1:30 left" in shown.getvalue()


def test_training_shows_what_is_read_then_step_loss_and_rank_1(monkeypatch, shown):
    clock = [100.0]
    monkeypatch.setattr(console.time, "perf_counter", lambda: clock[0])
    rank_1 = {"twin/upright/7%": 0.9, "twin/turned/7%": 0.5, "dlcm/turned/7%": 0.625}
    with console.training_bars() as (on_load, on_report):
        on_load(0.5)
        # Taken up at step 100, from which the time left is reckoned.
        on_report(SimpleNamespace(stage="mild", step=100, steps=300, loss=4.0, rank_1={}))
        clock[0] = 130.0
        on_report(SimpleNamespace(stage="mild", step=150, steps=300, loss=3.216, rank_1=rank_1))
    text = shown.getvalue()
    assert "Reading pictures" in text
    last = text[text.rindex("Training") :]
    assert "stage mild, step 150 of 300, loss 3.22, 1:30 left" in last
    assert "twin/turned/7% 50.0%, dlcm/turned/7% 62.5%" in last
    assert "upright" not in text
    assert "Reading pictures" not in last


def test_a_terminal_without_a_width_is_told_too():
    code = "from azulejar.cli.console import complain, say; say('done'); complain('refused')"
    done = subprocess.run([sys.executable, "-c", code], env=os.environ | {"COLUMNS": "0"},
                          capture_output=True, text=True, check=True)  # fmt: skip
    assert (done.stdout, done.stderr) == ("done\n", "azulejar: refused\n")


def test_control_characters_are_spelt_out():
    assert console.visible("a\x1b[31m\x07\u202eé\n") == "a\\x1b[31m\\x07\\u202eé\n"
