"""Museums over HTTP."""

import hashlib
import io
import json
import time
from dataclasses import replace

import numpy as np
import pytest
from collection_fakes import make_newer
from PIL import Image
from pypdf import PdfReader

from azulejar.app.schemas.museums import Museum, Panel, Pattern, Report, TilePage
from azulejar.app.workspace import Workspace
from azulejar.collection.patterns import CollectionPatterns
from azulejar.collection.sort_results import SortResult, require_sort
from azulejar.collection.storage.catalogue import Collection
from azulejar.collection.storage.lock import locked
from azulejar.core.solution import Solution
from azulejar.outputs.collection.groups_page import write_collection_groups
from azulejar.outputs.collection.patterns_page import write_patterns
from azulejar.patterns.finding import find_patterns
from azulejar.practice.painting.patterns import DESIGNS, paint_pattern
from azulejar.practice.puzzles import cut

BYTES = {"Content-Type": "application/octet-stream"}
PATH = "/api/museums/museu"


@pytest.fixture
def visitor(museum, client):
    """A browser before a server with a museum."""
    return client


def get(client, path, **query):
    while (answer := client.get(f"{PATH}{path}", params=query)).status_code == 503:
        assert answer.json()["code"] == "edges-being-prepared"  # ask again, as the page does
    assert answer.status_code == 200, answer.text
    return answer


def test_a_new_museum_is_listed_apart_from_projects(client):
    made = client.post("/api/museums", json={"name": "Museu São Roque"})
    assert made.status_code == 201
    museum = Museum(**made.json())
    assert (museum.museum, museum.tiles, museum.sorted) == ("museu-sao-roque", 0, False)
    listed = {"museum": "museu-sao-roque", "name": "Museu São Roque", "tiles": 0}
    listed |= {"working": None, "fraction": None, "panel": None}
    assert client.get("/api/museums").json() == [listed | {"archived": False}]
    for archived in (True, False):
        client.put("/api/projects/museu-sao-roque/archived", json={"archived": archived})
        assert client.get("/api/museums").json() == [listed | {"archived": archived}]
    assert client.get("/api/projects").json() == []
    assert client.get("/api/museums/other").status_code == 404


def test_a_museum_is_renamed(client, museum):
    renamed = client.patch("/api/projects/museu", json={"name": "Depósito"})
    assert (renamed.status_code, renamed.json()["name"]) == (200, "Depósito")
    assert [each["name"] for each in client.get("/api/museums").json()] == ["Depósito"]
    assert Museum(**get(client, "").json()).name == "Depósito"
    assert client.get("/api/projects/museu").json()["name"] == "Depósito"


def test_a_deleted_museum_is_taken_back_with_its_tables(client, museum, workspace):
    name = get(client, "/panels").json()["panels"][0]["name"]
    table = client.post(f"{PATH}/table", json={"panel": name}).json()["project"]
    before = client.get(f"/api/projects/{table}").json()
    assert client.delete("/api/projects/museu").status_code == 204
    assert client.get("/api/museums").json() == []
    for gone in (PATH, "/api/projects/museu", f"/api/projects/{table}"):
        assert client.get(gone).status_code == 404
    (entry,) = client.get("/api/bin").json()
    assert (entry["name"], entry["tiles"], entry["museum"]) == ("museu", 14, True)
    client.post("/api/museums", json={"name": "museu"})  # a new one, which takes its id
    back = client.post(f"/api/bin/{entry['entry']}/restore").json()
    assert (back["project"], client.get("/api/bin").json()) == ("museu-2", [])
    assert client.get("/api/museums/museu-2").json()["tiles"] == 14
    after = client.get(f"/api/projects/{table.replace('museu', 'museu-2', 1)}").json()
    assert after["state"]["board"] == before["state"]["board"]


