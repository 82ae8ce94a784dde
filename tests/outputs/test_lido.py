"""LIDO 1.1: what the records say, and that their elements stand in the order of the schema."""

from xml.etree import ElementTree

import pytest

from azulejar.core.solution import PlacedTile, Solution
from azulejar.errors import AzulejarError
from azulejar.outputs.lido import LIDO, write_lido
from azulejar.outputs.records import Provenance

ABOUT = Provenance("Painel da Sé", "https://museum.example/42", "2026-11-17", "Ana Silva", "MNAz")

# The children that an element may have, in their order; "!" marks those that must be there.
# https://lido-schema.org/schema/v1.1/lido-v1.1.html, as far as our records go.
ORDER = {
    "lidoWrap": "lido!",
    "lido": "lidoRecID! objectPublishedID descriptiveMetadata! administrativeMetadata!",
    "descriptiveMetadata": "objectClassificationWrap! objectIdentificationWrap! eventWrap "
    "objectRelationWrap",
    "objectClassificationWrap": "objectWorkTypeWrap!",
    "objectWorkTypeWrap": "objectWorkType!",
    "objectIdentificationWrap": "titleWrap! inscriptionsWrap repositoryWrap objectDescriptionWrap "
    "objectMeasurementsWrap",
    "titleWrap": "titleSet!",
    "titleSet": "appellationValue!",
    "inscriptionsWrap": "inscriptions",
    "inscriptions": "inscriptionTranscription",
    "repositoryWrap": "repositorySet",
    "repositorySet": "repositoryName workID repositoryLocation",
    "repositoryName": "legalBodyName",
    "repositoryLocation": "namePlaceSet",
    "objectDescriptionWrap": "objectDescriptionSet",
    "objectDescriptionSet": "descriptiveNoteValue",
    "objectMeasurementsWrap": "objectMeasurementsSet",
    "objectMeasurementsSet": "objectMeasurements",
    "objectMeasurements": "measurementSet",
    "measurementSet": "measurementType! measurementUnit! measurementValue!",
    "eventWrap": "eventSet",
    "eventSet": "event",
    "event": "eventType! eventActor eventDate eventMethod eventDescriptionSet",
    "eventActor": "actorInRole",
    "actorInRole": "actor!",
    "actor": "nameActorSet!",
    "eventDate": "date",
    "date": "earliestDate! latestDate!",
    "eventDescriptionSet": "descriptiveNoteValue",
    "objectRelationWrap": "relatedWorksWrap",
    "relatedWorksWrap": "relatedWorkSet",
    "relatedWorkSet": "relatedWork relatedWorkRelType",
    "relatedWork": "displayObject object",
    "object": "objectID",
    "administrativeMetadata": "recordWrap! resourceWrap",
    "recordWrap": "recordID! recordType! recordSource! recordInfoSet",
    "recordSource": "legalBodyName",
    "recordInfoSet": "recordMetadataDate",
    "resourceWrap": "resourceSet",
    "resourceSet": "resourceRepresentation",
    "resourceRepresentation": "linkResource",
    **dict.fromkeys(("legalBodyName", "namePlaceSet", "nameActorSet"), "appellationValue!"),
    **dict.fromkeys(
        ("objectWorkType", "eventType", "eventMethod", "recordType", "relatedWorkRelType"),
        "conceptID term",
    ),
}


def tag(element):
    return element.tag.removeprefix(f"{{{LIDO}}}")


def check_order(element):
    found = [tag(child) for child in element]
    allowed = ORDER.get(tag(element), "").split()
    places = [[name.rstrip("!") for name in allowed].index(name) for name in found]
    assert places == sorted(places), (tag(element), found)
    assert {name[:-1] for name in allowed if name.endswith("!")} <= set(found), tag(element)
    assert bool(found) != bool((element.text or "").strip()), tag(element)
    for child in element:
        check_order(child)


