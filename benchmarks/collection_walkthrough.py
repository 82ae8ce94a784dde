"""Run every command of docs/collection.md in order, and make its pictures.

python benchmarks/collection_walkthrough.py PICTURES runs them in a temporary folder and writes
screenshots of its pages, in few colours, to the folder PICTURES.
"""

import io
import shutil
import sys
import tempfile
from pathlib import Path

from PIL import Image
from playwright.sync_api import sync_playwright

from following import DOCS, follow

PAGE = DOCS / "collection.md"
SHOWN = {
    "groups": "museum/groups/groups.html",
    "panels": "museum/panels/index.html",
    "report": "museum/report.html",
}
SHEET = "beside_A100.png"
SIZE = {"width": 1280, "height": 1400}
WIDTH, COLOURS = 900, 128


def main(pictures: Path) -> None:
    pictures.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as folder:
        follow(PAGE, Path(folder))
        write(pictures / "find.png", Image.open(Path(folder) / SHEET))
        with sync_playwright() as playwright:
            path = shutil.which("chromium") or shutil.which("google-chrome")
            browser = playwright.chromium.launch(executable_path=path, args=["--no-sandbox"])
            for name, file in SHOWN.items():
                page = browser.new_page(viewport=SIZE)
                page.goto((Path(folder) / file).as_uri())
                page.wait_for_timeout(1500)
                write(pictures / f"{name}.png", Image.open(io.BytesIO(page.screenshot())))
            browser.close()


def write(path: Path, picture: Image.Image) -> None:
    """Write in few colours, since the files go into the repository."""
    picture = picture.convert("RGB")
    picture.thumbnail((WIDTH, 10 * WIDTH), Image.Resampling.LANCZOS)
    picture.quantize(COLOURS, Image.Quantize.MAXCOVERAGE, kmeans=3).save(path, optimize=True)
    print(path, flush=True)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
