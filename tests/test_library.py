"""The library as its own description shows it."""

import doctest
from importlib.resources import files

import numpy as np
import pytest
from PIL import Image

import azulejar
from azulejar.imaging.puzzle import cut, make_puzzle, write_puzzle

ROWS, COLS, SIDE = 10, 2, 24


@pytest.fixture
def picture(tmp_path, monkeypatch):
    """A panel of waves as ten rows of turned tiles in ``my_tiles``, in the current folder."""
    y, x = np.mgrid[: ROWS * SIDE, : COLS * SIDE] / SIDE
    waves = [np.sin(y * 1.9 + x), np.sin(x * 2.3 - y * 0.7), np.sin(x * y * 0.5 + y)]
    picture = (127.5 * (1 + np.stack(waves, axis=-1))).astype(np.uint8)
    tiles, truth = make_puzzle(cut(picture, ROWS, COLS), ROWS, COLS, turned=True, seed=0)
    write_puzzle(tmp_path / "puzzle", tiles, truth, upright=False, seed=0)
    (tmp_path / "puzzle" / "tiles").rename(tmp_path / "my_tiles")
    monkeypatch.chdir(tmp_path)
    return picture


def test_the_lines_of_the_description_put_a_panel_together(picture, tmp_path):
    lines = [example.source for example in doctest.DocTestParser().get_examples(azulejar.__doc__)]
    assert 3 <= len(lines) <= 10
    exec("".join(lines), {})
    with Image.open(tmp_path / "panel.png") as panel:
        drawn = np.asarray(panel)
    assert drawn.shape == picture.shape
    assert any(np.array_equal(np.rot90(drawn, quarters), picture) for quarters in (0, 2))


def test_a_solution_is_saved_and_read_in_a_few_lines(picture, tmp_path):
    tiles = azulejar.load_tiles("my_tiles")
    scores = azulejar.get_measure("ssd").score(tiles)
    assembly = azulejar.solve(scores, budget=azulejar.Budget(generations=5), seed=1)
    azulejar.Solution.of(assembly, tiles.files, folder="my_tiles").save(tmp_path / "solution.json")
    again = azulejar.Solution.load(tmp_path / "solution.json")
    assert again.folder == str(tmp_path / "my_tiles")
    figures = azulejar.evaluate(again.assembly(tiles.files), assembly, upright=False)
    assert figures.perfect


def test_a_whole_result_is_written_by_one_public_function(picture, tmp_path):
    tiles = azulejar.load_tiles("my_tiles")
    scores = azulejar.get_measure("ssd").score(tiles)
    assembly = azulejar.solve(scores, budget=azulejar.Budget(generations=2))
    azulejar.write_result("result", tiles, scores, assembly)
    names = sorted(entry.name for entry in (tmp_path / "result").iterdir())
    assert names == ["panel.png", "placement.csv", "report.html", "solution.json"]


def test_errors_are_of_one_class_and_hold_the_remedy():
    with pytest.raises(azulejar.AzulejarError) as error:
        azulejar.load_tiles("nowhere")
    assert error.value.problem == "There is no folder nowhere."
    assert error.value.remedy == "Check the path."


def test_everything_public_is_there_and_typed():
    for name in azulejar.__all__:
        assert getattr(azulejar, name) is not None
    assert files("azulejar").joinpath("py.typed").is_file()
