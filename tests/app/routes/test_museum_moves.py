"""Changes of a museum by hand, over HTTP."""

from azulejar.collection.reassigning import move_tiles
from azulejar.collection.storage.catalogue import Collection

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
    refused = client.patch(f"{path}/tiles", json=on_table | {"crate": "K 9"})
    assert (refused.status_code, refused.json()["code"]) == (409, "museum-tile-fixed")
    assert known() == (None, "XII", None)
    for change, status, word in (
        ({"thickness": -1}, 422, "thickness"),
        ({"crate": "K 9"}, 422, "crate"),
        ({"tiles": [99], "note": "x"}, 404, "no such tile"),
    ):
        refused = client.patch(f"{PATH}/tiles", json={"tiles": [0], **change})
        assert (refused.status_code, word in refused.json()["problem"]) == (status, True)
    assert known() == (None, "XII", None)