def test_a_museum_that_a_command_is_changing_is_not_deleted(client, museum):
    with locked(museum.folder, "adds tiles"):
        refused = client.delete("/api/projects/museu")
    assert (refused.status_code, refused.json()["code"]) == (400, "collection-locked")
    assert Museum(**get(client, "").json()).tiles == 14
    history = client.get("/api/projects/museu/history").json()
    assert "project-deleted" not in [each["what"] for each in history]
    assert client.delete("/api/projects/museu").status_code == 204


def test_a_museum_that_another_server_has_open_is_not_listed(client, workspace):
    client.post("/api/museums", json={"name": "One"})
    Collection.create(workspace.folder / "two").close()
    other = Workspace(workspace.folder / "two")  # as azulejar serve two does
    assert [each["museum"] for each in client.get("/api/museums").json()] == ["one"]
    assert client.get("/api/museums/two").json()["code"] == "workspace-in-use"
    other.close()
    assert [each["museum"] for each in client.get("/api/museums").json()] == ["one", "two"]


def test_a_museum_that_a_newer_azulejar_writes_to_is_not_called_damaged(visitor, museum):
    get(visitor, "/fits", tile=0, side=1)
    make_newer(museum.folder)
    for path in ("", "/tiles", "/fits?tile=0&side=1", "/panels"):
        answer = visitor.get(f"{PATH}{path}")
        assert answer.status_code == 400
        told = answer.json()
        assert told["code"] == "collection-format-newer"
        assert "restart the server" in told["remedy"]


def test_what_the_page_begins_with(visitor, wait_for_marks):
    wait_for_marks(visitor)
    museum = Museum(**visitor.get(PATH).json())
    assert (museum.tiles, museum.crates, museum.panels, museum.solved) == (14, 2, 1, 1)
    none = {"new": 0, "removed": 0}
    assert museum.states == none | {"grouped": 12, "doubtful": 12, "stray": 2, "double": 2}


def test_tiles_come_a_page_at_a_time(visitor):
    page = get(visitor, "/tiles", words="a1", first=1, count=2).json()
    TilePage(**page)
    assert (page["total"], [tile["inventory"] for tile in page["tiles"]]) == (4, ["A12", "A11"])
    assert get(visitor, "/tiles", state="stray", crate="K 1").json()["total"] == 2
    assert visitor.get(f"{PATH}/tiles", params={"state": "lost"}).status_code == 422
    crates = get(visitor, "/crates", words="k", count=1).json()
    assert (crates["total"], crates["crates"][0]["crate"]) == (2, "K 0")


def test_patterns_are_listed_once_somebody_has_looked_for_them(visitor, museum):
    assert get(visitor, "/patterns").json() == []
    found = find_patterns(cut(paint_pattern(DESIGNS[3], 3, 4, 50), 3, 4))
    with Collection.open(museum.folder) as collection:
        write_patterns(collection, CollectionPatterns(("P-17-00101",), found))
    (pattern,) = (Pattern(**each) for each in get(visitor, "/patterns").json())
    assert (pattern.name, pattern.tiles, pattern.symmetry) == ("P-17-00101", 12, "p4m")
    assert pattern.good + pattern.worn + pattern.poor == 12
    picture = get(visitor, "/pattern-picture", pattern="P-17-00101")
    assert Image.open(io.BytesIO(picture.content)).size == (300, 300)
    assert visitor.get(f"{PATH}/pattern-picture?pattern=other").status_code == 404
    assert get(visitor, "/tiles", pattern="P-17-00101").json()["total"] == 12
    assert get(visitor, "/tiles", pattern="P-17-00101", words="a13").json()["total"] == 0


def test_a_photograph_of_a_wall_is_kept_once(visitor, museum, picture):
    def send(name, content):
        path, query = f"{PATH}/walls/uploads", {"name": name}
        return visitor.post(path, params=query, content=content, headers=BYTES)

    assert send("wall.png", picture(1)).json()["taken"] == ["wall.png"]
    assert send("again.png", picture(1)).json()["taken"] == ["wall.png"]
    assert send("wall.png", picture(2)).json()["taken"] == ["wall-2.png"]
    assert send("wall.zip", b"PK").json()["code"] == "reference-not-a-picture"
    assert send("broken.png", picture(3)[:60]).status_code == 422
    kept = museum.folder / "tables" / "desk" / "panel"
    assert sorted(path.name for path in kept.iterdir()) == ["wall-2.png", "wall.png"]


