"""What each preset gains, and what each part of guided growth does.

python benchmarks/presets.py PICTURES
PICTURES is a folder of photographs that no published figure of ours is measured on; the first of
each twentieth is cut into 18 × 24 tiles of 28 px, measured with MGC.
"""

import argparse
import time
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np

from azulejar import Assembly, Compatibility, Knowns, TileSet, evaluate, get_measure
from azulejar.imaging.picture import read_picture
from azulejar.imaging.puzzle import cut, make_puzzle
from azulejar.solvers.guided_growth import GuidedGrowth
from azulejar.solvers.presets import PRESETS, Preset
from azulejar.solvers.runs import best_of
from tables import origin, table, write_page

ROWS, COLS, SIDE = 18, 24, 28
STANDARD = PRESETS["standard"]
VARIANTS = {
    "paper": PRESETS["paper"],
    "fast": PRESETS["fast"],
    "standard": STANDARD,
    "standard, no loops": replace(STANDARD, solver=GuidedGrowth(weighed=0.0)),
    "standard, only loops": replace(STANDARD, solver=GuidedGrowth(weighed=1.0)),
    "standard, no parents' bonus": replace(STANDARD, solver=GuidedGrowth(bonus=0.0)),
    "standard, no toll": replace(STANDARD, solver=GuidedGrowth(toll=0.0)),
    "standard, no noise": replace(STANDARD, solver=GuidedGrowth(noise=0.0)),
    "standard, population 400": replace(STANDARD, solver=GuidedGrowth(population=400)),
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("pictures", type=Path)
    parser.add_argument("--count", type=int, default=12)
    options = parser.parse_args()
    paths = sorted(options.pictures.iterdir())[::20][: options.count]
    puzzles = [(upright, *puzzle(path, upright)) for path in paths for upright in (True, False)]
    rows = [row(name, preset, puzzles) for name, preset in VARIANTS.items()]
    write_page(
        "presets.md",
        "# What the presets and their parts gain",
        f"{origin()} {len(paths)} photographs of {ROWS} × {COLS} tiles, MGC, seed 0; neighbour "
        "accuracy in %, mean and worst picture; seconds for the search alone.",
        table(
            ["", "upright, size known", "worst", "turned, size unknown", "worst", "seconds"], rows
        ),
    )


def puzzle(path: Path, upright: bool) -> tuple[Compatibility, Assembly]:
    """Scores and truth of one photograph, its middle brought to the size of the puzzle."""
    picture = read_picture(path)
    height, width = picture.shape[:2]
    scale = max(ROWS * SIDE / height, COLS * SIDE / width)
    picture = cv2.resize(picture, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    top, left = (picture.shape[0] - ROWS * SIDE) // 2, (picture.shape[1] - COLS * SIDE) // 2
    middle = picture[top : top + ROWS * SIDE, left : left + COLS * SIDE]
    pixels, truth = make_puzzle(cut(middle, ROWS, COLS), ROWS, COLS, turned=not upright, seed=0)
    tiles = TileSet(pixels, tuple(str(i) for i in range(len(pixels))))
    return get_measure("mgc").score(tiles, upright=upright), truth


def row(
    name: str, preset: Preset, puzzles: list[tuple[bool, Compatibility, Assembly]]
) -> list[object]:
    found: dict[bool, list[float]] = {True: [], False: []}
    best_of(puzzles[0][1], Knowns(), replace(preset, generations=1))  # compiles, or loads
    started = time.perf_counter()
    for upright, scores, truth in puzzles:
        knowns = Knowns(ROWS, COLS, True) if upright else Knowns()
        run = best_of(scores, knowns, preset)
        found[upright].append(100 * evaluate(run.assembly, truth, upright=upright).neighbour)
    seconds = (time.perf_counter() - started) / len(puzzles)
    line = [name]
    for upright in (True, False):
        line += [f"{np.mean(found[upright]):.2f}", f"{min(found[upright]):.1f}"]
    print(line, f"{seconds:.1f}", flush=True)
    return [*line, f"{seconds:.1f}"]


if __name__ == "__main__":
    main()
