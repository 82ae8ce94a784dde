"""Fragments over HTTP: their joins are listed, decided and taken back."""

import pytest
from fragment_fakes import LIKELY, SURE, put_fragments

LABEL = "Decide"


@pytest.fixture
def project(client, workspace):
    """A project that has imported seven fragments; the tile of the sure join is in the tray."""
    project = client.post("/api/projects", json={"name": "Broken"}).json()["project"]
    put_fragments(workspace.open(project).folder / "work" / "import")
    return f"/api/projects/{project}"


@pytest.fixture
def decide(client, project):
    def put(join, verdict):
        said = {"verdict": verdict, "label": LABEL}
        return client.put(f"{project}/fragments/{join}", json=said)

    return put


def numbers(client, project):
    return [tile["number"] for tile in client.get(project).json()["tiles"]]


def test_a_project_without_fragments_has_none(client):
    project = client.post("/api/projects", json={"name": "Whole"}).json()["project"]
    found = client.get(f"/api/projects/{project}/fragments").json()
    assert found == {"fragments": [], "joins": []}


def test_a_join_is_accepted_refused_and_taken_back(client, project, decide):
    found = client.get(f"{project}/fragments").json()
    assert len(found["fragments"]) == 7
    assert [each["made"] for each in found["joins"]] == [True, False, False]
    accepted = decide(LIKELY, True).json()["joins"][1]
    assert (accepted["made"], accepted["verdict"]) == (True, True)
    assert numbers(client, project) == [LIKELY]
    assert decide(LIKELY, False).json()["joins"][1]["verdict"] is False
    assert numbers(client, project) == []
    assert decide(LIKELY, True).is_success
    assert decide(LIKELY, None).json()["joins"][1] == found["joins"][1]
    assert numbers(client, project) == []
    assert decide(SURE, True).is_success  # the import has put its tile into the tray already
    assert decide(SURE, False).json()["joins"][0]["made"] is False


def test_verdicts_are_undone_and_redone_as_any_other_action(client, project, decide):
    def replay(what):
        revision = client.get(project).json()["state"]["revision"]
        assert client.post(f"{project}/{what}", json={"revision": revision}).is_success
        joins = client.get(f"{project}/fragments").json()["joins"]
        return joins[1]["verdict"], LIKELY in numbers(client, project)

    decide(LIKELY, False)
    assert replay("undo") == (None, False)
    decide(LIKELY, True)
    decide(LIKELY, False)
    assert client.get(project).json()["state"]["undo"] == LABEL
    assert replay("undo") == (True, True)
    assert replay("undo") == (None, False)
    assert replay("redo") == (True, True)
    assert replay("redo") == (False, False)
    tile = decide(LIKELY, True) and client.get(project).json()["tiles"][0]["tile"]
    revision = client.get(project).json()["state"]["revision"]
    lying = {"tile": tile, "panel": 0, "row": 0, "col": 0}
    edit = {"revision": revision, "label": "lay", "placed": [lying], "lock": [tile]}
    assert client.post(f"{project}/edits", json=edit).is_success
    assert decide(LIKELY, False).json()["code"] == "tile-locked"
    assert client.get(f"{project}/fragments").json()["joins"][1]["verdict"] is True


def test_pictures_of_fragments_and_joins_are_shown(client, project):
    for name in ("table_f01", LIKELY):
        picture = client.get(f"{project}/fragments/{name}/picture")
        assert picture.headers["content-type"] == "image/png"
        assert picture.content.startswith(b"\x89PNG")
    gone = client.get(f"{project}/fragments/table_f99/picture")
    assert (gone.status_code, gone.json()["code"]) == (404, "fragment-unknown")


def test_a_join_that_is_gone_is_said(decide):
    gone = decide("table_f01+f07", True)
    assert gone.json()["code"] == "join-unknown"
