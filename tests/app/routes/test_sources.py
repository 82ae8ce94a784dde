"""A tile in its photograph: cut again at other corners, or given another picture."""

import io
from functools import partial
from pathlib import Path

import numpy as np
import pytest
from collection_fakes import describe_bytes
from PIL import Image

from azulejar.app.museum import moves
from azulejar.app.museum import museum as museums
from azulejar.app.projects.history import changed_since
from azulejar.app.schemas.tiles import NewProjectTile, TileSource
from azulejar.collection.intake.replacing import describe_picture
from azulejar.collection.storage.lock import locked
from azulejar.imaging.photographs.import_log import (
    HOME,
    RECORD,
    ImportedPhoto,
    ImportedTile,
    write_record,
)
from azulejar.imaging.picture import read_picture, write_picture

WITHOUT_NETWORK = {"encode": describe_bytes, "model": "test"}
PANELS = "/api/museums/museu/panels"
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


def test_of_a_tile_that_came_as_a_single_picture_no_photograph_is_known(client, tile, in_museum):
    assert client.get(f"{tile}/source/name").json() == {"photo": "table.png"}
    assert client.get("/api/projects/p/tiles/7/source/name").json()["code"] == "tile-unknown"
    _, project = in_museum
    names = [
        client.get(f"/api/museums/museu/tiles/{number}/source/name").json() for number in (0, 1)
    ]
    assert names == [{"photo": "A.png"}, {"photo": None}]
    names = {
        client.get(f"/api/projects/{project}/tiles/{each['tile']}/source/name").json()["photo"]
        for each in client.get(f"/api/projects/{project}").json()["tiles"]
    }
    assert names == {"A.png", None}


@pytest.fixture
def in_museum(museum, client, monkeypatch):
    """A museum whose tile A00 was cut from a photograph, and the project of its panel's table."""
    monkeypatch.setattr(museums, "OPENING", 60)  # seconds that edges may take on a busy machine
    monkeypatch.setattr(moves, "describe_picture", partial(describe_picture, **WITHOUT_NETWORK))
    photograph = np.random.default_rng(0).integers(60, 200, (30, 40, 3)).repeat(8, 0).repeat(8, 1)
    write_picture(museum.folder / "photographs" / "K 0" / "A.png", photograph.astype(np.uint8))
    tile = ImportedTile("A00.png", "", 0, 0, 0, 1, [list(each) for each in BOX], False)
    home = museum.folder / "crates" / "K 0" / HOME
    home.mkdir()
    write_record(home, ImportedPhoto("/elsewhere/A.png", "", {}, (tile,)))
    (home / RECORD).rename(home / "A.json")
    project = client.post("/api/museums/museu/table", json={"panel": "1"}).json()["project"]
    return museum, project


def test_a_tile_of_a_museum_is_cut_again_there_and_on_its_table(in_museum, client, workspace):
    museum, project = in_museum
    tile, store = "/api/museums/museu/tiles/0", workspace.open(project)
    (own,) = [each for each in store.tiles() if each.number == "A00"]
    on_table = f"/api/projects/{project}/tiles/{own.tile}"
    view = client.get(f"{tile}/source").json()
    assert (view["photo"], view["box"]) == ("A.png", [20, 0, 140, 120])
    assert client.get(f"{on_table}/source").json() == view
    assert _picture(client.get(f"{tile}/source/picture")).shape == (120, 120, 3)
    assert client.get("/api/museums/museu/tiles/1/source").json()["code"] == "tile-source-unknown"

    def seen():
        whole, panels = client.get("/api/museums/museu").json(), client.get(PANELS).json()["panels"]
        shown = client.get("/api/museums/museu/picture?tile=0").content
        (record,) = [each for each in store.tiles() if each.number == "A00"]
        there = (store.folder / "tiles" / record.file).read_bytes()
        return whole["pictures"], panels[0]["outdated"], panels[0]["touched"], shown, there

    before, pixels = seen(), np.array(museum.collection.pixels[0])
    assert client.get("/api/museums/museu/fits?tile=1").status_code == 200
    moved = [[x + 16, y + 8] for x, y in BOX]
    cut = {"corners": moved, "label": "label.cut|number=A00"}
    assert client.post(f"{tile}/cut", json=cut).status_code == 204
    after = seen()
    assert after[1:3] == (True, False)
    assert all(after[at] != before[at] for at in (0, 3, 4))
    assert (museum.collection.pixels[0] != pixels).any()
    assert client.get(f"{tile}/source").json()["corners"] == moved
    assert client.get("/api/museums/museu/fits?tile=1").status_code == 200
    assert client.post("/api/museums/museu/undo").status_code == 204
    assert seen() == before
    assert (museum.collection.pixels[0] == pixels).all()
    assert client.post("/api/museums/museu/redo").status_code == 204
    assert seen() == after
    # From the table it is the same.
    state = client.get(f"/api/projects/{project}").json()["state"]
    assert state["undo"] == cut["label"]
    client.post(f"/api/projects/{project}/undo", json={"revision": state["revision"]})
    assert seen() == before
    state = client.post(f"{on_table}/cut", json=cut).json()
    assert (state["undo"], seen()[:4]) == (cut["label"], after[:4])
    history = client.get("/api/projects/museu/history").json()
    assert [each["what"] for each in history] == ["edit", "undo", "redo", "undo", "edit"]


