"""Every command of docs/walkthrough.md, one after the other; its pictures.

python benchmarks/walkthrough.py PICTURES runs them in a temporary folder and writes the page's
pictures, reduced, to the folder PICTURES.
"""

import re
import subprocess
import sys
import tempfile
from pathlib import Path

from PIL import Image

PAGE = Path(__file__).parents[1] / "docs" / "walkthrough.md"
BLOCK = re.compile(r"^```(sh|json)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
PICTURES = {
    "photograph": "practice/photographs/table_1.jpg",
    "outlines": "tiles/review/table_1.jpg",
    "second": "second/panel.png",
    "result": "result/panel.png",
    "candidates": "beside_the_tower/candidates.png",
    "before_after": "before_after.png",
}
LONGEST = 1000


def main(pictures: Path) -> None:
    with tempfile.TemporaryDirectory() as folder:
        run(Path(folder))
        pictures.mkdir(parents=True, exist_ok=True)
        for name, path in PICTURES.items():
            picture = Image.open(Path(folder) / path).convert("RGB")
            picture.thumbnail((LONGEST, LONGEST))
            picture.save(pictures / f"{name}.jpg", quality=80)


def run(folder: Path) -> None:
    """Do what the page says in ``folder``: its JSON is knowns.json, its lines are commands."""
    for kind, text in BLOCK.findall(PAGE.read_text(encoding="utf-8")):
        if kind == "json":
            (folder / "knowns.json").write_text(text, encoding="utf-8")
            continue
        for line in text.splitlines():
            print(f"$ {line}", flush=True)
            words = line.split()
            if words[0] == "azulejar":
                words = [sys.executable, "-m", *words]
            subprocess.run(words, cwd=folder, check=True)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
