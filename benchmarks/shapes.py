"""Panels that are no rectangles or have half tiles, and what our prior for rectangles costs.

    python benchmarks/shapes.py PANELS STORE.jsonl [--workers N]

PANELS holds NAME__RxC.jpg. A door is cut out of each panel, or its top is stepped or curved, or
some of its tiles are cut to halves and quarters. STORE keeps what is measured, so that a run that
is stopped goes on from there.
"""

import argparse
import json
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor, as_completed
from itertools import product
from multiprocessing import get_context
from pathlib import Path
from statistics import mean

import numpy as np

from azulejar import Assembly, Knowns, TileSet, evaluate, get_measure, solve
from azulejar.core.mask import Mask, empty_places, write_rows
from azulejar.evaluation.protocol import KnownPanel, find_panels
from azulejar.imaging.picture import read_picture, resize_square
from azulejar.imaging.tile_shapes import find_halves, half_share
from azulejar.practice.half_tiles import cut_at, half_course, half_rim
from azulejar.practice.puzzles import cut, make_puzzle, shuffle
from azulejar.solvers import GuidedGrowth
from tables import origin, table, write_page

TRIMS = (0.03, 0.05)
SIZE = 50  # pixels of a tile
NO_PRIOR = GuidedGrowth(framed=0.0, whole=0.0)
ERRORS = 0.1  # share of the outer sides that are named wrongly
MEASURED = {
    "unknown": "mask unknown",
    "outer": "outer sides named",
    "outer, errors": "10 % of them wrong",
    "known": "mask known",
    "no prior": "no prior",
}


def whole(rows: int, cols: int) -> Mask:
    return np.ones((rows, cols), bool)


def door(rows: int, cols: int) -> Mask:
    """Cut a tenth of the tiles out of the middle of the lowest rows, in one block."""
    mask = whole(rows, cols)
    high = max(2, round(0.4 * rows))
    wide = max(1, round(0.1 * rows * cols / high))
    left = (cols - wide) // 2
    mask[rows - high :, left : left + wide] = False
    return mask


