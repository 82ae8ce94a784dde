"""The package of docs/plugins.md, exactly as it stands there: built, installed and used."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from PIL import Image

from azulejar.outputs.tile_folders import write_puzzle
from azulejar.practice.puzzles import cut, make_puzzle
from azulejar.practice.samples import paint_panel

PAGE = (Path(__file__).parents[1] / "docs" / "plugins.md").read_text(encoding="utf-8")
SECONDS = 300


@pytest.fixture(scope="module")
def picture():
    return paint_panel(4, 4, 24)


@pytest.fixture(scope="module")
def installed(tmp_path_factory):
    """The environment of a program that has the package installed."""
    home = tmp_path_factory.mktemp("package")
    (home / "pyproject.toml").write_text(re.search(r"```toml\n(.*?)```", PAGE, re.DOTALL)[1])
    (home / "azulejar_example.py").write_text(re.search(r"```python\n(.*?)```", PAGE, re.DOTALL)[1])
    site = tmp_path_factory.mktemp("site")
    pip = (sys.executable, "-m", "pip", "install", "--quiet", "--no-index", "--no-deps",
           "--no-build-isolation", "--disable-pip-version-check")  # fmt: skip
    subprocess.run([*pip, "--target", str(site), str(home)], check=True, timeout=SECONDS)
    path = os.pathsep.join([str(site), *filter(None, [os.environ.get("PYTHONPATH")])])
    return os.environ | {"PYTHONPATH": path}


def azulejar(*words, folder, environment):
    ended = subprocess.run(
        [sys.executable, "-m", "azulejar", *words], cwd=folder, env=environment,
        capture_output=True, text=True, timeout=SECONDS,
    )  # fmt: skip
    assert ended.returncode == 0, ended.stderr


def test_solve_uses_its_measure_and_its_solver(installed, picture, tmp_path):
    tiles, truth = make_puzzle(cut(picture, 4, 4), 4, 4, turned=False, seed=0)
    write_puzzle(tmp_path / "puzzle", tiles, truth, upright=True, seed=0)
    chosen = ("--measure", "edge-colour", "--solver", "row-by-row")
    azulejar("solve", "puzzle/tiles", "-o", "result", *chosen, "--upright", "--rows", "4",
             "--cols", "4", folder=tmp_path, environment=installed)  # fmt: skip
    solution = json.loads((tmp_path / "result" / "solution.json").read_text(encoding="utf-8"))
    assert (solution["measure"], solution["solver"]) == ("edge-colour", "row-by-row")
    assert (solution["rows"], solution["cols"]) == (4, 4)


def test_bench_has_rows_of_both(installed, picture, tmp_path):
    (tmp_path / "panels").mkdir()
    Image.fromarray(picture).save(tmp_path / "panels" / "boat__4x4.png")
    azulejar("bench", "panels", "-o", "tables", "--tables", "reconstruct", "--trim", "0",
             "--runs", "1", "--workers", "1", "--measures", "edge-colour", "--solvers",
             "row-by-row", folder=tmp_path, environment=installed)  # fmt: skip
    table = (tmp_path / "tables" / "reconstruction.csv").read_text(encoding="utf-8")
    assert "row-by-row" in table
    assert "edge-colour" in table
