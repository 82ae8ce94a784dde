"""The page in the browser: frames per second, first picture, many watchers, many calls.

python benchmarks/page.py [TILES [TILES_OF_A_MUSEUM]]
"""

import asyncio
import json
import os
import shutil
import sys
import tempfile
import time
from pathlib import Path

import httpx
import numpy as np
from playwright.sync_api import Page

from azulejar.app.local_projects import open_local
from azulejar.app.workspace import Workspace
from azulejar.core.assembly import Assembly
from azulejar.core.solution import Solution
from azulejar.imaging.picture import write_picture
from azulejar.practice.painting import paint_panel
from azulejar.practice.puzzles import cut
from browser import ServerProcess, chromium
from page_museum import make_museum, measure_museum
from tables import origin, table, write_page

TILES = 1000
MUSEUM = 100_000
TILE = 64  # pixels
WINDOW = {"width": 1440, "height": 900}
PANNED = 4.0  # seconds
WATCHERS = 50
CALLS = 10_000
AT_ONCE = 8  # concurrent calls
SETTINGS = {"measure": "mgc", "preset": "fast"}
DRAWN = 12.0  # standard deviation of a canvas that shows more than its ground

# Poll a small copy of the canvas until it shows more than its background.
FIRST_PICTURE = """
drawn => new Promise(done => {
  const small = new OffscreenCanvas(48, 30).getContext("2d", {willReadFrequently: true});
  const look = () => {
    const canvas = document.querySelector(".stage canvas");
    if (canvas && canvas.width) {
      small.drawImage(canvas, 0, 0, 48, 30);
      const seen = small.getImageData(0, 0, 48, 30).data.filter((_, i) => i % 4 === 0);
      const mean = seen.reduce((a, b) => a + b) / seen.length;
      const spread = Math.sqrt(seen.reduce((a, b) => a + (b - mean) ** 2, 0) / seen.length);
      if (spread > drawn) return done(performance.now());
    }
    requestAnimationFrame(look);
  };
  look();
})
"""
COUNT_FRAMES = """
() => {
  window.frames_seen = [];
  const tick = now => { window.frames_seen.push(now); requestAnimationFrame(tick); };
  requestAnimationFrame(tick);
}
"""


