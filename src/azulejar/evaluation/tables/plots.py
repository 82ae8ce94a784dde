"""Figures of the benchmark: accuracy over what is lost, fitness over time."""

from collections.abc import Iterable, Sequence
from itertools import groupby
from pathlib import Path

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import FuncFormatter
from numpy.typing import NDArray

from azulejar.evaluation.plots import HEIGHT, INK, WIDTH, line_style, plain_axes, save
from azulejar.evaluation.tables.cells import Cell
from azulejar.evaluation.tables.rows import readable
from azulejar.system.atomic import replacing

VARIANTS = {
    (False, False): "tiles turned, size of the panel unknown",
    (True, True): "tiles upright, size of the panel known",
}
LOSSES = {
    "trim": "lost at each side of a tile (% of its side)",
    "missing": "missing tiles (%)",
    "content": "lost painting (% of each tile)",
}
SOONEST = 0.01  # seconds; what is found earlier is drawn there


def plot_accuracy(cells: Sequence[Cell], path: Path, over: str) -> bool:
    """Write accuracy over ``trim``, ``missing`` or ``content`` as PNG; False without such cells.

    Over missing tiles and lost content a line starts at the whole puzzles of the same trim, where
    there are any; of several trims the highest counts.
    """
    chosen = _with_loss(cells, over)
    variants = [key for key in VARIANTS if any(_variant(cell) == key for cell in chosen)]
    chosen = [cell for cell in chosen if _variant(cell) in variants]
    if not chosen:
        return False
    figure = Figure(figsize=(WIDTH * len(variants), HEIGHT + 0.9), layout="constrained")
    plots = figure.subplots(1, len(variants), sharey=True, squeeze=False)[0]
    rows = _rows(chosen)
    for plot, variant in zip(plots, variants, strict=True):
        for i, row in enumerate(rows):
            of_row = [c for c in chosen if _variant(c) == variant and _row(c) == row]
            points = _points(of_row, over)
            if points:
                plot.plot(*zip(*points, strict=True), label=row, **line_style(i))
        plot.set_title(VARIANTS[variant], color=INK)
        plot.set_xlabel(LOSSES[over])
        plot.set_xticks(sorted({100 * _loss(cell, over) for cell in chosen}))
        plot.xaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:.3g}"))
        plot.set_ylim(0, 100)
        plain_axes(plot)
    plots[0].set_ylabel("true joints found (%)")
    trim = "" if over == "trim" else f", trim {chosen[0].trim:.3g}"
    figure.suptitle(f"Accuracy, {_mean_of(chosen)}{trim}", color=INK)
    _finish(figure, plots, path)
    return True


def plot_progress(cells: Sequence[Cell], path: Path) -> bool:
    """Write fitness over seconds as PNG, turned and of unknown size; False without such cells.

    A line is the mean of all puzzles at the highest trim, from when each has an assembly on.
    """
    chosen = [
        cell
        for cell in cells
        if cell.corruption == "none" and not cell.upright and not cell.known and cell.truth_worth
    ]
    if not chosen:
        return False
    trim = max(cell.trim for cell in chosen)
    chosen = [cell for cell in chosen if cell.trim == trim]
    figure = Figure(figsize=(1.6 * WIDTH, 1.2 * HEIGHT + 0.9), layout="constrained")
    plot = figure.subplots()
    plot.axhline(100, color="#BBBBBB", linewidth=1.2, label="the truth")
    for i, row in enumerate(_rows(chosen)):
        seconds, fitness = mean_progress([cell for cell in chosen if _row(cell) == row])
        style = line_style(i) | {"markevery": [len(seconds) - 1], "drawstyle": "steps-post"}
        plot.plot(np.maximum(seconds, SOONEST), fitness, label=row, **style)
    plot.set_xscale("log")
    plot.xaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:g}"))
    plot.set_xlabel("seconds of search")
    plot.set_ylabel("fitness (% of the truth's)")
    plain_axes(plot)
    title = f"{VARIANTS[False, False]}, trim {trim:.3g}"
    figure.suptitle(f"Fitness over time, {_mean_of(chosen)}\n{title}", color=INK)
    _finish(figure, [plot], path)
    return True


def mean_progress(cells: Sequence[Cell]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Seconds and mean fitness in % of the truth's, from when all cells have any to the last end.

    A fitness holds until the next; after the end of a search its last one stays.
    """
    histories = [np.array(cell.history or [[cell.seconds, cell.worth]], float) for cell in cells]
    start = max(history[0, 0] for history in histories)
    ends = [max(cell.seconds, start) for cell in cells]
    times = np.unique(np.concatenate([*(history[:, 0] for history in histories), ends]))
    times = times[times >= start]
    fitness = [
        100 * history[np.searchsorted(history[:, 0], times, "right") - 1, 1] / cell.truth_worth
        for cell, history in zip(cells, histories, strict=True)
    ]
    return times, np.mean(fitness, axis=0)


def _with_loss(cells: Sequence[Cell], over: str) -> list[Cell]:
    whole = [cell for cell in cells if cell.corruption == "none"]
    if over == "trim":
        return whole
    lossy = [cell for cell in cells if cell.corruption == over]
    trim = max((cell.trim for cell in lossy), default=None)
    return [cell for cell in (*whole, *lossy) if lossy and cell.trim == trim]


def _loss(cell: Cell, over: str) -> float:
    return cell.trim if over == "trim" else cell.amount


def _points(cells: Iterable[Cell], over: str) -> list[tuple[float, float]]:
    """Loss and mean accuracy, both in %."""

    def loss(cell: Cell) -> float:
        return _loss(cell, over)

    return [
        (100 * amount, 100 * float(np.mean([cell.neighbour for cell in group])))
        for amount, group in groupby(sorted(cells, key=loss), loss)
    ]


def _row(cell: Cell) -> str:
    return readable(cell.solver, cell.measure)


def _rows(cells: Iterable[Cell]) -> list[str]:
    """Labels in the order in which they first come."""
    return list(dict.fromkeys(map(_row, cells)))


def _variant(cell: Cell) -> tuple[bool, bool]:
    return cell.upright, cell.known


def _mean_of(cells: Iterable[Cell]) -> str:
    count = len({(cell.set, cell.panel) for cell in cells})
    return f"mean of {count} panels" if count > 1 else "1 panel"


def _finish(figure: Figure, plots: Sequence[Axes], path: Path) -> None:
    """One legend for all plots, below them."""
    lines = {
        label: line
        for plot in plots
        for line, label in zip(*plot.get_legend_handles_labels(), strict=True)
    }
    figure.legend(
        lines.values(),
        lines.keys(),
        loc="outside lower center",
        ncols=2 if len(plots) > 1 or len(lines) < 9 else 3,
        frameon=False,
    )
    with replacing(path) as temporary:
        save(figure, temporary)
