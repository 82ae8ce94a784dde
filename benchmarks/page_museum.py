"""The page of a museum at full size: first view, search, scrolling, what fits, memory.

Its tiles are noise under a smooth picture, since only their number matters here: what is found is
measured by benchmarks/museum. Part of benchmarks/page.py.
"""

import json
import os
import threading
import time
from contextlib import suppress
from hashlib import sha256
from pathlib import Path

import httpx
import numpy as np
from PIL import Image
from playwright.sync_api import Page

from azulejar.collection.intake.encoding import MODEL
from azulejar.collection.search.edge_table import open_edge_table
from azulejar.collection.search.tile_list import TileList
from azulejar.collection.sort_results import Group, SortResult, folder_name
from azulejar.collection.storage.catalogue import Collection
from azulejar.collection.storage.writer import Picture, TileRow, open_writer
from azulejar.core.tiles import Record
from azulejar.outputs.collection.groups_page import write_collection_groups
from azulejar.outputs.collection.panels import FORMAT, MARK, PANELS, RESULT, SMALL_NAME
from azulejar.weights import load_model

BLOCK = 2000  # tiles that are made together
CRATE = 30  # tiles
PANEL = 90
STRAYS = 0.1
WORDS = ("0", "01", "012", "mn", "mn 04", "worn", "worn 7", "flower border", "crate 12", "zzz")
NOTES = ("worn glaze", "flower border", "corner of a frame", "", "")
FITS = 12  # questions
SCROLLED = 6.0  # seconds

FIRST_TILES = """
() => new Promise(done => {
  const look = () => {
    const cells = [...document.querySelectorAll(".tile-cell .cell-picture")];
    const address = cells[0] && cells[0].style.backgroundImage.slice(5, -2);
    if (!address) return requestAnimationFrame(look);
    const sheet = new Image();
    sheet.onload = () => done(performance.now());
    sheet.src = address;
  };
  look();
})
"""
# Type a letter, and wait until the grid shows what was found.
TYPED = """
words => new Promise(done => {
  const input = document.querySelector(".museum-search input");
  const began = performance.now();
  const seen = new PerformanceObserver(list => {
    const asked = each => new URL(each.name).searchParams;
    const reply = list.getEntries().find(each => each.name.includes("/tiles?")
      && asked(each).get("words") === words && asked(each).get("first") === "0");
    if (!reply) return;
    seen.disconnect();
    requestAnimationFrame(() => done([reply.duration, performance.now() - began]));
  });
  seen.observe({type: "resource"});
  input.value = words;
  input.dispatchEvent(new Event("input"));
})
"""


