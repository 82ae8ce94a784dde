"""Changes of a museum by hand, over HTTP."""

import re
import time

import pytest

from azulejar.app.museum.table_statements import state_tables
from azulejar.collection.patterns import CollectionPatterns
from azulejar.collection.reassigning import move_tiles
from azulejar.collection.sort_results import load_sort, require_sort
from azulejar.collection.storage.catalogue import Collection
from azulejar.collection.storage.integrity import find_damage
from azulejar.collection.storage.overrides import (
    add_statements,
    all_statements,
    assign_tiles,
    assigned_panels,
)
from azulejar.collection.storage.renumbering import UNDER_WAY, renumber_in_catalogue
from azulejar.knowledge.knowns_file import KnownsFile, LockedTile
from azulejar.outputs.collection.panels import load_panel_solution
from azulejar.outputs.collection.patterns_page import write_patterns
from azulejar.patterns.finding import find_patterns
from azulejar.practice.painting.patterns import DESIGNS, paint_pattern
from azulejar.practice.puzzles import cut

PATH = "/api/museums/museu"


def get(client, path, **query):
    return client.get(f"{PATH}{path}", params=query)


def test_moves_are_seen_at_once(museum, client):
    stray = get(client, "/tiles", state="stray").json()["tiles"][0]["number"]
    assert client.post(f"{PATH}/moves", json={"tiles": [stray], "to": "1"}).status_code == 204
    (panel,) = get(client, "/panels").json()["panels"]
    assert (panel["tiles"], panel["outdated"]) == (13, True)
    assert client.post(f"{PATH}/moves", json={"tiles": [0, 1], "to": "Two"}).status_code == 204
    assert get(client, "/panels").json()["total"] == 2
    assert get(client, "/panel-picture", panel="Two").headers["content-type"] == "image/jpeg"
    assert client.post(f"{PATH}/unions", json={"panel": "Two", "to": "1"}).status_code == 204
    assert get(client, "/panels").json()["total"] == 1
    assert client.post(f"{PATH}/unions", json={"panel": "Two", "to": "1"}).status_code == 404


def test_moves_are_undone_and_redone_with_what_they_changed_on_tables(museum, client):
    project = client.post(f"{PATH}/table", json={"panel": "1"}).json()["project"]

    def board():
        return client.get(f"/api/projects/{project}").json()["state"]["board"]

    def step(what):
        return client.post(f"{PATH}/{what}").status_code

    def panels():
        return {each["name"]: each["tiles"] for each in get(client, "/panels").json()["panels"]}

    whole = board()
    client.post(f"{PATH}/moves", json={"tiles": [0, 1], "to": "Two"})
    lifted = board()
    assert sum(each["panel"] < 0 for each in lifted["placed"]) == 2
    client.post(f"{PATH}/unions", json={"panel": "Two", "to": "1"})
    assert client.get(PATH).json()["undo"] == "museum.edit.unite|panel=Two|to=1"
    assert (step("undo"), panels()) == (204, {"1": 10, "Two": 2})
    assert (step("undo"), panels(), board()) == (204, {"1": 12}, whole)
    assert not get(client, "/panels").json()["panels"][0]["touched"]
    assert step("undo") == 409
    assert (step("redo"), panels(), board()) == (204, {"1": 10, "Two": 2}, lifted)
    # The same from the table, where it is one's last action too.
    state = client.get(f"/api/projects/{project}").json()["state"]
    assert state["undo"] == "museum.edit.split|count=2|panel=Two"
    undone = client.post(f"/api/projects/{project}/undo", json={"revision": state["revision"]})
    assert (undone.json()["board"], panels()) == (whole, {"1": 12})
    history = client.get("/api/projects/museu/history").json()
    assert [each["what"] for each in history] == ["undo", "redo", "undo", "undo", "edit", "edit"]
    # Somebody has moved the tile on: nothing changes.
    client.post(f"{PATH}/moves", json={"tiles": [2], "to": "Two"})
    with Collection.open(museum.folder) as collection:
        move_tiles(collection, [2], "Three")
    assert step("undo") == 409
    assert panels()["Three"] == 1


