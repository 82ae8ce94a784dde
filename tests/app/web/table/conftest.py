"""The table alone in a page, with tiles of a made-up panel and no server behind it."""

import io
from functools import cache
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from importlib.resources import files
from pathlib import Path
from threading import Thread

import numpy as np
import pytest
from PIL import Image

WEB = Path(str(files("azulejar.app") / "web"))
HARNESS = Path(__file__).parent / "harness.html"
LEVELS = [256, 128, 64, 32, 16]
COLUMNS = 8
KINDS = {".js": "text/javascript", ".css": "text/css", ".json": "application/json"}


@cache
def atlas_page(size: int, page: int) -> bytes:
    """64 tiles, each with a colour of its own and a dark bar along its top."""
    cells = np.arange(page * COLUMNS**2, (page + 1) * COLUMNS**2).reshape(COLUMNS, COLUMNS)
    colours = np.stack([cells * 53 % 200 + 40, cells * 91 % 160 + 80, 255 - cells % 90], axis=-1)
    pixels = colours.astype(np.uint8).repeat(size, axis=0).repeat(size, axis=1)
    bars = pixels.reshape(COLUMNS, size, COLUMNS * size, 3)
    bars[:, : max(1, size // 8)] = (20, 40, 110)
    stream = io.BytesIO()
    Image.fromarray(pixels).save(stream, "PNG", compress_level=1)
    return stream.getvalue()


@cache
def closeup(tile: int) -> bytes:
    """A tile's own picture, cut from its page."""
    size = LEVELS[0]
    row, col = divmod(tile % COLUMNS**2, COLUMNS)
    box = (col * size, row * size, (col + 1) * size, (row + 1) * size)
    stream = io.BytesIO()
    with Image.open(io.BytesIO(atlas_page(size, tile // COLUMNS**2))) as page:
        page.crop(box).resize((512, 512)).save(stream, "PNG")
    return stream.getvalue()


class Handler(BaseHTTPRequestHandler):
    def do_GET(self):
        path = self.path.partition("?")[0]
        if path == "/":
            self.answer(HARNESS.read_bytes(), "text/html")
        elif path.startswith("/static/"):
            file = WEB / path.removeprefix("/static/")
            self.answer(file.read_bytes(), KINDS[file.suffix])
        elif path.startswith("/atlas/"):
            size, page = path.split("/")[-2:]
            self.answer(atlas_page(int(size), int(page)), "image/png")
        elif path.startswith("/tiles/"):
            self.answer(closeup(int(path.split("/")[2])), "image/png")
        else:
            self.send_error(404)

    def answer(self, body: bytes, kind: str) -> None:
        self.send_response(200)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


@pytest.fixture(scope="session")
def address():
    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}/"
    server.shutdown()


def make_project(rows: int, cols: int, loose: int = 0) -> dict:
    """A full panel, tile row·cols + col at each place, and loose tiles after those."""
    placed = [
        {"tile": row * cols + col, "panel": 0, "row": row, "col": col, "turn": 0}
        for row in range(rows)
        for col in range(cols)
    ]
    n = rows * cols + loose
    placed += [
        {"tile": tile, "panel": -1, "row": 0, "col": 0, "turn": 0} for tile in range(rows * cols, n)
    ]
    board = {"placed": placed, "locked": [], "forbidden": [], "missing": [], "panels": ["1"]}
    state = {"revision": 0, "board": board, "undo": None, "redo": None}
    tiles = [{"tile": k, "file": f"{k}.png", "number": f"n{k}"} for k in range(n)]
    return {"project": "made-up", "name": "Made up", "tiles": tiles, "state": state}


def make_atlas(project: dict) -> dict:
    levels = {"levels": LEVELS, "columns": [COLUMNS] * 5, "per_page": [COLUMNS**2] * 5}
    return {"stamp": "s", "tiles": [tile["tile"] for tile in project["tiles"]], **levels}


class TableDriver:
    """A page with the table, and words for what a person does to it."""

    def __init__(self, page):
        self.page = page
        self.mouse, self.keyboard = page.mouse, page.keyboard

    def open(self, rows: int, cols: int, loose: int = 0, change=None) -> dict:
        project = make_project(rows, cols, loose)
        if change:
            change(project["state"]["board"])
        self.page.evaluate(
            "async ([project, atlas]) => { table.open(project, atlas, ''); told.length = 0; }",
            [project, make_atlas(project)],
        )
        self.rest()
        return project

    atlas = staticmethod(make_atlas)

    def rest(self) -> None:
        """Wait until nothing moves, loads or waits to be drawn."""
        self.page.wait_for_function(
            """() => { const { renderer, camera, motion, atlas } = table;
               return !renderer.pending && !renderer.awaited && !camera.moving && !motion.tiles.size
                 && atlas.fetching === 0 && atlas.wanted.size === 0; }"""
        )

    def frames(self, count: int) -> None:
        """Wait until the browser has drawn so many frames."""
        self.page.evaluate(
            """async count => {
               for (; count; count -= 1) await new Promise(requestAnimationFrame); }""",
            count,
        )

    def where(self, row: float, col: float) -> tuple[float, float]:
        """The middle of a place on the screen."""
        view = self.page.evaluate("table.view")
        return view["x"] + (col + 0.5) * view["scale"], view["y"] + (row + 0.5) * view["scale"]

    def loose(self, index: int) -> tuple[float, float]:
        rect = self.page.evaluate("index => table.tray.rectOf(index)", index)
        return rect["x"] + rect["size"] / 2, rect["y"] + rect["size"] / 2

    def click(self, at: tuple[float, float], *keys: str) -> None:
        for key in keys:
            self.keyboard.down(key)
        self.mouse.click(*at)
        for key in keys:
            self.keyboard.up(key)
        self.rest()

    def drag(self, start, end, *keys: str) -> None:
        self.hold(start, end, *keys)
        self.mouse.up()
        for key in keys:
            self.keyboard.up(key)
        self.rest()

    def hold(self, start, end, *keys: str) -> None:
        self.mouse.move(*start)
        for key in keys:
            self.keyboard.down(key)
        self.mouse.down()
        self.mouse.move(*end, steps=4)

    def press(self, *keys: str) -> None:
        for key in keys:
            self.keyboard.press(key)
        self.rest()

    def told(self, kind: str) -> list[dict]:
        return self.page.evaluate("kind => told.filter(({ type }) => type === kind)", kind)

    def edit(self) -> dict:
        """The only edit since the project was opened or this was last asked."""
        [edit] = self.told("edit")
        self.page.evaluate("told.length = 0")
        return edit

    def at(self, row: int, col: int) -> int | None:
        return self.page.evaluate("([row, col]) => table.layout.at(0, row, col)", [row, col])

    def of(self, tile: int) -> dict:
        return self.page.evaluate("tile => table.layout.of(tile)", tile)

    def selection(self) -> list[int]:
        return self.page.evaluate("table.selection")


@pytest.fixture(scope="session")
def harness(browser, address):
    page = browser.new_page(viewport={"width": 1200, "height": 800})
    problems = []
    page.on("pageerror", lambda error: problems.append(str(error)))
    page.goto(address)
    page.wait_for_selector("html[data-ready]", state="attached")
    yield page
    page.close()
    assert problems == []


@pytest.fixture
def driver(harness):
    harness.mouse.move(2, 2)
    harness.evaluate(
        "document.activeElement.blur(); table.panel = 0; table.overlay = true; table.setLive(null)"
    )
    return TableDriver(harness)
