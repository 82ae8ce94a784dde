"""The system's Chromium, headless. Where there is none, tests of the page fail: they don't skip.

Pages are driven against a real server in a process of its own.
"""

import io
import json
import shutil
import time
from collections import defaultdict
from functools import cache

import httpx
import numpy as np
import pytest
from PIL import Image
from playwright.sync_api import expect

from azulejar.app.people.accounts import Accounts
from azulejar.app.people.roles import Role
from azulejar.collection.intake.encoding import MODEL as NETWORK
from azulejar.collection.storage.catalogue import MODEL, Collection
from azulejar.practice.painting import paint_panel
from azulejar.practice.puzzles import cut, make_puzzle
from azulejar.weights import load_model
from browser import ServerProcess, chromium
from browser import rules_broken as find_rules_broken

ROWS, COLS = 4, 5
JSON = {"Content-Type": "application/json"}
BYTES = {"Content-Type": "application/octet-stream"}
expect.set_options(timeout=15_000)
PASSWORD = "azul e branco"
QUICK = {"measure": "mgc", "preset": "fast"}
SCREEN = {"width": 1280, "height": 800}
# Words that do not fit their field, and words that are cut off without an ellipsis.
CUT_OFF = """() => {
  const pen = document.createElement("canvas").getContext("2d");
  const room = field => field.clientWidth - parseFloat(getComputedStyle(field).paddingLeft)
      - parseFloat(getComputedStyle(field).paddingRight) - (field.matches("select") ? 18 : 0);
  const cut = [...document.querySelectorAll("input[placeholder], select")].flatMap(field => {
    pen.font = getComputedStyle(field).font;
    const words = field.placeholder ?? field.selectedOptions[0].textContent;
    return !field.checkVisibility() || pen.measureText(words).width <= room(field) ? [] : [words];
  });
  const clips = each => each.scrollWidth > each.clientWidth + 1
      && getComputedStyle(each).overflowX !== "visible"
      && getComputedStyle(each).textOverflow !== "ellipsis";
  return cut.concat([...document.querySelectorAll("button, p, dd, dt, label, summary, strong")]
    .filter(each => each.checkVisibility() && clips(each)).map(each => each.textContent));
}"""


@pytest.fixture(scope="session")
def browser():
    with chromium() as browser:
        yield browser


class Server(ServerProcess):
    """A server, and calls to it."""

    def __init__(self, folder):
        super().__init__(folder)
        self.folder = folder
        self.calls = httpx.Client(base_url=f"{self.address}/api", headers=JSON, timeout=30)

    def get(self, path):
        answer = self.calls.get(path)
        assert answer.is_success, answer.text
        return answer.json()

    def post(self, path, body=None):
        answer = self.calls.post(path, json=body)
        assert answer.is_success, answer.text
        return answer.json()

    def new_project(self, name, pictures=None):
        """A project with the tiles of a small painted panel, or with those pictures."""
        project = self.post("/projects", {"name": name})["project"]
        for file, picture in (pictures or _small_tiles()).items():
            answer = self.calls.post(
                f"/projects/{project}/uploads",
                params={"kind": "tiles", "name": file},
                content=picture,
                headers=BYTES,
            )
            assert answer.is_success, answer.text
        self.calls.put(f"/projects/{project}/settings", json=QUICK).raise_for_status()
        return project

    def solve(self, project):
        """Solve it and wait for the end."""
        request = {"kind": "solve", "settings": QUICK}
        job = self.post(f"/projects/{project}/jobs", request)["job"]
        path = f"/projects/{project}/jobs/{job}"
        _until(lambda: self.get(path)["state"] not in ("queued", "running"), 90)
        assert self.get(path)["state"] == "done"

    def board(self, project):
        """Where each tile lies by its number, and what is locked."""
        whole = self.get(f"/projects/{project}")
        numbers = {tile["tile"]: tile["number"] for tile in whole["tiles"]}
        board = whole["state"]["board"]
        lies = {numbers[each["tile"]]: each for each in board["placed"]}
        return lies, {numbers[tile] for tile in board["locked"]}

    def places(self, project):
        """Panel, row and col of each tile by its number."""
        return {number: self.place(each) for number, each in self.board(project)[0].items()}

    @staticmethod
    def place(each):
        return each["panel"], each["row"], each["col"]


