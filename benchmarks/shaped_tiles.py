"""How well ``azulejar import`` finds tiles that were cut to a shape, and their outer sides.

    python benchmarks/shaped_tiles.py PANELS WALLS [PHOTOGRAPHS]

PANELS holds NAME__RxC.jpg, whose tops are shaped and whose tiles are photographed by a renderer.
False alarms are counted in rendered photographs of whole and of broken tiles, and in photographs of
real WALLS, which show no loose tile at all.
"""

import sys
from collections import Counter
from pathlib import Path

import cv2
import numpy as np

from azulejar.core.edges import SIDES
from azulejar.evaluation.protocol import KnownPanel, find_panels
from azulejar.imaging.photographs.find import DetectedTile, find_tiles
from azulejar.imaging.photographs.quads import corner_distance, side_of
from azulejar.imaging.photographs.shaped import find_shaped
from azulejar.imaging.picture import is_picture, read_picture
from azulejar.practice.breaking import break_some
from azulejar.practice.puzzles import cut
from azulejar.practice.scenes import SCENES, render_scene
from azulejar.practice.shaping import TOPS, shape_top
from import_photographs import KINDS, TRIM, photograph
from tables import origin, table, write_page

SHAPE = (1200, 1800)
PHOTOGRAPHS = 6  # of each kind, unless told
DROPS = (0.5, 1.2, 2.3, 3.1)  # tiles by which a top is lower at the sides
TABLES = ("dark cloth", "light cloth", "wood", "paper", "scanner", "grid")
SHAPED, WHOLE, BROKEN = 8, 10, 4  # tiles in a photograph
SAME_TILE = 0.1  # of a side: corners nearer than this are those of the same tile
GONE = 0.15  # share of a side below which it is cut off


def shaped_photograph(panel: KnownPanel, kind: str, number: int) -> Counter:
    """Photograph shaped and whole tiles of a panel; count what is found of them."""
    random = np.random.default_rng([number, *kind.encode()])
    rows, cols = panel.rows, panel.cols
    top, drop = random.choice(list(TOPS)), min(float(random.choice(DROPS)), rows - 1)
    cells, mask = shape_top(cut(read_picture(panel.path), rows, cols, TRIM), rows, cols, drop, top)
    there = np.pad(mask, 1)
    shaped = [k for k in np.flatnonzero(mask) if cells[k].shape[2] == 4]
    whole = [k for k in np.flatnonzero(mask) if cells[k].shape[2] == 3]
    seed = int(random.integers(2**31))
    chosen = [*random.permutation(shaped)[:SHAPED], *random.permutation(whole)[:WHOLE]]
    photo = render_scene(SCENES[kind], [cells[k] for k in chosen], SHAPE, seed)
    found = find_shaped(photo.picture, find_tiles(photo.picture))
    tally = Counter(photographs=1, whole=len(chosen) - min(len(shaped), SHAPED))
    placed = 0
    for k, corners in zip(chosen, photo.corners, strict=True):
        cell, (row, col) = cells[k], divmod(int(k), cols)
        free = [not there[row + 1 + down, col + 1 + right]
                for down, right in ((-1, 0), (0, 1), (1, 0), (0, -1))]  # fmt: skip
        within = SAME_TILE * side_of(corners)
        near = [each for each in found if corner_distance(each.corners, corners) < within]
        placed += len(near)
        if cell.shape[2] == 3:
            tally["whole taken for shaped"] += len(near)
            continue
        alpha = cell[..., 3] > 127
        kept = [alpha[0].mean(), alpha[:, -1].mean(), alpha[-1].mean(), alpha[:, 0].mean()]
        tally["shaped"] += 1
        tally["found"] += bool(near)
        tally["cut off"] += sum(bool(share < GONE) for share in kept)
        for each in near:
            named = own_sides(each, corners)
            tally["named"] += len(named)
            tally["outer"] += sum(free[side] for side in named)
            tally["named and cut off"] += sum(bool(kept[side] < GONE) for side in named)
    tally["misplaced"] = len(found) - placed
    return tally


