"""What ``azulejar manifest`` writes, opened in OpenSeadragon and Mirador.

python benchmarks/viewers.py paints a panel, publishes it on this computer, opens it in both viewers
(from npm) in the system's Chromium, and looks for the panel in what they show. Every third tile
comes from an image server, which files stand in for.
"""

import io
import shutil
import subprocess
import sys
import tarfile
import tempfile
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import ClassVar

import cv2
import numpy as np
from PIL import Image
from playwright.sync_api import Page, sync_playwright

from azulejar.core.edges import turn_picture
from azulejar.core.solution import Solution
from azulejar.outputs.image_service import write_image_service
from azulejar.outputs.tile_folders import write_puzzle
from azulejar.practice.painting import paint_panel
from azulejar.practice.puzzles import cut, make_puzzle
from tables import RESULTS, origin, table, write_page

ROWS, COLS, SIDE = 6, 8, 200
PACKAGES = {
    "openseadragon": "package/build/openseadragon/openseadragon.min.js",
    "mirador": "package/dist/mirador.min.js",
}
WINDOW = {"width": 1100, "height": 800}
PICTURES = RESULTS.parent / "images" / "viewers"
HEAD = "<!doctype html><meta charset='utf-8'><title>.</title><body style='margin:0'>"
OPENSEADRAGON = """<div id="viewer" style="width:100vw;height:100vh"></div>
<script src="openseadragon.js"></script>
<script>
const viewer = OpenSeadragon({id: "viewer", tileSources: "iiif/panel_1/info.json", drawer: "canvas",
  showNavigationControl: false, immediateRender: true, preserveImageSizeOnResize: true});
viewer.addHandler("open", () => %s);
</script>"""
ZOOM = "viewer.viewport.zoomTo(viewer.viewport.imageToViewportZoom(1), null, true)"
MIRADOR = """<div id="viewer"></div><script src="mirador.js"></script>
<script>Mirador.viewer({id: "viewer", window: {panels: {layers: true}},
  windows: [{manifestId: "%s/manifest.json", sideBarPanel: "layers", sideBarOpen: %s}],
  workspaceControlPanel: {enabled: false}});</script>"""


class Handler(SimpleHTTPRequestHandler):
    """Serve files, and remember which were asked for and missing."""

    asked: ClassVar[list[str]] = []
    missing: ClassVar[list[str]] = []

    def send_response(self, code, message=None):
        (self.missing if code >= 400 else self.asked).append(self.path)
        super().send_response(code, message)

    def log_message(self, *_):
        pass


