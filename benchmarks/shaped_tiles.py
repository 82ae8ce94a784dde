"""How well ``azulejar import`` finds tiles that were cut to a shape, and their outer sides.

    python benchmarks/shaped_tiles.py PANELS WALLS [PHOTOGRAPHS] [--workers N]

PANELS holds NAME__RxC.jpg, whose tops are shaped and whose tiles are photographed by a renderer.
False alarms are counted in rendered photographs of whole and of broken tiles, and in photographs of
real WALLS, which show no loose tile at all.
"""

import argparse
from collections import Counter
from collections.abc import Callable
from concurrent.futures import Future, ProcessPoolExecutor
from itertools import product
from multiprocessing import get_context
from pathlib import Path

import cv2
import numpy as np

from azulejar.core.edges import SIDES
from azulejar.evaluation.protocol import KnownPanel, find_panels
from azulejar.imaging.photographs.find import DetectedTile, find_tiles
from azulejar.imaging.photographs.quads import corner_distance, side_of
from azulejar.imaging.photographs.review import draw_outlines
from azulejar.imaging.photographs.shaped import find_shaped, with_shaped
from azulejar.imaging.picture import is_picture, read_picture, resize, write_picture
from azulejar.practice.breaking import break_some
from azulejar.practice.painting import paint_panel
from azulejar.practice.puzzles import cut
from azulejar.practice.scenes import SCENES, render_scene
from azulejar.practice.scenes.objects import cut_parallel
from azulejar.practice.shaping import TOPS, shape_top
from import_photographs import KINDS, MOST, TRIM, photograph
from tables import RESULTS, origin, table, write_page

SHAPE = (1200, 1800)
PHOTOGRAPHS = 6  # of each kind, unless told
DROPS = (0.5, 1.2, 2.3, 3.1)  # tiles by which a top is lower at the sides
TABLES = ("dark cloth", "light cloth", "wood", "paper", "scanner", "grid")
SHAPED, WHOLE, BROKEN = 8, 10, 4  # tiles in a photograph
SAME_TILE = 0.1  # of a side: corners nearer than this are those of the same tile
PHOTOGRAPH = (1600, 2400)  # of narrow tiles
NARROW, KEPT = 8, (0.6, 0.94)  # tiles in a photograph; share of their side that is left
LARGE_TILE = 512  # pixels a side of tiles before they are cut
LARGEST_ERROR = 0.05  # of a side: by which a narrow tile may be measured wrongly
DRAWN, DRAWN_SHAPE, ROWS, COLS = 5, (800, 1200), 5, 7  # seed and size of the picture; its panel
GONE = 0.15  # share of a side below which it is cut off

NARROW_HEAD = ["table", "photographs", "narrow tiles", "found", "mean error in % of a side",
               "measured wrongly", "whole tiles", "taken for narrow"]  # fmt: skip


def shaped_photograph(panel: KnownPanel, kind: str, number: int) -> Counter:
    """Photograph shaped and whole tiles of a panel; count what is found of them."""
    cv2.setNumThreads(1)
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


def narrow_photograph(tiles: list[np.ndarray], kind: str, number: int) -> Counter:
    """Photograph tiles that were cut parallel to a side among whole ones; count what is found."""
    cv2.setNumThreads(1)
    random = np.random.default_rng([number, 2, *kind.encode()])
    large = [resize(tile, LARGE_TILE, LARGE_TILE) for tile in tiles[: NARROW + WHOLE]]
    kept, sides = random.uniform(*KEPT, NARROW), random.integers(4, size=NARROW)
    pieces = []
    for k in range(NARROW):
        cut_tile = cut_parallel(np.rot90(large[k], sides[k]), kept[k], random, bool(k % 2))
        pieces.append(np.rot90(cut_tile, -sides[k]))
    seed = int(random.integers(2**31))
    photo = render_scene(SCENES[kind], [*pieces, *large[NARROW:]], PHOTOGRAPH, seed)
    found = [each for each in find_tiles(photo.picture).tiles if each.narrow]
    tally = Counter(photographs=1, narrow=NARROW, whole=WHOLE)
    for each in found:
        middles = photo.corners.mean(axis=1)
        k = int(np.linalg.norm(middles - each.corners.mean(axis=0), axis=1).argmin())
        if k >= NARROW:
            tally["whole taken for narrow"] += 1
            continue
        first = int(np.linalg.norm(photo.corners[k] - each.corners[0], axis=1).argmin())
        may_be = {(SIDES.index(side) + first) % 4 for side in each.narrow.sides}
        if abs(each.narrow.share - kept[k]) > LARGEST_ERROR or sides[k] not in may_be:
            tally["measured wrongly"] += 1
            continue
        tally["found"] += 1
        tally["error"] += abs(each.narrow.share - kept[k])
    return tally


