"""What the terminal shows."""

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from rich.console import Console
from rich.progress import BarColumn, Progress, SpinnerColumn, TextColumn

if TYPE_CHECKING:
    from azulejar import solvers
    from azulejar.core.tiles import TileSet
    from azulejar.learning.training import Report

console = Console(highlight=False, emoji=False)
errors = Console(stderr=True, highlight=False, emoji=False)


def read_tiles(folder: Path) -> "TileSet":
    """Read the tiles under a bar, and tell what was passed over or changed."""
    from azulejar.imaging.folder import load_tiles

    with bar("Reading tiles") as progress:
        tiles = load_tiles(folder, on_progress=progress)
    text = f"{len(tiles)} tiles of {tiles.size} px from {folder}"
    console.print(text, markup=False, soft_wrap=True)
    for note in tiles.notes:
        console.print(f"  note: {note}", style="yellow", markup=False, soft_wrap=True)
    return tiles


@contextmanager
def bar(title: str) -> Iterator[Callable[[float], None]]:
    """A bar, with the time left, for work that tells a fraction from 0 to 1."""
    started = time.perf_counter()
    with _progress() as progress:
        task = progress.add_task(title, total=1.0, state="")

        def show(fraction: float) -> None:
            left = _time_left(time.perf_counter() - started, fraction)
            progress.update(task, completed=fraction, state=f"about {left} left")

        yield show


@contextmanager
def search_bar(runs: int) -> Iterator[Callable[[int, "solvers.Progress"], None]]:
    """A bar that shows generation, best fitness and the most time left."""
    with _progress() as progress:
        task = progress.add_task("Solving", total=1.0, state="growing the first generation")

        def show(run: int, now: "solvers.Progress") -> None:
            which = f"run {run + 1} of {runs}, " if runs > 1 else ""
            state = (
                f"{which}generation {now.generation}, fitness {now.fitness:.1f}, "
                f"at most {_time_left(now.seconds, now.fraction)} left"
            )
            progress.update(task, completed=now.fraction, state=state)

        yield show


@contextmanager
def training_bars() -> Iterator[tuple[Callable[[float], None], Callable[["Report"], None]]]:
    """A bar for pictures read, and one with step, loss and rank-1 on the validation panels."""
    started: list[tuple[int, float]] = []
    with _progress() as progress:
        reading = progress.add_task("Reading pictures", total=1.0, state="")
        task = progress.add_task("Training", total=1.0, state="", visible=False)

        def show_reading(fraction: float) -> None:
            progress.update(reading, completed=fraction)

        def show(now: "Report") -> None:
            started.append((now.step, time.perf_counter()))
            first, then = started[0]
            share = (now.step - first) / max(1, now.steps - first)
            left = _time_left(time.perf_counter() - then, share) if now.step > first else "…"
            ranks = ", ".join(f"{name} {value:.1%}" for name, value in now.rank_1.items()
                              if name.endswith("turned/7%"))  # fmt: skip
            state = f"step {now.step} of {now.steps}, loss {now.loss:.2f}, {left} left  {ranks}"
            progress.update(reading, visible=False)
            progress.update(task, completed=now.step / now.steps, state=state, visible=True)

        yield show_reading, show


def _progress() -> Progress:
    return Progress(
        SpinnerColumn(),
        TextColumn("{task.description}"),
        BarColumn(),
        TextColumn("{task.fields[state]}"),
        console=console,
        transient=True,
        disable=not console.is_terminal,
    )


def _time_left(elapsed: float, fraction: float) -> str:
    seconds = elapsed * (1 - fraction) / max(fraction, 1e-6)
    return f"{int(seconds) // 60}:{int(seconds) % 60:02d}"