def own_sides(found: DetectedTile, corners: np.ndarray) -> list[int]:
    """Return the sides called outer as those of the tile as it was painted."""
    first = int(np.linalg.norm(corners - found.corners[0], axis=1).argmin())
    return [(SIDES.index(side) + first) % 4 for side in found.outer]


def false_alarms(pictures: list[np.ndarray]) -> tuple[int, int]:
    """Return how many tiles are found, and how many of them are called shaped."""
    tiles = shaped = 0
    for picture in pictures:
        detection = find_tiles(picture)
        tiles += len(detection.tiles)
        shaped += len(find_shaped(picture, detection))
    return tiles, shaped


def main() -> None:
    cv2.setNumThreads(1)
    panels = find_panels(Path(sys.argv[1]))
    walls = sorted(path for path in Path(sys.argv[2]).iterdir() if is_picture(path))
    photographs = int(sys.argv[3]) if len(sys.argv) > 3 else PHOTOGRAPHS
    rows, total = [], Counter()
    for kind in TABLES:
        tally = Counter()
        for number in range(photographs):
            tally += shaped_photograph(panels[number % len(panels)], kind, number)
        rows.append(row(kind, tally))
        total += tally
        print(rows[-1], flush=True)
    rows.append(row("all", total))
    print(rows[-1], flush=True)
    tiles = [tile for panel in panels
             for tile in cut(read_picture(panel.path), panel.rows, panel.cols, TRIM)]  # fmt: skip
    alarms: list[list[object]] = []
    for name, pictures in (
        ("whole tiles", [photograph(kind, tiles, number, SHAPE).picture
                         for kind in KINDS for number in range(photographs)]),
        ("broken tiles", [broken_photograph(tiles, kind, number)
                          for kind in TABLES for number in range(photographs)]),
        ("real walls", [read_picture(path) for path in walls]),
    ):  # fmt: skip
        alarms.append([name, len(pictures), *false_alarms(pictures)])
        print(alarms[-1], flush=True)
    head = ["table", "photographs", "shaped tiles", "found", "sides cut off", "of these named",
            "sides named outer", "of these outer", "whole tiles", "taken for shaped"]  # fmt: skip
    write_page(
        "shaped_tiles.md",
        "# Tiles that were cut to a shape",
        origin(learned=False),
        f"Rendered photographs, {SHAPE[1]} × {SHAPE[0]} px, as in [Tiles found in "
        f"photographs](import.md), of up to {SHAPED} "
        f"tiles along the top of a panel in `{Path(sys.argv[1]).name}` that was shaped as an arch, "
        f"a gable or a scroll, {DROPS[0]} to {DROPS[-1]} tiles lower at the sides, and {WHOLE} "
        "whole tiles. Shaped tiles have no worn rims and no broken corners here. A shaped tile is "
        "found if its square is right within a tenth of a side; one that is cut parallel to a side "
        "or nearly so is never found, and those where little is cut off come in as whole ones. A "
        "side is *cut off* where less than 15 % of it is left, and *outer* where no tile lay "
        "beyond it. Settings were chosen on `train`.",
        table(head, rows),
        f"False alarms, in rendered photographs of whole tiles on all tables and with other "
        f"things, of {WHOLE} whole tiles beside {BROKEN} that are broken into two to five "
        "fragments, and in photographs of real walls, in which whatever is found is no loose "
        "tile. No photograph of real loose tiles is at hand: a clean break may look like a cut.",
        table(["photographs of", "photographs", "tiles found", "called shaped"], alarms),
    )


def broken_photograph(tiles: list[np.ndarray], kind: str, number: int) -> np.ndarray:
    random = np.random.default_rng([number, 1, *kind.encode()])
    picked = random.choice(len(tiles), WHOLE + BROKEN, replace=False)
    pieces = break_some(np.stack([tiles[k] for k in picked]), BROKEN, number)
    return render_scene(SCENES[kind], pieces, SHAPE, int(random.integers(2**31))).picture


def row(name: str, tally: Counter) -> list[object]:
    return [name, tally["photographs"], tally["shaped"], tally["found"], tally["cut off"],
            tally["named and cut off"], tally["named"], tally["outer"], tally["whole"],
            tally["whole taken for shaped"] + tally["misplaced"]]  # fmt: skip


if __name__ == "__main__":
    main()
