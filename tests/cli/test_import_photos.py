"""``azulejar import``: from photographs on a table to tile pictures."""

import csv
import re
from dataclasses import replace

import numpy as np
import pytest
from damaged_exif import DAMAGED
from PIL import Image

from azulejar.imaging.folder import load_tiles
from azulejar.imaging.photographs import importing
from azulejar.imaging.picture import read_picture
from azulejar.practice.puzzles import cut
from azulejar.practice.scenes import SCENES, render_scene

pytestmark = pytest.mark.usefixtures("find_tiles_once")


@pytest.fixture(scope="session")
def pictures(panel):
    """Two scans, each of two painted tiles, by name."""
    tiles = cut(read_picture(panel), 4, 5)
    return {
        name: render_scene(SCENES["scanner"], tiles[start : start + 2], (200, 330), 0).picture
        for name, start in (("one", 6), ("two", 12))
    }


@pytest.fixture
def photos(tmp_path, pictures):
    """A folder of both."""
    (tmp_path / "photos").mkdir()
    for name, picture in pictures.items():
        Image.fromarray(picture).save(tmp_path / "photos" / f"{name}.png")
    return tmp_path / "photos"


def listed(folder):
    with (folder / "tiles.csv").open(encoding="utf-8-sig", newline="") as file:
        return list(csv.DictReader(file))


def test_photographs_become_a_folder_of_tiles(azulejar_process, tmp_path, photos, contents):
    before = contents(photos)
    shown = azulejar_process("import", "photos", "-o", "tiles", "--review")
    assert "4 tiles from 2 photographs: tiles" in shown
    lines = listed(tmp_path / "tiles")
    names = [f"{photo}_{k:02}" for photo in ("one", "two") for k in (1, 2)]
    assert [line["inventory"] for line in lines] == names
    assert [line["file"] for line in lines] == [f"{name}.png" for name in names]
    assert {line["photo"] for line in lines} == {"one.png", "two.png"}
    assert (tmp_path / "tiles" / "review" / "two.jpg").is_file()
    assert contents(photos) == before
    tiles = load_tiles(tmp_path / "tiles")
    assert tiles.files == tuple(line["file"] for line in lines)
    assert not any("Passed over" in note for note in tiles.notes)


def test_outer_sides_are_listed_and_what_people_say_of_them_stays(
    azulejar, tmp_path, photos, monkeypatch
):
    def as_cut(tiles, shaped):
        return (replace(tiles[0], outer=("right", "left")), *tiles[1:])

    monkeypatch.setattr(importing, "with_shaped", as_cut)
    shown = azulejar("import", "photos", "-o", "tiles")
    assert "4 outer sides on 2 tiles cut to a shape: see outer in tiles.csv." in shown
    assert [line["outer"] for line in listed(tmp_path / "tiles")] == ["right left", ""] * 2
    table = tmp_path / "tiles" / "tiles.csv"
    text = table.read_text("utf-8-sig")
    table.write_text(text.replace("right left", "", 1), "utf-8-sig")
    azulejar("import", "photos", "-o", "tiles")
    assert [line["outer"] for line in listed(tmp_path / "tiles")] == ["", "", "right left", ""]


def test_the_same_command_does_nothing_twice_and_new_photographs_are_added(
    azulejar, tmp_path, photos, contents
):
    (photos / "two.png").rename(tmp_path / "later.png")
    azulejar("import", "photos", "-o", "tiles")
    first = contents(tmp_path / "tiles")
    times = {path: path.stat().st_mtime_ns for path in (tmp_path / "tiles").glob("*.png")}
    azulejar("import", "photos", "-o", "tiles")
    assert contents(tmp_path / "tiles") == first
    azulejar("import", "photos", "later.png", "-o", "tiles")
    assert len(listed(tmp_path / "tiles")) == 4
    assert {path: path.stat().st_mtime_ns for path in times} == times


def test_a_bad_photograph_is_named_and_the_others_are_imported(invoke, tmp_path, photos):
    (photos / "broken.jpg").write_bytes((photos / "two.png").read_bytes()[:5000])
    Image.fromarray(np.full((300, 500, 3), 90, np.uint8)).save(photos / "empty.png")
    (photos / "IMG_1.HEIC").write_bytes(b"of a phone")
    result = invoke("import", "photos", "-o", "tiles")
    assert result.returncode == 2
    assert "2 of 4 photographs could not be imported" in result.stderr
    assert "broken.jpg, reading: " in result.stdout
    assert "empty.png, finding: No tile was found." in result.stdout
    assert "Passed over HEIC pictures; convert them to JPEG first: IMG_1.HEIC." in result.stdout
    assert (tmp_path / "tiles" / "review" / "failed" / "empty_finding.jpg").is_file()
    assert len(listed(tmp_path / "tiles")) == 4


