"""Run every command of docs/collection.md in order, and make its pictures.

python benchmarks/collection_walkthrough.py PICTURES runs them in a temporary folder and writes
screenshots of its pages, in few colours, to the folder PICTURES.
"""

import io
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np
from PIL import Image
from playwright.sync_api import sync_playwright

from azulejar.imaging.picture import write_picture
from azulejar.practice.painting.patterns import DESIGNS, paint_pattern
from azulejar.practice.photography import LIGHT, photograph_tile
from azulejar.practice.puzzles import cut
from azulejar.practice.wear import age_tiles
from following import DOCS, follow

PAGE = DOCS / "collection.md"
SHOWN = {
    "groups": "museum/groups/groups.html",
    "panels": "museum/panels/index.html",
    "report": "museum/report.html",
}
STORE = {
    "patterns": "store/patterns/patterns.html"
}  # of a museum that no command of the page makes
PAINTED, WALL, COPIES = (1, 4, 7, 0, 5, 10), 8, 56  # designs of a store; tiles a side; of each
SHEET = "beside_A100.png"
SIZE = {"width": 1280, "height": 1400}
WIDTH, COLOURS = 900, 128


def main(pictures: Path) -> None:
    pictures.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as folder:
        follow(PAGE, Path(folder))
        make_store(Path(folder))
        write(pictures / "find.png", Image.open(Path(folder) / SHEET))
        with sync_playwright() as playwright:
            path = shutil.which("chromium") or shutil.which("google-chrome")
            browser = playwright.chromium.launch(executable_path=path, args=["--no-sandbox"])
            for name, file in (SHOWN | STORE).items():
                page = browser.new_page(viewport=SIZE)
                page.goto((Path(folder) / file).as_uri())
                page.wait_for_timeout(1500)
                write(pictures / f"{name}.png", Image.open(io.BytesIO(page.screenshot())))
            browser.close()


def make_store(folder: Path) -> None:
    """Make a museum of pattern tiles, since the practice museum has none."""
    random = np.random.default_rng(3)
    tiles = []
    for design in (DESIGNS[k] for k in PAINTED):
        cells = cut(paint_pattern(design, WALL, WALL, 96, 5), WALL, WALL)
        worn = age_tiles(cells[random.permutation(len(cells))[:COPIES]], random, 0.7)
        taken = (photograph_tile(cell, 0.02, LIGHT["mild"], random, 90) for cell in worn)
        tiles += [np.rot90(tile, random.integers(4)) for tile in taken]
    (folder / "loose").mkdir()
    for k, tile in enumerate(random.permutation(len(tiles))):
        write_picture(folder / "loose" / f"p{k + 1:03}.png", np.ascontiguousarray(tiles[tile]))
    for command in (["create", "store"], ["add", "store", "loose"], ["patterns", "store"]):
        azulejar = [sys.executable, "-m", "azulejar", "collection", *command]
        subprocess.run(azulejar, cwd=folder, check=True)


def write(path: Path, picture: Image.Image) -> None:
    """Write in few colours, since the files go into the repository."""
    picture = picture.convert("RGB")
    picture.thumbnail((WIDTH, 10 * WIDTH), Image.Resampling.LANCZOS)
    picture.quantize(COLOURS, Image.Quantize.MAXCOVERAGE, kmeans=3).save(path, optimize=True)
    print(path, flush=True)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