def make_museum(folder: Path, count: int) -> Path:
    """Make a museum of ``count`` tiles that is sorted, its panels put together."""
    collection = Collection.create(folder)
    rng = np.random.default_rng(0)
    with open_writer(collection, load_model(MODEL).checksum) as writer:
        for start in range(0, count, BLOCK):
            many = min(BLOCK, count - start)
            writer.add([_row(start + i) for i in range(many)], _arrays(many, rng))
    grouped = int(count * (1 - STRAYS)) // PANEL * PANEL
    groups = [
        Group(str(k + 1), tuple(range(PANEL * k, PANEL * (k + 1))), 0.9, 150, 0.9, 60)
        for k in range(grouped // PANEL)
    ]
    found = SortResult(groups, tuple(range(grouped, count)), rng.random(count), [])
    write_collection_groups(collection, found)
    for group in groups:
        _write_panel(collection.folder / PANELS / folder_name(group.name), group)
    TileList(collection).refresh()
    open_edge_table(collection)
    collection.close()
    return folder


def _row(number: int) -> TileRow:
    inventory = f"MN-{number:06d}"
    record = Record(note=NOTES[number % len(NOTES)] or None)
    picture = Picture(f"../crates/{inventory}.png", "1-1", f"Crate {number // CRATE + 1}", record)
    return TileRow(inventory, sha256(inventory.encode()).hexdigest(), picture)


def _arrays(count: int, rng: np.random.Generator) -> dict[str, np.ndarray]:
    coarse = rng.integers(0, 256, (count, 5, 5, 3), np.uint8)
    pixels = np.kron(coarse, np.ones((1, 10, 10, 1), np.uint8))
    pixels ^= rng.integers(0, 16, pixels.shape, np.uint8)
    descriptions = rng.integers(-127, 128, (4 * count, 2, 1600), np.int8)
    scales = np.full((4 * count, 2), 0.001, np.float32)
    return {"pixels": pixels, "descriptions": descriptions, "scales": scales}


def _write_panel(folder: Path, group: Group) -> None:
    """Write what the list of panels reads of a panel that is put together."""
    folder.mkdir(parents=True)
    (folder / RESULT).write_text("{}\n")
    Image.new("RGB", (300, 270), "#9ab").save(folder / SMALL_NAME, "WEBP")
    summary = {"rows": 10, "cols": 9, "tiles": PANEL, "within": PANEL - 3, "confidence": 0.9,
               "doubtful": 2, "crates": {"Crate 1": PANEL}}  # fmt: skip
    mark = {
        "format": FORMAT,
        "name": group.name,
        "key": "",
        "solution": sha256((folder / RESULT).read_bytes()).hexdigest(),
        "vanished": [],
        "summary": summary,
        "inventory": [f"MN-{tile:06d}" for tile in group.tiles],
    }
    (folder / MARK).write_text(json.dumps(mark))


def measure_museum(page: Page, address: str, museum: str, server: int) -> list[list[object]]:
    """Return the rows of the table on a museum; ``server`` is the number of its process."""
    rows: list[list[object]] = []

    def tell(*row: object) -> None:
        rows.append(list(row))
        print(rows[-1], flush=True)

    most = _Most()
    blank = _memory("chrom")
    began = time.perf_counter()
    tiles = httpx.get(f"{address}/api/museums/{museum}", timeout=600).json()["tiles"]
    tell("opened, once after the server has started", f"{time.perf_counter() - began:.2f} s", "")
    for when in ("the first time", "again"):
        page.goto("about:blank")
        page.goto(f"{address}/#museum={museum}", wait_until="commit")
        seconds = page.evaluate(FIRST_TILES) / 1000
        tell(f"first tiles in sight, {when}", f"{seconds:.2f} s", "≤ 2 s")
    page.wait_for_timeout(1500)
    answers, shown = zip(*(page.evaluate(TYPED, words) for words in WORDS), strict=True)
    tell(
        f"search, {len(WORDS)} queries",
        f"half answered within {np.median(answers):.0f} ms, all within {max(answers):.0f} ms; "
        f"shown {np.median(shown):.0f} ms after the letter",
        "≤ 100 ms",
    )
    frames = _scroll(page, address, museum)
    tell(
        f"scrolling through {tiles:,} tiles",
        f"{1000 / frames.mean():.1f} frames a second, 95 % within "
        f"{np.percentile(frames, 95):.0f} ms",
        "smooth",
    )
    tell(
        "memory of the browser after that",
        f"{_memory('chrom'):.0f} MB ({blank:.0f} MB with an empty page)",
        "≤ 500 MB",
    )
    tell("which tiles fit a side", _time_fits(address, museum, tiles), "≤ 2 s")
    for view, seen in (("panels", ".panel-card"), ("crates", "tbody tr"), ("report", ".figures")):
        page.goto("about:blank")
        began = time.perf_counter()
        page.goto(f"{address}/#museum={museum}&view={view}")
        page.locator(seen).first.wait_for()
        tell(f"the list of {view}", f"{time.perf_counter() - began:.2f} s", "≤ 2 s")
    lines = Path(f"/proc/{server}/status").read_text().splitlines()
    own = next(int(line.split()[1]) for line in lines if line.startswith("RssAnon:")) / 1024
    tell("memory of the server, without mapped files", f"{own:.0f} MB", "≤ 4 GB")
    tell("most memory of server and browser together, with mapped files", f"{most.end():.0f} MB",
         "≤ 4 GB")  # fmt: skip
    return rows


def _scroll(page: Page, address: str, museum: str) -> np.ndarray:
    """Return the milliseconds of each frame while the whole list is scrolled through."""
    page.goto(f"{address}/#museum={museum}")
    page.wait_for_timeout(1000)
    return np.diff(
        page.evaluate(
            """seconds => new Promise(done => {
                 const grid = document.querySelector(".tile-grid"), frames = [];
                 const began = performance.now();
                 const step = now => {
                   frames.push(now);
                   const gone = (now - began) / 1000 / seconds;
                   // Through the list at reading speed, in three places of it.
                   grid.scrollTop = Math.floor(gone * 3) / 3 * grid.scrollHeight + gone * 9000;
                   if (gone < 1) requestAnimationFrame(step); else done(frames);
                 };
                 requestAnimationFrame(step);
               })""",
            SCROLLED,
        )
    )


def _time_fits(address: str, museum: str, tiles: int) -> str:
    path = f"{address}/api/museums/{museum}/fits"
    while httpx.get(path, params={"tile": 0, "side": 0}, timeout=600).status_code == 503:
        time.sleep(1)  # the table of all edges is being opened
    taken = []
    for number in range(FITS):
        query = {"tile": number * tiles // FITS, "side": number % 4}
        began = time.perf_counter()
        httpx.get(path, params=query, timeout=600).raise_for_status()
        taken.append(time.perf_counter() - began)
    return f"half within {np.median(taken):.2f} s, all of {FITS} within {max(taken):.2f} s"


class _Most:
    """The most memory that server and browser hold at once, looked at every second."""

    def __init__(self) -> None:
        self.most, self.over = 0.0, threading.Event()
        self.thread = threading.Thread(target=self._look, daemon=True)
        self.thread.start()

    def _look(self) -> None:
        while not self.over.wait(1.0):
            self.most = max(self.most, _memory())

    def end(self) -> float:
        """Return it in MB."""
        self.over.set()
        self.thread.join()
        return self.most


def _memory(named: str = "") -> float:
    """Return the MB of the processes begun here, of all or of a name, shared memory once."""
    parents, total = {}, 0
    for process in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):
            lines = (process / "status").read_text().splitlines()
            told = dict(line.split(":\t", 1) for line in lines if ":\t" in line)
            parents[process.name] = told["PPid"].strip(), told["Name"]
    for process, (parent, name) in parents.items():
        while parent in parents and parent != str(os.getpid()):
            parent = parents[parent][0]
        if parent == str(os.getpid()) and named in name:
            with suppress(OSError):
                lines = Path("/proc", process, "smaps_rollup").read_text().splitlines()
                total += next(int(line.split()[1]) for line in lines if line.startswith("Pss:"))
    return total / 1000
