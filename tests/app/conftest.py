"""Small projects with painted tiles, and jobs done in them without a process of their own."""

import io
import json
import shutil
import threading
import time
from functools import cache
from types import SimpleNamespace

import numpy as np
import pytest
from argon2 import PasswordHasher
from collection_fakes import describe_bytes
from PIL import Image
from starlette.testclient import TestClient

from azulejar.app.http.events import Hub
from azulejar.app.jobs.context import JobContext
from azulejar.app.jobs.job_result import apply_result
from azulejar.app.jobs.reporter import Reporter
from azulejar.app.jobs.worker import job_function
from azulejar.app.people import accounts
from azulejar.app.projects.convert import assembly_places, board_assembly, in_library_order
from azulejar.app.projects.store import ProjectStore
from azulejar.app.schemas.boards import Edit
from azulejar.app.schemas.jobs import SolveSettings
from azulejar.app.schemas.tiles import NewProjectTile
from azulejar.app.server import create_app
from azulejar.app.workspace import Workspace
from azulejar.collection.intake.adding import add_tiles
from azulejar.collection.sort_results import Group, SortResult
from azulejar.collection.storage.catalogue import Collection
from azulejar.core.alignment import Motion
from azulejar.imaging.picture import write_picture
from azulejar.outputs.collection.groups_page import write_collection_groups
from azulejar.outputs.collection.stages import solve_collection
from azulejar.practice.painting import paint_panel
from azulejar.practice.puzzles import cut, make_puzzle

ROWS, COLS = 4, 5
SIDE = 28
PARTS = [(0, 0), (4, 5), (0, 5), (4, 0)]  # first row and col of parts that do not overlap
QUICK = {"measure": "mgc", "preset": "fast"}


@cache
def _painting():
    """One panel of 8 × 10 tiles, of which all puzzles are parts, as painting takes its time."""
    return paint_panel(8, 10, seed=0)


@cache
def _cells():
    return cut(_painting(), 8, 10, tile_size=SIDE).reshape(8, 10, SIDE, SIDE, 3)


def _puzzle(rows, cols, turned, part):
    top, left = PARTS[part]
    cells = _cells()[top : top + rows, left : left + cols].reshape(-1, SIDE, SIDE, 3)
    assert len(cells) == rows * cols
    return make_puzzle(cells, rows, cols, turned=turned, seed=part)


def _add_pictures(store, pixels, prefix="tile"):
    files = [f"{prefix}_{i + 1}.png" for i in range(len(pixels))]
    for file, tile in zip(files, pixels, strict=True):
        write_picture(store.folder / "tiles" / file, tile)
    store.add_tiles([NewProjectTile(file=file, number=file.removesuffix(".png")) for file in files])


@pytest.fixture(scope="session")
def painting():
    """A painted panel of 8 × 10 tiles of 64 px."""
    return _painting()


@pytest.fixture(scope="session")
def painted():
    """A function that gives tiles [n, S, S, 3] of a part of a panel, shuffled, and the truth."""
    return _puzzle


@pytest.fixture
def add_pictures():
    """A function that puts pictures into a project."""
    return _add_pictures


@pytest.fixture
def make_store(tmp_path):
    """A function that makes a project, by default of 20 painted tiles; all are closed in the end.

    ``store.truth`` says where the tiles belong, in the order of the library.
    """
    stores = []

    def make(rows=ROWS, cols=COLS, *, turned=True, part=0, name="p"):
        store = ProjectStore.create(tmp_path / name, name)
        stores.append(store)
        if rows:
            pixels, store.truth = _puzzle(rows, cols, turned, part)
            _add_pictures(store, pixels)
        return store

    yield make
    for store in stores:
        store.close()


@pytest.fixture
def quick():
    """Settings with which a small panel is solved at once."""
    return lambda **other: SolveSettings(**QUICK | other)


class _Lines(io.StringIO):
    """What a worker tells; the event is set once it tells of a step."""

    def __init__(self, event, step):
        super().__init__()
        self.event, self.step = event, step

    def write(self, text):
        if self.step and f'"step":"{self.step}"' in text:
            self.event.set()
        return super().write(text)


@pytest.fixture
def work():
    """A function that does a job here and now and applies its result.

    It gives the job as it ends, the result, and the lines told; the user stops it at ``stop``.
    """

    def do(store, request, *, stop=None):
        event = threading.Event()
        lines = _Lines(event, stop)
        job = store.new_job(request)
        reporter = Reporter(job, lines, store.folder)
        context = JobContext(store, reporter, event)
        result = job_function(request.kind)(context, request)
        ended = apply_result(store, "p", Hub(), reporter.job, result)
        store.put_job(ended)
        told = [json.loads(line) for line in lines.getvalue().splitlines()]
        return SimpleNamespace(job=ended, result=result, lines=told)

    return do


