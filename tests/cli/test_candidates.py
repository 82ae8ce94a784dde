"""``azulejar candidates``: which loose tiles fit a hole."""

import json
import shutil

import pytest
from PIL import Image


@pytest.fixture
def holed(puzzles, tmp_path):
    """The true panel with a tile of row 2, col 3 (from 1) and one more taken out; their files."""
    truth = json.loads((puzzles / "turned" / "truth.json").read_text(encoding="utf-8"))
    truth["folder"] = str(puzzles / "turned" / "tiles")
    out = {}
    for tile in truth["tiles"]:
        place = (tile["row"], tile["col"])
        if place in ((1, 2), (3, 4)):
            out[place] = dict(tile)
            tile.update(row=0, col=0, panel=-1)
    (tmp_path / "solution.json").write_text(json.dumps(truth), encoding="utf-8")
    return out


def ask(run, *options, row=2, col=3):
    return run("candidates", "solution.json", "--row", row, "--col", col, "-m", "mgc", *options)


def test_the_tile_that_was_taken_out_is_found(azulejar, tmp_path, holed):
    shown = ask(azulejar)
    assert "Row 2, col 3 (counted from 1)" in shown
    assert "None of them: " in shown
    folder = tmp_path / "candidates_1_2_3"
    data = json.loads((folder / "candidates.json").read_text(encoding="utf-8"))
    assert (data["row"], data["col"], len(data["candidates"])) == (1, 2, 2)
    first = data["candidates"][0]
    assert (first["file"], first["turn"]) == (holed[1, 2]["file"], holed[1, 2]["turn"])
    assert first["probability"] > 0.9
    assert sorted(path.name for path in folder.iterdir()) == [
        "candidates.csv", "candidates.json", "candidates.png",
    ]  # fmt: skip


def test_tiles_of_other_crates_and_of_none(azulejar, tmp_path, holed, tiles):
    """The right tile lies in another folder, beside one that fits nowhere."""
    name = holed[1, 2]["file"]
    data = json.loads((tmp_path / "solution.json").read_text(encoding="utf-8"))
    data["tiles"] = [tile for tile in data["tiles"] if tile["panel"] == 0]
    data["folder"] = "mine"
    (tmp_path / "solution.json").write_text(json.dumps(data), encoding="utf-8")
    for folder, files in (("mine", [t["file"] for t in data["tiles"]]), ("other", [name])):
        (tmp_path / folder).mkdir()
        for file in files:
            shutil.copy(tiles / file, tmp_path / folder)
    Image.new("RGB", (32, 32), "red").save(tmp_path / "other" / "red.png")
    shown = ask(azulejar, "--among", "other", "-o", "out")
    assert "2 tiles more from other" in shown
    found = json.loads((tmp_path / "out" / "candidates.json").read_text(encoding="utf-8"))
    assert [each["file"] for each in found["candidates"]] == [f"other/{name}", "other/red.png"]


def test_with_all_the_tile_that_lies_there_is_a_candidate(azulejar, tmp_path, holed):
    ask(azulejar, "--all", "--top", 3, "-o", "out", row=1, col=1)
    found = json.loads((tmp_path / "out" / "candidates.json").read_text(encoding="utf-8"))
    truth = json.loads((tmp_path / "solution.json").read_text(encoding="utf-8"))["tiles"]
    there = next(t["file"] for t in truth if (t["row"], t["col"], t["panel"]) == (0, 0, 0))
    assert found["candidates"][0]["file"] == there
    assert len(found["candidates"]) == 3


def test_results_are_not_replaced_unasked(azulejar, refused, holed):
    ask(azulejar)
    assert "exists already" in ask(refused)
    ask(azulejar, "--overwrite")


@pytest.mark.parametrize(
    ("options", "row", "col", "told"),
    [
        ((), 1, 1, "Row 1, col 1 is no hole: "),
        ((), 9, 9, "No tile lies beside row 9, col 9."),
        (("--panel", 2), 2, 3, "No tile lies beside row 2, col 3."),
        (("--among", "nowhere"), 2, 3, "There is no folder nowhere."),
        (("--tiles", "nowhere"), 2, 3, "There is no folder nowhere."),
    ],
)
def test_what_is_refused(refused, holed, options, row, col, told):
    assert told in ask(refused, *options, row=row, col=col)


def test_a_panel_without_loose_tiles(refused, puzzles):
    truth = puzzles / "turned" / "truth.json"
    message = refused("candidates", truth, "--row", 0, "--col", 1, "-m", "mgc")
    assert "All tiles have a place, so none is loose. Give --among" in message
