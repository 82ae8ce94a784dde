"""Every command of docs/collection.md runs, in order, and gives what the page promises."""

import csv
import importlib.util
import json
import re
from pathlib import Path

import pytest

from azulejar.imaging.painting.museum import SHAPES

ROOT = Path(__file__).parents[1]


@pytest.fixture(scope="module")
def walked(tmp_path_factory):
    """A folder in which all has been done, and the script that did it."""
    path = ROOT / "benchmarks" / "collection_walkthrough.py"
    spec = importlib.util.spec_from_file_location("walk_collection", path)
    script = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(script)
    folder = tmp_path_factory.mktemp("walk")
    script.run(folder)
    return folder, script


def test_what_the_page_names_is_there(walked):
    folder, script = walked
    assert len(list((folder / "practice").glob("*/*/*.png"))) == 600
    for name in (script.SHEET, "hole.html", "panel_1.pdf", *script.SHOWN.values()):
        assert (folder / name).stat().st_size > 10_000, name


def test_every_picture_of_the_page_is_made_by_the_script(walked):
    _, script = walked
    shown = re.findall(r"images/collection/(\w+)\.png", script.PAGE.read_text(encoding="utf-8"))
    assert sorted(shown) == sorted(["find", *script.SHOWN])
    for name in shown:
        assert (ROOT / "docs" / "images" / "collection" / f"{name}.png").exists()


def test_the_six_panels_are_told_apart(walked):
    folder, _ = walked
    with (folder / "museum/groups/groups.csv").open(encoding="utf-8-sig") as file:
        lines = list(csv.DictReader(file))
    assert len(lines) == 600
    panels = [line["panel"] for line in lines if line["panel"]]
    large = {name for name in panels if panels.count(name) >= 40}
    assert len(large) == len(SHAPES)
    assert sum(name in large for name in panels) >= 0.9 * 578


def test_most_of_each_panel_is_put_together_surely(walked):
    folder, _ = walked
    solutions = sorted(folder.glob("museum/panels/*/solution.json"))
    tiles = [
        tile for path in solutions for tile in json.loads(path.read_text(encoding="utf-8"))["tiles"]
    ]
    assert len(tiles) >= 0.9 * 578
    assert sum(tile["confidence"] > 0.5 for tile in tiles) >= 0.8 * len(tiles)


def test_what_was_stated_held_to_the_end(walked):
    folder, _ = walked
    (turn,) = [
        tile["turn"]
        for path in folder.glob("museum/panels/*/solution.json")
        for tile in json.loads(path.read_text(encoding="utf-8"))["tiles"]
        if tile["inventory"] == "A100"
    ]
    assert turn == 0
