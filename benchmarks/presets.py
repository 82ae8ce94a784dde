"""What each preset gains, and what each part of guided growth does.

python benchmarks/presets.py PANELS
PANELS holds NAME__RxC.jpg that no published figure of ours is measured on. Tiles are trimmed by 3 %
at each side, resampled to 50 px and measured with MGC.
"""

import argparse
import time
from dataclasses import replace
from pathlib import Path

import numpy as np

from azulejar import Assembly, Compatibility, Knowns, TileSet, evaluate, get_measure
from azulejar.imaging.picture import read_picture
from azulejar.practice.puzzles import cut, make_puzzle
from azulejar.solvers import PRESETS, GuidedGrowth, Solver
from azulejar.solvers.runs import best_of
from tables import origin, table, write_page

TRIM, SIDE = 0.03, 50
VARIANTS = {
    "paper": PRESETS["paper"],
    "fast": PRESETS["fast"],
    "standard": PRESETS["standard"],
    "standard, sum of probabilities": GuidedGrowth(doubt=1e3),
    "standard, no loops": GuidedGrowth(weighed=0.0),
    "standard, only loops": GuidedGrowth(weighed=1.0),
    "standard, no parents' bonus": GuidedGrowth(bonus=0.0),
    "standard, no toll": GuidedGrowth(toll=0.0),
    "standard, population 400": GuidedGrowth(population=400),
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("panels", type=Path)
    parser.add_argument("--every", type=int, default=4, help="take each such panel, by name")
    options = parser.parse_args()
    paths = sorted(options.panels.glob("*__*x*.jpg"))[:: options.every]
    puzzles = [puzzle(path, upright) for path in paths for upright in (True, False)]
    rows = [row(name, solver, puzzles) for name, solver in VARIANTS.items()]
    names = ", ".join(path.stem for path in paths)
    write_page(
        "presets.md",
        "# What the presets and their parts gain",
        f"{origin(learned=False)} Panels {names}, trim {TRIM:.0%}, MGC, seed 0; mean neighbour "
        "accuracy in %, and seconds for one search.",
        table(["", "upright, size known", "turned, size unknown", "seconds"], rows),
    )


def puzzle(path: Path, upright: bool) -> tuple[Compatibility, Assembly, Knowns]:
    """Return scores and truth of one panel; its size is given only if it is upright."""
    rows, cols = (int(number) for number in path.stem.split("__")[1].split("x"))
    cells = cut(read_picture(path), rows, cols, TRIM, SIDE)
    pixels, truth = make_puzzle(cells, rows, cols, turned=not upright, seed=0)
    tiles = TileSet(pixels, tuple(str(i) for i in range(len(pixels))))
    knowns = Knowns(rows, cols, True) if upright else Knowns()
    return get_measure("mgc").score(tiles, upright=upright), truth, knowns


def row(
    name: str, solver: Solver, puzzles: list[tuple[Compatibility, Assembly, Knowns]]
) -> list[object]:
    found: dict[bool, list[float]] = {True: [], False: []}
    best_of(*puzzles[0][::2], replace(solver, generations=1))  # compiles, or loads
    started = time.perf_counter()
    for scores, truth, knowns in puzzles:
        run = best_of(scores, knowns, solver)
        accuracy = evaluate(run.assembly, truth, upright=knowns.upright)
        found[knowns.upright].append(100 * accuracy.neighbour)
    seconds = (time.perf_counter() - started) / len(puzzles)
    line = [name, *(f"{np.mean(found[upright]):.1f}" for upright in (True, False))]
    print(line, f"{seconds:.1f}", flush=True)
    return [*line, f"{seconds:.1f}"]


if __name__ == "__main__":
    main()
