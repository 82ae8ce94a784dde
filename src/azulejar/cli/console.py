"""What the terminal shows: lines, notes, errors and bars."""

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, NoReturn

import typer
from rich.console import Console
from rich.progress import BarColumn, Progress, SpinnerColumn, TextColumn

if TYPE_CHECKING:
    from azulejar import solvers
    from azulejar.learning.training import Report

console = Console(highlight=False, emoji=False)
errors = Console(stderr=True, highlight=False, emoji=False)
for _shown in (console, errors):
    if not _shown.width:  # a terminal that says it has none, on which rich would print nothing
        _shown.width = 80


def say(text: str, style: str | None = None) -> None:
    """Print a line as it is: neither broken at the terminal's width nor searched for markup."""
    console.print(visible(text), style=style, markup=False, soft_wrap=True)


def warn(text: str) -> None:
    """Print a line that asks for attention."""
    say(text, style="yellow")


def note(text: str) -> None:
    """Print a remark on the line before."""
    warn(f"  note: {text}")


def complain(text: str) -> None:
    """Print an error to stderr."""
    errors.print(f"azulejar: {visible(text)}", style="red", markup=False, soft_wrap=True)


def visible(text: str) -> str:
    """Return a text in which control characters, which could drive the terminal, are spelt out.

    >>> visible("a\\x1b[31m.png")
    'a\\\\x1b[31m.png'
    """
    return "".join(c if c.isprintable() or c in "\n\t" else ascii(c)[1:-1] for c in text)


def exit_stopped(text: str) -> NoReturn:
    """End the program after Ctrl-C, and say what became of the work."""
    complain(f"stopped; {text}")
    raise typer.Exit(130)


@contextmanager
def bar(title: str) -> Iterator[Callable[[float], None]]:
    """Show a bar with the time left, for work that reports a fraction from 0 to 1."""
    started = time.perf_counter()
    with _progress() as progress:
        task = progress.add_task(title, total=1.0, state="")

        def show(fraction: float) -> None:
            left = _time_left(time.perf_counter() - started, fraction)
            progress.update(task, completed=fraction, state=f"about {left} left")

        yield show


@contextmanager
def search_bar(runs: int) -> Iterator[Callable[[int, "solvers.Progress"], None]]:
    """Show a bar with generation, best fitness and the time left at most."""
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
    """Show a bar for pictures read, then one with step, loss and rank-1 on validation panels."""
    started: dict[str, tuple[float, int]] = {}
    with _progress() as progress:
        reading = progress.add_task("Reading pictures", total=1.0, state="")
        task = progress.add_task("Training", total=1.0, state="", visible=False)

        def show_reading(fraction: float) -> None:
            progress.update(reading, completed=fraction)

        def show(now: "Report") -> None:
            then, first = started.setdefault(now.stage, (time.perf_counter(), now.step))
            share = (now.step - first) / max(1, now.steps - first)
            left = _time_left(time.perf_counter() - then, share) if now.step > first else "…"
            ranks = ", ".join(f"{name} {value:.1%}" for name, value in now.rank_1.items()
                              if name.endswith("turned/7%"))  # fmt: skip
            step = f"stage {now.stage}, step {now.step} of {now.steps}"
            state = f"{step}, loss {now.loss:.2f}, {left} left  {ranks}"
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
