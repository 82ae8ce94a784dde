"""``azulejar render``: the picture of a solution."""

import json
import shutil

import numpy as np
import pytest
from PIL import Image

from azulejar.cli import render
from azulejar.imaging.render import MORTAR


def pixels(path):
    with Image.open(path) as picture:
        return np.asarray(picture.convert("RGB"))


@pytest.fixture
def truth(puzzles):
    return puzzles / "turned" / "truth.json"


def test_by_default_panel_png_from_the_full_tiles(azulejar_process, tmp_path, truth, panel):
    assert azulejar_process("render", truth) == "Panel: panel.png\n"
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


def test_the_full_size_is_that_of_the_photographs(azulejar, tmp_path, monkeypatch, truth):
    monkeypatch.setattr(render, "LONGEST_SIDE", 100)
    for size, width in (((), 100), (("--tile-size", "full"), 320)):
        azulejar("render", truth, "--overwrite", *size)
        assert pixels(tmp_path / "panel.png").shape[1] == width


def test_joints_are_thin_and_grey(azulejar, tmp_path, truth, panel):
    azulejar("render", truth, "--joints")
    picture = pixels(tmp_path / "panel.png")
    assert picture.shape == (4 * 64 + 3, 5 * 64 + 4, 3)
    assert (picture[64::65] == MORTAR).all()
    assert (picture[:, 64::65] == MORTAR).all()
    np.testing.assert_array_equal(picture[:64, :64], pixels(panel)[:64, :64])


def test_before_and_after(azulejar, tmp_path, truth, tiles, panel):
    shown = azulejar("render", truth, "--before-after", "-o", "both.png")
    assert shown == "Before and after: both.png\n"
    picture = pixels(tmp_path / "both.png")
    assert picture.shape == (4 * 64, (5 + 5) * 64 + 32, 3)
    np.testing.assert_array_equal(picture[:, -320:], pixels(panel))
    np.testing.assert_array_equal(picture[64:128, :64], pixels(tiles / "tile_0006.png"))


def test_nothing_placed(refused, tmp_path, truth):
    data = json.loads(truth.read_text(encoding="utf-8"))
    for tile in data["tiles"]:
        tile["panel"] = -1
    (tmp_path / "solution.json").write_text(json.dumps(data), encoding="utf-8")
    assert "No tile of this solution is placed." in refused("render", "solution.json")


def test_a_tile_that_cannot_be_read_leaves_no_picture(refused, tmp_path, truth, tiles):
    shutil.copytree(tiles, tmp_path / "tiles")
    (tmp_path / "tiles" / "tile_0020.png").write_bytes(b"\x89PNG broken")
    for name in ("panel.png", "panel.tif", "panel.jpg"):
        assert "tile_0020.png" in refused("render", truth, "--tiles", "tiles", "-o", name)


def test_ctrl_c_leaves_no_picture(interrupted, contents, tmp_path, truth):
    at = "azulejar.imaging.originals.read_tile"
    ended = interrupted("render", truth, "-o", "panel.tif", at=at, call=8)
    assert ended.returncode == 130
    assert "nothing was written" in ended.stderr
    assert contents(tmp_path) == {}


def test_tiles_that_have_moved(azulejar, refused, tmp_path, truth, tiles, panel):
    shutil.copy(truth, tmp_path / "solution.json")
    assert "There is no folder" in refused("render", "solution.json")
    shutil.copytree(tiles, tmp_path / "elsewhere")
    azulejar("render", "solution.json", "--tiles", "elsewhere")
    np.testing.assert_array_equal(pixels(tmp_path / "panel.png"), pixels(panel))


def test_of_tiles_that_have_moved_the_remedy_is_told(refused, tmp_path, truth):
    shutil.copy(truth, tmp_path / "solution.json")
    assert "--tiles" in refused("render", "solution.json")


def test_a_solution_that_does_not_say_where_its_tiles_lie(refused, tmp_path, truth):
    data = json.loads(truth.read_text(encoding="utf-8"))
    del data["folder"]
    (tmp_path / "solution.json").write_text(json.dumps(data), encoding="utf-8")
    message = refused("render", "solution.json")
    assert "The solution does not say where its tiles lie. Give --tiles." in message


def test_tiles_of_another_solution(refused, tmp_path, truth):
    (tmp_path / "other").mkdir()
    Image.new("RGB", (32, 32)).save(tmp_path / "other" / "stranger.png")
    message = refused("render", truth, "--tiles", "other")
    assert "other has no tile tile_0001.png." in message


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
        (("--tile-size", "big"), "--tile-size is 'big', which is no number of pixels."),
        (("-o", "panel.jpg", "--tile-size", 8000), "A JPEG of 40,000 × 32,000 px cannot be"),
        (("-o", "."), "is a folder."),
    ],
)
def test_what_cannot_be_drawn_is_refused(refused, truth, arguments, told):
    assert told in refused("render", truth, *arguments)


def test_a_solution_that_is_not_there(refused):
    assert "Cannot read nothing.json:" in refused("render", "nothing.json")


def test_a_full_disk(refused, truth):
    message = refused("render", truth, file_limit=100_000)
    assert "Could not write panel.png:" in message
    assert "free some space" in message
