"""``azulejar cut``: a photograph of a wall to tiles."""

import json

import numpy as np
import pytest
from damaged_exif import DAMAGED
from PIL import Image

from azulejar.cli import cut
from azulejar.imaging.walls.detect import ENOUGH, DetectedGrid

CORNERS = "70,60 393,70 390,325 58,320"


@pytest.fixture
def photo(tmp_path, panel):
    """The painted panel of 4 × 5 tiles of 64 px, with joints, on a grey wall."""
    with Image.open(panel) as picture:
        pixels = np.array(picture.convert("RGB"))
    pixels[::64] = pixels[63::64] = 120
    pixels[:, ::64] = pixels[:, 63::64] = 120
    wall = np.full((256 + 128, 320 + 128, 3), 200, np.uint8)
    wall[64:320, 64:384] = pixels
    Image.fromarray(wall).save(tmp_path / "wall.png")
    return "wall.png"


def test_a_wall_is_cut_rendered_and_cut_again(azulejar, azulejar_process, tmp_path, photo):
    shown = azulejar_process("cut", photo, "--corners", CORNERS, "-o", "out")
    assert "4 rows × 5 cols: out/tiles" in shown
    assert "Check: out/overlay.png" in shown
    out = tmp_path / "out"
    names = sorted(path.name for path in (out / "tiles").iterdir())
    assert names[0] == "wall_r01_c01.png"
    assert names[-1] == "wall_r04_c05.png"
    grid = json.loads((out / "grid.json").read_text())
    assert (grid["rows"], grid["cols"], grid["format"]) == (4, 5, "azulejar-grid/1")
    true = np.stack(np.meshgrid(64 + 64 * np.arange(6), 64 + 64 * np.arange(5)), axis=-1)
    off = np.linalg.norm(np.array(grid["crossings"]) - true, axis=-1)
    assert off.max() < 0.05 * 64
    azulejar("render", "out", "-o", "again.png")
    azulejar("cut", photo, "--grid", "out/grid.json", "--tile-size", 32, "-o", "second")
    with Image.open(tmp_path / "second" / "tiles" / names[0]) as tile:
        assert tile.size == (32, 32)


def test_without_corners_it_asks_for_them_and_shows_why(
    invoke, tmp_path, photo, plain_grid, monkeypatch
):
    found = [DetectedGrid(plain_grid(4, 5), ENOUGH - 1)]
    monkeypatch.setattr(cut, "detect_grids", lambda picture, progress: found)
    result = invoke("cut", photo, "-o", "out")
    message = result.stderr
    assert result.returncode == 2
    assert "Finding the joints: it is not certain which grid of tiles is meant" in message
    assert "Give the panel's four corners" in message
    assert (tmp_path / "out_unsure.png").is_file()
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (("--corners", "1,2 3,4"), "are not four corners"),
        (("--corners", "9,9 9,99 99,99 99,9"), "clockwise"),
        (("--grid", "none.json"), "Cannot read none.json"),
    ],
)
def test_what_cannot_be_cut_is_refused(refused, photo, arguments, told):
    assert told in refused("cut", photo, *arguments, "-o", "out")


def test_overwrite_is_asked_for(azulejar, refused, tmp_path, photo):
    crossings = [[[64 + 64 * col, 64 + 64 * row] for col in range(6)] for row in range(5)]
    grid = {"format": "azulejar-grid/1", "rows": 4, "cols": 5, "crossings": crossings}
    (tmp_path / "grid.json").write_text(json.dumps(grid))
    arguments = ("cut", photo, "--grid", "grid.json", "-o", "out")
    azulejar(*arguments)
    assert "out exists already and was left as it is." in refused(*arguments)
    azulejar(*arguments, "--overwrite")


def test_without_corners_the_largest_is_cut_and_the_others_are_named(
    tmp_path, photo, plain_grid, monkeypatch, capsys
):
    found = [DetectedGrid(plain_grid(4, 5), ENOUGH), DetectedGrid(plain_grid(2, 3), ENOUGH)]
    monkeypatch.setattr(cut, "detect_grids", lambda picture, progress: found)
    cut.command(tmp_path / photo, tmp_path / "out")
    shown = capsys.readouterr().out
    assert "4 rows × 5 cols: " in shown
    assert "another panel of 2 rows × 3 cols" in shown
    assert '--corners "64,64 256,64 256,192 64,192"' in shown
    assert len(list((tmp_path / "out" / "tiles").iterdir())) == 20
    cut.command(tmp_path / photo, tmp_path / "second", rows=2)
    shown = capsys.readouterr().out
    assert "2 rows × 3 cols: " in shown
    assert "another" not in shown


def test_a_photograph_whose_exif_data_are_damaged_is_named(azulejar, tmp_path, photo):
    with Image.open(tmp_path / photo) as wall:
        wall.save(tmp_path / "damaged.png", exif=DAMAGED["no header"])
    shown = azulejar("cut", "damaged.png", "--corners", CORNERS, "-o", "out")
    assert "which way up a picture is: damaged.png." in shown
    assert "EXIF" not in azulejar("cut", photo, "--corners", CORNERS, "-o", "other")
