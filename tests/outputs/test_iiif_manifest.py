"""The manifest against the rules of IIIF Presentation 3.

The types below are the rules that concern our manifests: https://iiif.io/api/presentation/3.0/,
sections 3 to 5 and appendix A. Properties not named here are refused, though the standard has more.
"""

import json
from typing import Annotated, Literal

import iiif_prezi3
import pytest
from pydantic import BaseModel, ConfigDict, Field, StringConstraints

from azulejar.core.solution import PlacedTile, Solution
from azulejar.imaging.layout import Box, Layout
from azulejar.outputs.iiif import make_manifest, thumbnail_size

BASE = "https://museum.example/42"

Address = Annotated[str, StringConstraints(pattern=r"^https?://[^\s#]+$")]
Part = Annotated[
    str, StringConstraints(pattern=r"^https?://[^\s#]+#xywh=\d+,\d+,[1-9]\d*,[1-9]\d*$")
]
Language = Annotated[str, StringConstraints(pattern=r"^(none|[a-z]{2,3}(-[A-Za-z0-9]+)*)$")]
LanguageMap = Annotated[
    dict[Language, Annotated[list[str], Field(min_length=1)]], Field(min_length=1)
]
MediaType = Annotated[str, StringConstraints(pattern=r"^[a-z]+/[a-z0-9.+-]+$")]
Pixels = Annotated[int, Field(gt=0)]


class Rules(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)


class Entry(Rules):
    label: LanguageMap
    value: LanguageMap


class Service(Rules):
    id: Address
    type: Literal["ImageService3"]
    profile: Literal["level0"]


class Image(Rules):
    id: Address
    type: Literal["Image"]
    format: MediaType
    width: Pixels | None = None
    height: Pixels | None = None
    service: Annotated[list[Service], Field(min_length=1, max_length=1)] | None = None


class Painting(Rules):
    id: Address
    type: Literal["Annotation"]
    motivation: Literal["painting"]
    body: Image
    target: Address | Part


class Text(Rules):
    type: Literal["TextualBody"]
    purpose: Literal["identifying", "describing"]
    value: Annotated[str, Field(min_length=1)]
    format: MediaType
    language: Language | None = None


class Comment(Rules):
    id: Address
    type: Literal["Annotation"]
    label: LanguageMap
    metadata: list[Entry]
    motivation: Literal["commenting"]
    body: list[Text]
    target: Part


class PaintingPage(Rules):
    id: Address
    type: Literal["AnnotationPage"]
    items: list[Painting]


class CommentPage(Rules):
    id: Address
    type: Literal["AnnotationPage"]
    items: list[Comment]


class Canvas(Rules):
    id: Address
    type: Literal["Canvas"]
    label: LanguageMap
    width: Pixels
    height: Pixels
    thumbnail: list[Image]
    items: Annotated[list[PaintingPage], Field(min_length=1)]
    annotations: list[CommentPage]


class Manifest(Rules):
    context: Literal["http://iiif.io/api/presentation/3/context.json"] = Field(alias="@context")
    id: Address
    type: Literal["Manifest"]
    label: LanguageMap
    summary: LanguageMap
    metadata: list[Entry]
    thumbnail: list[Image]
    items: Annotated[list[Canvas], Field(min_length=1)]


def addresses(node: object) -> list[str]:
    """Every ``id`` of things that may have only one: all but those of pictures."""
    if isinstance(node, list):
        return [each for item in node for each in addresses(item)]
    if not isinstance(node, dict):
        return []
    own = [node["id"]] if "id" in node and node.get("type") != "Image" else []
    return own + [each for value in node.values() for each in addresses(value)]


@pytest.fixture
def solution():
    tiles = [
        PlacedTile(file="a.png", row=0, col=0, turn=0),
        PlacedTile(
            file="b.png", row=1, col=2, turn=270, confidence=0.456,
            inventory="MNAz <2> ç", crate="C7", code="4º D", note="chipped",
        ),
        PlacedTile(file="c.png", row=0, col=0, turn=90, panel=3),
        PlacedTile(file="d.png", row=0, col=0, turn=0, panel=-1),
    ]  # fmt: skip
    return Solution(rows=2, cols=3, tiles=tiles, measure="dlcm", version="0.3.0")


LAYOUTS = [
    Layout.of((Box(0, 2, 3),), 100, joints=True),
    Layout.of((Box(3, 1, 1),), 1000),
]


@pytest.fixture
def data(solution):
    return make_manifest(solution, LAYOUTS, "Sala 4, nº 2", BASE)


@pytest.fixture
def apart(solution):
    """The manifest with every tile by itself; two of them on image servers."""
    solution.tiles[0].iiif = "https://images.example/iiif/3/A%2F17"
    solution.tiles[2].iiif = "https://images.example/iiif/2/c"
    return make_manifest(solution, LAYOUTS, "Sala 4, nº 2", BASE, each_tile=True)


