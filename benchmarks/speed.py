"""Speed and memory of the solvers and of the measures, on synthetic scores and tiles.

python benchmarks/speed.py

Seconds are processor seconds of all threads, which depend little on what else the machine does.
"""

import resource
import subprocess
import sys
import time
from dataclasses import replace

import numpy as np

from azulejar import Compatibility, Knowns, TileSet, get_measure
from azulejar.solvers import PRESETS, solve
from tables import origin, table, write_page

SIZES = (100, 300, 1000, 3000)
GENERATIONS = 500
POPULATION = 100
DEFAULT_SIZES = (100, 320, 1000)


def synthetic(n: int) -> Compatibility:
    """Return scores of n tiles on a square: high for most true joints, noise elsewhere."""
    random = np.random.default_rng(0)
    scores = random.random((4 * n, 4 * n), np.float32) * np.float32(0.9)
    side = int(np.ceil(np.sqrt(n)))
    for tile in range(n - 1):
        for other, a, b in ((tile + 1, 1, 3), (tile + side, 2, 0)):
            if other < n and (a == 2 or (tile + 1) % side):
                good = np.float32(0.6 + 0.4 * random.random())
                scores[4 * tile + a, 4 * other + b] = good
                scores[4 * other + b, 4 * tile + a] = good
    return Compatibility(scores, tuple(str(i) for i in range(n)), "synthetic")


def measure_solver(n: int, preset: str) -> None:
    """Print seconds and MiB of a preset on n turned tiles of unknown size (child process)."""
    scores = synthetic(n)
    solver = PRESETS[preset]
    solve(synthetic(8), Knowns(), solver=replace(solver, generations=1))  # compiles, or loads
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    started = time.process_time()
    solve(scores, Knowns(), solver=solver)
    seconds = time.process_time() - started
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    print(seconds, peak / 1024, (peak - before) / 1024)


def in_child(call: str) -> list[float]:
    code = f"import sys; sys.path.insert(0, {sys.path[0]!r}); import speed; speed.{call}"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    return [float(number) for number in done.stdout.split()]


def solver_rows() -> list[list[object]]:
    rows: list[list[object]] = []
    first = 0.0
    for n in SIZES:
        seconds, peak, _ = in_child(f"measure_solver({n}, 'paper')")
        placements = n * POPULATION * GENERATIONS
        growth = n * np.log(n)
        first = first or seconds / growth
        rows.append(
            [
                n,
                f"{placements / 1e6:.0f} M",
                f"{seconds:.1f}",
                f"{seconds / placements * 1e6:.2f}",
                f"{seconds / growth / first:.2f}",
                f"{peak:.0f}",
            ]
        )
        print(rows[-1], flush=True)
    return rows


def default_rows() -> list[list[object]]:
    rows: list[list[object]] = []
    for n in DEFAULT_SIZES:
        seconds, peak, _ = in_child(f"measure_solver({n}, 'standard')")
        rows.append([n, f"{seconds:.1f}", f"{peak:.0f}"])
        print(rows[-1], flush=True)
    return rows


def measure_rows() -> list[list[object]]:
    random = np.random.default_rng(0)
    rows: list[list[object]] = []
    for n in (432, 1000, 3000):
        pixels = random.integers(0, 256, (n, 28, 28, 3), np.uint8)
        tiles = TileSet(pixels, tuple(str(i) for i in range(n)))
        for name in ("ssd", "mgc", "l1"):
            started = time.process_time()
            get_measure(name).score(tiles)
            rows.append([n, name, f"{time.process_time() - started:.1f}"])
            print(rows[-1], flush=True)
    return rows


def main() -> None:
    write_page(
        "speed.md",
        "# Speed",
        f"{origin(learned=False)} Seconds are processor seconds of all threads together.",
        f"## Preset `paper`: {POPULATION} chromosomes × {GENERATIONS} generations",
        "Turned tiles, size unknown, after the first compilation. The fifth column is time over "
        "n·log n, as a multiple of the first row: at 1 or below, time grows no faster. Memory is "
        "the peak of the whole process, scores (16 n² numbers) included.",
        table(["tiles", "placements", "seconds", "µs a placement", "time / n·log n", "peak MiB"],
              solver_rows()),
        "## Preset `standard`, the default",
        "The same puzzles; the search ends after 20 generations without improvement.",
        table(["tiles", "seconds", "peak MiB"], default_rows()),
        "## Scoring all pairs of edges, turned tiles of 28 px",
        table(["tiles", "measure", "seconds"], measure_rows()),
    )  # fmt: skip


if __name__ == "__main__":
    main()