def test_tiles_are_removed_and_restored(museum, client):
    project = client.post(f"{PATH}/table", json={"panel": "1"}).json()["project"]

    def whole():
        return client.get(f"/api/projects/{project}").json()

    def laid():
        return sum(each["panel"] == 0 for each in whole()["state"]["board"]["placed"])

    def post(what, **body):
        return client.post(f"{PATH}/{what}", json=body).status_code

    def counts():
        about = client.get(PATH).json()
        return about["tiles"], about["states"]["removed"], len(whole()["tiles"]), laid()

    board = whole()["state"]["board"]
    stray = get(client, "/tiles", state="stray").json()["tiles"][0]["number"]
    assert counts() == (14, 0, 12, 12)
    assert post("removals", tiles=[0, 1, stray]) == 204
    assert post("removals", tiles=[0]) == 204  # nothing to do, nothing to undo
    assert counts() == (11, 3, 10, 10)
    (panel,) = get(client, "/panels").json()["panels"]
    assert (panel["tiles"], panel["outdated"], panel["touched"]) == (10, True, False)
    number = get(client, "/tile", tile=0).json()["inventory"]
    assert get(client, "/tiles", words=number).json()["total"] == 0
    assert get(client, "/tiles", words=f"removed {number}").json()["total"] == 1
    fits = get(client, "/fits", tile=2, count=40).json()
    assert fits and not {0, 1, stray} & {each["tile"]["number"] for each in fits}
    assert get(client, "/report").json()["tiles"] == 11
    assert client.get(PATH).json()["undo"] == f"label.remove|number={number}|count=3"
    assert (post("undo"), counts(), whole()["state"]["board"]) == (204, (14, 0, 12, 12), board)
    assert (post("redo"), counts()) == (204, (11, 3, 10, 10))
    # From the list of removed ones: to the tray of its panel, until that is undone.
    assert post("restorings", tiles=[0]) == 204
    assert counts() == (12, 2, 11, 10)
    assert client.get(PATH).json()["undo"] == f"label.restore|number={number}|count=1"
    assert (post("undo"), counts()) == (204, (11, 3, 10, 10))
    assert (post("undo"), whole()["state"]["board"]) == (204, board)
    assert post("removals", tiles=[99]) == 404
    assert post("removals", tiles=[0, 1], kept=2) == post("removals", tiles=[0], kept=0) == 409
    assert counts() == (14, 0, 12, 12)


def test_one_of_two_photographs_of_a_tile_takes_the_place_of_the_other(museum, client):
    project = client.post(f"{PATH}/table", json={"panel": "1"}).json()["project"]

    def places():
        whole = client.get(f"/api/projects/{project}").json()
        named = {each["tile"]: each["number"] for each in whole["tiles"]}
        board = whole["state"]["board"]["placed"]
        return {named[each["tile"]]: (each["panel"], each["row"], each["col"]) for each in board}

    kept = get(client, "/tiles", state="stray").json()["tiles"][0]
    gone = get(client, "/tile", tile=0).json()
    before = places()
    body = {"tiles": [0], "kept": kept["number"]}
    assert client.post(f"{PATH}/removals", json=body).status_code == 204
    now = places()
    assert now.pop(kept["inventory"]) == before[gone["inventory"]]
    assert now == {name: at for name, at in before.items() if name != gone["inventory"]}
    assert get(client, "/tile", tile=kept["number"]).json()["panel"] == "1"
    removed = get(client, "/tile", tile=0).json()
    assert (removed["state"], removed["twin"]) == ("removed", kept["number"])
    for step, state, at in (("undo", "grouped", before), ("redo", "removed", None)):
        assert client.post(f"{PATH}/{step}").status_code == 204
        assert get(client, "/tile", tile=0).json()["state"] == state
        assert at is None or places() == at
    assert get(client, "/panels").json()["panels"][0]["tiles"] == 12


