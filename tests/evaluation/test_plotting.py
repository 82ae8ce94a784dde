"""The rank figure."""

import numpy as np
from matplotlib._pylab_helpers import Gcf
from matplotlib.colors import to_rgb
from PIL import Image

from azulejar.evaluation import plotting
from azulejar.evaluation.plotting import COLOURS, plot_panel_ranks, plot_ranks


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
    """Two panels: two plots of three are drawn, and each has the curves of its own panel."""
    plot_panel_ranks(tmp_path / "panels.png", table, 0.1)
    with Image.open(tmp_path / "panels.png") as figure:
        pixels = np.asarray(figure.convert("RGB")).astype(int)
    third = pixels.shape[1] // 3
    plots = [pixels[:, i * third : (i + 1) * third] for i in range(3)]
    for colour in COLOURS[: len(table.measures)]:
        assert [shown(plot, colour) > 200 for plot in plots] == [True, True, False]


def test_curves_of_panels_are_those_of_turned_tiles(table, tmp_path, monkeypatch):
    drawn = []
    monkeypatch.setattr(plotting, "_plot", lambda plot, title, shares: drawn.append(shares))
    plot_panel_ranks(tmp_path / "panels.png", table, 0.1)
    for i, shares in enumerate(drawn):
        for measure in table.measures:
            expected = table.of(measure, 0.1, upright=False)[i].shares()
            assert shares[measure].tolist() == expected.tolist()
    assert len(drawn) == 2


def test_no_global_state(table, tmp_path):
    plot_ranks(tmp_path / "ranks.png", table)
    assert Gcf.get_num_fig_managers() == 0
