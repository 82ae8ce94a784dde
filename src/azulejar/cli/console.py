"""What the terminal shows."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from rich.console import Console
from rich.progress import BarColumn, Progress, ProgressColumn, SpinnerColumn, TextColumn

from azulejar import solvers
from azulejar.imaging.folder import load_tiles
from azulejar.tiles import TileSet

console = Console(highlight=False, emoji=False)
errors = Console(stderr=True, highlight=False, emoji=False)


def read_tiles(folder: Path) -> TileSet:
    """Read the tiles under a bar, and tell what was passed over or changed."""
    with bar("Reading tiles") as progress:
        tiles = load_tiles(folder, on_progress=progress)
    text = f"{len(tiles)} tiles of {tiles.size} px from {folder}"
    console.print(text, markup=False, soft_wrap=True)
    for note in tiles.notes:
        console.print(f"  note: {note}", style="yellow", markup=False, soft_wrap=True)
    return tiles


@contextmanager
def bar(title: str) -> Iterator[Callable[[float], None]]:
    """A bar for work that tells a fraction from 0 to 1."""
    columns = (SpinnerColumn(), TextColumn("{task.description}"), BarColumn())
    with _bar_of(*columns) as progress:
        task = progress.add_task(title, total=1.0)
        yield lambda fraction: progress.update(task, completed=fraction)


@contextmanager
def search_bar(runs: int) -> Iterator[Callable[[int, solvers.Progress], None]]:
    """A bar that shows generation, best fitness and the most time left."""
    columns = (
        SpinnerColumn(),
        TextColumn("{task.description}"),
        BarColumn(),
        TextColumn("{task.fields[state]}"),
    )
    with _bar_of(*columns) as progress:
        task = progress.add_task("Solving", total=1.0, state="growing the first generation")

        def show(run: int, now: solvers.Progress) -> None:
            left = now.seconds * (1 - now.fraction) / max(now.fraction, 1e-6)
            which = f"run {run + 1} of {runs}, " if runs > 1 else ""
            state = (
                f"{which}generation {now.generation}, fitness {now.fitness:.1f}, "
                f"at most {_minutes(left)} left"
            )
            progress.update(task, completed=now.fraction, state=state)

        yield show


def _bar_of(*columns: ProgressColumn) -> Progress:
    return Progress(*columns, console=console, transient=True, disable=not console.is_terminal)


def _minutes(seconds: float) -> str:
    return f"{int(seconds) // 60}:{int(seconds) % 60:02d}"
