"""A tile in its photograph: cut again at other corners, or given another picture."""

import io

import numpy as np
import pytest
from PIL import Image

from azulejar.app.schemas.tiles import NewProjectTile, TileSource
from azulejar.imaging.picture import read_picture, write_picture

BOX = [(60.0, 40.0), (100.0, 40.0), (100.0, 80.0), (60.0, 80.0)]


@pytest.fixture
def tile(workspace, client):
    """The path of a tile that was cut from a photograph and made twice as dark."""
    photograph = np.random.default_rng(0).integers(60, 200, (30, 40, 3)).repeat(8, 0).repeat(8, 1)
    project, store = workspace.create("p")
    write_picture(store.folder / "photographs" / "table.png", photograph.astype(np.uint8))
    dark = (photograph[40:80, 60:100] / 2).astype(np.uint8)
    write_picture(store.folder / "tiles" / "table_1.png", dark)
    store.put_sources(
        [TileSource(file="table_1.png", folder="photographs", photo="table.png", corners=BOX)]
    )
    store.add_tiles([NewProjectTile(file="table_1.png", number="1", doubt="blurred")])
    return f"/api/projects/{project}/tiles/1"


def _picture(answer):
    return np.asarray(Image.open(io.BytesIO(answer.content)), float)


def test_a_tile_is_seen_in_its_photograph(client, tile):
    view = client.get(f"{tile}/source").json()
    assert (view["photo"], view["width"], view["height"]) == ("table.png", 320, 240)
    assert view["box"] == [20, 0, 140, 120]
    assert _picture(client.get(f"{tile}/source/picture")).shape == (120, 120, 3)
    assert _picture(client.get(f"{tile}/source/picture?whole=1&size=160")).shape == (120, 160, 3)


def test_it_is_cut_again_with_its_colours_and_that_is_undone(client, tile, workspace):
    store = workspace.open("p")
    moved = [[x + 16, y + 8] for x, y in BOX]
    state = client.post(f"{tile}/cut", json={"corners": moved, "label": "cut again"}).json()
    assert state["undo"] == "cut again"
    (record,) = store.tiles()
    assert (record.file, record.number, record.doubt) == ("table_1-2.png", "1", None)
    photograph = read_picture(store.folder / "photographs" / "table.png").astype(float)
    wanted = photograph[48:88, 76:116] / 2
    found = read_picture(store.folder / "tiles" / record.file).astype(float)
    assert np.abs(found - wanted)[4:-4, 4:-4].mean() < 6
    assert client.get(f"{tile}/source").json()["corners"] == moved
    client.post("/api/projects/p/undo", json={"revision": state["revision"]})
    assert store.tiles()[0].file == "table_1.png"
    assert [tuple(each) for each in client.get(f"{tile}/source").json()["corners"]] == BOX


def test_corners_that_enclose_no_tile_are_refused(client, tile):
    outside = [(x + 240, y) for x, y in BOX]
    for corners in (BOX[::-1], [BOX[0], BOX[0], *BOX[2:]], outside):
        answer = client.post(f"{tile}/cut", json={"corners": corners, "label": "x"})
        assert answer.json()["code"] == "corners-not-a-tile"


def test_another_picture_takes_the_place_of_the_old_one(client, tile, workspace, picture):
    raw = {"Content-Type": "application/octet-stream"}
    query = "name=better.png&label=other"
    state = client.post(f"{tile}/uploads?{query}", content=picture(7), headers=raw).json()
    store = workspace.open("p")
    (record,) = store.tiles()
    assert (record.file, state["undo"]) == ("table_1-2.png", "other")
    assert (store.folder / "tiles" / record.file).read_bytes() == picture(7)
    assert client.get(f"{tile}/source").json()["code"] == "tile-source-unknown"
    wrong = client.post(f"{tile}/uploads?{query}", content=b"no picture", headers=raw)
    assert wrong.status_code == 422
    assert store.tiles() == [record]
