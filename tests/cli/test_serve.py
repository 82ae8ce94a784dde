"""``azulejar serve`` as a person uses it."""

import json
import os
import re
import shutil
import signal
import socket
import ssl
import subprocess
import sys
from contextlib import contextmanager
from pathlib import Path
from queue import Queue

import httpx
import pytest
from starlette.testclient import TestClient

from azulejar.app.projects.store import ProjectStore
from azulejar.app.server import create_app
from azulejar.app.workspace import Workspace
from azulejar.cli import serve
from azulejar.cli.serve import how_to_open
from azulejar.collection.storage.catalogue import Collection

SCRIPT = Path(sys.executable).parent / "azulejar"
ADDRESS = re.compile(r"In the browser: (https?://\S+)")

# Made for these tests alone: openssl req -x509 -newkey ec -nodes -days 36500 …
CERTIFICATE = """\
-----BEGIN CERTIFICATE-----
MIIBkDCCATagAwIBAgIUMcwIQfF5CtxIBasWP4v7v+zJ9EAwCgYIKoZIzj0EAwIw
FDESMBAGA1UEAwwJMTI3LjAuMC4xMCAXDTI2MTExNzIyMjcwNloYDzIxMjYxMDI0
MjIyNzA2WjAUMRIwEAYDVQQDDAkxMjcuMC4wLjEwWTATBgcqhkjOPQIBBggqhkjO
PQMBBwNCAAQKi/p0UMOn3fBeIeVL/0fX2MPT+YihWij+kRyyz/wnyFz5uDqJIUjT
0VZGRUFoEUA7siNTNU28MFhnPiEkIMOWo2QwYjAdBgNVHQ4EFgQUTg0SrFpfmr+s
rjLK5JOzMBLwYSYwHwYDVR0jBBgwFoAUTg0SrFpfmr+srjLK5JOzMBLwYSYwDwYD
VR0TAQH/BAUwAwEB/zAPBgNVHREECDAGhwR/AAABMAoGCCqGSM49BAMCA0gAMEUC
IF7U0EAAw8BMHnq/iPdiobA8YfDUaKA/ailOGMn3yGWfAiEA7kuWN8cDxwPZzafD
7TPB3x3xmh612rLLUrZu9oLi6ws=
-----END CERTIFICATE-----
-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgE3b3DbZa1la9NtBJ
LLTtelypVTNITwDXxv6oC8wfTjmhRANCAAQKi/p0UMOn3fBeIeVL/0fX2MPT+Yih
Wij+kRyyz/wnyFz5uDqJIUjT0VZGRUFoEUA7siNTNU28MFhnPiEkIMOW
-----END PRIVATE KEY-----
"""


class Served:
    """A server in a process of its own, and what it has printed up to its address."""

    def __init__(self, *arguments, cwd):
        self.process = subprocess.Popen(
            [SCRIPT, "serve", "--no-browser", *map(str, arguments)],
            cwd=cwd,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            env={
                "XDG_DOCUMENTS_DIR": str(cwd / "documents"),
                "PATH": "",
                "HOME": str(cwd),
                "PYTHONPATH": os.environ.get("PYTHONPATH", ""),
            },
            preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
        )
        self.shown = ""
        while "Ctrl-C" not in self.shown:
            line = self.process.stdout.readline()
            assert line, self.shown
            self.shown += line
        self.address = ADDRESS.search(self.shown).group(1)

    @property
    def base(self):
        return re.match(r"https?://[^/]+", self.address).group()

    def get(self, path):
        return httpx.get(self.base + path, timeout=None)

    def stop(self):
        """Ctrl-C; gives the exit status and everything shown."""
        self.process.send_signal(signal.SIGINT)
        shown, _ = self.process.communicate(timeout=500)
        return self.process.returncode, self.shown + shown