def test_a_tile_is_cut_twice_where_the_folder_is_named_from_here(in_museum, client, monkeypatch):
    museum, _ = in_museum
    monkeypatch.chdir(museum.folder.parent)
    museum.folder = Path(museum.folder.name)
    tile = "/api/museums/museu/tiles/0"
    for shift in (8, 16):
        cut = {"corners": [[x + shift, y] for x, y in BOX], "label": "cut"}
        assert client.post(f"{tile}/cut", json=cut).status_code == 204
        assert client.get(f"{tile}/source").json()["corners"] == cut["corners"]


def test_a_tile_of_a_museum_gets_another_picture(in_museum, client, picture):
    museum, _ = in_museum
    raw = {"Content-Type": "application/octet-stream"}
    address = "/api/museums/museu/tiles/6/uploads?name=better.png&label=other"
    assert client.post(address, content=picture(7), headers=raw).status_code == 204
    assert museum.collection.entry("A12").path == museum.folder / "pictures" / "A12-2.png"
    assert museum.collection.entry("A12").path.read_bytes() == picture(7)
    files = sorted((museum.folder / "pictures").iterdir())
    for content, code in (
        (picture(7), "picture-of-another-tile"),
        (b"no picture", "picture-broken"),
        (picture(8, (24, 12)), "tile-not-square"),
    ):
        answer = client.post(address, content=content, headers=raw)
        assert (answer.status_code, answer.json()["code"]) == (
            400 if "another" in code else 422,
            code,
        )
    assert sorted((museum.folder / "pictures").iterdir()) == files
    unknown = client.post(address.replace("6/", "99/"), content=picture(8), headers=raw)
    assert unknown.status_code == 404


def test_a_cut_that_is_refused_is_not_the_source_of_the_next_picture(in_museum, client, picture):
    museum, _ = in_museum
    tile = "/api/museums/museu/tiles/0"
    (museum.folder / "search").mkdir(exist_ok=True)
    with locked(museum.folder / "search", "sorts the tiles"):
        cut = {"corners": [[x + 16, y + 8] for x, y in BOX], "label": "cut"}
        assert client.post(f"{tile}/cut", json=cut).status_code >= 400
    assert not [*(museum.folder / "pictures").glob("*.png")]
    raw = {"Content-Type": "application/octet-stream"}
    address = f"{tile}/uploads?name=better.png&label=other"
    assert client.post(address, content=picture(7), headers=raw).status_code == 204
    assert client.get(f"{tile}/source").json()["code"] == "tile-source-unknown"


def test_a_picture_stays_where_a_table_fails(in_museum, client, picture, monkeypatch):
    museum, _ = in_museum

    def fail(*args):
        raise changed_since()

    monkeypatch.setattr(moves, "follow_picture", fail)
    raw = {"Content-Type": "application/octet-stream"}
    address = "/api/museums/museu/tiles/6/uploads?name=better.png&label=other"
    assert client.post(address, content=picture(7), headers=raw).status_code == 409
    assert museum.collection.entry("A12").path.read_bytes() == picture(7)


def test_undo_reaches_tables_that_were_opened_since(in_museum, client, picture, workspace):
    museum, project = in_museum
    raw = {"Content-Type": "application/octet-stream"}
    address = "/api/museums/museu/tiles/6/uploads?name=better.png&label=other"
    old = museum.collection.entry("A12").path.read_bytes()
    workspace.move_to_bin(project)
    assert client.post(address, content=picture(7), headers=raw).status_code == 204
    table = client.post("/api/museums/museu/table", json={"panel": "1"}).json()["project"]
    store = workspace.open(table)

    def shown():
        (record,) = [each for each in store.tiles() if each.number == "A12"]
        return (store.folder / "tiles" / record.file).read_bytes()

    assert shown() == picture(7)
    assert client.post("/api/museums/museu/undo").status_code == 204
    assert shown() == old
    assert not any(each["touched"] for each in client.get(PANELS).json()["panels"])
    assert client.post("/api/museums/museu/redo").status_code == 204
    assert shown() == picture(7)