def make_result(folder: Path, count: int) -> Path:
    """Make a result of about ``count`` painted tiles, all in their places."""
    rows = round((count / 1.6) ** 0.5)
    cols = -(-count // rows)
    cells = cut(paint_panel(rows, cols, TILE, seed=1), rows, cols)
    tiles = folder / "tiles"
    files = tuple(f"t{i:04}.png" for i in range(len(cells)))
    for file, pixels in zip(files, cells, strict=True):
        write_picture(tiles / file, pixels)
    places = np.arange(len(cells))
    assembly = Assembly.of(places // cols, places % cols, np.zeros(len(cells), int))
    solution = Solution.of(assembly, files, folder=str(tiles), measure="mgc", upright=True)
    solution.save(folder / "solution.json")
    return folder


def run_job(address: str, project: str, request: dict) -> float:
    """Return the seconds that a job takes, from the request to its end."""
    jobs = f"{address}/api/projects/{project}/jobs"
    started = time.perf_counter()
    job = httpx.post(jobs, json=request).raise_for_status().json()["job"]
    while (now := httpx.get(f"{jobs}/{job}").json())["state"] in ("queued", "running"):
        time.sleep(0.1)
    if now["state"] != "done":
        raise SystemExit(f"{request['kind']} ended as {now['state']}: {now['error']}")
    return time.perf_counter() - started


# In the browser


def time_first_picture(page: Page, address: str, project: str) -> float:
    """Return the seconds from asking for the page to the first picture of the panel."""
    page.goto("about:blank")
    page.goto(f"{address}/#project={project}", wait_until="commit")
    return page.evaluate(FIRST_PICTURE, DRAWN) / 1000


def pan(page: Page, seconds: float) -> np.ndarray:
    """Return the milliseconds of each frame while the panel is dragged by its background."""
    page.wait_for_timeout(1500)
    box = page.locator("canvas.table").bounding_box()
    assert box
    x, y = box["x"] + box["width"] / 2, box["y"] + 6
    page.keyboard.press("0")
    page.evaluate(COUNT_FRAMES)
    page.mouse.move(x, y)
    page.keyboard.down("Space")
    page.mouse.down()
    page.evaluate("() => { window.frames_seen.length = 0 }")
    started = time.perf_counter()
    while (gone := time.perf_counter() - started) < seconds:
        page.mouse.move(x + 200 * np.sin(3 * gone), y + 250 + 200 * np.cos(4 * gone))
    frames = np.diff(page.evaluate("() => window.frames_seen"))
    page.mouse.up()
    page.keyboard.up("Space")
    return frames


# Without a browser


async def time_watched_solve(address: str, project: str, watchers: int) -> tuple[float, int]:
    """Return the seconds of a solve with so many watchers, and how many of them saw its end."""
    limits = httpx.Limits(max_connections=watchers + 5)
    async with httpx.AsyncClient(base_url=address, limits=limits, timeout=120) as client:
        path = f"/api/projects/{project}"
        ready = [asyncio.Event() for _ in range(watchers)]
        streams = [asyncio.create_task(_sees_end(client, f"{path}/events", r)) for r in ready]
        await asyncio.gather(*(each.wait() for each in ready))
        started = time.perf_counter()
        request = {"kind": "solve", "settings": SETTINGS}
        (await client.post(f"{path}/jobs", json=request)).raise_for_status()
        ends = await asyncio.wait_for(asyncio.gather(*streams), 600)
        return time.perf_counter() - started, sum(ends)


async def _sees_end(client: httpx.AsyncClient, path: str, ready: asyncio.Event) -> bool:
    async with client.stream("GET", path) as stream:
        ready.set()
        event = ""
        async for line in stream.aiter_lines():
            if line.startswith("event:"):
                event = line[6:].strip()
            elif line.startswith("data:") and event == "job":
                state = json.loads(line[5:])["state"]
                if state not in ("queued", "running"):
                    return state == "done"
    return False


async def time_quick_calls(address: str, project: str, count: int) -> tuple[float, np.ndarray, int]:
    """Make edits and queries in turn; return the total seconds, each call's, and the failures."""
    async with httpx.AsyncClient(base_url=address, timeout=60) as client:
        path = f"/api/projects/{project}"
        state = (await client.get(path)).json()["state"]
        tile = state["board"]["placed"][0]["tile"]
        taken: list[float] = []
        failed = 0
        numbers = iter(range(count))
        revision = state["revision"]

        async def edit(number: int) -> httpx.Response:
            nonlocal revision
            change = {"lock" if number % 20 == 0 else "unlock": [tile]}
            body = {"revision": revision, "label": "lock", **change}
            answer = await client.post(f"{path}/edits", json=body)
            revision = answer.json().get("revision", revision)
            return answer

        async def caller(which: int) -> None:
            nonlocal failed
            for number in numbers:
                began = time.perf_counter()
                if which == 0:
                    answer = await edit(number)
                else:
                    answer = await client.get(
                        ("/api/about", f"{path}/versions", "/api/projects")[number % 3]
                    )
                taken.append(time.perf_counter() - began)
                failed += not answer.is_success

        started = time.perf_counter()
        await asyncio.gather(*(caller(which) for which in range(AT_ONCE)))
        return time.perf_counter() - started, np.array(taken), failed


def resident(process: int) -> float:
    """Return the MiB that a process holds."""
    lines = Path(f"/proc/{process}/status").read_text().splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith("VmRSS:")) / 1024


def measure_page(folder: Path, count: int) -> list[list[object]]:
    workspace = Workspace(folder / "projects")
    project = open_local(workspace, make_result(folder / "result", count))
    workspace.close()
    rows: list[list[object]] = []
    with ServerProcess(folder / "projects") as server:
        address, process = server.address, server.process.pid
        tiles = len(httpx.get(f"{address}/api/projects/{project}").json()["tiles"])
        with chromium() as browser:
            page = browser.new_page(viewport=WINDOW)
            for when in ("the first time, atlases being made", "again"):
                seconds = time_first_picture(page, address, project)
                rows.append([f"first picture, {tiles} tiles, {when}", f"{seconds:.2f} s", "≤ 2 s"])
                print(rows[-1], flush=True)
            for overlay in ("without", "with"):
                if overlay == "with":
                    run_job(address, project, {"kind": "audit", "settings": SETTINGS})
                    time_first_picture(page, address, project)
                frames = pan(page, PANNED)
                what = f"panning {tiles} tiles {overlay} confidence"
                slow = np.percentile(frames, 95)
                rate = f"{1000 / frames.mean():.1f} a second, 95 % within {slow:.1f} ms"
                rows.append([what, rate, "60 a second"])
                print(rows[-1], flush=True)
        alone = asyncio.run(time_watched_solve(address, project, 1))[0]
        seconds, saw = asyncio.run(time_watched_solve(address, project, WATCHERS))
        rows.append([f"a solve with {WATCHERS} watching", f"{saw} saw its end; {seconds:.1f} s "
                     f"({alone:.1f} s with one)", "no change"])  # fmt: skip
        print(rows[-1], flush=True)
        before = resident(process)
        seconds, taken, failed = asyncio.run(time_quick_calls(address, project, CALLS))
        after = resident(process)
        rows.append([f"{CALLS:,} quick calls", f"{failed} failed; {CALLS / seconds:.0f} a second, "
                     f"half within {1000 * np.median(taken):.0f} ms, 99 % within "
                     f"{1000 * np.percentile(taken, 99):.0f} ms; {before:.0f} MiB before, "
                     f"{after:.0f} after", "none fails"])  # fmt: skip
        print(rows[-1], flush=True)
    return rows


def measure_large(count: int) -> list[list[object]]:
    """Measure a museum, which takes minutes to make and is kept for the next time."""
    made = Path(tempfile.gettempdir()) / f"azulejar-museum-{count}"
    if not (made / "museum" / "search" / "shelf").is_dir():
        shutil.rmtree(made, ignore_errors=True)
        make_museum(made / "museum", count)
    with ServerProcess(made / "museum") as server, chromium() as browser:
        page = browser.new_page(viewport=WINDOW)
        return measure_museum(page, server.address, "museum", server.process.pid)


def main() -> None:
    given = [int(each) for each in sys.argv[1:]]
    count, large = (given + [TILES, MUSEUM][len(given) :])[:2]
    loads = [os.getloadavg()[0]]
    with tempfile.TemporaryDirectory() as name:
        rows = measure_page(Path(name), count)
    loads.append(os.getloadavg()[0])
    museum = measure_large(large)
    loads.append(os.getloadavg()[0])
    write_page(
        "page.md",
        "# The page in the browser",
        origin(learned=False),
        "Headless Chromium, which draws on the processor alone; a graphics card is faster. "
        "*First picture*: from asking for the page to a canvas that shows tiles. *Panning*: the "
        "panel is dragged about for 4 s, frames are counted in the page. *Quick calls*: one client "
        "locks and unlocks a tile, seven others read, all without a pause.",
        f"Load of the machine before, between and after both tables: "
        f"{', '.join(f'{each:.1f}' for each in loads)}, of which this run makes about 2; beyond "
        f"{os.cpu_count()}, times are too long.",
        table(["what", "measured", "wanted"], rows),
        f"## A museum of {large:,} tiles",
        "A catalogue of made-up tiles, sorted into panels of 90 that are put together. *First "
        "tiles*: from asking for the page to the small pictures of the first tiles. *Search*: from "
        "a request to its reply, and from the letter to the grid. *Memory of the browser*: all its "
        "processes, memory that they share counted once. *Most memory*: server and browser "
        "together, looked at every second, with what is in memory of mapped files.",
        table(["what", "measured", "wanted"], museum),
    )


if __name__ == "__main__":
    main()