@pytest.fixture
def lay():
    """A function that lays the tiles of a project as its truth has them, shifted by so much."""

    def do(store, down=0, right=0):
        tiles, truth = in_library_order(store.tiles()), store.truth
        placed = assembly_places(Motion(0, down, right)(truth), tiles)
        return store.edit(Edit(revision=store.state().revision, label="lay", placed=placed))

    return do


@pytest.fixture
def as_truth():
    """A function that says which share of the true joints the board has."""

    def share(store):
        laid = board_assembly(store.state().board, in_library_order(store.tiles()))
        true = {tuple(joint) for joint in store.truth.joints().tolist()}
        return np.mean([tuple(joint) in true for joint in laid.joints().tolist()])

    return share


@pytest.fixture
def workspace(tmp_path):
    """An empty folder of projects."""
    opened = Workspace(tmp_path / "projects")
    yield opened
    opened.close()


@pytest.fixture
def client(workspace):
    """A browser's view of a server for that folder, without a socket."""
    with TestClient(create_app(workspace), base_url="http://127.0.0.1:8642") as client:
        client.headers["Content-Type"] = "application/json"
        yield client


@pytest.fixture
def cheap_passwords(monkeypatch):
    """Passwords that are hashed at once."""
    monkeypatch.setattr(accounts, "_hasher", PasswordHasher(1, 8, 1))


@pytest.fixture(scope="session")
def picture():
    """A function that gives the bytes of a picture of noise."""

    def make(seed=0, size=(24, 24), kind="PNG"):
        pixels = np.random.default_rng(seed).integers(0, 256, (*size[::-1], 3), np.uint8)
        file = io.BytesIO()
        Image.fromarray(pixels).save(file, kind)
        return file.getvalue()

    return make


@pytest.fixture
def upload_to(picture):
    """A function that sends small pictures to a project by a client."""

    def send(client, project, *names):
        for name in names:
            answer = client.post(
                f"/api/projects/{project}/uploads",
                params={"kind": "tiles", "name": name},
                content=picture(sum(name.encode())),
                headers={"Content-Type": "application/octet-stream"},
            )
            assert answer.status_code == 200, answer.text

    return send


@pytest.fixture
def upload(client, picture):
    """A function that sends one file to a project, by default a small picture."""

    def send(project, name, data=None, kind="tiles"):
        return client.post(
            f"/api/projects/{project}/uploads",
            params={"kind": kind, "name": name},
            content=picture(sum(name.encode())) if data is None else data,
            headers={"Content-Type": "application/octet-stream"},
        )

    return send


@pytest.fixture
def project(client, upload):
    """The id of a project of six tiles, 1 to 6."""
    made = client.post("/api/projects", json={"name": "Santa Clara"}).json()["project"]
    for number in range(1, 7):
        assert upload(made, f"{number}.png").status_code == 200
    return made


@pytest.fixture
def folder(workspace, project):
    return workspace.open(project).folder


@pytest.fixture
def refused(upload, project, folder):
    """A function that sends what must be refused, and gives the sentence."""

    def send(status, name, data, kind="tiles"):
        before = sorted(folder.rglob("*"))
        answer = upload(project, name, data, kind)
        assert answer.status_code == status, answer.text
        assert set(answer.json()) == {"code", "values", "problem", "remedy"}
        assert [path for path in sorted(folder.rglob("*")) if "project.db" not in path.name] == [
            path for path in before if "project.db" not in path.name
        ]
        assert str(folder) not in answer.text
        return answer.json()["problem"]

    return send


@pytest.fixture(scope="session")
def made_museum(tmp_path_factory, painted, in_turn):
    """The folder of a museum: two crates, a panel of 12 tiles that is put together, two strays."""
    folder = tmp_path_factory.mktemp("made") / "museu"
    pixels = painted(4, 4, True, 0)[0][:14]
    with Collection.create(folder) as museum:
        for number, tile in enumerate(pixels):
            write_picture(folder / "crates" / f"K {number % 2}" / f"A{number:02}.png", tile)
        add_tiles(museum, [folder / "crates"], engine=in_turn, encode=describe_bytes, model="test")
        group = Group("1", tuple(range(12)), 0.97, 20, 0.9, 6)
        found = SortResult([group], (12, 13), np.full(14, 0.9), [(0, 12)])
        write_collection_groups(museum, found)
        solve_collection(museum, in_turn, preset="fast")
    return folder


@pytest.fixture
def museum(made_museum, workspace):
    """A copy of that museum in the workspace."""
    shutil.copytree(made_museum, workspace.folder / "museu")
    return workspace.museum("museu")


@pytest.fixture
def wait_for_marks():
    """A function that waits until a museum has marked its doubtful tiles, which it does beside."""

    def wait(client):
        end = time.monotonic() + 10
        while not client.get("/api/museums/museu").json()["states"]["doubtful"]:
            assert time.monotonic() < end
            time.sleep(0.05)

    return wait
