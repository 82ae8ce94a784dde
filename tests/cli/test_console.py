"""The bar that tells how long the work will still take."""

import io

from rich.console import Console

from azulejar.cli import console


def test_the_bar_tells_the_time_left(monkeypatch):
    shown = io.StringIO()
    terminal = Console(file=shown, force_terminal=True, width=120, color_system=None)
    monkeypatch.setattr(console, "console", terminal)
    clock = iter([100.0, 130.0])
    monkeypatch.setattr(console.time, "perf_counter", lambda: next(clock, 130.0))
    with console.bar("Working") as progress:
        progress(0.25)
    assert "Working" in shown.getvalue()
    assert "about 1:30 left" in shown.getvalue()
