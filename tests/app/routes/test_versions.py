"""Boards that are kept, over HTTP."""

from azulejar.app.schemas import Version


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
