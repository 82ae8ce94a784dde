"""Seconds and memory of the learned measures on this computer.

python benchmarks/learned_speed.py
Tiles are noise, for which the networks take as long as for any others. Each figure is one run in a
process of its own, with nothing cached.
"""

import os
import resource
import subprocess
import sys
import time

import numpy as np

from azulejar import TileSet, get_measure
from azulejar.measures.runtime import Runtime
from azulejar.weights import load_model
from tables import origin, table, write_page

SIZES = (80, 160, 320, 640)
PANEL = 160  # tiles, for which the paper's networks are extrapolated
SAMPLE = 512  # pairs from which the time of the paper's networks is extrapolated


def tiles(n: int) -> TileSet:
    pixels = np.random.default_rng(0).integers(0, 256, (n, 50, 50, 3), np.uint8)
    return TileSet(pixels, tuple(str(i) for i in range(n)))


def measure(name: str, n: int) -> None:
    """Print the seconds and MiB to score n turned tiles (in a child process)."""
    scorer = get_measure(name, device="cpu")
    found = tiles(n)
    started = time.perf_counter()
    scorer.score(found)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    print(time.perf_counter() - started, peak / 1024)


def paper_rate() -> None:
    """Print the pairs a second of one of the paper's networks (in a child process)."""
    runtime = Runtime(load_model("paper"), "cpu")
    pairs = np.random.default_rng(0).random((SAMPLE, 3, 50, 100), np.float32)
    scores = np.empty(SAMPLE, np.float32)
    runtime.run("rgb", 32, lambda part: (pairs[part],), (scores[:32],))
    started = time.perf_counter()
    runtime.run("rgb", SAMPLE, lambda part: (pairs[part],), (scores,))
    print(SAMPLE / (time.perf_counter() - started))


def in_child(call: str) -> list[float]:
    code = f"import sys; sys.path.insert(0, {sys.path[0]!r}); import learned_speed as s; s.{call}"
    environment = {**os.environ, "AZULEJAR_CACHE": "off"}
    done = subprocess.run([sys.executable, "-c", code], env=environment,
                          capture_output=True, text=True, check=True)  # fmt: skip
    return [float(number) for number in done.stdout.split()]


def main() -> None:
    rows = []
    for name in ("twin", "dlcm"):
        for n in SIZES:
            seconds, memory = in_child(f"measure({name!r}, {n})")
            rows.append([name, n, f"{seconds:.1f}", f"{1000 * seconds / (4 * n):.1f}",
                         f"{memory:.0f}"])  # fmt: skip
            print(rows[-1], flush=True)
    ours = next(float(row[2]) for row in rows if row[0] == "dlcm" and row[1] == PANEL)
    (rate,) = in_child("paper_rate()")
    pairs = 4 * PANEL * 4 * (PANEL - 1)
    paper = 4 * pairs / rate
    all_pairs = [
        ["`dlcm`", f"{ours:.0f}", "1"],
        [
            f"`dlcm-paper`: four networks on {pairs:,} ordered pairs at {rate:.0f} a second "
            f"(extrapolated from {SAMPLE} pairs)",
            f"{paper:.0f} ({paper / 3600:.1f} h)",
            f"{paper / ours:.0f}",
        ],
    ]
    write_page(
        "learned_speed.md",
        "# Speed of the learned measures",
        f"{origin()} Turned tiles; memory is the peak of the process.",
        table(["measure", "tiles", "seconds", "ms an edge", "MiB"], rows),
        f"## Beside the paper's networks, {PANEL} tiles (four times the pairs for 320)",
        table(["measure", "seconds", "ratio"], all_pairs),
        "On one H200 with torch, the four networks of the paper took 16.0 s for 320 tiles, "
        "measured once while training; no script of this folder repeats it.",
    )


if __name__ == "__main__":
    main()