def test_a_photograph_filled_by_its_tile_is_shown_as_doubtful(azulejar, tmp_path, panel):
    # Taken from the middle, where the painting goes on over the frame.
    tile = Image.open(panel).crop((134, 70, 198, 134))
    tile.resize((150, 150), Image.Resampling.BICUBIC).save(tmp_path / "one.png")
    shown = azulejar("import", "one.png", "-o", "tiles")
    assert "1 tile from 1 photograph:" in shown
    assert "one_01: doubtful: " in shown
    assert (tmp_path / "tiles" / "review" / "contact_sheet.jpg").is_file()


def test_photographs_in_different_light_come_to_one_if_asked(azulejar, tmp_path, photos):
    picture = read_picture(photos / "one.png")
    lit = (picture * np.array([0.7, 0.8, 0.9])).astype(np.uint8)
    Image.fromarray(lit).save(photos / "two.png")
    shown = azulejar("import", "photos", "-o", "tiles")
    assert "The light of 2 of 2 photographs is not known" in shown
    assert "same colour chart" in shown
    one, two = (read_picture(tmp_path / "tiles" / f"{name}_01.png") for name in ("one", "two"))
    assert np.abs(one.mean(axis=(0, 1)) - two.mean(axis=(0, 1))).min() > 10
    shown = azulejar("import", "photos", "-o", "tiles", "--colour", "glaze")
    assert "Light of 2 photographs, 0 by a chart: brightness differs by 11." in shown
    assert "in the tiles by 0.0% and 0.0%" in shown
    one, two = (read_picture(tmp_path / "tiles" / f"{name}_01.png") for name in ("one", "two"))
    assert np.abs(one.mean(axis=(0, 1)) - two.mean(axis=(0, 1))).max() < 3


def test_a_chart_that_was_asked_for_and_is_missing_is_named(invoke, photos):
    result = invoke("import", "photos", "-o", "tiles", "--colour", "chart")
    assert result.returncode == 2
    assert "one.png, colour: No colour chart or grey card was found." in result.stdout
    assert "--colour auto" in result.stdout


def test_ctrl_c_keeps_what_is_done(azulejar, tmp_path, photos, interrupted):
    at = "azulejar.imaging.photographs.importing.find_tiles"
    result = interrupted("import", "photos", "-o", "tiles", at=at)
    assert result.returncode == 130
    assert "stopped; what is finished is kept" in result.stderr
    assert {line["photo"] for line in listed(tmp_path / "tiles")} == {"one.png"}
    azulejar("import", "photos", "-o", "tiles")
    assert len(listed(tmp_path / "tiles")) == 4


def test_photographs_of_one_name_are_refused(refused, tmp_path, photos):
    (tmp_path / "more").mkdir()
    Image.new("RGB", (9, 9)).save(tmp_path / "more" / "two.jpg")
    assert "same names" in refused("import", "photos", "more", "-o", "tiles")


def test_another_folder_is_left_alone(refused, tmp_path, photos):
    (tmp_path / "tiles").mkdir()
    (tmp_path / "tiles" / "mine.txt").write_text("mine")
    assert "no folder of azulejar import" in refused("import", "photos", "-o", "tiles")


def test_photographs_whose_exif_data_are_damaged_are_named(azulejar, photos, pictures):
    Image.fromarray(pictures["one"]).save(photos / "one.png", exif=DAMAGED["no header"])
    shown = azulejar("import", "photos", "-o", "tiles")
    assert shown.count("EXIF data are damaged") == 1
    assert "which way up a picture is: one.png." in shown
    assert "4 tiles from 2 photographs" in shown


def test_sizes_are_told_by_the_side_of_a_whole_tile(azulejar, refused, tmp_path, photos):
    assert " cm" not in azulejar("import", "photos", "-o", "tiles")
    shown = azulejar("import", "photos", "-o", "tiles", "--side", "14")  # nothing is done again
    found = re.search(r"4 whole tiles: (\S+) × (\S+) cm \(sides of (\S+) to (\S+) cm\)", shown)
    assert [float(each) for each in found.groups()] == pytest.approx([14] * 4, rel=0.03)
    widths = [float(line["width_cm"]) for line in listed(tmp_path / "tiles")]
    assert widths == pytest.approx([14] * 4, rel=0.03)
    azulejar("import", "photos", "-o", "tiles", "--side", "28")
    widths = [float(line["width_cm"]) for line in listed(tmp_path / "tiles")]
    assert widths == pytest.approx([28] * 4, rel=0.03)
    assert "from 1 to 200" in refused("import", "photos", "-o", "tiles", "--side", "0")
