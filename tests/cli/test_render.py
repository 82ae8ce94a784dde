"""``azulejar render``: the picture of a solution."""

import json
import shutil

import numpy as np
import pytest
from PIL import Image


def pixels(path):
    with Image.open(path) as picture:
        return np.asarray(picture.convert("RGB"))


@pytest.fixture
def truth(puzzles):
    return puzzles / "turned" / "truth.json"


def test_by_default_panel_png_from_the_full_tiles(azulejar, tmp_path, truth, panel):
    assert azulejar("render", truth).endswith("\nPanel: panel.png\n")
    np.testing.assert_array_equal(pixels(tmp_path / "panel.png"), pixels(panel))


def test_a_result_is_drawn_as_solve_drew_it(azulejar, tmp_path, solved):
    azulejar("render", solved, "-o", "again.png")
    np.testing.assert_array_equal(pixels(tmp_path / "again.png"), pixels(solved / "panel.png"))


@pytest.mark.parametrize(("name", "kind"), [("a/panel.TIF", "TIFF"), ("panel.jpeg", "JPEG")])
def test_other_kinds_of_picture(azulejar, tmp_path, truth, panel, name, kind):
    azulejar("render", truth, "-o", name)
    with Image.open(tmp_path / name) as picture:
        assert picture.format == kind
    difference = pixels(tmp_path / name).astype(float) - pixels(panel)
    assert np.abs(difference).mean() < (5 if kind == "JPEG" else 1e-9)


@pytest.mark.parametrize("size", [10, 100])
def test_tile_size(azulejar, tmp_path, truth, size):
    azulejar("render", truth, "--tile-size", size)
    assert pixels(tmp_path / "panel.png").shape == (4 * size, 5 * size, 3)


def test_tiles_that_have_moved(azulejar, refused, tmp_path, truth, tiles, panel):
    shutil.copy(truth, tmp_path / "solution.json")
    assert "There is no folder" in refused("render", "solution.json")
    shutil.copytree(tiles, tmp_path / "elsewhere")
    azulejar("render", "solution.json", "--tiles", "elsewhere")
    np.testing.assert_array_equal(pixels(tmp_path / "panel.png"), pixels(panel))


def test_of_tiles_that_have_moved_the_remedy_is_told(refused_here, tmp_path, truth):
    shutil.copy(truth, tmp_path / "solution.json")
    assert "--tiles" in refused_here("render", "solution.json")


def test_a_solution_that_does_not_say_where_its_tiles_lie(refused_here, tmp_path, truth):
    data = json.loads(truth.read_text(encoding="utf-8"))
    del data["folder"]
    (tmp_path / "solution.json").write_text(json.dumps(data), encoding="utf-8")
    message = refused_here("render", "solution.json")
    assert "The solution does not say where its tiles lie. Give --tiles." in message


def test_tiles_of_another_solution(refused_here, tmp_path, truth):
    (tmp_path / "other").mkdir()
    Image.new("RGB", (32, 32)).save(tmp_path / "other" / "stranger.png")
    message = refused_here("render", truth, "--tiles", "other")
    assert "The solution has no tile stranger.png." in message


def test_an_existing_file_is_kept_unless_it_may_be_replaced(azulejar, refused, tmp_path, truth):
    (tmp_path / "panel.png").write_text("mine")
    message = refused("render", truth)
    assert "panel.png exists already. Give another -o, or --overwrite." in message
    azulejar("render", truth, "--overwrite")
    assert pixels(tmp_path / "panel.png").shape == (256, 320, 3)


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (("-o", "panel.docx"), "panel.docx does not say which kind of picture to write."),
        (("--tile-size", 100_000), "A panel of 4 × 5 tiles of 100000 px cannot be drawn."),
    ],
)
def test_what_cannot_be_drawn_is_refused(refused_here, truth, arguments, told):
    assert told in refused_here("render", truth, *arguments)


def test_a_solution_that_is_not_there(refused_here):
    assert "Cannot read nothing.json:" in refused_here("render", "nothing.json")


def test_a_full_disk(refused, truth):
    message = refused("render", truth, file_limit=100_000)
    assert "Could not write panel.png:" in message
    assert "free some space" in message
