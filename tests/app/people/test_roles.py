"""Roles: what each route requires, and what a person without that role is told."""

import re
import time

import pytest
from in_process import run_async
from starlette.requests import Request
from starlette.routing import Mount
from starlette.testclient import TestClient

from azulejar.app import server
from azulejar.app.dependencies import sender_of
from azulejar.app.people.accounts import LOGIN
from azulejar.app.people.roles import Role, role_needed
from azulejar.app.routes.jobs import stream_events
from azulejar.app.server import create_app

PASSWORD = "azul e branco"
OPEN = {  # to people who are not logged in
    "GET /", "GET /api/session", "POST /api/session", "DELETE /api/session",
    # With a link, which test_shared tries.
    "POST /api/shared", "GET /api/shared", "GET /api/shared/atlas",
    "GET /api/shared/atlas/{stamp}/{size}/{page}", "GET /api/shared/tiles/{tile}/picture",
}  # fmt: skip


HARMLESS = {
    "PUT /api/session/password",
    "POST /api/projects/{project}/presence",
    "POST /api/museums/{museum}/table",  # shows what the museum has laid
}


def _routes():
    """All calls of the server with their endpoints."""
    app = create_app(None)
    for part in (*(part.router for part in server.PARTS), app.router):
        for route in part.routes:
            path = getattr(route, "path", None)
            if path is None or isinstance(route, Mount) or path == app.openapi_url:
                continue
            for method in sorted(route.methods - {"HEAD"}):
                yield f"{method} {path}", route.endpoint


ROUTES = dict(_routes())


@pytest.fixture
def people(workspace, cheap_passwords):
    """A function that gives the browser of a person with that role."""
    for role in (Role.MANAGE, Role.WORK, Role.LOOK):
        workspace.accounts.add(role.name, role, PASSWORD)
    app = create_app(workspace)
    with TestClient(app, base_url="http://127.0.0.1:8642") as first:

        def browser(role):
            client = TestClient(app, base_url=first.base_url) if role else first
            client.headers["Content-Type"] = "application/json"
            if role:
                login = {"name": role.name, "password": PASSWORD}
                assert client.post("/api/session", json=login).json()["role"] == role.name.lower()
            return client

        yield browser


def _path(call, project="none"):
    return re.sub(r"\{(\w+)\}", lambda m: project if m[1] == "project" else "1", call)


def test_every_route_declares_its_role():
    assert len(ROUTES) > 25
    assert [call for call, endpoint in ROUTES.items() if not hasattr(endpoint, "role")] == []
    found = {call for call, endpoint in ROUTES.items() if role_needed(endpoint) is Role.NOBODY}
    assert found == OPEN
    for call, endpoint in ROUTES.items():  # whoever may only look changes nothing
        if role_needed(endpoint) is Role.LOOK:
            assert call.startswith("GET ") or call in HARMLESS, call


def test_nothing_is_done_for_people_without_the_role(people):
    """Every route is tried by a stranger, and by people of each role that is too low."""
    browsers = {role: people(role) for role in (Role.NOBODY, Role.LOOK, Role.WORK)}
    for call, endpoint in ROUTES.items():
        method, path = _path(call).split(" ")
        for role, browser in browsers.items():
            if role < role_needed(endpoint):
                kind = "octet-stream" if path.endswith("/uploads") else "json"
                headers = {"Content-Type": f"application/{kind}"}
                answer = browser.request(method, path, content=b"{}", headers=headers)
                assert answer.status_code == (403 if role else 401), call
                assert answer.json()["code"] == ("role-too-low" if role else "login-required")


def test_who_may_only_look_opens_a_panel_that_nobody_has_opened(museum, people):
    answer = people(Role.LOOK).post("/api/museums/museu/table", json={"panel": "1"})
    assert answer.json() == {"project": "museu-panel-0001"}


def test_a_route_without_a_role_is_left_to_managers(people):
    app = people(Role.NOBODY).app
    app.get("/forgotten")(lambda: {})
    assert people(Role.WORK).get("/forgotten").status_code == 403
    assert people(Role.MANAGE).get("/forgotten").status_code == 200


def test_a_login_is_a_cookie_that_scripts_and_other_pages_do_not_get(people):
    client = people(Role.NOBODY)
    login = {"name": "LOOK", "password": PASSWORD}
    wrong = client.post("/api/session", json=login | {"password": "x"})
    assert (wrong.status_code, "set-cookie" in wrong.headers) == (401, False)
    cookie = client.post("/api/session", json=login).headers["Set-Cookie"].lower()
    assert cookie.startswith("azulejar-8642=")
    for part in ("httponly", "samesite=strict", "max-age=43200", "path=/"):
        assert part in cookie
    assert "secure" not in cookie
    assert client.get("/api/session").json() == {"accounts": True, "name": "LOOK", "role": "look"}
    assert client.get("/api/projects").status_code == 200
    assert client.delete("/api/session").status_code == 204
    assert client.get("/api/projects").status_code == 401
    assert client.get("/api/session").json()["role"] is None
    foreign = {"Origin": "http://evil.example"}
    assert client.post("/api/session", json=login, headers=foreign).status_code == 403