def test_what_is_removed_on_a_table_is_removed_from_the_museum(museum, client):
    project = client.post(f"{PATH}/table", json={"panel": "1"}).json()["project"]
    path = f"/api/projects/{project}"
    state = client.get(path).json()["state"]
    tile = state["board"]["placed"][0]["tile"]
    number = next(e["number"] for e in client.get(path).json()["tiles"] if e["tile"] == tile)
    edit = {"revision": state["revision"], "label": "x", "remove": [tile]}
    refused = client.post(f"{path}/edits", json=edit | {"revision": 0})
    assert (refused.status_code, client.get(PATH).json()["tiles"]) == (409, 14)
    edited = client.post(f"{path}/edits", json=edit).json()
    assert len(edited["board"]["placed"]) == 11
    (removed,) = get(client, "/tiles", state="removed").json()["tiles"]
    assert removed["inventory"] == number
    client.post(f"{PATH}/table", json={"panel": "1"})  # it does not come back
    assert len(client.get(path).json()["tiles"]) == 11
    undone = client.post(f"{path}/undo", json={"revision": edited["revision"]}).json()
    assert undone["board"] == state["board"]
    assert client.get(PATH).json()["tiles"] == 14


def test_tiles_are_found_by_what_is_locked_on_tables(museum, client):
    project = client.post(f"{PATH}/table", json={"panel": "1"}).json()["project"]
    path = f"/api/projects/{project}"
    whole = client.get(path).json()
    laid = [each["tile"] for each in whole["state"]["board"]["placed"] if each["panel"] == 0]
    edit = {"revision": whole["state"]["revision"], "label": "x", "lock": laid[:2]}
    assert client.post(f"{path}/edits", json=edit).status_code == 200
    locked = {each["number"] for each in whole["tiles"] if each["tile"] in laid[:2]}
    for _ in range(100):  # told in the background
        found = get(client, "/tiles", words="locked").json()["tiles"]
        if found:
            break
        time.sleep(0.05)
    assert {each["inventory"] for each in found} == locked
    assert get(client, "/panels", words="fixo").json()["total"] == 1


def test_a_table_takes_no_pictures_that_the_museum_would_not_know(museum, client, picture):
    project = client.post(f"{PATH}/table", json={"panel": "1"}).json()["project"]
    path, raw = f"/api/projects/{project}", {"Content-Type": "application/octet-stream"}
    before = client.get(path).json()["tiles"]
    query = {"kind": "tiles", "name": "new.png"}
    answer = client.post(f"{path}/uploads", params=query, content=picture(9), headers=raw)
    assert (answer.status_code, answer.json()["code"]) == (409, "upload-to-table")
    assert client.get(path).json()["tiles"] == before