def own_sides(found: DetectedTile, corners: np.ndarray) -> list[int]:
    """Return the sides called outer as those of the tile as it was painted."""
    first = int(np.linalg.norm(corners - found.corners[0], axis=1).argmin())
    return [(SIDES.index(side) + first) % 4 for side in found.outer]


def false_alarms(kind: str, name: str, number: int, tiles: list[np.ndarray]) -> Counter:
    """Count the tiles that are found in a photograph without shaped ones, and those called so."""
    cv2.setNumThreads(1)
    if kind == "real walls":
        picture = read_picture(Path(name))
        share = max(SHAPE) / max(picture.shape)
        if share < 1:
            picture = resize(picture, *(round(n * share) for n in picture.shape[:2]))
    elif kind == "broken tiles":
        picture = broken_photograph(tiles, name, number)
    else:
        picture = photograph(name, tiles, number, SHAPE).picture
    detection = find_tiles(picture)
    shaped = find_shaped(picture, detection)
    narrow = sum(tile.narrow is not None for tile in detection.tiles)
    return Counter(photographs=1, tiles=len(detection.tiles), shaped=len(shaped), narrow=narrow)


def tabulate(
    jobs: dict[str, list[Future[Counter]]], row: Callable[[str, Counter], list[object]]
) -> list[list[object]]:
    """Wait for photographs of several kinds; return a row for each kind, and one for all."""
    rows, total = [], Counter()
    for kind, each in jobs.items():
        tally = sum((job.result() for job in each), Counter())
        rows.append(row(kind, tally))
        total += tally
        print(rows[-1], flush=True)
    return [*rows, row("all", total)]


def alarm_row(kind: str, tally: Counter) -> list[object]:
    return [kind, *(tally[name] for name in ("photographs", "tiles", "shaped", "narrow"))]


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("panels", type=Path)
    parser.add_argument("walls", type=Path)
    parser.add_argument("photographs", type=int, nargs="?", default=PHOTOGRAPHS)
    parser.add_argument("--workers", type=int, default=1, help="photographs looked at side by side")
    options = parser.parse_args()
    panels = find_panels(options.panels)
    numbers = range(options.photographs)
    tiles = [tile for panel in panels
             for tile in cut(read_picture(panel.path), panel.rows, panel.cols, TRIM)]  # fmt: skip
    without = {
        "broken tiles": list(product(TABLES, numbers)),
        "whole tiles": list(product(KINDS, numbers)),
        "real walls": [
            (str(path), 0) for path in sorted(filter(is_picture, options.walls.iterdir()))
        ],
    }
    with ProcessPoolExecutor(options.workers, get_context("spawn")) as pool:
        found = {}
        for at, kind in enumerate(TABLES):
            given = [(panels[(number + at) % len(panels)], kind, number) for number in numbers]
            found[kind] = [pool.submit(shaped_photograph, *each) for each in given]
        random = np.random.default_rng(0)
        deals = [[tiles[k] for k in random.choice(len(tiles), NARROW + WHOLE, False)]
                 for _ in range(len(TABLES) * options.photographs)]  # fmt: skip
        narrow = {kind: [pool.submit(narrow_photograph, deals.pop(), kind, number)
                         for number in numbers] for kind in TABLES}  # fmt: skip
        alarms = {kind: [pool.submit(false_alarms, kind, name, number,
                                     [tiles[k] for k in random.choice(len(tiles), MOST, False)])
                         for name, number in given] for kind, given in without.items()}  # fmt: skip
        rows, cut_straight = tabulate(found, row), tabulate(narrow, narrow_row)
        false = tabulate(alarms, alarm_row)[:-1]
    draw_found()
    write(options.panels.name, rows, cut_straight, false)


def draw_found() -> None:
    """Draw the outlines found in a photograph of shaped, narrow and whole tiles, with their sides
    that are called outer or may be cut.
    """
    random = np.random.default_rng(DRAWN)
    cells = cut(paint_panel(ROWS, COLS, 120, DRAWN), ROWS, COLS, TRIM)
    shaped, mask = shape_top(cells, ROWS, COLS, 1.2, "scroll")
    top = [shaped[k] for k in np.flatnonzero(mask) if shaped[k].shape[2] == 4][:5]
    narrow = [cut_parallel(resize(cells[-k], 256, 256), 0.6 + 0.07 * k, random, chipped=False)
              for k in range(1, 5)]  # fmt: skip
    photo = render_scene(SCENES["wood"], [*top, *narrow, *cells[-16:-8]], DRAWN_SHAPE, DRAWN)
    detection = find_tiles(photo.picture)
    tiles = with_shaped(detection.tiles, find_shaped(photo.picture, detection))
    said = [" ".join(each.outer) or (" or ".join(each.narrow.sides) if each.narrow else "whole")
            for each in tiles]  # fmt: skip
    doubtful = [each.narrow is not None for each in tiles]
    corners = [each.corners for each in tiles]
    drawn = draw_outlines(photo.picture, corners, said, doubtful, detection.lens)
    write_picture(RESULTS / "shaped_tiles.jpg", drawn)


