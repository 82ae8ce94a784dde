"""Figures: their common style, and the ranks of the true neighbour."""

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from numpy.typing import NDArray

from azulejar.evaluation.ranks import RANKS, RankTable

# Okabe and Ito's colours, which colour-blind people can tell apart, without the pale yellow; then
# others.
COLOURS = (
    *("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#56B4E9", "#E69F00", "#000000"),
    *("#999999", "#8C564B", "#6A3D9A"),
)
MARKERS = "osD^vPX*<>"
DASHES = ("-", "--", ":", "-.")
INK = "#333333"
WIDTH, HEIGHT = 5.6, 3.9  # of one plot, in inches
COLUMNS = 3  # of plots of single panels, as in the paper
DPI = 150
ROOMY = 10  # measures for whose legend a plot of a single panel is high enough
LEGEND = 10, 130  # points: height of its letters at most, and of those of all its lines together


def plot_ranks(path: Path, table: RankTable) -> None:
    """Write the rank_alpha figure as PNG: a row of plots a trim, upright and turned."""
    rows = len(table.trims)
    figure = Figure(figsize=(2 * WIDTH, rows * HEIGHT + 0.5), layout="constrained")
    axes = figure.subplots(rows, 2, sharex=True, sharey=True, squeeze=False)
    for row, trim in zip(axes, table.trims, strict=True):
        for plot, upright in zip(row, (True, False), strict=True):
            shares = {name: table.shares(name, trim, upright) for name in table.measures}
            variant = "upright (Type 1)" if upright else "turned (Type 2)"
            _plot(plot, f"{variant}, trim {trim:.3g}", shares)
    _label(axes)
    count = len(table.panels)
    over = f"mean of {count} panels" if count > 1 else "1 panel"
    figure.suptitle(f"Rank of the true neighbour among all partners, {over}", color=INK)
    save_figure(figure, path)


def plot_panel_ranks(path: Path, table: RankTable, trim: float) -> None:
    """Write the rank_alpha figure of every single panel, turned, as PNG (paper, figure 7 top)."""
    count = len(table.panels)
    columns = min(count, COLUMNS)
    rows = -(-count // columns)
    higher = max(1, len(table.measures) / ROOMY)
    size = (0.75 * columns * WIDTH, 0.75 * rows * HEIGHT * higher + 0.5)
    figure = Figure(figsize=size, layout="constrained")
    axes = figure.subplots(rows, columns, sharex=True, sharey=True, squeeze=False)
    rankings = {name: table.of(name, trim, upright=False) for name in table.measures}
    for i, (panel, plot) in enumerate(zip(table.panels, axes.flat, strict=False)):
        _plot(plot, panel, {name: each[i].shares() for name, each in rankings.items()})
    for plot in axes.flat[count:]:
        plot.set_visible(False)
    _label(axes)
    figure.suptitle(f"Rank of the true neighbour, turned tiles, trim {trim:.3g}", color=INK)
    save_figure(figure, path)


def line_style(i: int) -> dict[str, Any]:
    """Return the style of the i-th line, the same in every plot of a figure."""
    return {
        "color": COLOURS[i % len(COLOURS)],
        "marker": MARKERS[i % len(MARKERS)],
        "markersize": 5.5,
        "linewidth": 1.8,
        "clip_on": False,
        "zorder": 3,
    }


def measure_styles(labels: Iterable[str]) -> dict[str, dict[str, Any]]:
    """Return the style of each label's line: a colour a measure, dashes by its post-processing."""
    of_measure: dict[str, list[str]] = {}
    for label in labels:
        of_measure.setdefault(label.partition(":")[0], []).append(label)
    return {
        label: line_style(i) | {"linestyle": DASHES[j % len(DASHES)]}
        for i, own in enumerate(of_measure.values())
        for j, label in enumerate(own)
    }


def style_axes(plot: Axes) -> None:
    """Draw pale horizontal lines and no box."""
    plot.tick_params(labelbottom=True, labelleft=True, colors=INK)
    plot.grid(axis="y", color="#E4E4E4", zorder=0)
    plot.spines[["top", "right"]].set_visible(False)


def save_figure(figure: Figure, path: Path) -> None:
    """Write a figure as PNG, without matplotlib's global state."""
    FigureCanvasAgg(figure)
    figure.savefig(path, format="png", dpi=DPI)


def _plot(plot: Axes, title: str, shares: Mapping[str, NDArray[np.float64]]) -> None:
    """Draw a line a measure: its ``shares`` of rank 1 to 10, in %."""
    ranks = np.arange(1, RANKS + 1)
    styles = measure_styles(shares)
    for measure, own in shares.items():
        plot.plot(ranks, own, label=f"{measure}   {own[0]:.1f} %", **styles[measure])
    plot.set_title(title)
    plot.set_xticks(ranks)
    style_axes(plot)
    most, together = LEGEND
    size = min(most, together / len(shares))
    plot.legend(
        title="measure, rank 1",
        alignment="left",
        frameon=False,
        loc="upper right",
        fontsize=size,
        title_fontsize=size,
        labelspacing=0.3,
    )


def _label(axes: NDArray) -> None:
    """Label the outer axes of rank plots, once all are drawn."""
    axes[0, 0].set_ylim(bottom=0)  # which all share, and which ends their scaling
    for plot in axes[:, 0]:
        plot.set_ylabel("true neighbours (%)")
    for plot in axes[-1]:
        plot.set_xlabel("rank of the true neighbour")
