"""Every command of docs/walkthrough.md runs, in order, and gives what the page promises."""

import json
import re
from pathlib import Path

import pytest
from PIL import Image

import walkthrough as script
from azulejar import Solution, evaluate
from azulejar.cli import practice

ROOT = Path(__file__).parents[1]


@pytest.fixture(scope="module")
def folder(tmp_path_factory, follow_page):
    """A folder in which every command of the page has been run, with smaller photographs."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(practice, "SHAPE", tuple(side * 2 // 5 for side in practice.SHAPE))
        patch.setattr(practice, "TILE", practice.TILE * 2 // 5)
        return follow_page(script.PAGE, tmp_path_factory.mktemp("walk"))


def placed(folder):
    """Which tile lies where, by row and col."""
    solution = json.loads((folder / "solution.json").read_text(encoding="utf-8"))
    return {(tile["row"], tile["col"]): Path(tile["file"]).stem for tile in solution["tiles"]}


def test_what_the_page_names_is_there(folder):
    page = script.PAGE.read_text(encoding="utf-8")
    assert len(list((folder / "tiles").glob("*.png"))) == 48
    for name in script.PICTURES.values():
        Image.open(folder / name).verify()
    for name in ("plan.pdf", "panel.tif", "iiif/manifest.json", "whole/placement.csv"):
        assert (folder / name).stat().st_size > 1000
        assert Path(name).parts[0] in page


def test_every_picture_of_the_page_is_made_by_the_script():
    shown = re.findall(r"images/walkthrough/(\w+)\.jpg", script.PAGE.read_text(encoding="utf-8"))
    assert sorted(shown) == sorted(script.PICTURES)
    for name in shown:
        assert (ROOT / "docs" / "images" / "walkthrough" / f"{name}.jpg").exists()


def test_the_first_solve_finds_the_size_and_lays_the_frame_around_the_panel(folder):
    """Whichever way up: all tiles lie as in the panel in which what is known is kept."""
    solutions = (Solution.load(folder / name / "solution.json") for name in ("first", "result"))
    first, result = solutions
    assert sorted((first.rows, first.cols)) == [6, 8]
    found, right = (each.assembly(first.files) for each in (first, result))
    assert evaluate(found, right, upright=False).neighbour == 1


def test_what_was_known_is_kept_and_the_missing_tiles_are_found(folder):
    result = placed(folder / "result")
    assert len(result) == 46
    assert result[5, 3] == "table_1_12"
    assert not {(2, 2), (0, 4)} & result.keys()
    for name, found in (("beside_the_tower", "crate_7_08"), ("above_the_sky", "crate_7_04")):
        ranked = json.loads((folder / name / "candidates.json").read_text(encoding="utf-8"))
        assert found in json.dumps(ranked["candidates"][0])
    assert len(placed(folder / "whole")) == 48
