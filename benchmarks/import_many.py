"""Import thousands of photographs at once: memory over time, and a kill in the middle.

python benchmarks/import_many.py WORK [PHOTOGRAPHS]
"""

import shutil
import signal
import subprocess
import sys
import time
from itertools import pairwise
from pathlib import Path

import numpy as np

from azulejar.imaging.photographs.import_log import HOME, ImportLog
from azulejar.imaging.picture import write_picture
from azulejar.practice.painting import paint_panel
from azulejar.practice.puzzles import cut
from azulejar.practice.scenes import SCENES, render_scene
from tables import origin, table, write_page

PHOTOGRAPHS = 2000
SCENES_RENDERED = 20
TILES_EACH = 1
SHAPE = (480, 560)
TABLES = ("dark cloth", "wood", "light cloth", "grid", "paper")
KILLED_AT = 0.35  # share of the photographs that are done when the first run is killed
EVERY = 0.5  # seconds between two measurements


def make_photographs(folder: Path, count: int) -> None:
    """Write ``count`` JPEGs, no two alike: a few scenes, each time with other grain."""
    folder.mkdir(parents=True, exist_ok=True)
    tiles = list(cut(paint_panel(8, 10, 160, seed=3), 8, 10))
    scenes = [
        render_scene(
            SCENES[TABLES[k % len(TABLES)]], tiles[TILES_EACH * k :][:TILES_EACH], SHAPE, k
        ).picture
        for k in range(SCENES_RENDERED)
    ]
    for number in range(count):
        path = folder / f"photo_{number:05}.jpg"
        if path.exists():
            continue
        grain = np.random.default_rng(number).integers(-2, 3, (*SHAPE, 1))
        pixels = np.clip(scenes[number % len(scenes)] + grain, 0, 255).astype(np.uint8)
        write_picture(path, pixels)


class Watched:
    """An import in a process of its own; ``seen`` has seconds, photographs done and MiB held."""

    def __init__(self, photographs: Path, tiles: Path) -> None:
        self.tiles = tiles
        self.seen: list[tuple[float, int, float]] = []
        command = [sys.executable, "-m", "azulejar", "import", str(photographs), "-o", str(tiles)]
        self.started = time.perf_counter()
        self.process = subprocess.Popen(command, stdout=subprocess.DEVNULL)

    def watch(self, until: int | None = None) -> None:
        """Measure until the process ends or so many photographs are done."""
        while self.process.poll() is None:
            done = count_records(self.tiles)
            held = resident_mib(self.process.pid)
            if held:
                self.seen.append((time.perf_counter() - self.started, done, held))
            if until is not None and done >= until:
                return
            time.sleep(EVERY)

    def kill(self) -> None:
        self.process.send_signal(signal.SIGKILL)
        self.process.wait()


def count_records(tiles: Path) -> int:
    """Count the recorded photographs without opening what another process writes."""
    return sum(1 for _ in (tiles / HOME).glob("*.json"))


def resident_mib(process: int) -> float:
    """Return the MiB that the process holds now; 0 once it is gone."""
    try:
        lines = Path(f"/proc/{process}/status").read_text().splitlines()
    except OSError:
        return 0.0
    held = [line.split()[1] for line in lines if line.startswith("VmRSS:")]
    return int(held[0]) / 1024 if held else 0.0


def memory_by_tenths(
    seen: list[tuple[float, int, float]], first: int, last: int
) -> list[list[object]]:
    """Return mean and peak MiB in each tenth of the photographs of one run."""
    edges = np.linspace(first, last, 11)
    rows: list[list[object]] = []
    for low, high in pairwise(edges):
        held = [mib for _, done, mib in seen if low < done <= high]
        if held:
            span = f"{low:,.0f} to {high:,.0f}"
            rows.append([span, f"{np.mean(held):.0f}", f"{max(held):.0f}"])
    return rows


def main() -> None:
    work = Path(sys.argv[1])
    count = int(sys.argv[2]) if len(sys.argv) > 2 else PHOTOGRAPHS
    photographs, tiles = work / "photographs", work / "tiles"
    make_photographs(photographs, count)
    if tiles.exists():
        shutil.rmtree(tiles)
    first = Watched(photographs, tiles)
    first.watch(until=int(KILLED_AT * count))
    first.kill()
    kept = count_records(tiles)
    second = Watched(photographs, tiles)
    second.watch()
    records = ImportLog(tiles).all()
    found = [tile.file for record in records for tile in record.tiles]
    files = {path.name for path in tiles.glob("*.png")}
    seconds = first.seen[-1][0] + second.seen[-1][0]
    write_page(
        "import_many.md",
        f"# {count:,} photographs in one import",
        origin(learned=False),
        f"{count:,} JPEGs of {SHAPE[1]} × {SHAPE[0]} px with {TILES_EACH} painted tile each "
        f"({SCENES_RENDERED} scenes, each time with different grain). The import was killed with "
        f"SIGKILL when {kept:,} photographs were done, then the same command was given again: it "
        f"imported the remaining {count - kept:,} and ended with status "
        f"{second.process.returncode}.",
        f"At the end {len(records):,} of {count:,} photographs are recorded, with {len(found):,} "
        f"tiles of {TILES_EACH * count:,} ({len(set(found)):,} different names, "
        f"{len(files):,} pictures in the folder). {seconds:,.0f} s, "
        f"{seconds / count:.2f} s a photograph, on a machine that was busy with other work too.",
        "Memory of the process in the second run:",
        table(
            ["photographs done", "mean MiB", "peak MiB"], memory_by_tenths(second.seen, kept, count)
        ),
    )


if __name__ == "__main__":
    main()
