"""Neighbour accuracy on real azulejo panels, in the paper's four variants.

python benchmarks/real_panels.py PANELS
PANELS holds NAME__RxC.jpg, tiles of equal size with joints on the grid. Tiles are trimmed at each
side, so that no pixel of the joint itself is left, and resampled to 50 px.
"""

import argparse
import time
from pathlib import Path

import numpy as np

from azulejar import Knowns, TileSet, evaluate, get_measure
from azulejar.imaging.picture import read_picture
from azulejar.imaging.puzzle import cut, make_puzzle
from azulejar.solvers.presets import get_preset
from azulejar.solvers.runs import best_of
from tables import origin, table, write_page

TRIMS = (0.03, 0.05, 0.07)
VARIANTS = ((True, True), (True, False), (False, True), (False, False))  # upright, size known


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("panels", type=Path)
    parser.add_argument("--measure", default="mgc")
    parser.add_argument("--presets", nargs="+", default=["standard", "paper"])
    options = parser.parse_args()
    paths = sorted(options.panels.glob("*__*x*.jpg"))
    rows = []
    for preset in options.presets:
        for trim in TRIMS:
            cells = [solve_all(path, trim, preset, options.measure) for path in paths]
            accuracy = [f"{100 * value:.1f}" for value in np.mean([c[0] for c in cells], axis=0)]
            rows.append([preset, f"{trim:.0%}", *accuracy, f"{np.mean([c[1] for c in cells]):.1f}"])
            print(rows[-1], flush=True)
    write_page(
        "real_panels.md",
        f"# Real panels, measure {options.measure}",
        f"{origin()} Neighbour accuracy in %, mean of {len(paths)} panels of `val`, one run, seed "
        "0; seconds for one search.",
        table(
            [
                "preset",
                "trim",
                "upright, size known",
                "upright, unknown",
                "turned, size known",
                "turned, unknown",
                "seconds",
            ],
            rows,
        ),
    )


def solve_all(path: Path, trim: float, preset: str, measure: str) -> tuple[list[float], float]:
    """Neighbour accuracy in the four variants, and mean seconds of a search."""
    rows, cols = (int(number) for number in path.stem.split("__")[1].split("x"))
    cells = cut(read_picture(path), rows, cols, trim, 50)
    found, seconds = [], 0.0
    for upright, known in VARIANTS:
        pixels, truth = make_puzzle(cells, rows, cols, turned=not upright, seed=0)
        tiles = TileSet(pixels, tuple(str(i) for i in range(len(pixels))))
        scores = get_measure(measure).score(tiles, upright=upright)
        knowns = Knowns(rows, cols, upright) if known else Knowns(upright=upright)
        started = time.perf_counter()
        run = best_of(scores, knowns, get_preset(preset))
        seconds += time.perf_counter() - started
        found.append(evaluate(run.assembly, truth, upright=upright).neighbour)
    return found, seconds / len(VARIANTS)


if __name__ == "__main__":
    main()
