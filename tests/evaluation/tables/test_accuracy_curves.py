"""Figures of the benchmark."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from matplotlib._pylab_helpers import Gcf
from matplotlib.colors import to_rgb
from numpy.typing import NDArray
from PIL import Image

from azulejar.evaluation.plotting import COLOURS
from azulejar.evaluation.tables.accuracy_curves import mean_progress, plot_accuracy, plot_progress
from azulejar.evaluation.tables.results import SearchResult

CELL = SearchResult(
    table="reconstruct", set="test", panel="ship__2x3", rows=2, cols=3, trim=0.03, size=50,
    corruption="none", amount=0.0, upright=False, known=False, solver="default", measure="mgc",
    seed=0, neighbour=0.5, direct=0.5, perfect=False, largest=0.5, seconds=4.0, worth=90.0,
    truth_worth=100.0, outscored=0.0, place=[], history=[[1.0, 40.0], [3.0, 90.0]],
)  # fmt: skip


def pixels(path: Path) -> NDArray[np.int64]:
    with Image.open(path) as figure:
        assert figure.format == "PNG"
        return np.asarray(figure.convert("RGB")).astype(int)


def drawn(picture: NDArray[np.int64], colour: str) -> NDArray[np.bool_]:
    return np.abs(picture - np.round(255 * np.array(to_rgb(colour)))).max(axis=2) < 3


def curves(over: str) -> list[SearchResult]:
    losses = [0.03, 0.05, 0.07] if over == "trim" else [0.1, 0.2]
    as_loss = {
        loss: {"trim": loss} if over == "trim" else {"corruption": over, "amount": loss}
        for loss in losses
    }
    return [CELL] + [
        replace(CELL, upright=both, known=both, solver=solver, neighbour=accuracy - loss, **fields)
        for both in (False, True)
        for solver, accuracy in (("default", 0.9), ("gallagher", 0.4))
        for loss, fields in as_loss.items()
    ]


@pytest.mark.parametrize("over", ["trim", "missing", "content"])
def test_each_variant_has_a_plot_and_each_row_a_line(tmp_path: Path, over: str) -> None:
    path = tmp_path / "new" / f"{over}.png"
    assert plot_accuracy(curves(over), path, over)
    picture = pixels(path)
    assert picture.shape[1] == 1680
    plots = picture[: 3 * len(picture) // 4]
    heights = []
    for half in (plots[:, :840], plots[:, 840:]):
        rows = [np.flatnonzero(drawn(half, colour).any(axis=1)) for colour in COLOURS[:2]]
        assert all(len(row) for row in rows)
        heights.append([row.mean() for row in rows])
    # The row of 90 % lies above the row of 40 % in both.
    assert all(good < bad for good, bad in heights)
    assert Gcf.get_num_fig_managers() == 0


def test_one_variant_takes_half_the_width(tmp_path: Path) -> None:
    assert plot_accuracy([CELL], tmp_path / "trim.png", "trim")
    assert pixels(tmp_path / "trim.png").shape[1] == 840


@pytest.mark.parametrize(
    ("results", "over"),
    [
        ([], "trim"),
        ([CELL], "missing"),
        ([replace(CELL, corruption="content")], "missing"),
        ([replace(CELL, corruption="missing")], "trim"),
        ([replace(CELL, known=True)], "trim"),
    ],
)
def test_nothing_to_show(tmp_path: Path, results: list[SearchResult], over: str) -> None:
    assert not plot_accuracy(results, tmp_path / "none.png", over)
    assert not list(tmp_path.iterdir())


def test_fitness_holds_until_it_rises() -> None:
    other = replace(
        CELL, panel="b__2x3", seconds=5.0, truth_worth=50.0, history=[[2.0, 10.0], [5.0, 50.0]]
    )
    seconds, fitness = mean_progress([CELL, other])
    assert seconds.tolist() == [2.0, 3.0, 4.0, 5.0]
    assert fitness.tolist() == [30.0, 55.0, 55.0, 95.0]


def test_a_search_without_history_is_its_end() -> None:
    seconds, fitness = mean_progress([replace(CELL, history=[])])
    assert (seconds.tolist(), fitness.tolist()) == ([4.0], [90.0])


def test_progress_is_drawn_at_the_highest_trim(tmp_path: Path) -> None:
    lower = replace(CELL, trim=0.01, solver="gallagher")
    assert plot_progress([lower, CELL, replace(CELL, upright=True, solver="son")],
                         tmp_path / "time.png")  # fmt: skip
    picture = pixels(tmp_path / "time.png")
    assert drawn(picture, COLOURS[0]).sum() > 200
    assert not drawn(picture, COLOURS[1]).any()


def test_no_progress_to_show(tmp_path: Path) -> None:
    results = [replace(CELL, upright=True), replace(CELL, truth_worth=0.0)]
    assert not plot_progress(results, tmp_path / "none.png")
    assert not list(tmp_path.iterdir())
