"""Changes by hand, versions and candidates over HTTP."""

import pytest

from azulejar.app.schemas.boards import BoardState, Version


@pytest.fixture
def board(client, project):
    """A function that posts to the project and gives the board, or the refusal with its status."""

    def post(call, **body):
        body.setdefault(
            "revision", client.get(f"/api/projects/{project}").json()["state"]["revision"]
        )
        answer = client.post(f"/api/projects/{project}/{call}", json=body)
        return BoardState(**answer.json()) if answer.status_code == 200 else answer

    return post


def _at(tile, row, **other):
    return {"tile": tile, "panel": 0, "row": row, **other}


def test_edit_undo_redo(board):
    moved = board("edits", label="Move", placed=[_at(1, -2, turn=90)], lock=[1])
    assert moved.board.placed[0].model_dump() == {
        "tile": 1, "panel": 0, "row": -2, "col": 0, "turn": 90,
    }  # fmt: skip
    assert (moved.board.locked, moved.undo, moved.redo) == ([1], "Move", None)
    undone = board("undo")
    assert undone.board.placed[0].panel == -1
    assert (undone.board.locked, undone.undo, undone.redo) == ([], None, "Move")
    redone = board("redo")
    assert redone.board == moved.board
    assert redone.revision == moved.revision + 2


def test_what_clashes_or_is_stale_is_refused(board):
    first = board("edits", label="Move", placed=[_at(1, 0)])
    for answer, said in (
        (board("edits", label="Move", placed=[_at(2, 0)]), "one place"),
        (board("edits", label="Move", placed=[_at(2, 1)], revision=0), "meanwhile"),
        (board("undo", revision=first.revision - 1), "meanwhile"),
        (board("redo"), "nothing to redo"),
        (board("edits", label="Move", lock=[77]), "not in the project"),
    ):
        assert answer.status_code == 409
        assert said in answer.json()["problem"]
    assert board("edits", label="", lock=[1]).status_code == 422
    assert board("edits", label="Turn", placed=[_at(1, 0, turn=45)]).status_code == 422
    assert board("edits", label="Far", placed=[_at(1, 10_001)]).status_code == 422
    assert board("edits", label="Nothing").revision == first.revision


def test_all_who_watch_are_told(client, project, board, monkeypatch):
    told = []
    monkeypatch.setattr(client.app.state.services.hub, "publish", lambda *news: told.append(news))
    states = [board("edits", label="Move", placed=[_at(1, 0)]), board("undo"), board("redo")]
    assert told == [(project, "board", state) for state in states]


def test_keep_name_and_go_back(client, project, monkeypatch):
    told = []
    monkeypatch.setattr(
        client.app.state.services.hub, "publish", lambda *news: told.append(news[1])
    )
    path = f"/api/projects/{project}"
    revision = client.get(path).json()["state"]["revision"]
    kept = client.post(f"{path}/versions", json={"name": "Tray"})
    assert kept.status_code == 201
    version = Version(**kept.json())
    assert (version.name, version.source, version.placed) == ("Tray", "hand", 0)
    one = f"{path}/versions/{version.version}"
    named = client.patch(one, json={"name": "Before"}).json()
    assert client.get(f"{path}/versions").json() == [named]
    whole = client.get(one).json()
    assert whole["version"] == named
    assert len(whole["board"]["placed"]) == 6
    edit = {"revision": revision, "label": "Move", "placed": [{"tile": 1, "panel": 0}]}
    revision = client.post(f"{path}/edits", json=edit).json()["revision"]
    back = client.post(f"{one}/restore", json={"revision": revision}).json()
    assert back["board"] == whole["board"]
    assert back["undo"] == "Before"
    assert client.post(f"{one}/restore", json={"revision": revision}).status_code == 409
    assert told == ["versions", "versions", "board", "board"]


def test_versions_that_are_not_there(client, project):
    path = f"/api/projects/{project}/versions"
    assert client.get(f"{path}/9").status_code == 404
    assert client.patch(f"{path}/9", json={"name": "x"}).status_code == 404
    assert client.post(f"{path}/9/restore", json={"revision": 0}).status_code == 404
    for wrong in ("0", "-1", "x", str(2**70)):
        assert client.get(f"{path}/{wrong}").status_code == 422
    assert client.post(path, json={"name": "a\nb"}).status_code == 422


def test_candidates_before_scoring_clash(client, project):
    place = {"panel": 0, "row": 0, "col": 0}
    answer = client.get(f"/api/projects/{project}/candidates", params=place)
    assert answer.status_code == 409
    assert "not been scored" in answer.json()["problem"]
