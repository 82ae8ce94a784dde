"""The rank figure."""

from dataclasses import replace

import numpy as np
import pytest
from matplotlib._pylab_helpers import Gcf
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.colors import to_rgb
from PIL import Image

from azulejar.evaluation import plotting
from azulejar.evaluation.plotting import (
    COLOURS,
    measure_styles,
    plot_panel_ranks,
    plot_ranks,
)
from azulejar.evaluation.ranks import RankTable


def shown(pixels, colour):
    """How many pixels have a colour."""
    return (np.abs(pixels - 255 * np.array(to_rgb(colour))).max(axis=2) < 3).sum()


def test_a_row_of_plots_for_each_trim(table, tmp_path):
    plot_ranks(tmp_path / "ranks.png", table)
    with Image.open(tmp_path / "ranks.png") as figure:
        assert figure.format == "PNG"
        assert figure.width == 1680
        assert 1200 < figure.height < 1300
        pixels = np.asarray(figure.convert("RGB")).astype(int)
    middle_row, middle_col = pixels.shape[0] // 2, pixels.shape[1] // 2
    quarters = [
        part
        for half in (pixels[:middle_row], pixels[middle_row:])
        for part in (half[:, :middle_col], half[:, middle_col:])
    ]
    for quarter in quarters:
        for colour in COLOURS[: len(table.measures)]:
            assert shown(quarter, colour) > 200


def test_a_plot_for_each_panel(table, tmp_path):
    """Two panels side by side, each with the curves of all measures."""
    plot_panel_ranks(tmp_path / "panels.png", table, 0.1)
    with Image.open(tmp_path / "panels.png") as figure:
        pixels = np.asarray(figure.convert("RGB")).astype(int)
    middle = pixels.shape[1] // 2
    for half in (pixels[:, :middle], pixels[:, middle:]):
        for colour in COLOURS[: len(table.measures)]:
            assert shown(half, colour) > 200


def test_curves_of_panels_are_those_of_turned_tiles(table, tmp_path, monkeypatch):
    drawn = []
    monkeypatch.setattr(plotting, "_plot", lambda plot, title, shares: drawn.append(shares))
    plot_panel_ranks(tmp_path / "panels.png", table, 0.1)
    for i, shares in enumerate(drawn):
        for measure in table.measures:
            expected = table.of(measure, 0.1, upright=False)[i].shares()
            assert shares[measure].tolist() == expected.tolist()
    assert len(drawn) == 2


@pytest.mark.parametrize("kind", ["means", "panels"])
def test_no_curve_leaves_its_plot(table, tmp_path, monkeypatch, kind):
    """The first plot is not the one with the highest curve."""
    drawn = []
    monkeypatch.setattr(plotting, "save_figure", lambda figure, path: drawn.append(figure))
    worst_first = replace(table, rankings=tuple(sorted(table.rankings, key=lambda r: r.rank_1)))
    if kind == "means":
        plot_ranks(tmp_path, worst_first)
    else:
        plot_panel_ranks(tmp_path, worst_first, 0.1)
    highest = max(line.get_ydata().max() for plot in drawn[0].axes for line in plot.lines)
    for plot in drawn[0].axes:
        assert plot.get_ylim()[0] == 0
        assert plot.get_ylim()[1] >= highest


def test_a_measure_has_one_colour_and_its_steps_have_dashes():
    styles = measure_styles(["red:none", "blue", "red:minmax", "red"])
    shown = {label: (style["color"], style["linestyle"]) for label, style in styles.items()}
    assert shown == {
        "red:none": (COLOURS[0], "-"),
        "red:minmax": (COLOURS[0], "--"),
        "red": (COLOURS[0], ":"),
        "blue": (COLOURS[1], "-"),
    }


@pytest.mark.parametrize("kind", ["means", "panels"])
def test_the_legend_of_fifteen_measures_fits_into_its_plot(table, tmp_path, monkeypatch, kind):
    drawn = []
    monkeypatch.setattr(plotting, "save_figure", lambda figure, path: drawn.append(figure))
    steps = ("none", "minmax", "minmax+symmetric", "mutual", "loops")
    rankings = [
        replace(each, measure=f"{each.measure[:3]}:{post}")
        for post in steps
        for each in table.rankings
    ]
    crowded = RankTable(tuple(rankings))
    assert len(crowded.measures) == 15
    if kind == "means":
        plot_ranks(tmp_path, crowded)
    else:
        plot_panel_ranks(tmp_path, crowded, 0.1)
    (figure,) = drawn
    FigureCanvasAgg(figure).draw()
    for plot in figure.axes:
        legend = plot.get_legend().get_window_extent()
        assert plot.bbox.y0 + 0.15 * plot.bbox.height < legend.y0  # the curves end below it
        assert plot.bbox.x0 < legend.x0
        assert plot.bbox.height > 0.7 * figure.bbox.height / (2 if kind == "means" else 1)


def test_no_global_state(table, tmp_path):
    plot_ranks(tmp_path / "ranks.png", table)
    assert Gcf.get_num_fig_managers() == 0
