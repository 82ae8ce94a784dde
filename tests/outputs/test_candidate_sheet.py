import csv
import json

import numpy as np
import pytest
from PIL import Image

from azulejar.core.assembly import Assembly, Place
from azulejar.core.tiles import TileSet
from azulejar.judging.candidates import Candidate
from azulejar.outputs.candidate_sheet import CELL, LABEL, MARGIN, draw_candidates, write_candidates

PLACE = Place(0, 0, 1)
FOUND = [
    Candidate(2, 1, 0.75, (None, 0.5, None, 0.25)),
    Candidate(3, 0, 0.125, (None, 0.01, None, 0.0)),
]


@pytest.fixture
def tiles():
    """Grey tiles, but that the upper half of tile 2 is white."""
    pixels = np.full((4, 32, 32, 3), 90, np.uint8)
    pixels[2, :16] = 255
    return TileSet(pixels, ("a.png", "b.png", "=c.png", "other/d.png"))


@pytest.fixture
def assembly():
    return Assembly.of([0, 0, 0, 0], [0, 2, 0, 0], [0] * 4, [0, 0, -1, -1])


def cell(sheet, i):
    left = MARGIN + i * (CELL + MARGIN)
    return sheet[MARGIN : MARGIN + CELL, left : left + CELL]


def test_each_candidate_lies_turned_among_its_neighbours(tiles, assembly):
    sheet = draw_candidates(tiles, assembly, PLACE, FOUND)
    assert sheet.shape == (CELL + LABEL + 2 * MARGIN, 2 * (CELL + MARGIN) + MARGIN, 3)
    middle = cell(sheet, 0)[CELL // 2, :, 0].astype(int)
    assert abs(middle[CELL // 6] - 90) < 5  # the neighbour to the left
    assert abs(middle[CELL // 2 - 20] - 90) < 5
    assert middle[CELL // 2 + 20] > 250  # its upper half has come to the right
    assert np.abs(cell(sheet, 1)[CELL // 2, :, 0].astype(int) - 90).max() < 5


@pytest.mark.parametrize(
    "place", [Place(0, -1, 0), Place(0, 1, 2), Place(0, 0, 3), Place(0, 0, -1)]
)
def test_a_place_beside_the_panel_is_drawn_too(tiles, assembly, place):
    sheet = draw_candidates(tiles, assembly, place, FOUND[:1])
    assert cell(sheet, 0)[CELL // 2, CELL // 2 + 20, 0] > 250


def test_many_candidates_make_rows(tiles, assembly):
    sheet = draw_candidates(tiles, assembly, PLACE, FOUND * 3)
    assert sheet.shape[:2] == (2 * (CELL + LABEL + MARGIN) + MARGIN, 4 * (CELL + MARGIN) + MARGIN)


def test_long_names_stay_within_their_cell(tiles, assembly):
    long = TileSet(tiles.pixels, ("a", "b", "inventory number " * 9, "d"))
    sheet = draw_candidates(long, assembly, PLACE, FOUND)
    gap = sheet[:, MARGIN + CELL - 8 : MARGIN + CELL + MARGIN][MARGIN + CELL :]
    assert gap.min() > 240


def test_json_counts_from_0_and_csv_ranks_from_1(tiles, assembly, tmp_path):
    write_candidates(tmp_path / "out", tiles, assembly, PLACE, FOUND, 0.1, measure="mgc")
    data = json.loads((tmp_path / "out" / "candidates.json").read_text(encoding="utf-8"))
    assert data["format"] == "azulejar-candidates/1"
    assert (data["panel"], data["row"], data["col"], data["none"]) == (0, 0, 1, 0.1)
    assert data["candidates"][0] == {
        "file": "=c.png", "turn": 90, "probability": 0.75,
        "above": None, "right": 0.5, "below": None, "left": 0.25,
    }  # fmt: skip
    with (tmp_path / "out" / "candidates.csv").open(encoding="utf-8-sig", newline="") as file:
        first, second = csv.DictReader(file)
    assert (first["rank"], first["inventory"], first["above"]) == ("1", "'=c", "")
    assert (second["file"], second["turn_degrees_clockwise"]) == ("other/d.png", "0")
    with Image.open(tmp_path / "out" / "candidates.png") as picture:
        expected = draw_candidates(tiles, assembly, PLACE, FOUND)
        np.testing.assert_array_equal(np.asarray(picture), expected)
