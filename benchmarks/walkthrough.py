"""Run every command of docs/walkthrough.md in order, and make its pictures.

python benchmarks/walkthrough.py PICTURES runs them in a temporary folder and writes the page's
pictures, reduced, to the folder PICTURES.
"""

import sys
import tempfile
from pathlib import Path

from PIL import Image

from following import DOCS, follow

PAGE = DOCS / "walkthrough.md"
PICTURES = {
    "photograph": "practice/photographs/table_1.jpg",
    "outlines": "tiles/review/table_1.jpg",
    "first": "first/panel.png",
    "result": "result/panel.png",
    "candidates": "beside_the_tower/candidates.png",
    "before_after": "before_after.png",
}
LONGEST = 1000


def main(pictures: Path) -> None:
    with tempfile.TemporaryDirectory() as folder:
        follow(PAGE, Path(folder))
        pictures.mkdir(parents=True, exist_ok=True)
        for name, path in PICTURES.items():
            picture = Image.open(Path(folder) / path).convert("RGB")
            picture.thumbnail((LONGEST, LONGEST))
            picture.save(pictures / f"{name}.jpg", quality=80)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