def test_only_the_only_user_of_this_computer_needs_no_account(workspace, client, cheap_passwords):
    assert client.get("/api/session").json() == {"accounts": False, "name": "", "role": "manage"}
    new = {"name": "Ana", "role": "look", "password": PASSWORD}
    assert client.post("/api/people", json=new).json()["code"] == "accounts-not-in-use"
    for options in ({"host": "0.0.0.0"}, {"url": "https://museum.example"}):
        with TestClient(create_app(workspace, **options), base_url="http://127.0.0.1:80") as other:
            assert other.get("/api/projects").status_code == 401
    workspace.accounts.add("Ana", Role.MANAGE, PASSWORD)
    assert client.get("/api/projects").status_code == 401


def test_a_stream_of_events_ends_with_the_login(people, workspace, monkeypatch):
    manager = people(Role.MANAGE)
    project = manager.post("/api/projects", json={"name": "p"}).json()["project"]
    app, accounts = manager.app, workspace.accounts
    cookie = "; ".join(f"{name}={value}" for name, value in manager.cookies.items())
    scope = {"type": "http", "app": app, "server": ("127.0.0.1", 8642)}
    request = Request(scope | {"headers": [(b"cookie", cookie.encode())]})
    person = sender_of(request)
    assert person.role is Role.MANAGE

    async def main():
        services = app.state.services
        store = workspace.open(project)
        reply = await stream_events(project, services, store, person, request)
        chunks = reply.body_iterator
        assert (await anext(chunks)).startswith(b":")
        services.hub.publish(project, "board", store.state())
        assert b"board" in await anext(chunks)
        monkeypatch.setattr(accounts, "_clock", lambda: time.time() + LOGIN)
        services.hub.publish(project, "board", store.state())
        return [chunk async for chunk in chunks]

    assert run_async(main()) == []


def test_managers_keep_the_accounts(people):
    manager = people(Role.MANAGE)
    new = {"name": "Eva", "role": "look", "password": PASSWORD}
    made = manager.post("/api/people", json=new).json()
    path = f"/api/people/{made['person']}"
    assert manager.patch(path, json={"role": "work"}).json()["role"] == "work"
    assert [each["name"] for each in manager.get("/api/people").json()] == [
        "Eva", "LOOK", "MANAGE", "WORK",
    ]  # fmt: skip
    assert manager.delete(path).status_code == 204
    assert manager.delete(path).json()["code"] == "account-unknown"
    newest = manager.get("/api/people/history").json()[0]
    assert (newest["who"], newest["what"], newest["about"]) == ("MANAGE", "account-removed", "Eva")


def test_only_managers_delete_a_project_that_has_something_in_it(people, upload_to):
    worker = people(Role.WORK)
    empty, begun = (
        worker.post("/api/projects", json={"name": name}).json()["project"] for name in "ab"
    )
    upload_to(worker, begun, "1.png")
    assert worker.delete(f"/api/projects/{empty}").status_code == 204
    assert worker.delete(f"/api/projects/{begun}").json()["code"] == "role-too-low"
    assert people(Role.MANAGE).delete(f"/api/projects/{begun}").status_code == 204


def test_one_changes_ones_own_password(people):
    person = people(Role.LOOK)
    change = {"old": PASSWORD, "new": "another password"}
    assert person.put("/api/session/password", json=change).status_code == 200
    assert person.get("/api/projects").status_code == 200
    assert person.put("/api/session/password", json=change).status_code == 401


def test_every_action_is_in_the_history_with_who_and_when(people, upload_to):
    worker = people(Role.WORK)
    project = worker.post("/api/projects", json={"name": "p"}).json()["project"]
    upload_to(worker, project, "1.png", "2.png")
    path = f"/api/projects/{project}"
    state = worker.get(path).json()["state"]
    lay = [{"tile": 1, "panel": 0, "row": 0, "col": 0}]
    edit = {"revision": state["revision"], "label": "Lay 1", "placed": lay}
    state = worker.post(f"{path}/edits", json=edit).json()
    assert (state["who"], state["undo"]) == ("WORK", "Lay 1")
    worker.post(f"{path}/undo", json={"revision": state["revision"]})
    worker.post(f"{path}/versions", json={"name": "mine"})
    worker.patch(path, json={"name": "q"})
    found = people(Role.LOOK).get(f"{path}/history").json()
    assert {each["who"] for each in found} == {"WORK"}
    assert [(each["what"], each["about"]) for each in reversed(found)] == [
        ("upload", "2"), ("edit", "Lay 1"), ("undo", "Lay 1"), ("version", "mine"),
        ("project-name", "q"),
    ]  # fmt: skip
    assert all(re.match(r"\d{4}-\d\d-\d\dT", each["at"]) for each in found)