def test_records_are_edited_in_the_museum_and_on_its_tables(museum, client):
    project = client.post(f"{PATH}/table", json={"panel": "1"}).json()["project"]

    def edit(*tiles, **values):
        return client.patch(f"{PATH}/tiles", json={"tiles": tiles, **values})

    def known():
        tile = get(client, "/tile", tile=0).json()
        shown = client.get(f"/api/projects/{project}").json()["tiles"]
        (on_table,) = (each for each in shown if each["number"] == tile["inventory"])
        fields = ("note", "code", "thickness")
        assert [tile[name] for name in fields] == [on_table[name] for name in fields]
        return tuple(tile[name] for name in fields)

    before = known()
    assert edit(0, 1, note=" chipped ", code="XII", thickness=11.5).status_code == 204
    assert known() == ("chipped", "XII", 11.5)
    assert get(client, "/tiles", words="chip xii").json()["total"] == 2
    assert not get(client, "/panels").json()["panels"][0]["touched"]
    number = get(client, "/tile", tile=0).json()["inventory"]
    assert client.get(PATH).json()["undo"] == f"label.fields|number={number}|count=2"
    assert client.get("/api/projects/museu/history").json()[0]["what"] == "edit"
    assert client.post(f"{PATH}/undo").status_code == 204
    assert known() == before
    assert client.post(f"{PATH}/redo").status_code == 204
    assert edit(0, thickness=None, note="").status_code == 204
    assert known() == (None, "XII", None)
    assert edit(0, note="").status_code == 204  # nothing to change, nothing to undo
    assert client.get(PATH).json()["undo"] == f"label.fields|number={number}|count=1"
    path = f"/api/projects/{project}"
    (tile,) = (each for each in client.get(path).json()["tiles"] if each["number"] == number)
    on_table = {"tiles": [tile["tile"]], "label": "x", "note": "from the table"}
    refused = client.patch(f"{path}/tiles", json=on_table | {"tiles": [tile["tile"], 99]})
    assert (refused.status_code, known()) == (404, (None, "XII", None))
    state = client.patch(f"{path}/tiles", json=on_table).json()
    assert known() == ("from the table", "XII", None)
    client.post(f"{path}/undo", json={"revision": state["revision"]})
    assert known() == (None, "XII", None)
    outer = tile["outer"]
    state = client.patch(f"{path}/tiles", json=on_table | {"outer": {"top": True}}).json()
    (tile,) = (each for each in client.get(path).json()["tiles"] if each["number"] == number)
    assert (tile["outer"] != outer, known()) == (True, ("from the table", "XII", None))
    client.post(f"{path}/undo", json={"revision": state["revision"]})  # both at once
    (tile,) = (each for each in client.get(path).json()["tiles"] if each["number"] == number)
    assert (tile["outer"], known()) == (outer, (None, "XII", None))
    refused = client.patch(f"{path}/tiles", json=on_table | {"crate": " "})
    assert (refused.status_code, refused.json()["code"]) == (409, "museum-crate-needed")
    assert known() == (None, "XII", None)
    for change, status, word in (
        ({"thickness": -1}, 422, "thickness"),
        ({"crate": " "}, 422, "crate"),
        ({"tiles": [99], "note": "x"}, 404, "no such tile"),
    ):
        refused = client.patch(f"{PATH}/tiles", json={"tiles": [0], **change})
        assert (refused.status_code, word in refused.json()["problem"]) == (status, True)
    assert known() == (None, "XII", None)


@pytest.fixture
def table(museum, client):
    """The address of the table of the museum's panel."""
    answer = client.post(f"{PATH}/table", json={"panel": "1"})
    return f"/api/projects/{answer.json()['project']}"


def numbers_of(client, path):
    return {each["number"] for each in client.get(path).json()["tiles"]}


def test_a_tile_that_was_moved_to_another_panel_is_not_doubtful_there(
    museum, client, wait_for_marks
):
    wait_for_marks(client)
    assert get(client, "/tiles", state="doubtful").json()["total"] == 12
    client.post(f"{PATH}/moves", json={"tiles": [0, 1], "to": "Two"})
    end = time.monotonic() + 10
    while get(client, "/tiles", state="doubtful").json()["total"] == 12 and time.monotonic() < end:
        time.sleep(0.05)
    assert get(client, "/tiles", state="doubtful").json()["total"] == 10


def results_of(client):
    """What goes by inventory numbers in files, and shows that they are read."""
    info = client.get(PATH).json()
    (panel,) = get(client, "/panels").json()["panels"]
    found = ("rows", "cols", "confidence", "outdated", "touched")
    return info["sorted"], info["states"], [panel[name] for name in found]


def test_a_tile_gets_another_inventory_number_everywhere(museum, client, table, wait_for_marks):
    number = get(client, "/tile", tile=3).json()["inventory"]
    wait_for_marks(client)
    before, known = results_of(client), numbers_of(client, table)
    layout = client.get(table).json()["state"]["board"]

    def edit(**change):
        return client.patch(f"{PATH}/tiles", json={"tiles": [3], **change})

    def check(now, then, note):
        tile = get(client, "/tile", tile=3).json()
        assert (tile["inventory"], tile["note"]) == (now, note)
        assert [get(client, "/tiles", words=each).json()["total"] for each in (now, then)] == [1, 0]
        assert numbers_of(client, table) == known - {number} | {now}
        assert results_of(client) == before
        versions = client.get(table).json()["versions"]
        client.post(f"{PATH}/table", json={"panel": "1"})
        again = client.get(table).json()
        assert (again["versions"], again["state"]["board"]) == (versions, layout)
        with Collection.open(museum.folder) as collection:
            found = require_sort(collection)
            assert found.groups[0].tiles == tuple(range(12))
            placed = load_panel_solution(collection, "1")
            assert now in {each.number for each in placed.tiles}
            assert find_damage(collection).database == []

    assert edit(number="Q-77", note="x").status_code == 204
    check("Q-77", number, "x")
    said = f"museum.edit.number|old={number}|new=Q-77"
    assert client.get(PATH).json()["undo"] == said
    assert client.post(f"{PATH}/undo").status_code == 204
    check(number, "Q-77", None)
    assert client.post(f"{PATH}/redo").status_code == 204
    check("Q-77", number, "x")
    assert edit(number="Q-77").status_code == 204  # nothing to change
    assert client.get(PATH).json()["undo"] == said
    assert edit(number="Q-78").status_code == 204
    for _ in range(2):
        assert client.post(f"{PATH}/undo").status_code == 204
    check(number, "Q-77", None)


