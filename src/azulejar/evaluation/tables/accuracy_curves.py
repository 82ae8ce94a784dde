"""Curves of the benchmark: accuracy over what is lost, worth over time."""

from collections.abc import Iterable, Sequence
from itertools import groupby
from pathlib import Path

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import FuncFormatter
from numpy.typing import NDArray

from azulejar.evaluation.plotting import HEIGHT, INK, WIDTH, line_style, save_figure, style_axes
from azulejar.evaluation.tables.methods import method_title
from azulejar.evaluation.tables.results import SearchResult
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


def plot_accuracy(results: Sequence[SearchResult], path: Path, over: str) -> bool:
    """Write accuracy over ``trim``, ``missing`` or ``content`` as PNG; False without such results.

    Over missing tiles and lost content a line starts at the whole puzzles of the same trim, where
    there are any; of several trims the highest counts.
    """
    chosen = _with_loss(results, over)
    variants = [key for key in VARIANTS if any(_variant(result) == key for result in chosen)]
    chosen = [result for result in chosen if _variant(result) in variants]
    if not chosen:
        return False
    figure = Figure(figsize=(WIDTH * len(variants), HEIGHT + 0.9), layout="constrained")
    plots = figure.subplots(1, len(variants), sharey=True, squeeze=False)[0]
    methods = _methods(chosen)
    for plot, variant in zip(plots, variants, strict=True):
        for i, method in enumerate(methods):
            own = [each for each in chosen if _variant(each) == variant and _method(each) == method]
            points = _points(own, over)
            if points:
                plot.plot(*zip(*points, strict=True), label=method, **line_style(i))
        plot.set_title(VARIANTS[variant], color=INK)
        plot.set_xlabel(LOSSES[over])
        plot.set_xticks(sorted({100 * _loss(result, over) for result in chosen}))
        plot.xaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:.3g}"))
        plot.set_ylim(0, 100)
        style_axes(plot)
    plots[0].set_ylabel("true joints found (%)")
    trim = "" if over == "trim" else f", trim {chosen[0].trim:.3g}"
    figure.suptitle(f"Accuracy, {_mean_of(chosen)}{trim}", color=INK)
    _finish(figure, plots, path)
    return True


def plot_progress(results: Sequence[SearchResult], path: Path) -> bool:
    """Write fitness over seconds as PNG, turned and of unknown size; False without such results.

    A line is the mean of all puzzles at the highest trim, from when each has an assembly on.
    """
    chosen = [
        result
        for result in results
        if result.corruption == result.light == "none"
        and not result.upright
        and not result.known
        and result.truth_worth
    ]
    if not chosen:
        return False
    trim = max(result.trim for result in chosen)
    chosen = [result for result in chosen if result.trim == trim]
    figure = Figure(figsize=(1.6 * WIDTH, 1.2 * HEIGHT + 0.9), layout="constrained")
    plot = figure.subplots()
    plot.axhline(100, color="#BBBBBB", linewidth=1.2, label="the truth")
    for i, method in enumerate(_methods(chosen)):
        seconds, fitness = mean_progress([result for result in chosen if _method(result) == method])
        style = line_style(i) | {"markevery": [len(seconds) - 1], "drawstyle": "steps-post"}
        plot.plot(np.maximum(seconds, SOONEST), fitness, label=method, **style)
    plot.set_xscale("log")
    plot.xaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:g}"))
    plot.set_xlabel("seconds of search")
    plot.set_ylabel("fitness (% of the truth's)")
    style_axes(plot)
    title = f"{VARIANTS[False, False]}, trim {trim:.3g}"
    figure.suptitle(f"Fitness over time, {_mean_of(chosen)}\n{title}", color=INK)
    _finish(figure, [plot], path)
    return True


def mean_progress(
    results: Sequence[SearchResult],
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return seconds and mean fitness in % of the truth's, from when all have one to the last end.

    A fitness holds until the next; after the end of a search its last one stays.
    """
    histories = [
        np.array(result.history or [[result.seconds, result.worth]], float) for result in results
    ]
    start = max(history[0, 0] for history in histories)
    ends = [max(result.seconds, start) for result in results]
    times = np.unique(np.concatenate([*(history[:, 0] for history in histories), ends]))
    times = times[times >= start]
    fitness = [
        100 * history[np.searchsorted(history[:, 0], times, "right") - 1, 1] / result.truth_worth
        for result, history in zip(results, histories, strict=True)
    ]
    return times, np.mean(fitness, axis=0)


def _with_loss(results: Sequence[SearchResult], over: str) -> list[SearchResult]:
    whole = [result for result in results if result.corruption == result.light == "none"]
    if over == "trim":
        return whole
    lossy = [result for result in results if result.corruption == over]
    trim = max((result.trim for result in lossy), default=None)
    return [result for result in (*whole, *lossy) if lossy and result.trim == trim]


def _loss(result: SearchResult, over: str) -> float:
    return result.trim if over == "trim" else result.amount


def _points(results: Iterable[SearchResult], over: str) -> list[tuple[float, float]]:
    """Return pairs of loss and mean accuracy, both in %."""

    def loss(result: SearchResult) -> float:
        return _loss(result, over)

    return [
        (100 * amount, 100 * float(np.mean([result.neighbour for result in group])))
        for amount, group in groupby(sorted(results, key=loss), loss)
    ]


def _method(result: SearchResult) -> str:
    return method_title(result.solver, result.measure)


def _methods(results: Iterable[SearchResult]) -> list[str]:
    """Return the titles of the methods, in order of appearance."""
    return list(dict.fromkeys(map(_method, results)))


def _variant(result: SearchResult) -> tuple[bool, bool]:
    return result.upright, result.known


def _mean_of(results: Iterable[SearchResult]) -> str:
    count = len({(result.set, result.panel) for result in results})
    return f"mean of {count} panels" if count > 1 else "1 panel"


def _finish(figure: Figure, plots: Sequence[Axes], path: Path) -> None:
    """Add one legend for all plots, below them, and write the figure."""
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
        save_figure(figure, temporary)
