"""Linked Art, read by the library of its authors, which knows its classes and properties."""

import json

import pytest
from cromulent.model import DataError
from cromulent.reader import Reader

from azulejar.core.solution import PlacedTile, Solution
from azulejar.outputs.linked_art import write_linked_art
from azulejar.outputs.records import Provenance

ABOUT = Provenance("Painel da Sé", "https://museum.example/42", "2026-11-17", "Ana Silva", "MNAz")


@pytest.fixture
def data(tmp_path):
    tiles = [
        PlacedTile(
            file="a.png", row=0, col=1, turn=90, confidence=0.934, inventory="MNAz 7/a", crate="K",
            code="IV b", mark="M", thickness=12.5, wall="A", level="1", section="2",
            iiif="https://images.example/iiif/a", note="lascado",
        ),
        PlacedTile(file="b.png", row=0, col=0, turn=0),
    ]  # fmt: skip
    solution = Solution(rows=1, cols=2, tiles=tiles, version="0.7.0", measure="dlcm")
    write_linked_art(tmp_path / "panel.json", solution, 0, ABOUT)
    return json.loads((tmp_path / "panel.json").read_text(encoding="utf-8"))


def test_its_authors_library_takes_it(data):
    panel = Reader().read(data)
    assert panel._label == "Painel da Sé"
    assert [tile._label for tile in panel.part] == ["b", "MNAz 7/a"]


def test_the_library_is_strict(data):
    data["part"][1]["attributed_by"][0]["carried_out_by"][0]["type"] = "Place"
    with pytest.raises(DataError):
        Reader().read(data)


def test_the_place_of_a_tile_is_an_assignment_by_somebody(data):
    (place,) = data["part"][1]["attributed_by"]
    panel, *numbers = place["assigned"]
    assert panel["id"] == data["id"] == "https://museum.example/42/panel/1"
    assert {each["classified_as"][0]["_label"]: each["value"] for each in numbers} == {
        "row": 1, "col": 2, "turn": 90, "confidence": 0.934,
    }  # fmt: skip
    assert place["carried_out_by"][0]["_label"] == "Ana Silva"
    assert place["timespan"]["begin_of_the_begin"] == "2026-11-17T00:00:00Z"
    assert place["technique"][0]["_label"] == "azulejar 0.7.0, measure dlcm"


def test_what_is_known_of_a_tile(data):
    plain, full = data["part"]
    assert [note["content"] for note in full["referred_to_by"]] == [
        "Row 1, col 2, turned 90° clockwise, confidence 0.93",
        "Wall A, level 1, section 2",
        "IV b",
        "M",
        "lascado",
    ]
    assert full["identified_by"][0]["content"] == "MNAz 7/a"
    assert full["dimension"][0]["value"] == 12.5
    shown = full["representation"][0]["digitally_shown_by"][0]["access_point"][0]
    assert shown["id"] == "https://images.example/iiif/a/full/max/0/default.jpg"
    assert not {"dimension", "representation"} & plain.keys()
