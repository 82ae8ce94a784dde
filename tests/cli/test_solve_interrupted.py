"""Ctrl-C: the best assembly so far is kept; before there is one, nothing is written."""

import csv
import re
import signal

import numpy as np
import pytest
from PIL import Image

from azulejar.core.solution import Solution

FAST = ("solve", "-o", "out", "--preset", "fast", "-m", "mgc")
UNDER_WAY = re.compile(
    r"Solving.*run 1 of 1000, generation \d+, fitness \d+\.\d, at most \d+:\d\d left"
)


def test_ctrl_c_keeps_the_best_so_far(terminal, tmp_path, tiles):
    """A thousand runs would take half an hour; the bar shows how far it is."""
    program = terminal(
        "solve", tiles, "-o", "out", "--preset", "paper", "-m", "mgc", "--runs", 1000
    )
    program.read_until(UNDER_WAY)
    program.process.send_signal(signal.SIGINT)
    assert program.close() == 0, program.shown
    assert "Stopped; this is the best assembly so far." in program.shown
    assert [entry.name for entry in tmp_path.iterdir()] == ["out"]
    out = tmp_path / "out"
    solution = Solution.load(out / "solution.json")
    assert sorted(solution.files) == sorted(path.name for path in tiles.iterdir())
    with Image.open(out / "panel.png") as panel:
        assert np.asarray(panel).shape == (64 * solution.rows, 64 * solution.cols, 3)
    with (out / "placement.csv").open(encoding="utf-8-sig", newline="") as file:
        assert len(list(csv.DictReader(file))) == len(solution.files)
    assert (out / "report.html").read_text(encoding="utf-8").rstrip().endswith("</html>")


@pytest.mark.parametrize(
    "stage",
    [
        {"at": "azulejar.imaging.folder.read_tile", "call": 5},
        {"at": "azulejar.measures.measure._apply_steps"},
    ],
    ids=["reading", "scoring"],
)
def test_ctrl_c_before_the_search_leaves_nothing(tmp_path, tiles, stage, interrupted):
    result = interrupted("solve", tiles, "-o", "out", "-m", "mgc", **stage)
    assert result.returncode == 130
    assert result.stderr == "azulejar: stopped; nothing was written.\n"
    assert not any(tmp_path.iterdir())


def test_a_second_ctrl_c_ends_at_once(tmp_path, tiles, interrupted):
    result = interrupted(*FAST, tiles, at="azulejar.solvers.budget.Clock.tick", call=2, times=2)
    assert result.returncode == 130
    assert "Traceback" not in result.stderr
    assert not any(tmp_path.iterdir())


def test_one_ctrl_c_in_the_midst_of_the_search_ends_it_well(tmp_path, tiles, interrupted):
    result = interrupted(*FAST, tiles, at="azulejar.solvers.budget.Clock.tick", call=2)
    assert result.returncode == 0, result.stderr
    assert "Stopped; this is the best assembly so far." in result.stdout
    assert len(list((tmp_path / "out").iterdir())) == 4


def test_ctrl_c_while_the_reference_is_searched_keeps_the_panel(
    tmp_path, tiles, panel, interrupted
):
    stage = "azulejar.reference.following.tile_windows"
    result = interrupted(*FAST, tiles, "--reference", panel, at=stage)
    assert result.returncode == 0, result.stderr
    assert "The reference was not used: the search was stopped." in result.stdout
    assert len(list((tmp_path / "out").iterdir())) == 4


def test_ctrl_c_keeps_a_result_that_is_to_be_overwritten(tmp_path, tiles, contents, interrupted):
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "solution.json").write_text("the old result")
    before = contents(tmp_path)
    at = "azulejar.measures.measure._apply_steps"
    result = interrupted("solve", tiles, "-o", "out", "-m", "mgc", "--overwrite", at=at)
    assert result.returncode == 130
    assert contents(tmp_path) == before