@pytest.fixture
def solution():
    full = PlacedTile(
        file="a.png", row=0, col=1, turn=90, confidence=0.934, inventory="MNAz 7/a", crate="K3",
        code="IV b", mark="M", thickness=12.5, wall="A", level="1", section="2",
        iiif="https://images.example/iiif/a", note="lascado",
    )  # fmt: skip
    tiles = [
        full,
        PlacedTile(file="b.png", row=0, col=0, turn=0),
        PlacedTile(file="c.png", row=0, col=0, turn=0, panel=1),
        PlacedTile(file="d.png", row=0, col=0, turn=0, panel=-1),
    ]
    about = {"version": "0.7.0", "measure": "dlcm", "solver": "guided-growth", "seed": 0}
    return Solution(rows=1, cols=2, tiles=tiles, **about)


@pytest.fixture
def records(solution, tmp_path):
    write_lido(tmp_path / "panel.xml", solution, 0, ABOUT)
    return ElementTree.parse(tmp_path / "panel.xml").getroot()


def texts(record, name):
    return [each.text for each in record.iter(f"{{{LIDO}}}{name}")]


def test_the_order_of_the_schema(records):
    check_order(records)


def test_a_record_of_the_panel_then_one_of_each_tile(records):
    base = "https://museum.example/42"
    assert texts(records, "objectPublishedID") == [
        f"{base}/panel/1", f"{base}/tile/b", f"{base}/tile/MNAz%207%2Fa",
    ]  # fmt: skip


def test_the_panel_tells_how_when_and_by_whom(records):
    panel = records[0]
    assert "azulejar 0.7.0, measure dlcm, solver guided-growth, seed 0" in texts(panel, "term")
    assert texts(panel, "earliestDate") == ["2026-11-17"]
    assert "Ana Silva" in texts(panel, "appellationValue")
    assert "Mean confidence of the tiles' places: 0.93" in texts(panel, "descriptiveNoteValue")
    assert texts(panel, "measurementValue") == ["1", "2"]


def test_a_tile_tells_its_place_and_what_is_known_of_it(records):
    tile = records[2]
    assert texts(tile, "objectID") == ["https://museum.example/42/panel/1"]
    assert "is part of" in texts(tile, "term")
    assert texts(tile, "descriptiveNoteValue") == [
        "Row 1, col 2, turned 90° clockwise, confidence 0.93",
        "Wall A, level 1, section 2",
        "lascado",
    ]
    assert texts(tile, "inscriptionTranscription") == ["IV b", "M"]
    assert texts(tile, "workID") == ["MNAz 7/a"]
    assert texts(tile, "measurementValue") == ["12.5"]
    assert texts(tile, "linkResource") == ["https://images.example/iiif/a/full/max/0/default.jpg"]


def test_characters_that_xml_forbids_are_replaced(solution, tmp_path):
    solution.tiles[0].note = "a\x1b[31m < b"
    write_lido(tmp_path / "panel.xml", solution, 0, ABOUT)
    root = ElementTree.parse(tmp_path / "panel.xml").getroot()
    assert texts(root[2], "descriptiveNoteValue")[-1] == "a\ufffd[31m < b"


def test_only_panels_that_are_there(solution, tmp_path):
    with pytest.raises(AzulejarError, match=r"no panel 3. Its panels are 1, 2."):
        write_lido(tmp_path / "panel.xml", solution, 2, ABOUT)
    assert not list(tmp_path.iterdir())


def test_a_bare_record(tmp_path):
    tiles = [PlacedTile(file="a.png", row=0, col=0, turn=0)]
    about = Provenance("P", "http://localhost:8000", "2026-11-17")
    write_lido(tmp_path / "panel.xml", Solution(rows=1, cols=1, tiles=tiles), 0, about)
    root = ElementTree.parse(tmp_path / "panel.xml").getroot()
    check_order(root)
    assert "azulejar" in texts(root[0], "appellationValue")
