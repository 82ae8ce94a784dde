"""Access control: requests of the server's own page, and of others."""

from pathlib import Path

import pytest
from starlette.testclient import TestClient

from azulejar.app.http import connections, events, security
from azulejar.app.jobs import queue
from azulejar.app.people import accounts
from azulejar.app.people.roles import Role
from azulejar.app.projects import database as project_database
from azulejar.app.server import create_app
from azulejar.app.uploads import incoming as uploads
from azulejar.app.uploads import zips
from azulejar.imaging.picture import MAX_PIXELS

OWN = "http://127.0.0.1:8642"
NEW = {"name": "x"}


def _browser(workspace, base=OWN, **options):
    return TestClient(create_app(workspace, **options), base_url=base, follow_redirects=False)


def _is_problem(answer, status):
    assert answer.status_code == status, answer.text
    assert set(answer.json()) == {"code", "values", "problem", "remedy"}
    assert answer.headers["X-Content-Type-Options"] == "nosniff"
    return True


@pytest.mark.parametrize(
    "host", ["127.0.0.1:8642", "localhost:8642", "LOCALHOST:8642", "[::1]:8642"]
)
def test_its_own_names_are_heard(client, host):
    assert client.get("/api/projects", headers={"Host": host}).status_code == 200


@pytest.mark.parametrize(
    "host",
    [
        "evil.example", "evil.example:8642", "127.0.0.1", "localhost", "127.0.0.1:80",
        "127.0.0.1:8642.evil.example", "127.0.0.1.evil.example:8642", "localhost.:8642", "",
        "[::1]", "::1:8642", "[::1]:9", "127.0.0.1:8642:8642", "evil@127.0.0.1:8642",
        "10.0.0.7:8642", "0.0.0.0:8642", "127.0.0.1:08642",
    ],
)  # fmt: skip
def test_a_name_that_was_made_to_lead_here_is_refused(client, host):
    """DNS rebinding: the browser then tells us the name that it believes in."""
    for path in ("/", "/api/projects", "/static/0/js/main.js"):
        assert _is_problem(client.get(path, headers={"Host": host}), 400)
    assert _is_problem(client.post("/api/projects", json=NEW, headers={"Host": host}), 400)


def test_port_80_may_go_without_saying(workspace):
    with _browser(workspace, "http://127.0.0.1") as client:
        assert client.get("/api/projects").status_code == 200
        other = {"Host": "127.0.0.1:8642"}
        assert client.get("/api/projects", headers=other).status_code == 400


@pytest.mark.parametrize(
    "origin",
    ["http://evil.example", "null", "https://127.0.0.1:8642", "http://127.0.0.1:8643",
     "http://localhost:8642", "http://127.0.0.1:8642.evil.example", ""],
)  # fmt: skip
def test_other_origins_are_refused(client, origin):
    for method in ("GET", "POST", "DELETE"):
        answer = client.request(method, "/api/projects", headers={"Origin": origin})
        assert _is_problem(answer, 403)
    preflight = {"Origin": origin, "Access-Control-Request-Method": "POST"}
    answer = client.options("/api/projects", headers=preflight)
    assert answer.status_code == 403
    assert not any(name.startswith("access-control") for name in answer.headers)


def test_its_own_origin_is_heard(client):
    own = {"Origin": OWN, "Sec-Fetch-Site": "same-origin"}
    assert client.post("/api/projects", json=NEW, headers=own).status_code == 201


@pytest.mark.parametrize("site", ["cross-site", "same-site", "none"])
def test_a_browser_that_says_where_it_comes_from_is_believed(client, site):
    answer = client.post("/api/projects", json=NEW, headers={"Sec-Fetch-Site": site})
    assert _is_problem(answer, 403)
    assert client.get("/", headers={"Sec-Fetch-Site": site}).status_code == 200


@pytest.mark.parametrize(
    "kind",
    ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x", "",
     "application/octet-stream", "text/plain; application/json"],
)  # fmt: skip
def test_what_a_form_can_send_is_refused(client, project, kind):
    headers = {"Content-Type": kind}
    paths = ("/api/projects", f"/api/projects/{project}/undo", "/api/projects/demo")
    for path in paths:
        assert _is_problem(client.post(path, content=b'{"name": "x"}', headers=headers), 415)
    assert _is_problem(client.delete(f"/api/projects/{project}", headers=headers), 415)
    form = client.post(
        f"/api/projects/{project}/uploads?kind=tiles&name=9.png",
        content=b"x",
        headers={"Content-Type": "text/plain"},
    )
    assert _is_problem(form, 415)


def test_a_body_of_json_has_an_end(client, project, monkeypatch):
    monkeypatch.setattr(security, "MAX_JSON", 1000)

    def endless():
        for _ in range(100):
            yield b" " * 100

    assert _is_problem(client.post("/api/projects", content=endless()), 413)
    assert client.post("/api/projects", json={"name": "y"}).status_code == 201