def test_pictures_of_tiles(visitor):
    sheet = get(visitor, "/sheet", tiles="0,1,2,3,4,5,6,7,8,9,99")  # the last is unknown, and grey
    assert Image.open(io.BytesIO(sheet.content)).size == (500, 100)
    picture = get(visitor, "/picture", tile=3, size=20)
    assert Image.open(io.BytesIO(picture.content)).size == (20, 20)
    assert visitor.get(f"{PATH}/picture?tile=99").status_code == 404


def test_which_tiles_of_the_whole_museum_fit(visitor):
    fits = get(visitor, "/fits", tile=3, side=1, count=5).json()
    assert 0 < len(fits) <= 5
    assert all(fit["side"] == 1 and fit["tile"]["number"] != 3 for fit in fits)


def test_panels_with_filters(visitor):
    (panel,) = [Panel(**each) for each in get(visitor, "/panels").json()["panels"]]
    assert (panel.name, panel.tiles, panel.crate_count, panel.project) == ("1", 12, 2, None)
    assert panel.rows * panel.cols - panel.holes + panel.outside == panel.tiles
    assert get(visitor, "/panels", state="unsolved").json()["total"] == 0
    assert get(visitor, "/panels", words="a01").json()["total"] == 1
    assert get(visitor, "/panels", words="a13").json()["total"] == 0  # a stray
    assert get(visitor, "/panel-picture", panel="1").headers["content-type"] == "image/webp"
    assert visitor.get(f"{PATH}/panel-picture?panel=2").status_code == 404


def test_the_report_counts_everything(visitor):
    report = Report(**get(visitor, "/report").json())
    assert (report.tiles, report.panels, report.solved, report.strays) == (14, 1, 1, 2)
    assert report.grouped == 12
    assert sum(report.shares.values()) == 14
    assert [moment.what for moment in report.history] == ["solve"]
    assert sum(count for _, count in report.days) == 14


def test_the_report_counts_tiles_that_came_since_as_not_put_together(visitor, museum):
    before = get(visitor, "/report").json()["shares"]
    with Collection.open(museum.folder) as collection:
        (group,) = require_sort(collection).groups
        grown = replace(group, tiles=(*group.tiles, 12))
        write_collection_groups(collection, SortResult([grown], (13,), np.full(14, 0.9)))
    shares = get(visitor, "/report").json()["shares"]
    assert shares == before | {"waiting": 1, "rest": 1}


def test_the_report_counts_tiles_that_were_not_sorted_yet_apart(visitor, museum):
    before = get(visitor, "/report").json()["shares"]
    with Collection.open(museum.folder) as collection:
        groups = require_sort(collection).groups
        write_collection_groups(collection, SortResult(groups, (), np.full(12, 0.9)))
    report = Report(**get(visitor, "/report").json())
    assert report.shares == before | {"new": 2, "rest": 0}
    assert (report.tiles, report.grouped) == (14, 12)