@pytest.fixture
def served(tmp_path):
    """A function that starts a server in ``tmp_path``; all are ended."""
    (tmp_path / "documents").mkdir()
    started = []

    def start(*arguments):
        started.append(Served(*arguments, cwd=tmp_path))
        return started[-1]

    yield start
    for each in started:
        each.process.kill()
        each.process.communicate()


@pytest.fixture
def result(tmp_path, noise_tiles):
    """A result of solve, as it is written beside its tiles."""
    tiles = noise_tiles(4, "tiles")
    placed = [
        {"file": f"{n}.png", "row": n // 2, "col": n % 2, "turn": 90 * n, "confidence": 0.5}
        for n in range(3)
    ]
    loose = {"file": "3.png", "row": 0, "col": 0, "turn": 0, "panel": -1}
    _write(tmp_path / "result", [*placed, loose])
    assert tiles.is_dir()
    return tmp_path / "result"


def _write(folder, tiles, **other):
    folder.mkdir(exist_ok=True)
    solution = {
        "format": "azulejar-solution/1", "rows": 2, "cols": 2, "folder": "../tiles",
        "measure": "mgc", "preset": "fast", "upright": True, "tiles": tiles, **other,
    }  # fmt: skip
    (folder / "solution.json").write_text(json.dumps(solution))


@pytest.fixture
def opened(tmp_path, monkeypatch):
    """A function that serves what is given within the test's process; gives a client and an id."""
    (tmp_path / "documents").mkdir()
    monkeypatch.setenv("XDG_DOCUMENTS_DIR", str(tmp_path / "documents"))

    @contextmanager
    def open_folder(folder):
        workspace, shown = serve._open_workspace(folder)
        with TestClient(create_app(workspace), base_url="http://127.0.0.1:8642") as client:
            yield client, shown.removeprefix("project=")
        workspace.close()

    return open_folder


def test_a_folder_of_projects_is_served_until_ctrl_c(served, refused, tmp_path):
    server = served("panels")
    assert server.base.startswith("http://127.0.0.1:")
    assert "Projects: panels" in server.shown
    assert server.get("/").status_code == 200
    assert server.get("/api/projects").json() == []
    assert "in use by another azulejar serve" in refused("serve", "panels", "--no-browser")
    assert server.get("/api/about").status_code == 200
    code, shown = server.stop()
    assert code == 0
    assert shown.endswith("Stopped. Everything is saved.\n")
    assert (tmp_path / "panels").is_dir()


def test_ctrl_c_ends_it_while_a_page_watches(served, result):
    server = served(result)
    project = server.address.partition("#project=")[2]
    events = f"/api/projects/{project}/events"
    with httpx.stream("GET", server.base + events, timeout=None) as answer:
        assert answer.status_code == 200
        next(answer.iter_bytes())
        code, shown = server.stop()
    assert (code, "Traceback" in shown) == (0, False)


def test_a_result_becomes_a_project_that_is_found_again(opened, result, tmp_path):
    with opened(result) as (client, name):
        project = client.get(f"/api/projects/{name}").json()
        edit = {"revision": project["state"]["revision"], "label": "Turn", "lock": [1]}
        assert client.post(f"/api/projects/{name}/edits", json=edit).status_code == 200
    assert project["project"] == name
    assert project["name"].endswith("/result")
    board = project["state"]["board"]
    assert [(each["row"], each["col"], each["turn"]) for each in board["placed"][:3]] == [
        (0, 0, 0), (0, 1, 90), (1, 0, 180),
    ]  # fmt: skip
    assert [each["panel"] for each in board["placed"]] == [0, 0, 0, -1]
    (version,) = project["versions"]
    assert (version["source"], version["confidence"]) == ("open", 0.5)
    settings = project["settings"]
    assert (settings["measure"], settings["preset"], settings["upright"]) == ("mgc", "fast", True)
    assert (tmp_path / "documents" / "azulejar" / name / "project.db").is_file()
    with opened(result / "solution.json") as (client, again):
        assert again == name
        assert client.get(f"/api/projects/{name}").json()["state"]["board"]["locked"] == [1]
        assert len(client.get("/api/projects").json()) == 1


def test_a_folder_of_tiles_becomes_a_project_and_takes_what_is_added(opened, noise_tiles):
    folder = noise_tiles(3, "crate")
    (folder / "tiles.csv").write_text("file,crate\n1,Box 5\n")
    with opened(folder) as (client, name):
        project = client.get(f"/api/projects/{name}").json()
    assert [tile["number"] for tile in project["tiles"]] == ["0", "1", "2"]
    assert project["tiles"][1]["crate"] == "Box 5"
    assert (project["versions"], project["state"]["undo"]) == ([], None)
    shutil.copy(noise_tiles(4, "more") / "3.png", folder)
    with opened(folder) as (client, again):
        project = client.get(f"/api/projects/{again}").json()
    assert again == name
    assert [tile["number"] for tile in project["tiles"]] == ["0", "1", "2", "3"]


def test_a_taken_port(refused):
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = other.getsockname()[1]
        said = refused("serve", "new", "--no-browser", "--port", port)
        assert f"Port {port}" in said
        assert "another --port" in said


def test_without_a_port_any_free_one_will_do(monkeypatch):
    with socket.create_server(("127.0.0.1", 0)) as other:
        monkeypatch.setattr(serve, "PORT", other.getsockname()[1])
        with serve._listen("127.0.0.1", None) as listener:
            assert listener.getsockname()[1] not in (0, other.getsockname()[1])


@pytest.fixture
def terminal(monkeypatch):
    """A function that gives what a person types when they are asked."""

    def types(*words):
        typed = list(words)
        monkeypatch.setattr(serve.sys.stdin, "isatty", lambda: True, raising=False)
        monkeypatch.setattr(serve.typer, "prompt", lambda *_, **__: typed.pop(0))
        monkeypatch.setattr("azulejar.app.server.run_server", lambda *_: None)
        return typed

    return types


def test_other_hosts_ask_for_the_first_manager_once(azulejar, terminal, tmp_path):
    typed = terminal("Ana", "short", "azul e branco")
    shown = azulejar("serve", "panels", "--host", "0.0.0.0", "--no-browser")
    assert "fewer than 10 characters" in shown
    assert "not encrypted" in shown
    assert typed == []
    assert azulejar("serve", "panels", "--host", "0.0.0.0", "--no-browser")
    workspace = Workspace(tmp_path / "panels")
    assert workspace.accounts.log_in("Ana", "azul e branco")
    workspace.close()
    terminal("ana", "branco e azul")
    shown = azulejar("serve", "panels", "--new-manager", "--url", "https://x.example/")
    assert "In the browser: https://x.example/\n" in shown
    assert "not encrypted" not in shown
    workspace = Workspace(tmp_path / "panels")
    assert workspace.accounts.log_in("Ana", "branco e azul")
    workspace.close()


def test_without_a_terminal_nobody_is_let_in_from_elsewhere(refused, tmp_path):
    (tmp_path / "panels").mkdir()
    (tmp_path / "panels" / ".lock").touch()
    said = refused("serve", "panels", "--host", "0.0.0.0", "--no-browser")
    assert "Nobody can log in" in said
    assert "--new-manager" in said


def test_a_certificate_encrypts_the_connection(served, refused, tmp_path):
    (tmp_path / "both.pem").write_text(CERTIFICATE)
    server = served("panels", "--certificate", "both.pem")
    assert server.base.startswith("https://127.0.0.1:")
    trusted = ssl.create_default_context(cafile=tmp_path / "both.pem")
    trusted.check_hostname = False
    assert httpx.get(f"{server.base}/api/session", verify=trusted).json()["role"] == "manage"
    with pytest.raises(httpx.TransportError):
        httpx.get(server.base.replace("https", "http"))
    (tmp_path / "no.pem").write_text("x")
    assert "cannot be used" in refused("serve", "panels", "--certificate", "no.pem")


@pytest.mark.parametrize(
    "arguments", [("--host", "no.such.host.invalid"), ("--host", "203.0.113.9")]
)
def test_a_host_that_is_not_here_is_refused(refused, arguments):
    assert "--host" in refused("serve", "panels", "--no-browser", *arguments)


def test_what_cannot_be_opened_is_refused(refused, tmp_path, result, monkeypatch):
    monkeypatch.setenv("XDG_DOCUMENTS_DIR", str(tmp_path / "documents"))
    monkeypatch.setenv("HOME", str(tmp_path))
    (tmp_path / "azulejar").mkdir()
    (tmp_path / "azulejar" / ".lock").touch()
    (tmp_path / "notes.txt").write_text("x")
    assert "is a file" in refused("serve", "notes.txt")
    (tmp_path / "tiles" / "1.png").rename(tmp_path / "1.png")
    assert "has no 1.png" in refused("serve", "result")
    (tmp_path / "1.png").rename(tmp_path / "tiles" / "1.png")
    _write(result, [{"file": "1.png", "row": 20_000, "col": 0, "turn": 0}])
    assert "row must be less than 10000" in refused("serve", "result")
    _write(result, [{"file": "1.png", "row": 0, "col": 0, "turn": 0}])
    (tmp_path / "tiles").rename(tmp_path / "gone")
    assert "cannot be found" in refused("serve", "result")
    (result / "solution.json").write_text("{}")
    assert "not a solution" in refused("serve", "result")


def test_a_project_itself_can_be_given(tmp_path):
    ProjectStore.create(tmp_path / "copies" / "My Panel", "Mine").close()
    workspace, shown = serve._open_workspace(tmp_path / "copies" / "My Panel")
    assert workspace.open("my-panel").name == "Mine"
    assert (workspace.folder, shown) == (tmp_path / "copies", "project=my-panel")
    workspace.close()


@pytest.mark.parametrize(("screen", "opened"), [(True, True), (False, False)])
def test_the_browser_is_opened_where_there_is_a_screen(azulejar, monkeypatch, screen, opened):
    pages = Queue()
    monkeypatch.setattr(serve.sys, "platform", "linux")
    for name in serve.SCREENS:
        monkeypatch.delenv(name, raising=False)
    if screen:
        monkeypatch.setenv("DISPLAY", ":0")
    monkeypatch.setattr(serve.webbrowser, "open", pages.put)
    monkeypatch.setattr("azulejar.app.server.run_server", lambda *_: None)
    shown = azulejar("serve", "panels")
    address = ADDRESS.search(shown).group(1)
    assert [pages.get(timeout=500)] == [address] if opened else pages.empty()
    assert azulejar("serve", "panels", "--no-browser")
    assert pages.empty()


def test_how_to_open_a_result_is_said_as_it_can_be_typed(monkeypatch, tmp_path):
    program = tmp_path / "azulejar"
    program.write_text("")
    program.chmod(0o755)
    monkeypatch.setattr(sys, "argv", [str(program)])
    monkeypatch.setenv("PATH", str(tmp_path))
    assert how_to_open(Path("demo/result")) == "azulejar serve demo/result"
    monkeypatch.setenv("PATH", "/nothing")
    assert how_to_open(Path("my demo")) == f"{program} serve 'my demo'"
    monkeypatch.setattr(sys, "argv", ["/x/azulejar/__main__.py"])
    assert how_to_open(Path("demo")) == f"{sys.executable} -m azulejar serve demo"


def test_a_museum_can_be_given(tmp_path):
    Collection.create(tmp_path / "Museu Nacional").close()
    workspace, shown = serve._open_workspace(tmp_path / "Museu Nacional")
    assert shown == "museum=museu-nacional"
    assert workspace.museum("museu-nacional").name == "Museu Nacional"
    workspace.close()