@pytest.mark.parametrize("kind", ["data", "apart"])
def test_it_keeps_the_rules(kind, request):
    data = request.getfixturevalue(kind)
    Manifest.model_validate_json(json.dumps(data))
    assert len(set(addresses(data))) == len(addresses(data))


@pytest.mark.parametrize("kind", ["data", "apart"])
def test_the_schema_of_the_iiif_community_takes_it(kind, request):
    """iiif_prezi3's models are generated from IIIF's own JSON schema of Presentation 3."""
    data = request.getfixturevalue(kind)
    read = iiif_prezi3.Manifest.model_validate(data)
    assert len(read.items) == 2
    data["items"][0]["type"] = "Cavnas"
    with pytest.raises(ValueError, match="validation error"):
        iiif_prezi3.Manifest.model_validate(data)


def test_a_canvas_a_panel_in_the_size_of_its_picture(data):
    first, second = data["items"]
    assert (first["width"], first["height"]) == (304, 202)
    assert (second["width"], second["height"]) == (1000, 1000)
    painting = second["items"][0]["items"][0]
    assert painting["target"] == second["id"]
    assert painting["body"] == {
        "id": f"{BASE}/panel_4.jpg", "type": "Image", "format": "image/jpeg",
        "width": 1000, "height": 1000,
        "service": [{"id": f"{BASE}/panel_4", "type": "ImageService3", "profile": "level0"}],
    }  # fmt: skip


def test_every_tile_by_itself_turned_at_its_place(apart):
    first, second = (canvas["items"][0]["items"] for canvas in apart["items"])
    server = "https://images.example/iiif"
    image = {"type": "Image", "format": "image/jpeg"}
    assert [(each["body"], each["target"]) for each in first + second] == [
        (
            image | {"id": f"{server}/3/A%2F17/full/max/0/default.jpg"},
            f"{BASE}/canvas/1#xywh=0,0,100,100",
        ),
        (
            image | {"id": f"{BASE}/tiles/1_2_3.jpg", "width": 100, "height": 100},
            f"{BASE}/canvas/1#xywh=204,102,100,100",
        ),
        (
            image | {"id": f"{server}/2/c/full/max/90/default.jpg"},
            f"{BASE}/canvas/4#xywh=0,0,1000,1000",
        ),
    ]


def test_every_tile_is_where_it_was_drawn_and_carries_its_number(data):
    first, second = (canvas["annotations"][0]["items"] for canvas in data["items"])
    found = {tile["body"][0]["value"]: tile["target"] for tile in first + second}
    assert found == {
        "a": f"{BASE}/canvas/1#xywh=0,0,100,100",
        "MNAz <2> ç": f"{BASE}/canvas/1#xywh=204,102,100,100",
        "c": f"{BASE}/canvas/4#xywh=0,0,1000,1000",
    }


def test_what_is_known_of_a_tile_is_told(data):
    tile = data["items"][0]["annotations"][0]["items"][1]
    told = {entry["label"]["en"][0]: entry["value"]["none"][0] for entry in tile["metadata"]}
    assert told == {
        "Inventory number": "MNAz <2> ç", "Row": "2", "Col": "3", "Turn": "270° clockwise",
        "Confidence": "0.46", "Crate": "C7", "Code": "4º D", "Note": "chipped", "File": "b.png",
    }  # fmt: skip
    assert tile["body"][1]["value"].startswith("Row: 2; Col: 3; Turn: 270° clockwise; Confidence")


def test_tiles_without_a_place_are_named(data):
    told = {entry["label"]["en"][0]: entry["value"]["none"] for entry in data["metadata"]}
    assert told["Tiles without a place"] == ["d"]
    assert told["Measure"] == ["dlcm"]
    assert "Solver" not in told


@pytest.mark.parametrize(
    ("size", "thumbnail"), [(100, (300, 200)), (1000, (400, 267)), (8000, (400, 267))]
)
def test_thumbnails_keep_the_shape(size, thumbnail):
    assert thumbnail_size(Layout.of((Box(0, 2, 3),), size)) == thumbnail


@pytest.mark.parametrize(
    ("path", "value"),
    [
        (("label",), "a string"),
        (("items", 0, "height"), 0),
        (("items", 0, "items"), []),
        (("items", 0, "annotations", 0, "items", 0, "target"), f"{BASE}/canvas/1#xywh=1,2,3"),
        (("id",), "manifest.json"),
    ],
)
def test_the_rules_are_rules(data, path, value):
    node = data
    for step in path[:-1]:
        node = node[step]
    node[path[-1]] = value
    with pytest.raises(ValueError, match="validation error"):
        Manifest.model_validate_json(json.dumps(data))