@pytest.mark.parametrize("loose", [0, 5])
def test_a_panel_with_a_loose_part_is_doubted_however_sure(visitor, museum, loose):
    (mark,) = museum.folder.glob("panels/*/panel.json")
    about = json.loads(mark.read_text(encoding="utf-8"))
    about["summary"] |= {"confidence": 0.98, "doubtful": 0, "loose": loose, "mirrored": loose > 0}
    about["part"] = about["inventory"][:loose]
    mark.write_text(json.dumps(about), encoding="utf-8")
    panels = get(visitor, "/panels", state="doubtful").json()["panels"]
    assert [panel["loose"] for panel in panels] == ([loose] if loose else [])
    shares = get(visitor, "/report").json()["shares"]
    assert (shares["sure"], shares["check"]) == ((0, 12) if loose else (12, 0))
    table = visitor.post(f"{PATH}/table", json={"panel": "1"}).json()
    shown = visitor.get(f"/api/projects/{table['project']}").json()
    assert len(shown["part"]) == loose
    if loose:
        assert (panels[0]["mirrored"], shown["seam"]) == (True, "mirrored")
        assert visitor.post(f"{PATH}/splits", json=table).json() == {"panel": "2"}
        assert visitor.get(f"/api/projects/{table['project']}").json()["part"] == []


def test_a_tile_whose_place_is_doubtful_is_found_by_the_search(visitor, museum):
    (mark,) = museum.folder.glob("panels/*/panel.json")
    solution = mark.with_name("solution.json")
    laid = json.loads(solution.read_text(encoding="utf-8"))
    for number, tile in enumerate(laid["tiles"]):
        tile["confidence"] = 0.2 if number == 3 else 0.9
    solution.write_text(json.dumps(laid), encoding="utf-8")
    about = json.loads(mark.read_text(encoding="utf-8"))
    about["solution"] = hashlib.sha256(solution.read_bytes()).hexdigest()
    about["summary"]["doubtful"] = 1
    mark.write_text(json.dumps(about), encoding="utf-8")
    (museum.folder / "panels" / "index.html").touch()  # as whenever a panel is solved

    def found():
        return get(visitor, "/tiles", words="duvidoso").json()["tiles"]

    end = time.monotonic() + 10
    while not found() and time.monotonic() < end:  # the marks are brought up to date beside it
        time.sleep(0.05)
    assert [tile["inventory"] for tile in found()] == [Solution.load(solution).tiles[3].number]
    assert get(visitor, "/tiles", state="doubtful").json()["total"] == 1


def test_a_panel_that_may_hold_two_is_doubted(visitor, museum):
    with Collection.open(museum.folder) as collection:
        (group,) = require_sort(collection).groups
        doubted = replace(group, apart=5, part=(2, 3, 5, 7, 8))
        write_collection_groups(collection, SortResult([doubted], (12, 13), np.full(14, 0.9)))
    (panel,) = get(visitor, "/panels", state="doubtful").json()["panels"]
    assert panel["apart"] == 5
    report = Report(**get(visitor, "/report").json())
    assert (report.apart, report.shares["sure"], report.shares["check"]) == (1, 0, 12)
    pdf = PdfReader(io.BytesIO(get(visitor, "/report.pdf", language="pt").content))
    text = " ".join(" ".join(page.extract_text().split()) for page in pdf.pages)
    assert "1 painel contém talvez dois" in text
    table = visitor.post(f"{PATH}/table", json={"panel": "1"}).json()
    path = f"/api/projects/{table['project']}"
    shown = visitor.get(path).json()
    numbers = {tile["tile"]: tile["number"] for tile in shown["tiles"]}
    part = {museum.collection.inventories()[tile] for tile in doubted.part}
    assert {numbers[tile] for tile in shown["part"]} == part
    assert visitor.post(f"{PATH}/splits", json=table).json() == {"panel": "2"}
    assert {each["name"]: each["tiles"] for each in get(visitor, "/panels").json()["panels"]} == {
        "1": 7, "2": 5,
    }  # fmt: skip
    board = visitor.get(path).json()
    assert board["part"] == []
    assert sum(each["panel"] == 0 for each in board["state"]["board"]["placed"]) == 7
    assert visitor.post(f"{PATH}/splits", json=table).json()["code"] == "museum-panel-whole"
    visitor.post(f"{path}/undo", json={"revision": board["state"]["revision"]})
    assert visitor.get(path).json()["part"] == shown["part"]
    visitor.post(f"{PATH}/moves", json={"tiles": [0, 1], "to": "Two"})
    assert [each["apart"] for each in get(visitor, "/panels").json()["panels"]] == [0, 0]


