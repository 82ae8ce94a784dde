"""Links: anybody who has one sees its panel, and nothing else."""

import pytest
from starlette.testclient import TestClient

from azulejar.app.people.roles import Role
from azulejar.app.server import create_app


@pytest.fixture
def stranger(workspace, client, project, cheap_passwords):
    """A person without an account, beside a server whose people have them; client is a manager."""
    lay = [{"tile": tile, "panel": panel} for tile, panel in ((1, 0), (2, 1))]
    edit = {"revision": client.get(f"/api/projects/{project}").json()["state"]["revision"]}
    edit |= {"label": "lay", "placed": lay}
    assert client.post(f"/api/projects/{project}/edits", json=edit).status_code == 200
    workspace.accounts.add("Ana", Role.MANAGE, "azul e branco")
    client.post("/api/session", json={"name": "Ana", "password": "azul e branco"})
    with TestClient(create_app(workspace), base_url="http://127.0.0.1:8642") as other:
        other.headers["Content-Type"] = "application/json"
        yield other


def _share(client, project, panel=1):
    new = {"panel": panel, "name": "For Rui"}
    return client.post(f"/api/projects/{project}/links", json=new).json()


def test_a_link_shows_one_panel_and_nothing_else(client, stranger, project):
    made = _share(client, project)
    assert stranger.get("/api/shared").status_code == 401
    opened = stranger.post("/api/shared", json={"secret": made["secret"]})
    cookie = opened.headers["Set-Cookie"].lower()
    assert "httponly" in cookie
    assert "samesite=strict" in cookie
    panel = opened.json()
    assert panel == stranger.get("/api/shared").json()
    assert (panel["project"], panel["panel"]) == ("Santa Clara", "2")
    assert [(each["tile"], each["panel"]) for each in panel["board"]["placed"]] == [(2, 0)]
    assert [tile["number"] for tile in panel["tiles"]] == ["2"]
    atlas = stranger.get("/api/shared/atlas").json()
    assert atlas["tiles"] == [2]
    page = f"/api/shared/atlas/{atlas['stamp']}/{atlas['levels'][0]}/0"
    assert stranger.get(page).headers["Content-Type"] == "image/jpeg"
    whole = client.get(f"/api/projects/{project}/atlas").json()["stamp"]
    assert stranger.get(page.replace(atlas["stamp"], whole)).status_code == 404
    assert stranger.get("/api/shared/tiles/2/picture").status_code == 200
    assert stranger.get("/api/shared/tiles/1/picture").status_code == 404
    for path in ("", "/events", "/atlas", "/tiles/2/picture", "/links", "/history"):
        assert stranger.get(f"/api/projects/{project}{path}").status_code == 401


def test_a_withdrawn_link_shows_nothing(client, stranger, project):
    made = _share(client, project)
    stranger.post("/api/shared", json={"secret": made["secret"]})
    path = f"/api/projects/{project}/links"
    assert client.get(path).json() == [made["link"]]
    assert (made["link"]["name"], made["link"]["who"]) == ("For Rui", "Ana")
    assert client.delete(f"{path}/{made['link']['link']}").status_code == 204
    assert client.get(path).json() == []
    for path in ("/api/shared", "/api/shared/atlas", "/api/shared/tiles/2/picture"):
        assert stranger.get(path).json()["code"] == "link-withdrawn"
    kinds = [each["what"] for each in client.get(f"/api/projects/{project}/history").json()]
    assert kinds[:2] == ["link-withdrawn", "link"]


def test_a_made_up_link_does_not_tell_whether_there_is_such_a_project(stranger, project):
    said = [
        stranger.post("/api/shared", json={"secret": secret}).json()
        for secret in (f"{project}.x", "nowhere.x", "x", "../x.y", "é.é")
    ]
    assert {each["code"] for each in said} == {"link-withdrawn"}
    assert len({each["problem"] for each in said}) == 1
