"""Every command of docs/collection.md runs, in order, and gives what the page promises."""

import csv
import json
import re
from pathlib import Path

import pytest

import collection_walkthrough as script
from azulejar.practice.samples import LOST, SHAPES

ROOT = Path(__file__).parents[1]
PAINTED = sum(rows * cols for rows, cols in SHAPES) - LOST


@pytest.fixture(scope="module")
def folder(tmp_path_factory, follow_page):
    """A folder in which every command of the page has been run."""
    return follow_page(script.PAGE, tmp_path_factory.mktemp("walk"))


def test_what_the_page_names_is_there(folder):
    assert len(list((folder / "practice").glob("*/*/*.png"))) == 270
    for name in (script.SHEET, "beside_A263.html", "panel_1.pdf", *script.SHOWN.values()):
        assert (folder / name).stat().st_size > 10_000, name


def test_every_picture_of_the_page_is_made_by_the_script():
    shown = re.findall(r"images/collection/(\w+)\.png", script.PAGE.read_text(encoding="utf-8"))
    assert sorted(shown) == sorted(["find", *script.SHOWN, *script.STORE])
    for name in shown:
        assert (ROOT / "docs" / "images" / "collection" / f"{name}.png").exists()


def solutions(folder):
    """The tiles of each solved panel, by its folder's name."""
    return {
        path.parent.name: json.loads(path.read_text(encoding="utf-8"))["tiles"]
        for path in folder.glob("museum/panels/*/solution.json")
    }


def test_the_six_panels_are_told_apart(folder):
    with (folder / "museum/groups/groups.csv").open(encoding="utf-8-sig") as file:
        lines = list(csv.DictReader(file))
    assert len(lines) == 270
    panels = [line["panel"] for line in lines if line["panel"]]
    large = {name for name in panels if panels.count(name) >= 30}
    assert len(large) == len(SHAPES)
    assert sum(name in large for name in panels) >= 0.95 * PAINTED


def test_they_are_put_together_surely(folder):
    tiles = [tile for panel in solutions(folder).values() for tile in panel]
    assert len(tiles) >= 0.95 * PAINTED
    assert sum(tile["confidence"] > 0.5 for tile in tiles) >= 0.9 * len(tiles)


def test_what_was_stated_held_to_the_end(folder):
    places = {
        tile["inventory"]: (tile["row"], tile["col"]) for tile in solutions(folder)["panel_0006"]
    }
    assert all(row < 6 and col < 6 for row, col in places.values())
    # They are corners of opposite sides, and the panel hangs as it was turned.
    assert (places["A258"], places["A036"]) == ((0, 5), (5, 5))


def test_the_gap_between_two_letters_is_open_again(folder):
    letters = {tile["inventory"]: tile for tile in solutions(folder)["panel_0003"]}
    first, last = letters["A044"], letters["A113"]
    assert abs(first["row"] - last["row"]) + abs(first["col"] - last["col"]) == 2


def test_a_tile_that_came_later_lies_in_the_panel_of_its_likely_neighbour(folder):
    assert (folder / "practice" / "later" / "13" / "A263.png").exists()
    page = (folder / "beside_A263.html").read_text(encoding="utf-8")
    neighbour = re.search(r"<h3>1\. (A\d+)</h3>", page)[1]
    panels = {
        tile["inventory"]: name for name, tiles in solutions(folder).items() for tile in tiles
    }
    assert panels["A263"] == panels[neighbour]