def test_every_answer_is_guarded(client, project):
    answers = [
        client.get("/"),
        client.get("/api/about"),
        client.get("/nothing"),
        client.get("/", headers={"Host": "evil.example"}),
        client.get(f"/api/projects/{project}"),
    ]
    for answer in answers:
        for name, value in security.HEADERS.items():
            assert answer.headers[name] == value
        assert "Cache-Control" in answer.headers
        assert "server" not in answer.headers
    policy = answers[0].headers["Content-Security-Policy"]
    assert "default-src 'none'" in policy
    assert "unsafe" not in policy
    assert "http" not in policy


def test_behind_a_proxy_it_is_known_by_the_address_of_the_proxy(workspace, cheap_passwords):
    workspace.accounts.add("Ana", Role.MANAGE, "azul e branco")
    login = {"name": "Ana", "password": "azul e branco"}
    with _browser(workspace, url="https://azulejos.museum.example") as client:
        there = {"Host": "azulejos.museum.example"}
        own = there | {"Origin": "https://azulejos.museum.example"}
        answer = client.post("/api/session", json=login, headers=own)
        assert answer.status_code == 200
        assert "; secure" in answer.headers["Set-Cookie"].lower()
        for origin in ("http://azulejos.museum.example", "https://museum.example"):
            foreign = there | {"Origin": origin}
            assert client.post("/api/session", json=login, headers=foreign).status_code == 403
        assert client.get("/", headers={"Host": "museum.example"}).status_code == 400


@pytest.mark.parametrize(
    ("host", "heard", "refused"),
    [
        ("192.168.1.20", ["192.168.1.20", "localhost"], ["192.168.1.21", "evil.example"]),
        ("museum.local", ["museum.local", "127.0.0.1"], ["evil.local"]),
        ("0.0.0.0", ["10.1.2.3", "localhost", "this-one", "this-one.local"], ["evil.example"]),
        ("::", ["[fe80::1]", "127.0.0.1"], ["evil.example", "[evil]"]),
        ("fd00::5", ["[fd00::5]"], ["[fd00::6]"]),
    ],
)
def test_other_hosts_are_those_it_listens_at(workspace, monkeypatch, host, heard, refused):
    monkeypatch.setattr(security.socket, "gethostname", lambda: "This-One")
    with _browser(workspace, host=host) as client:
        for name in heard:
            own = {"Host": f"{name}:8642"}
            assert client.get("/api/session", headers=own).status_code == 200, name
        for name in refused:
            other = {"Host": f"{name}:8642"}
            assert client.get("/api/session", headers=other).status_code == 400, name


@pytest.mark.parametrize(
    "path",
    ["/static/../server.py", "/static/0/../server.py", "/static/0/%2e%2e/server.py",
     "/static/0/..%2fserver.py", "/static/..%2f0/server.py", "/static/%2e%2e/server.py",
     "/static/0/js/%2e%2e/%2e%2e/store.py", "/static/0//etc/passwd", "/static/0/%00"],
)  # fmt: skip
def test_only_the_page_is_served(client, path):
    assert _is_problem(client.get(path), 404)


@pytest.mark.parametrize(
    "project", ["..", "%2e%2e", ".bin", "..%2f..%2fetc", "A", "a%00", "a" * 65, "santa-clara%2F.."]
)
def test_no_path_from_the_page_reaches_other_folders(client, project):
    answer = client.get(f"/api/projects/{project}")
    assert answer.status_code in (404, 422) or answer.url.path == "/api/projects/"


def test_the_limits_are_those_that_are_written_down():
    text = (Path(__file__).parents[3] / "SECURITY.md").read_text(encoding="utf-8")
    for limit in (
        f"{uploads.MAX_BYTES // 10**6} MB, {MAX_PIXELS // 10**6} million pixels",
        f"{uploads.MAX_ZIP // 10**9} GB packed, {zips.MAX_UNPACKED // 10**9} GB and "
        f"{uploads.MAX_FILES:,} files unpacked, at most {zips.MAX_RATIO} times",
        f"{uploads.MAX_FILES:,} files of a kind, {queue.MOST_WAITING} waiting jobs",
        f"| {security.MAX_JSON // 2**20} MB |",
        f"| {connections.MOST_CONNECTIONS}, or half of the descriptors",
        f"within {connections.HEADERS:.0f} seconds, no pause of an upload over "
        f"{connections.PAUSE:.0f}",
        f"| {events.MOST_SUBSCRIBERS} |",
        f"expire after {accounts.LOGIN // 3600} hours; a name is locked for "
        f"{accounts.LOCKED // 60} minutes after {accounts.MOST_TRIES} wrong passwords",
        f"| {project_database.MOST_CONNECTED} projects at a time",
    ):
        assert limit in text, limit
