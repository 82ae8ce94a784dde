"""The library as its own description and the README show it."""

import doctest
import os
import re
import subprocess
import sys
from importlib.resources import files
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

import azulejar
from azulejar.outputs.tile_folders import write_puzzle
from azulejar.practice.puzzles import cut, make_puzzle

README = (Path(__file__).parents[1] / "README.md").read_text(encoding="utf-8")
DESCRIPTION = doctest.DocTestParser().get_examples(azulejar.__doc__)
SCRIPTS = {
    "description": "".join(example.source for example in DESCRIPTION),
    "README": "".join(re.findall(r"```python\n(.*?)```", README, re.DOTALL)),
}
SIDE = 24


@pytest.fixture
def my_tiles(tmp_path, monkeypatch):
    """Make ``my_tiles`` in the current folder: turned tiles of a panel of waves, two to a row."""

    def make(rows):
        y, x = np.mgrid[: rows * SIDE, : 2 * SIDE] / SIDE
        waves = [np.sin(y * 1.9 + x), np.sin(x * 2.3 - y * 0.7), np.sin(x * y * 0.5 + y)]
        picture = (127.5 * (1 + np.stack(waves, axis=-1))).astype(np.uint8)
        tiles, truth = make_puzzle(cut(picture, rows, 2), rows, 2, turned=True, seed=0)
        write_puzzle(tmp_path / "puzzle", tiles, truth, upright=False, seed=0)
        (tmp_path / "puzzle" / "tiles").rename(tmp_path / "my_tiles")
        monkeypatch.chdir(tmp_path)
        return picture

    return make


@pytest.mark.parametrize("script", SCRIPTS.values(), ids=SCRIPTS)
def test_the_lines_that_users_copy_put_a_panel_together(my_tiles, tmp_path, script):
    assert 3 <= len(script.split("\n")) <= 10
    picture = my_tiles(int(re.search(r"rows=(\d+)", script).group(1)))
    exec(script, {})
    names = sorted(entry.name for entry in (tmp_path / "result").iterdir())
    assert names == ["panel.png", "placement.csv", "report.html", "solution.json"]
    with Image.open(tmp_path / "result" / "panel.png") as panel:
        drawn = np.asarray(panel)
    assert any(np.array_equal(np.rot90(drawn, quarters), picture) for quarters in (0, 2))


def test_a_picture_of_the_panel_alone(my_tiles, tmp_path):
    my_tiles(3)
    tiles = azulejar.load_tiles("my_tiles")
    assembly = azulejar.solve(azulejar.get_measure("ssd").score(tiles), azulejar.Knowns(cols=2))
    azulejar.write_picture("panel.jpg", azulejar.render(tiles, assembly))
    with Image.open(tmp_path / "panel.jpg") as panel:
        assert panel.size == (2 * SIDE, 3 * SIDE)


def test_a_solution_is_saved_and_read_in_a_few_lines(my_tiles, tmp_path):
    my_tiles(3)
    tiles = azulejar.load_tiles("my_tiles")
    scores = azulejar.get_measure("ssd").score(tiles)
    assembly = azulejar.solve(scores, budget=azulejar.Budget(seconds=0.1), seed=1)
    azulejar.Solution.of(assembly, tiles.files, folder="my_tiles").save(tmp_path / "solution.json")
    again = azulejar.Solution.load(tmp_path / "solution.json")
    assert again.folder == str(tmp_path / "my_tiles")
    figures = azulejar.evaluate(again.assembly(tiles.files), assembly, upright=False)
    assert figures.perfect


def test_errors_are_of_one_class_and_hold_the_remedy():
    with pytest.raises(azulejar.AzulejarError) as error:
        azulejar.load_tiles("nowhere")
    assert error.value.problem == "There is no folder nowhere."
    assert error.value.remedy == "Check the path."


def test_everything_public_is_there_and_typed():
    for name in azulejar.__all__:
        assert getattr(azulejar, name) is not None
    assert files("azulejar").joinpath("py.typed").is_file()


def test_what_is_public_is_loaded_when_asked_for():
    """Training on a bare server has no numba and no pydantic."""
    script = (
        "import sys, azulejar; "
        "assert not {'numpy', 'numba', 'pydantic', 'onnxruntime', 'torch'} & set(sys.modules); "
        "azulejar.TileSet; assert 'numba' not in sys.modules; "
        "from azulejar import *; assert callable(solve) and callable(get_measure)"
    )
    subprocess.run([sys.executable, "-c", script], check=True, timeout=60)


def test_names_are_listed_and_others_refused():
    assert dir(azulejar) == sorted(azulejar.__all__)
    with pytest.raises(AttributeError, match="module 'azulejar' has no attribute 'sollve'"):
        _ = azulejar.sollve


def test_the_default_measure_puts_a_panel_together(my_tiles):
    my_tiles(3)
    tiles = azulejar.load_tiles("my_tiles")
    scores = azulejar.get_measure("dlcm", device="cpu").score(tiles)
    assembly = azulejar.solve(scores, azulejar.Knowns(rows=3, cols=2))
    assert scores.measure == "dlcm"
    truth = azulejar.Solution.load("puzzle/truth.json").assembly(tiles.files)
    assert azulejar.evaluate(assembly, truth, upright=False).perfect


def test_a_users_script_passes_a_type_checker(tmp_path):
    script = tmp_path / "script.py"
    script.write_text(
        "from pathlib import Path\n"
        "import azulejar\n"
        'tiles = azulejar.load_tiles("my_tiles")\n'
        'tiles = azulejar.load_tiles(Path("my_tiles"))\n'
        'scores = azulejar.get_measure("mgc").score(tiles)\n'
        'knowns = azulejar.load_knowns(tiles, "knowns.json", rows=3)\n'
        'assembly = azulejar.solve(scores, knowns, preset="fast", runs=2)\n'
        'solution = azulejar.write_result("result", tiles, scores, assembly)\n'
        'solution.save("solution.json")\n'
        'scores.save("scores.npz")\n'
        'again: azulejar.Solution = azulejar.Solution.load("solution.json")\n'
        'azulejar.write_plan("plan.pdf", again)\n',
        encoding="utf-8",
    )
    source = Path(azulejar.__file__).parents[1]
    checked = subprocess.run(
        [sys.executable, "-m", "mypy", "--strict", "--follow-imports=silent",
         "--no-site-packages", "--ignore-missing-imports", "--cache-dir", str(tmp_path / "cache"),
         str(script)],
        env=os.environ | {"MYPYPATH": str(source)}, cwd=tmp_path, capture_output=True, text=True,
        timeout=300,
    )  # fmt: skip
    assert checked.returncode == 0, checked.stdout