def gable(rows: int, cols: int) -> Mask:
    """Step the uppermost rows in from both sides, one tile more with each row."""
    mask = whole(rows, cols)
    steps = max(1, min(rows // 3, cols // 4))
    for row in range(steps):
        mask[row, : steps - row] = mask[row, cols - steps + row :] = False
    return mask


def shaped_top(rows: int, cols: int) -> Mask:
    """Curve the top: highest in the middle, a third of the height lower at the sides."""
    away = np.abs(2 * (np.arange(cols) + 0.5) / cols - 1)
    return np.arange(rows)[:, None] >= np.round(rows / 3 * away**2)[None]


SHAPES: dict[str, Callable[[int, int], Mask]] = {
    "rectangle": whole,
    "door": door,
    "stepped gable": gable,
    "shaped top": shaped_top,
}
HALVED = {"half rim": half_rim, "half courses": half_course}


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("panels", type=Path)
    parser.add_argument("store", type=Path)
    parser.add_argument("--workers", type=int, default=1, help="puzzles measured side by side")
    options = parser.parse_args()
    panels = find_panels(options.panels)
    tasks = list(product(panels, TRIMS, [*SHAPES, *HALVED]))
    done = {}
    if options.store.exists():
        for line in options.store.read_text(encoding="utf-8").splitlines():
            found = json.loads(line)
            done[found["panel"], found["trim"], found["shape"]] = found
    left = [task for task in tasks if (task[0].name, *task[1:]) not in done]
    workers = ProcessPoolExecutor(options.workers, get_context("spawn"))
    with options.store.open("a", encoding="utf-8") as store, workers as pool:
        for future in as_completed([pool.submit(measure, *task) for task in left]):
            found = future.result()
            done[found["panel"], found["trim"], found["shape"]] = found
            store.write(json.dumps(found) + "\n")
            store.flush()
            print(f"{len(done)} of {len(tasks)}: {found}", flush=True)
    write(list(done.values()), len(panels))


def measure(panel: KnownPanel, trim: float, shape: str) -> dict:
    """Return the accuracies of a panel at one trim and in one shape."""
    tiles, truth, mask = make_tiles(panel, trim, shape)
    scores = get_measure("dlcm").score(tiles)

    def accuracy(knowns: Knowns, solver: GuidedGrowth | None = None) -> float:
        assembly = solve(scores, knowns, solver=solver)
        return evaluate(assembly, truth, upright=False).neighbour

    return {
        "panel": panel.name,
        "trim": trim,
        "shape": shape,
        "tiles": len(tiles),
        "unknown": accuracy(Knowns()),
        "known": accuracy(Knowns(*mask.shape, empty=empty_places(mask))),
        "no prior": accuracy(Knowns(), NO_PRIOR),
        "outer": accuracy(Knowns(outer=outer_sides(truth, 0))),
        "outer, errors": accuracy(Knowns(outer=outer_sides(truth, ERRORS))),
    }


def make_tiles(panel: KnownPanel, trim: float, shape: str) -> tuple[TileSet, Assembly, Mask]:
    """Return the turned tiles of a panel in some shape, where they lie, and the mask."""
    picture, size = read_picture(panel.path), (panel.rows, panel.cols)
    if shape in SHAPES:
        mask, halved, share = SHAPES[shape](*size), None, 0.5
        cells = cut(picture, *size, trim, SIZE)
        pixels, truth = make_puzzle(cells, *size, turned=True, seed=0, mask=mask)
    else:
        down, across = (HALVED[shape](count) for count in size)
        mask = whole(len(down) - 1, len(across) - 1)
        pieces = cut_at(picture, *size, trim, SIZE, down, across)
        shuffled, truth = shuffle(pieces, *mask.shape, turned=True, seed=0)
        shapes = [(tile.shape[1], tile.shape[0]) for tile in shuffled]
        halved = find_halves(shapes)
        share = half_share(shapes, halved)
        pixels = np.stack([resize_square(tile, SIZE) for tile in shuffled])
    names = tuple(str(tile) for tile in range(len(pixels)))
    return TileSet(pixels, names, halved=halved, half_share=share), truth, mask


def outer_sides(truth: Assembly, errors: float) -> tuple[int, ...]:
    """Return the edges at the outline, a share of them replaced by any others."""
    random = np.random.default_rng(0)
    named = np.flatnonzero(truth.neighbours() < 0)
    wrong = random.random(len(named)) < errors
    named[wrong] = random.integers(4 * len(truth), size=int(wrong.sum()))
    return tuple(np.unique(named).tolist())


def write(found: list[dict], panels: int) -> None:
    rows = []
    for trim in TRIMS:
        for shape in (*SHAPES, *HALVED):
            chosen = [each for each in found if (each["trim"], each["shape"]) == (trim, shape)]
            if chosen:
                rows.append([f"{trim:.0%}", shape, f"{mean(e['tiles'] for e in chosen):.0f}",
                             *(f"{100 * mean(each[key] for each in chosen):.1f}"
                               for key in MEASURED)])  # fmt: skip
    drawn = (
        "\n".join([f"**{shape}**", "", "```text", *write_rows(draw(9, 12)), "```"])
        for shape, draw in SHAPES.items()
    )
    write_page(
        "shapes.md",
        "# Panels that are no rectangles",
        f"{origin()} {panels} panels, turned tiles, one run, neighbour accuracy in %, means over "
        "panels. *Mask known*: rows, cols and empty places are given (`--mask`). *No prior*: mask "
        "unknown, and the solver does without its preference for whole rectangles (`framed` and "
        "`whole` of 0), so the difference to *mask unknown* is what this preference costs, or "
        "gains. *Outer sides named*: mask unknown, and `outer` in `tiles.csv` names all sides at "
        "the outline; *10 % of them wrong*: a tenth is replaced by any sides of any tiles. "
        "Other shapes have other joints: compare a shape with the rectangle only roughly. *Half "
        "rim*: the outermost rows and cols are cut to half tiles, the corners to quarters "
        "(`azulejar puzzle --half-rim`). *Half courses*: the row and the col in the middle are cut "
        "into two of half tiles each, with quarters where they cross. Every tile loses the trim of "
        "a whole one, so that of half tiles less is left.",
        table(["trim", "shape", "tiles", *MEASURED.values()], rows),
        "## The shapes, on 9 × 12 tiles",
        *drawn,
    )


if __name__ == "__main__":
    main()