def write(
    folder: str,
    rows: list[list[object]],
    cut_straight: list[list[object]],
    false: list[list[object]],
) -> None:
    head = ["table", "photographs", "shaped tiles", "found", "sides cut off", "of these named",
            "sides named outer", "of these outer", "whole tiles", "taken for shaped"]  # fmt: skip
    write_page(
        "shaped_tiles.md",
        "# Tiles that were cut to a shape",
        origin(learned=False),
        f"Rendered photographs, {SHAPE[1]} × {SHAPE[0]} px, as in [Tiles found in "
        f"photographs](import.md), of up to {SHAPED} tiles along the top of a panel in `{folder}` "
        f"that was shaped as an arch, a gable or a scroll, {DROPS[0]} to {DROPS[-1]} tiles lower "
        f"at the sides, and {WHOLE} whole tiles. Shaped tiles have no worn rims and no broken "
        "corners here. A shaped tile is found if its square is right within a tenth of a side; "
        "those of which little is cut off come in as whole ones. A side is *cut off* where less "
        "than 15 % of it is left, and *outer* where no tile lay beyond it. Settings were chosen on "
        "`train`, for few wrong sides rather than for many.",
        table(head, rows),
        "![What is found of painted tiles: sides that are called outer, and of narrow tiles the "
        "two of which one was cut](shaped_tiles.jpg)",
        "## Cut parallel to a side",
        f"Rendered photographs, {PHOTOGRAPH[1]} × {PHOTOGRAPH[0]} px, of {NARROW} tiles of which "
        f"{KEPT[0]:.0%} to {KEPT[1]:.0%} are left, and {WHOLE} whole ones. All rims are worn, up "
        "to 1.2 % of a side deep; every second cut is chipped as deeply, the others are clean. A "
        f"tile is found if the right measure is called short, within {LARGEST_ERROR:.0%} of a "
        "side. Settings were chosen in photographs of tiles of `train`. There, wear was tried to "
        "tell which of two opposite sides was cut: clay shows on three sides, and not on the "
        "fourth. Of 199 narrow tiles this named 27, of which 25 right, among them 5 with chipped "
        "cuts, of which 3 right. It was left out.",
        table(NARROW_HEAD, cut_straight),
        "## Glazed round",
        "Sides over which the glaze runs, without bare clay, have to be given. In rendered "
        "photographs of tiles of `train`, 53 of 107 tiles had such a side, rounded by 2 to 4 % of "
        "a side and lit from anywhere. The best of 108 rules on shade and clay along the rim named "
        "8 sides right and 2 wrong, or 21 right and 8 wrong: painted lines along a side look the "
        "same. Among tiles of which few are glazed round most such names would be wrong.",
        "## False alarms",
        f"In rendered photographs of {WHOLE} whole tiles beside {BROKEN} that are "
        "broken into two to five fragments, of whole tiles on all tables and with other things, "
        f"and in photographs of real walls, {max(SHAPE)} px, in which whatever is found is no "
        "loose tile. No photograph of real loose tiles is at hand: a clean break may look like a "
        "cut.",
        table(
            ["photographs of", "photographs", "tiles found", "called shaped", "called narrow"],
            false,
        ),
    )


def broken_photograph(tiles: list[np.ndarray], kind: str, number: int) -> np.ndarray:
    random = np.random.default_rng([number, 1, *kind.encode()])
    picked = random.choice(len(tiles), WHOLE + BROKEN, replace=False)
    pieces = break_some(np.stack([tiles[k] for k in picked]), BROKEN, number)
    return render_scene(SCENES[kind], pieces, SHAPE, int(random.integers(2**31))).picture


def narrow_row(name: str, tally: Counter) -> list[object]:
    error = f"{100 * tally['error'] / tally['found']:.1f}" if tally["found"] else "–"
    return [name, tally["photographs"], tally["narrow"], tally["found"], error,
            tally["measured wrongly"], tally["whole"],
            tally["whole taken for narrow"]]  # fmt: skip


def row(name: str, tally: Counter) -> list[object]:
    return [name, tally["photographs"], tally["shaped"], tally["found"], tally["cut off"],
            tally["named and cut off"], tally["named"], tally["outer"], tally["whole"],
            tally["whole taken for shaped"] + tally["misplaced"]]  # fmt: skip


if __name__ == "__main__":
    main()
