"""``azulejar serve`` as a person uses it."""

import json
import re
import shutil
import signal
import socket
import subprocess
import sys
from contextlib import contextmanager
from pathlib import Path
from queue import Queue

import httpx
import pytest
from starlette.testclient import TestClient

from azulejar.app.project_store import ProjectStore
from azulejar.app.server import create_app
from azulejar.cli import serve
from azulejar.cli.serve import how_to_open

SCRIPT = Path(sys.executable).parent / "azulejar"
ADDRESS = re.compile(r"In the browser: (http://\S+)")


class Served:
    """A server in a process of its own, and what it has printed up to its address."""

    def __init__(self, *arguments, cwd):
        self.process = subprocess.Popen(
            [SCRIPT, "serve", "--no-browser", *map(str, arguments)],
            cwd=cwd,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            env={"XDG_DOCUMENTS_DIR": str(cwd / "documents"), "PATH": "", "HOME": str(cwd)},
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
        return re.match(r"http://[^/]+", self.address).group()

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
        workspace, project = serve._open_workspace(folder)
        with TestClient(create_app(workspace), base_url="http://127.0.0.1:8642") as client:
            yield client, project
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


def test_other_hosts_are_given_a_token(served):
    server = served("panels", "--host", "0.0.0.0")
    assert re.search(r"/\?token=[\w-]{32}$", server.address)
    assert "not encrypted" in server.shown
    local = re.sub("//[^:]+:", "//127.0.0.1:", server.address)
    base = local.partition("/?")[0]
    assert httpx.get(f"{base}/api/projects").status_code == 401
    with httpx.Client(follow_redirects=True) as browser:
        assert browser.get(local).status_code == 200
        assert browser.get(f"{base}/api/projects").json() == []
        evil = {"Host": "evil.example"}
        assert browser.get(f"{base}/api/projects", headers=evil).status_code == 400


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
    workspace, project = serve._open_workspace(tmp_path / "copies" / "My Panel")
    assert workspace.open(project).name == "Mine"
    assert (workspace.folder, project) == (tmp_path / "copies", "my-panel")
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
    monkeypatch.setattr("azulejar.app.server.run_server", lambda app, listener: None)
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