def main() -> None:
    rows = []
    PICTURES.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as name, serving(Path(name)) as address:
        folder = Path(name)
        versions = {package: fetch(package, folder) for package in PACKAGES}
        publish(folder, address)
        with Image.open(folder / "iiif" / "panel_1.jpg") as opened:
            panel = np.asarray(opened.convert("RGB"))
        with sync_playwright() as playwright:
            path = shutil.which("chromium") or shutil.which("google-chrome")
            browser = playwright.chromium.launch(executable_path=path, args=["--no-sandbox"])
            for name, what, text in PAGES:
                (folder / f"{name}.html").write_text(HEAD + text)
                Handler.asked, Handler.missing = [], []
                page = browser.new_context(viewport=WINDOW).new_page()
                shown = look(page, f"{address}/{name}.html")
                small = Image.fromarray(shown).resize((WINDOW["width"] // 2, WINDOW["height"] // 2))
                small.save(PICTURES / f"{name}.jpg", quality=80)
                pictures = len({each for each in Handler.asked if each.endswith(".jpg")})
                missing = [each for each in Handler.missing if "favicon" not in each]
                likeness = find(panel, shown)
                rows.append([what, pictures, len(missing), f"{likeness:.3f}"])
                print(rows[-1], missing[:3], flush=True)
            browser.close()
    write_results(rows, versions)


PAGES = (
    ("openseadragon", "OpenSeadragon, `panel_1/info.json`, whole", OPENSEADRAGON % "0"),
    ("openseadragon_zoomed", "the same, a pixel for a pixel", OPENSEADRAGON % ZOOM),
    ("mirador", "Mirador, `manifest.json`", MIRADOR % ("iiif", "false")),
    (
        "mirador_each_tile",
        "Mirador, `manifest.json` of `--each-tile`, its layers",
        MIRADOR % ("apart", "true"),
    ),
)


@contextmanager
def serving(folder: Path) -> Iterator[str]:
    """Yield the address of a web server for a folder."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(Handler, directory=str(folder)))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()


def fetch(package: str, folder: Path) -> str:
    """Take a viewer from npm, and return its version."""
    done = subprocess.run(
        ["npm", "pack", "--silent", package], cwd=folder, check=True, capture_output=True, text=True
    )
    archive = done.stdout.split()[-1]
    with tarfile.open(folder / archive) as packed:
        script = packed.extractfile(PACKAGES[package])
        assert script is not None
        (folder / f"{package}.js").write_bytes(script.read())
    return archive.removeprefix(f"{package}-").removesuffix(".tgz")


def publish(folder: Path, address: str) -> None:
    """Write a puzzle of turned tiles, and its panel whole and with each tile by itself."""
    cells = cut(paint_panel(ROWS, COLS, SIDE), ROWS, COLS)
    tiles, truth = make_puzzle(cells, ROWS, COLS, turned=True, seed=0)
    write_puzzle(folder / "puzzle", tiles, truth, upright=False, seed=0)
    table = ["file;iiif"]
    for number, tile in enumerate(Solution.load(folder / "puzzle" / "truth.json").tiles):
        if number % 3:
            continue
        home = folder / "server" / str(number)
        write_image_service(home, Image.fromarray(tiles[number]), f"{address}/server/{number}")
        turned = home / "full" / "max" / str(tile.turn)
        turned.mkdir(exist_ok=True)
        pixels = turn_picture(tiles[number], tile.turn // 90)
        Image.fromarray(pixels).save(turned / "default.jpg", quality=90)
        table.append(f"{tile.file};{address}/server/{number}")
    (folder / "puzzle" / "tiles" / "tiles.csv").write_text("\n".join(table), encoding="utf-8")
    for out, options in (("iiif", []), ("apart", ["--each-tile"])):
        command = [sys.executable, "-m", "azulejar", "manifest", "puzzle/truth.json", "-o", out]
        command += ["--base-url", f"{address}/{out}", *options]
        subprocess.run(command, cwd=folder, check=True, stdout=subprocess.DEVNULL)


def look(page: Page, address: str) -> np.ndarray:
    """Return what a page shows once it has settled [H, W, 3]."""
    page.goto(address)
    page.wait_for_load_state("networkidle")
    page.wait_for_timeout(3000)
    with Image.open(io.BytesIO(page.screenshot())) as shown:
        return np.asarray(shown.convert("RGB"))


def find(panel: np.ndarray, shown: np.ndarray) -> float:
    """Return the best correlation of the panel, or of its middle, with a part of the picture."""
    best = -1.0
    panel, shown = (cv2.cvtColor(picture, cv2.COLOR_RGB2GRAY) for picture in (panel, shown))
    for scale in [*np.linspace(0.3, 0.7, 81), 1.0]:
        small = cv2.resize(panel, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
        if small.shape[0] > shown.shape[0] or small.shape[1] > shown.shape[1]:
            y, x = small.shape[0] // 2, small.shape[1] // 2
            small = small[max(0, y - 250) : y + 250, max(0, x - 250) : x + 250]
        best = max(best, float(cv2.matchTemplate(shown, small, cv2.TM_CCOEFF_NORMED).max()))
    return best


def write_results(rows: list[list[object]], versions: dict[str, str]) -> None:
    pictures = [f"![{what}](../images/viewers/{name}.jpg)\n\n*{what}*" for name, what, _ in PAGES]
    named = " and ".join(f"{package} {version}" for package, version in versions.items())
    write_page(
        "viewers.md",
        "# In viewers of museums",
        origin(learned=False),
        f"A painted panel of {ROWS} × {COLS} turned tiles of {SIDE} px as `azulejar manifest` "
        f"publishes it, in {named} from npm, in Chromium. Every third tile of `--each-tile` comes "
        "from an image server, which files stand in for. *Pictures*: how many different ones the "
        "viewer asked for; *missing*: how many addresses it asked for in vain; *likeness*: the "
        "correlation of the panel with the place of the screen where it lies, 1 if they are the "
        "same.",
        table(["viewer", "pictures", "missing", "likeness"], rows),
        *pictures,
    )


if __name__ == "__main__":
    main()