def test_a_number_is_changed_on_a_table_and_taken_back_there(client, table):
    (tile, *_) = client.get(table).json()["tiles"]
    change = {"tiles": [tile["tile"]], "label": "x", "number": "Q-77", "outer": {"top": True}}
    state = client.patch(f"{table}/tiles", json=change).json()
    assert get(client, "/tiles", words="Q-77").json()["total"] == 1
    assert "Q-77" in numbers_of(client, table)
    assert not get(client, "/panels").json()["panels"][0]["touched"]
    client.post(f"{table}/undo", json={"revision": state["revision"]})
    assert tile in client.get(table).json()["tiles"]
    assert get(client, "/tiles", words="Q-77").json()["total"] == 0


def test_a_table_that_was_opened_since_has_the_old_number_again(museum, client):
    assert len(museum.collection) == 14
    number = get(client, "/tile", tile=3).json()["inventory"]
    client.patch(f"{PATH}/tiles", json={"tiles": [3], "number": "Q-77"})
    project = client.post(f"{PATH}/table", json={"panel": "1"}).json()["project"]
    assert "Q-77" in numbers_of(client, f"/api/projects/{project}")
    assert client.post(f"{PATH}/undo").status_code == 204
    assert {number} == numbers_of(client, f"/api/projects/{project}") & {number, "Q-77"}


def test_a_number_that_another_tile_has_is_refused(client, table):
    names = [get(client, "/tile", tile=tile).json()["inventory"] for tile in range(4)]

    def refused(tiles, number):
        answer = client.patch(f"{PATH}/tiles", json={"tiles": tiles, "number": number})
        assert answer.status_code in (400, 409)
        return answer.json()["code"]

    assert refused([0], names[1]) == "number-taken"
    assert refused([0, 1], "Q-77") == "number-taken"
    assert client.post(f"{PATH}/removals", json={"tiles": [2]}).status_code == 204
    assert refused([0], names[2]) == "number-of-removed"
    assert refused([2], "Q-77") == "museum-tile-removed"
    assert [get(client, "/tile", tile=tile).json()["inventory"] for tile in range(4)] == names


def test_what_was_done_before_goes_by_the_new_number(museum, client, table):
    number = get(client, "/tile", tile=3).json()["inventory"]
    tile = next(each for each in client.get(table).json()["tiles"] if each["number"] == number)
    revision = client.get(table).json()["state"]["revision"]
    edit = {"revision": revision, "label": "x", "lock": [tile["tile"]]}
    assert client.post(f"{table}/edits", json=edit).is_success
    with Collection.open(museum.folder) as collection:
        add_statements(collection, KnownsFile(locked=[LockedTile(tile=number, turn=90)]))
        assign_tiles(collection, {number: "1"})
        state_tables(collection)
    client.patch(f"{PATH}/tiles", json={"tiles": [3], "note": "before"})
    client.patch(f"{PATH}/tiles", json={"tiles": [3], "number": "Q-77"})
    client.patch(f"{PATH}/tiles", json={"tiles": [12], "number": number})  # it is free now
    with Collection.open(museum.folder) as collection:
        stated = all_statements(collection)
        assert [one.tile for one in stated.locked] == ["Q-77"]
        assert assigned_panels(collection)["Q-77"] == "1"
        assert number not in assigned_panels(collection)
    for _ in range(3):
        assert client.post(f"{PATH}/undo").status_code == 204
    shown = get(client, "/tile", tile=3).json()
    assert (shown["inventory"], shown["note"]) == (number, None)


