import json
import re
import shutil

import numpy as np
import pytest
from PIL import Image

from azulejar.core.solution import Solution

OUTPUTS = ["audit.csv", "audit.html", "audit.json", "proposed.json"]


@pytest.fixture
def disturbed(puzzles, tmp_path):
    """The truth of the turned puzzle with two tiles swapped and a third turned."""
    truth = Solution.load(puzzles / "turned" / "truth.json")
    a, b, c = (truth.tiles[i] for i in (3, 11, 17))
    a.row, a.col, b.row, b.col = b.row, b.col, a.row, a.col
    c.turn = (c.turn + 180) % 360
    truth.save(tmp_path / "laid.json")
    return {tile.file for tile in (a, b, c)}


def marked(folder):
    data = json.loads((folder / "audit.json").read_text(encoding="utf-8"))
    return {tile["file"] for found in data["findings"] for tile in found["tiles"]}


def test_swapped_and_turned_tiles_of_a_solution_are_found(azulejar, tmp_path, puzzles, disturbed):
    shown = azulejar("audit", "laid.json", "-o", "out", "-m", "mgc")
    assert sorted(path.name for path in (tmp_path / "out").iterdir()) == OUTPUTS
    assert marked(tmp_path / "out") == disturbed
    assert "seem swapped" in shown
    assert "turn it by 180° clockwise" in shown
    assert "Audit: out/audit.html" in shown
    compared = azulejar("evaluate", "out/proposed.json", puzzles / "turned" / "truth.json")
    assert re.search(r"perfect +yes", compared)


def test_tiles_of_a_museum_panel_lie_in_several_crates(azulejar, tmp_path, puzzles, disturbed):
    laid = Solution.load(tmp_path / "laid.json")
    for number, tile in enumerate(laid.tiles):
        file = f"crate {number % 2}/{tile.file}"
        (tmp_path / "crates" / file).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(puzzles / "turned" / "tiles" / tile.file, tmp_path / "crates" / file)
        tile.file = file
    laid.save(tmp_path / "laid.json")
    azulejar("audit", "laid.json", "--tiles", "crates", "-o", "out", "-m", "mgc")
    assert {file.partition("/")[2] for file in marked(tmp_path / "out")} == disturbed


def test_empty_places_are_proposed(azulejar, tmp_path, puzzles):
    """One tile lies at the rim and one is loose; the places of both are empty."""
    truth = Solution.load(puzzles / "turned" / "truth.json")
    moved, loose = truth.tiles[3], truth.tiles[11]
    row, col = moved.row + 1, moved.col + 1
    moved.row, moved.col, loose.panel = truth.rows, 2, -1
    truth.rows += 1
    truth.save(tmp_path / "laid.json")
    shown = azulejar("audit", "laid.json", "-o", "out", "-m", "mgc")
    assert f"seems to belong in an empty place: row {row}, col {col}." in shown
    assert "(without a place) seems to belong in an empty place" in shown
    assert marked(tmp_path / "out") == {moved.file, loose.file}
    compared = azulejar("evaluate", "out/proposed.json", puzzles / "turned" / "truth.json")
    assert re.search(r"perfect +yes", compared)


def test_an_intact_solution_is_left_alone(azulejar, tmp_path, puzzles):
    shown = azulejar("audit", puzzles / "turned" / "truth.json", "-o", "out", "-m", "mgc")
    assert "No tile seems to be in the wrong place or turned." in shown
    assert marked(tmp_path / "out") == set()


def test_two_halves_that_were_exchanged_are_told(azulejar, tmp_path, puzzles):
    """Nearly all joints are right, so that no single tile is marked."""
    truth = Solution.load(puzzles / "turned" / "truth.json")
    for tile in truth.tiles:
        tile.col = (tile.col + 2) % truth.cols
    truth.save(tmp_path / "laid.json")
    shown = azulejar("audit", "laid.json", "-o", "out", "-m", "mgc")
    told = "is connected to the rest of the panel by mostly doubtful joints"
    assert told in shown
    assert "No tile seems to be in the wrong place" not in shown
    assert told in (tmp_path / "out" / "audit.html").read_text(encoding="utf-8")
    data = json.loads((tmp_path / "out" / "audit.json").read_text(encoding="utf-8"))
    assert told in data["remarks"][0]


def test_a_picture_of_a_panel_is_cut_and_audited(azulejar, tmp_path, panel):
    picture = np.array(Image.open(panel))
    side = picture.shape[0] // 4
    one, other = picture[:side, :side].copy(), picture[2 * side : 3 * side, 3 * side : 4 * side]
    picture[:side, :side] = other
    picture[2 * side : 3 * side, 3 * side : 4 * side] = one
    Image.fromarray(picture).save(tmp_path / "wall.png")
    size = ("--rows", 4, "--cols", 5, "--trim", 0)
    shown = azulejar("audit", "wall.png", *size, "-o", "out", "-m", "mgc", "--upright")
    assert "Tiles r1_c1 (row 1, col 1) and r3_c4 (row 3, col 4) seem swapped." in shown
    assert marked(tmp_path / "out") == {"r1_c1", "r3_c4"}


def test_scores_may_be_brought_along(azulejar, tmp_path, puzzles, disturbed):
    azulejar("score", puzzles / "turned" / "tiles", "-o", "s.npz", "-m", "mgc")
    azulejar("audit", "laid.json", "-o", "out", "--scores", "s.npz")
    assert marked(tmp_path / "out") == disturbed


def test_what_cannot_be_audited_is_refused(refused, tmp_path, panel, puzzles):
    Solution(rows=0, cols=0, tiles=[]).save(tmp_path / "homeless.json")
    truth = puzzles / "turned" / "truth.json"
    out = ("-o", "out", "-m", "mgc")
    assert "Give --rows and --cols" in refused("audit", panel, *out)
    assert "Leave --rows and --cols out" in refused("audit", truth, *out, "--rows", 4)
    assert "Give --tiles" in refused("audit", "homeless.json", *out)
    assert "There is no folder" in refused("audit", truth, *out, "--tiles", "gone")
    assert "threshold" in refused("audit", truth, *out, "--threshold", 7)
    assert "no measure" in refused("audit", truth, "-o", "out", "-m", "nonsense")
    assert "trim" in refused("audit", panel, *out, "--rows", 4, "--cols", 5, "--trim", 0.6)
    refused("audit", "nowhere.jpg", *out, "--rows", 4, "--cols", 5)
    refused("audit", tmp_path, *out)
