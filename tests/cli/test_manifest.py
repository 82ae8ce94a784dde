"""``azulejar manifest``: the panel for IIIF viewers."""

import json
import shutil

import pytest
from PIL import Image


@pytest.fixture
def truth(puzzles):
    return puzzles / "turned" / "truth.json"


def test_a_folder_to_publish(azulejar, tmp_path, truth):
    shown = azulejar("manifest", truth, "--base-url", "https://museum.example/42/")
    assert shown == "Manifest: iiif/manifest.json\n"
    data = json.loads((tmp_path / "iiif" / "manifest.json").read_text(encoding="utf-8"))
    assert data["id"] == "https://museum.example/42/manifest.json"
    (canvas,) = data["items"]
    assert (canvas["width"], canvas["height"]) == (320, 256)
    numbers = {tile["label"]["none"][0] for tile in canvas["annotations"][0]["items"]}
    assert numbers == {f"tile_{i:04}" for i in range(1, 21)}


def test_the_size_of_the_picture(azulejar, tmp_path, truth):
    azulejar("manifest", truth, "-o", "out", "--tile-size", 10)
    with Image.open(tmp_path / "out" / "panel_1.jpg") as picture:
        assert picture.size == (50, 40)


def test_each_tile_from_the_image_server_of_tiles_csv(azulejar, refused, tmp_path, truth):
    shutil.copytree(truth.parent / "tiles", tmp_path / "mine")
    table = tmp_path / "mine" / "tiles.csv"
    table.write_text("file;iiif\ntile_0001;https://images.example/iiif/2/A1/info.json\n")
    options = (truth, "--tiles", "mine", "--each-tile", "-o", "apart")
    azulejar("manifest", *options)
    data = json.loads((tmp_path / "apart" / "manifest.json").read_text(encoding="utf-8"))
    bodies = [each["body"]["id"] for each in data["items"][0]["items"][0]["items"]]
    assert len(bodies) == 20
    assert len([body for body in bodies if "images.example/iiif/2/A1/full/max/" in body]) == 1
    assert len(list((tmp_path / "apart" / "tiles").iterdir())) == 19
    table.write_text("file;iiif\ntile_0001;A1\n")
    assert "row 2: has iiif 'A1'" in refused("manifest", *options, "--overwrite")


def test_without_an_address_the_way_to_give_one_is_told(azulejar_process, truth):
    shown = azulejar_process("manifest", truth)
    assert "http://localhost:8000; change that with --base-url" in shown


def test_an_existing_folder_is_kept_unless_it_may_be_replaced(azulejar, refused, truth):
    azulejar("manifest", truth)
    assert "iiif exists already" in refused("manifest", truth)
    azulejar("manifest", truth, "--overwrite")


@pytest.mark.parametrize(
    "address",
    ["museum.example", "ftp://museum.example", "https://", "https://a.b/?c", "https://a.b/#c",
     "https://a b", "http://[", "https://ção.pt"],
)  # fmt: skip
def test_what_is_no_address_is_refused(refused, truth, address):
    message = refused("manifest", truth, "--base-url", address)
    assert "is no address of a folder on the web. Give one such as https://" in message


def test_a_full_disk(refused, truth):
    assert "Could not write iiif" in refused("manifest", truth, file_limit=2000)