def test_a_change_of_a_number_that_was_broken_off_is_finished(museum, workspace):
    collection = museum.collection
    old = collection.inventories()[3]
    renumber_in_catalogue(collection, old, "Q-77")  # and there the process was killed
    assert load_sort(collection, ignore_damage=True) is None
    museum.close()
    workspace._museums.clear()
    again = workspace.museum("museu")
    assert again.sort.groups[0].tiles == tuple(range(12))
    assert not again.solved()[0].outdated
    assert again.collection.database.meta(UNDER_WAY) == ""


def test_tiles_are_put_into_another_crate(museum, client):
    project = client.post(f"{PATH}/table", json={"panel": "1"}).json()["project"]
    tiles = f"/api/projects/{project}/tiles"

    def crates():
        shown = client.get(f"/api/projects/{project}").json()["tiles"]
        on_table = {each["number"]: each["crate"] for each in shown}
        known = [get(client, "/tile", tile=number).json() for number in (0, 1)]
        assert all(on_table[each["inventory"]] == each["crate"] for each in known)
        return [each["crate"] for each in known]

    before = crates()
    listed = {each["crate"] for each in get(client, "/crates").json()["crates"]}
    assert "K 9" not in listed
    edit = {"tiles": [0, 1], "crate": " K 9 "}
    assert client.patch(f"{PATH}/tiles", json=edit).status_code == 204
    assert crates() == ["K 9", "K 9"]
    assert get(client, "/tiles", crate="K 9").json()["total"] == 2
    count = {each["crate"]: each["tiles"] for each in get(client, "/crates").json()["crates"]}
    assert count["K 9"] == 2
    assert client.post(f"{PATH}/undo").status_code == 204
    assert crates() == before
    number = get(client, "/tile", tile=0).json()["inventory"]
    shown = client.get(f"/api/projects/{project}").json()["tiles"]
    (tile,) = (each["tile"] for each in shown if each["number"] == number)
    from_table = {"tiles": [tile], "label": "x", "crate": "K 8"}
    assert client.patch(tiles, json=from_table).status_code == 200
    assert crates() == ["K 8", before[1]]


def test_a_pattern_is_named_and_the_name_taken_back(museum, client):
    found = find_patterns(cut(paint_pattern(DESIGNS[3], 3, 4, 50), 3, 4))
    with Collection.open(museum.folder) as collection:
        write_patterns(collection, CollectionPatterns(("1",), found))

    def name(pattern, new):
        return client.post(f"{PATH}/pattern-names", json={"pattern": pattern, "name": new})

    def names():
        listed = (museum.folder / "patterns" / "patterns.csv").read_text("utf-8-sig")
        (known,) = (each["name"] for each in get(client, "/patterns").json())
        assert re.split("[,;]", listed.splitlines()[1])[0] == known
        return known

    assert name("1", " P-17-00101 ").status_code == 204
    assert names() == "P-17-00101"
    assert get(client, "/tiles", words="17-00101").json()["total"] == 12
    label = "museum.edit.name|pattern=1|name=P-17-00101"
    assert client.get(PATH).json()["undo"] == label
    assert client.get("/api/projects/museu/history").json()[0]["about"] == label
    assert client.post(f"{PATH}/undo").status_code == 204
    assert names() == "1"
    assert client.post(f"{PATH}/redo").status_code == 204
    assert name("P-17-00101", "P-17-00101").status_code == 204  # nothing changes
    assert name("P-17-00101", "7").json()["code"] == "pattern-name-unfit"
    assert name("1", "P").json()["code"] == "pattern-unknown"
    assert names() == "P-17-00101"
    (museum.folder / "patterns" / "patterns.json").unlink()
    assert client.post(f"{PATH}/undo").json()["code"] == "action-changed-since"
    assert name("1", "P").json()["code"] == "patterns-not-found-yet"
