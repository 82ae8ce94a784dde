"""``azulejar solve`` with pattern tiles: laid as the design continues, without claims."""

import json

import pytest

from azulejar.imaging.picture import write_picture
from azulejar.practice.painting.panel import paint_panel
from azulejar.practice.painting.patterns import DESIGNS, paint_pattern
from azulejar.practice.puzzles import cut


@pytest.fixture
def wall(tmp_path):
    """A folder with the tiles of a wall of 4 × 4 alike tiles, each turned."""
    (design,) = (each for each in DESIGNS if each.name == "rosettes")
    for i, tile in enumerate(cut(paint_pattern(design, 4, 4, 40), 4, 4)):
        write_picture(tmp_path / "wall" / f"{i:02}.png", tile)
    return tmp_path / "wall"


def test_the_order_of_a_pattern_is_undetermined(azulejar, tmp_path, wall):
    shown = azulejar("solve", wall, "-o", "out", "-m", "mgc")
    assert "Pattern: order undetermined. 16 tiles of 1 design repeat every 2 × 2 tiles" in shown
    assert "probably wrong" not in shown
    page = (tmp_path / "out" / "report.html").read_text(encoding="utf-8")
    assert "order undetermined" in page
    assert "probably wrong" not in page
    solution = json.loads((tmp_path / "out" / "solution.json").read_text(encoding="utf-8"))
    assert (solution["rows"], solution["cols"]) == (4, 4)
    assert max(tile["confidence"] for tile in solution["tiles"]) <= 1 / 16
    assert "0 joints of 24" in azulejar("joints", "out", "-o", "j.csv", "-m", "mgc", "--least", 0.1)


def test_a_picture_is_not_needed_for_a_pattern(azulejar, tmp_path, wall):
    write_picture(tmp_path / "old.png", paint_panel(4, 4, 40, seed=1))
    shown = azulejar("solve", wall, "-o", "out", "-m", "mgc", "--reference", "old.png")
    assert "The reference was not used" in shown


def test_alike_tiles_are_in_no_island(refused, wall):
    assert "No joint is right" in refused("solve", wall, "-o", "out", "-m", "mgc", "--islands")


def test_a_pattern_may_be_solved_like_any_panel(azulejar, wall):
    options = ("--no-pattern", "-m", "mgc", "--preset", "fast", "--time-budget", 1)
    assert "Pattern" not in azulejar("solve", wall, "-o", "out", *options)


def test_a_repeated_frame_stays_with_its_panel(azulejar, tmp_path):
    """Alike tiles that are the smaller part are solved with the others, and told."""
    (design,) = (each for each in DESIGNS if each.name == "rosettes")
    alike = cut(paint_pattern(design, 2, 5, 40), 2, 5)
    others = cut(paint_panel(4, 6, 40, seed=1), 4, 6)
    for i, tile in enumerate([*alike, *others]):
        write_picture(tmp_path / "some" / f"{i:02}.png", tile)
    shown = azulejar("solve", "some", "-o", "out", "-m", "mgc", "--preset", "fast")
    assert "10 tiles of 1 design are alike, as in a repeated frame or a pattern" in shown
    solution = json.loads((tmp_path / "out" / "solution.json").read_text(encoding="utf-8"))
    assert {tile["panel"] for tile in solution["tiles"]} == {0}