def test_a_stray_is_given_to_a_hole(visitor):
    project = visitor.post(f"{PATH}/table", json={"panel": "1"}).json()["project"]
    state = visitor.get(f"/api/projects/{project}").json()["state"]
    laid = [each for each in state["board"]["placed"] if each["panel"] == 0]
    end = max(laid, key=lambda each: each["col"])
    place = {"panel": 0, "row": end["row"], "col": end["col"] + 1}
    fits = get(visitor, "/hole", project=project, **place).json()
    assert 0 < len(fits) <= 12
    elsewhere = get(visitor, "/tiles", state="stray").json()["tiles"]  # all others lie in the panel
    assert {fit["tile"]["number"] for fit in fits} <= {each["number"] for each in elsewhere}
    stray = get(visitor, "/tiles", state="stray").json()["tiles"][0]
    gift = {"project": project, "tile": stray["number"], "turn": 90, **place}
    given = visitor.post(f"{PATH}/gifts", json=gift).json()
    tiles = visitor.get(f"/api/projects/{project}").json()["tiles"]
    number = next(each["tile"] for each in tiles if each["number"] == stray["inventory"])
    assert {"tile": number, "turn": 90, **place} in given["board"]["placed"]
    assert get(visitor, "/tile", tile=stray["number"]).json()["panel"] == "1"
    visitor.post(f"/api/projects/{project}/undo", json={"revision": given["revision"]})
    left = visitor.get(f"/api/projects/{project}").json()
    assert (len(left["tiles"]), left["state"]["board"]) == (12, state["board"])
    assert get(visitor, "/tile", tile=stray["number"]).json()["panel"] is None
    visitor.post(f"{PATH}/redo")
    assert get(visitor, "/tile", tile=stray["number"]).json()["panel"] == "1"
    other = {"project": "museu", **place}  # the museum's own project is no table
    assert visitor.get(f"{PATH}/hole", params=other).status_code == 404


def test_the_report_is_printed_in_the_language_of_the_page(visitor):
    pdf = PdfReader(io.BytesIO(get(visitor, "/report.pdf", language="pt").content))
    text = " ".join(" ".join(page.extract_text().split()) for page in pdf.pages)
    for words in ("Relatório de museu", "2 azulejos não encaixam", "montagem"):
        assert words in text


def test_uploads_go_on_where_they_were_broken_off(visitor, museum, picture):
    files = [{"name": f"{n}.png", "size": len(picture(n))} for n in range(3)]
    wanted = {"crate": "New", "files": files}

    def missing():
        return visitor.post(f"{PATH}/missing", json=wanted).json()["missing"]

    def send(name, content):
        query = {"crate": "New", "name": name}
        return visitor.post(f"{PATH}/uploads", params=query, content=content, headers=BYTES)

    assert missing() == ["0.png", "1.png", "2.png"]
    assert send("0.png", picture(0)).json()["taken"] == ["0.png"]
    assert send("0.png", picture(0)).status_code == 200  # again, as the reply was lost
    differs = send("0.png", picture(5))
    assert differs.status_code == 409
    assert differs.json()["problem"] == "Crate New has another picture called 0.png already."
    assert send("1.png", picture(1)[:100]).status_code == 422
    assert missing() == ["1.png", "2.png"]
    assert [path.name for path in (museum.folder / "crates" / "New").iterdir()] == ["0.png"]
    assert send("../x.png", picture(0)).status_code == 422
    wanted["files"] = [{"name": "tiles.csv", "size": 14}]
    for number in (1, 2):  # corrected, in as many bytes
        assert missing() == ["tiles.csv"]
        assert send("tiles.csv", b"file,id\n0,A%d\n" % number).json()["taken"] == ["tiles.csv"]
    assert b"A2" in (museum.folder / "crates" / "New" / "tiles.csv").read_bytes()
