"""The rank figure."""

import numpy as np
from matplotlib._pylab_helpers import Gcf
from matplotlib.colors import to_rgb
from PIL import Image

from azulejar.evaluation.plotting import COLOURS, plot_ranks


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
            near = np.abs(quarter - 255 * np.array(to_rgb(colour))).max(axis=2) < 3
            assert near.sum() > 200


def test_no_global_state(table, tmp_path):
    plot_ranks(tmp_path / "ranks.png", table)
    assert Gcf.get_num_fig_managers() == 0
