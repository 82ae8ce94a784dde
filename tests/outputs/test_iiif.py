"""The folder to publish: what the manifest speaks of is there, all or nothing."""

import json

import numpy as np
import pytest
from PIL import Image

from azulejar.core.solution import PlacedTile, Solution
from azulejar.errors import AzulejarError
from azulejar.imaging.layout import Box, Layout
from azulejar.imaging.originals import Originals
from azulejar.outputs.iiif import write_iiif

BASE = "https://museum.example/42"
LAYOUTS = [Layout.of((Box(0, 1, 2),), 300), Layout.of((Box(1, 1, 1),), 50)]


@pytest.fixture
def crate(tmp_path):
    """Three tiles in ``tiles``: grey 40 and 80 in the first panel, 160 in the second."""
    (tmp_path / "tiles").mkdir()
    for name, grey in (("a", 40), ("b", 80), ("c", 160)):
        Image.new("RGB", (32, 32), (grey,) * 3).save(tmp_path / "tiles" / f"{name}.png")
    return tmp_path


@pytest.fixture
def write(crate):
    def do(turn=0, **options):
        tiles = [
            PlacedTile(file="a.png", row=0, col=1, turn=turn),
            PlacedTile(file="b.png", row=0, col=0, turn=0),
            PlacedTile(file="c.png", row=0, col=0, turn=0, panel=1),
        ]
        solution = Solution(rows=1, cols=2, tiles=tiles)
        originals = Originals(crate / "tiles", solution.files)
        write_iiif(crate / "iiif", solution, originals, LAYOUTS, BASE, **options)

    return do


def pictures_of(node):
    """Every picture that the manifest names."""
    if isinstance(node, list):
        return [each for item in node for each in pictures_of(item)]
    if not isinstance(node, dict):
        return []
    own = [node] if node.get("type") == "Image" else []
    return own + [each for value in node.values() for each in pictures_of(value)]


def test_every_picture_is_there_in_the_size_that_is_told(crate, write):
    write()
    data = json.loads((crate / "iiif" / "manifest.json").read_text(encoding="utf-8"))
    found = {picture["id"]: picture for picture in pictures_of(data)}
    files = {f"{BASE}/{path.name}" for path in (crate / "iiif").glob("*.jpg")}
    assert set(found) == files
    assert len(files) == 4
    for address, picture in found.items():
        with Image.open(crate / "iiif" / address.rsplit("/", 1)[1]) as image:
            assert (image.width, image.height) == (picture["width"], picture["height"])


def test_each_panel_has_its_own_picture(crate, write):
    done = []
    write(on_progress=done.append)
    with Image.open(crate / "iiif" / "panel_1.jpg") as image:
        pixels = np.asarray(image).astype(int)
    assert abs(pixels[:, :280] - 80).max() < 4
    assert abs(pixels[:, 320:] - 40).max() < 4
    with Image.open(crate / "iiif" / "panel_2.jpg") as image:
        assert abs(np.asarray(image).astype(int) - 160).max() < 4
    assert done == [0.5, 1.0]


def test_each_tile_as_a_picture_of_its_own(crate, write):
    half = np.full((32, 32, 3), 30, np.uint8)
    half[:16] = 230  # its top is light
    Image.fromarray(half).save(crate / "tiles" / "a.png")
    write(each_tile=True, turn=90)
    data = json.loads((crate / "iiif" / "manifest.json").read_text(encoding="utf-8"))
    named = {picture["id"] for picture in pictures_of(data["items"][0]["items"])}
    assert named == {f"{BASE}/tiles/1_1_1.jpg", f"{BASE}/tiles/1_1_2.jpg"}
    with Image.open(crate / "iiif" / "tiles" / "1_1_2.jpg") as image:
        pixels = np.asarray(image).astype(int)
    assert pixels.shape == (300, 300, 3)
    assert abs(pixels[:, 180:] - 230).max() < 30  # which lies to the right after a quarter
    assert abs(pixels[:, :120] - 30).max() < 30


def test_half_tiles_have_pictures_of_their_proportions(crate, write, monkeypatch):
    layout = Layout.of((Box(0, 1, 2, half_cols=(1,)),), 300)
    monkeypatch.setattr(f"{__name__}.LAYOUTS", [layout, LAYOUTS[1]])
    write(each_tile=True, turn=90)
    data = json.loads((crate / "iiif" / "manifest.json").read_text(encoding="utf-8"))
    canvas = data["items"][0]
    assert (canvas["width"], canvas["height"]) == (450, 300)
    whole, half = canvas["items"][0]["items"]
    assert (whole["body"]["width"], whole["body"]["height"]) == (300, 300)
    assert (half["body"]["width"], half["body"]["height"]) == (150, 300)
    assert half["target"].endswith("#xywh=300,0,150,300")
    with Image.open(crate / "iiif" / "tiles" / "1_1_2.jpg") as image:
        assert image.size == (150, 300)


def test_a_tile_that_breaks_leaves_nothing(crate, write):
    (crate / "tiles" / "c.png").write_text("no picture")
    with pytest.raises(AzulejarError, match="broken"):
        write()
    assert [entry.name for entry in crate.iterdir()] == ["tiles"]


def test_only_a_folder_of_ours_is_replaced(crate, write):
    write()
    with pytest.raises(AzulejarError, match="exists already"):
        write()
    write(overwrite=True)
    (crate / "iiif" / "manifest.json").unlink()
    with pytest.raises(AzulejarError, match="will not be overwritten"):
        write(overwrite=True)
