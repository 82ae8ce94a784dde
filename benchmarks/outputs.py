"""Memory and time of the outputs on large synthetic tiles.

python benchmarks/outputs.py [TILES [SIDE]]
"""

import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np
from PIL import Image

from azulejar.core.solution import PlacedTile, Solution
from azulejar.practice.painting import paint_panel
from azulejar.practice.puzzles import cut
from tables import origin, table, write_page

TILES, SIDE = 1000, 2000
LIMIT_MIB = 3 * 1000**3 / 1024**2
COMMANDS = (
    ("render -o panel.tif --tile-size full --joints", "panel.tif"),
    ("render -o panel.png --tile-size full", "panel.png"),
    ("render -o panel.jpg", "panel.jpg"),
    ("render -o before_after.png --before-after", "before_after.png"),
    ("plan -o plan.pdf", "plan.pdf"),
    ("manifest -o iiif", "iiif/panel_1.jpg"),
)


def make_tiles(folder: Path, count: int, side: int) -> Solution:
    """Write ``count`` JPEGs of ``side`` px with different names, and a solution with a few holes.

    Sixteen pictures are made, each under many names.
    """
    random = np.random.default_rng(0)
    (folder / "tiles").mkdir()
    originals = []
    for i, small in enumerate(cut(paint_panel(4, 4), 4, 4)):
        large = Image.fromarray(small).resize((side, side), Image.Resampling.BICUBIC)
        grain = random.normal(0, 4, (side, side, 1)).astype(np.float32)
        pixels = np.clip(np.asarray(large) + grain, 0, 255).astype(np.uint8)
        originals.append(folder / f"{i}.jpg")
        Image.fromarray(pixels).save(originals[-1], quality=90)
    cols = int(np.ceil(np.sqrt(count * 1.6)))
    tiles = []
    for i in range(count):
        name = f"MNAz_{i:04}.jpg"
        os.link(originals[i % 16], folder / "tiles" / name)
        row, col = divmod(i + i // 50, cols)  # every 50th place stays empty
        turn = 90 * int(random.integers(4))
        confidence = float(random.random())
        tiles.append(PlacedTile(file=name, row=row, col=col, turn=turn, confidence=confidence))
    rows = max(tile.row for tile in tiles) + 1
    solution = Solution(rows=rows, cols=cols, tiles=tiles, folder=str(folder / "tiles"))
    solution.save(folder / "solution.json")
    return solution


def measure(folder: Path, command: str) -> tuple[float, float]:
    """Return the seconds and peak MiB of a command in a process of its own."""
    name, *options = command.split()
    started = time.perf_counter()
    child = subprocess.Popen(
        [sys.executable, "-m", "azulejar", name, "solution.json", *options],
        cwd=folder, stdout=subprocess.DEVNULL,
    )  # fmt: skip
    _, status, usage = os.wait4(child.pid, 0)
    if status:
        raise SystemExit(f"azulejar {command} failed")
    return time.perf_counter() - started, usage.ru_maxrss / 1024


def main() -> None:
    given = [int(number) for number in sys.argv[1:]]
    count, side = [*given, *(TILES, SIDE)[len(given) :]]
    rows: list[list[object]] = []
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        solution = make_tiles(folder, count, side)
        for command, file in COMMANDS:
            seconds, peak = measure(folder, command)
            size = (folder / file).stat().st_size / 1e6
            rows.append([f"`{command}`", f"{seconds:.0f}", f"{peak:.0f}", f"{size:,.0f}"])
            print(rows[-1], flush=True)
            (folder / file).unlink()
    write_page(
        "outputs.md",
        "# Memory and time of the outputs",
        origin(learned=False),
        f"{count} JPEGs of {side} px, painted by the program, with grain, in a panel of "
        f"{solution.rows} × {solution.cols} places. Memory is the peak of the whole process; "
        f"the aim is to stay below 3 GB ({LIMIT_MIB:,.0f} MiB). The machine was busy with other "
        "work too; an idle one is faster. The tiles are sixteen pictures under many names; a plan "
        "stores equal pictures once, so a plan of real tiles is larger.",
        table(["azulejar …", "seconds", "peak MiB", "file, MB"], rows),
    )


if __name__ == "__main__":
    main()