class Eye:
    """Finds places on the table as a person does: by what the pointer shows."""

    def __init__(self, page, server, project):
        self.page, self.lies = page, server.board(project)[0]
        box = page.locator("canvas.table").bounding_box()
        middle = box["x"] + box["width"] * 0.35, box["y"] + box["height"] * 0.5
        across = [
            (x, middle[1]) for x in np.arange(box["x"] + 5, box["x"] + box["width"] * 0.8, 18)
        ]
        self.col = self._fit(across, 0, "col")
        x = self.col[0] * np.median([each["col"] for each in self.lies.values()]) + self.col[1]
        down = [(x, y) for y in np.arange(box["y"] + 5, box["y"] + box["height"], 18)]
        self.row = self._fit(down, 1, "row")

    def _fit(self, points, axis, name):
        """Pitch and origin of rows or columns on the screen."""
        seen = [(point[axis], self.under(*point)) for point in points]
        seen = [(at, self.lies[number][name]) for at, number in seen if number]
        middles = {k: np.mean([at for at, other in seen if other == k]) for _, k in seen[1:-1]}
        assert len(middles) > 2, "no tiles were found under the pointer"
        return np.polyfit(list(middles), list(middles.values()), 1)

    def under(self, x, y):
        """The number of the laid tile under a point."""
        self.page.mouse.move(float(x), float(y))
        number = self.page.evaluate(
            "document.querySelector('.hover-card:not([hidden]) strong')?.textContent"
        )
        return number if number and self.lies[number]["panel"] == 0 else None

    def at(self, row, col):
        return float(np.polyval(self.col, col)), float(np.polyval(self.row, row))

    def of(self, number):
        return self.at(self.lies[number]["row"], self.lies[number]["col"])


class Visit:
    """A person before a page: opens projects, looks at the table, drags tiles."""

    def __init__(self, page, server):
        self.page, self.server = page, server

    def open(self, project):
        self.page.goto(f"{self.server.address}/#project={project}")
        expect(self.page.locator("canvas.table")).to_be_visible()
        self.settle()

    def settle(self):
        """Wait until the view has come to rest, and so have the tiles."""
        self.page.wait_for_function(
            """async () => {
               for (let frame = 0; frame < 3; frame += 1) await new Promise(requestAnimationFrame);
               return !document.querySelector("canvas.table[data-moving]"); }"""
        )

    def middle(self):
        """A point on a tile near the middle of the panel."""
        box = self.page.locator("canvas.table").bounding_box()
        return box["x"] + box["width"] * 0.45, box["y"] + box["height"] * 0.5

    def eye(self, project):
        """See what lies where now."""
        return Eye(self.page, self.server, project)

    def drag(self, start, end):
        mouse = self.page.mouse
        mouse.move(*start)
        mouse.down()
        mouse.move((start[0] + end[0]) / 2, (start[1] + end[1]) / 2, steps=4)
        mouse.move(*end, steps=4)
        mouse.up()


def _until(condition, seconds=10.0):
    """Wait until something is true, or fail."""
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, "waited in vain"
        time.sleep(0.05)


@cache
def _small_tiles():
    """The tiles of a painted panel of 4 × 5, shuffled and turned, as PNG files by name."""
    cells = cut(paint_panel(ROWS, COLS, seed=0), ROWS, COLS)
    tiles, _ = make_puzzle(cells, ROWS, COLS, turned=True, seed=0)
    return {f"t{k:02}.png": _as_png(tile) for k, tile in enumerate(tiles)}


def _as_png(pixels):
    stream = io.BytesIO()
    Image.fromarray(np.asarray(pixels)).save(stream, "PNG")
    return stream.getvalue()


@pytest.fixture(scope="session")
def until():
    return _until


@pytest.fixture(scope="session")
def rules_broken():
    return find_rules_broken


