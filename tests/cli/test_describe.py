"""``azulejar describe`` and ``azulejar joints``: records for catalogues."""

import json
from xml.etree import ElementTree

import pytest


@pytest.fixture
def truth(puzzles):
    return puzzles / "turned" / "truth.json"


def test_lido_and_linked_art(azulejar, tmp_path, truth):
    about = ("--by", "Ana Silva", "--date", "2026-11-17", "--base-url", "https://museum.example")
    shown = azulejar("describe", truth, "-o", "panel.xml", *about)
    assert shown == "Record: panel.xml\n"
    assert len(ElementTree.parse(tmp_path / "panel.xml").getroot()) == 21
    azulejar("describe", truth, "-o", "panel.json", *about, "--title", "Sala 4")
    data = json.loads((tmp_path / "panel.json").read_text(encoding="utf-8"))
    assert (data["_label"], len(data["part"])) == ("Sala 4", 20)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (("-o", "panel.txt"), "ends in .xml for LIDO, or in .json for Linked Art"),
        (("-o", "a.xml", "--date", "17.11.2026"), "'17.11.2026' is not a date"),
        (("-o", "a.xml", "--panel", 2), "no panel 2. Its panels are 1."),
        (("-o", "a.xml", "--base-url", "museum"), "no address of a folder on the web"),
    ],
)
def test_what_is_refused(refused, truth, options, message):
    assert message in refused("describe", truth, *options)


def test_the_list_of_joints(azulejar, refused, tmp_path, truth):
    options = ("-m", "mgc", "--least", 0, "--by", "Ana Silva", "--date", "2026-11-17")
    shown = azulejar("joints", truth, *options)
    assert "31 joints of 31: joints.csv" in shown
    first = (tmp_path / "joints.csv").read_text(encoding="utf-8-sig").splitlines()[1]
    assert first.endswith(",Ana Silva,2026-11-17")
    assert "joints.csv exists already" in refused("joints", truth, *options)