@pytest.fixture(scope="session")
def cut_off():
    """A function that returns the words of a page that are cut off."""
    return lambda page: page.evaluate(CUT_OFF)


@pytest.fixture(scope="session")
def small_tiles():
    return _small_tiles()


@pytest.fixture(scope="session")
def wall():
    """A painted panel of 4 × 5 without joints on a plain wall, a fifth of it wide, as PNG."""
    panel = paint_panel(ROWS, COLS, 16, seed=0)  # too small for joints to be looked for
    height, width = panel.shape[:2]
    picture = np.full((height * 5 // 3, width * 5 // 3, 3), 205, np.uint8)
    top, left = height // 3, width // 3
    picture[top : top + height, left : left + width] = panel
    return _as_png(picture)


@pytest.fixture(scope="session")
def server(tmp_path_factory):
    """One server for all tests; each brings projects of its own."""
    running = Server(tmp_path_factory.mktemp("projects"))
    running.start()
    yield running
    running.stop()


@pytest.fixture(scope="session")
def museum_server(tmp_path_factory):
    """A server with accounts: Ana manages, Eva works, Rui looks; its own calls are Ana's."""
    folder = tmp_path_factory.mktemp("museum")
    accounts = Accounts(folder)
    for name, role in (("Ana Sousa", Role.MANAGE), ("Eva", Role.WORK), ("Rui", Role.LOOK)):
        accounts.add(name, role, PASSWORD)
    accounts.close()
    running = Server(folder)
    running.start()
    running.post("/session", {"name": "Ana Sousa", "password": PASSWORD})
    yield running
    running.stop()


@pytest.fixture(scope="session")
def solved(server):
    """A solved project."""
    project = server.new_project("Solved")
    server.solve(project)
    return project


@pytest.fixture(scope="session")
def museum(made_museum, server):
    """The address of a museum of 14 tiles, said to be described by the shipped network."""
    shutil.copytree(made_museum, server.folder / "museu")
    with Collection.open(server.folder / "museu") as collection:
        collection.database.put_meta(MODEL, load_model(NETWORK).checksum)
    return f"{server.address}/#museum=museu"


@pytest.fixture
def fresh(server, solved):
    """The solved project as it was after its solve, whatever tests before have done to it."""
    revision = server.get(f"/projects/{solved}")["state"]["revision"]
    server.post(f"/projects/{solved}/versions/1/restore", {"revision": revision})
    return solved


@pytest.fixture
def own_server(tmp_path):
    """A server that a test may kill."""
    running = Server(tmp_path / "projects")
    running.start()
    yield running
    running.stop()


@pytest.fixture(scope="session")
def idle_pages():
    """Pages that show next to nothing by the options of their context, left by tests that are over.

    They are used again, as a new page takes more than twice the time to show what the server sends.
    """
    return defaultdict(list)


@pytest.fixture
def open_page(browser, idle_pages, server):
    """A function that opens a page that remembers nothing; no page may have thrown an error."""
    opened, errors = [], []

    def note(error):
        errors.append(error.message)

    def make(address, viewport=SCREEN, color_scheme="light", **options):
        options = {"locale": "en-GB", **options}
        idle = idle_pages[json.dumps(options, sort_keys=True)]
        page = idle.pop() if idle else browser.new_page(**options)
        opened.append((page, idle))
        page.set_viewport_size(viewport)
        page.emulate_media(color_scheme=color_scheme)
        page.on("pageerror", note)
        page.goto(address)
        return page

    yield make
    for page, idle in opened:
        page.evaluate("localStorage.clear(); sessionStorage.clear()")
        page.context.clear_cookies()
        page.unroute_all()
        page.goto(f"{server.address}/api/session")  # of the same site: its process goes on
        page.remove_listener("pageerror", note)
        idle.append(page)
    assert errors == []


@pytest.fixture
def page(open_page, server):
    """The start page."""
    return open_page(server.address)


@pytest.fixture
def visiting(server):
    """A function that returns what a person does with a page, of that server or another."""
    return lambda page, other=server: Visit(page, other)


@pytest.fixture
def visit(page, visiting):
    """What a person does with the start page, and where it leads."""
    return visiting(page)
