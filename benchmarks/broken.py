"""Broken tiles: lost corners in the measure, and fragments joined from photographs.

    python benchmarks/broken.py STORE.jsonl PANELS [PANELS ...] [--workers N]

Each folder PANELS holds NAME__RxC.jpg; 7 × 7 tiles are cut from the middle of each panel. Fragments
are of painted tiles. STORE keeps what is measured, so that a run that is stopped can go on.
"""

import argparse
import json
import tempfile
from concurrent.futures import ProcessPoolExecutor, as_completed
from pathlib import Path
from statistics import mean

import numpy as np
from numpy.typing import NDArray

from azulejar import TileSet, evaluate, get_measure, load_tiles, solve, write_picture
from azulejar.core.knowns import Knowns
from azulejar.evaluation.protocol import find_panels
from azulejar.evaluation.ranks import true_ranks
from azulejar.imaging.fragments.join_list import SURE
from azulejar.imaging.fragments.matching import LIKELY
from azulejar.imaging.picture import read_picture
from azulejar.practice.corruption import break_corners
from azulejar.practice.puzzles import cut, make_puzzle
from fragments import (
    BROKEN_TILES,
    PANEL,
    PANEL_BROKEN,
    SHAPE,
    TABLES,
    WHOLE_TILES,
    join_photograph,
    solve_way,
)
from tables import origin, table, write_page

SIDE, SIZE = 7, 50  # tiles a side of the panels, and pixels of a tile
TRIMS, CORNERS = (0.03, 0.05), (8, 16)
COLOURS = {"white": (255, 255, 255), "clay": (190, 140, 108), "dark cloth": (28, 28, 32)}
LEFT_OUT = "left out"
KINDS = (*COLOURS, LEFT_OUT)
KEYS = ("folder", "trim", "corners", "kind")
COUNTED = (
    "tiles", "fragments", "found", "sure whole", "sure part", "sure wrong", "likely whole",
    "likely part", "likely wrong",
)  # fmt: skip
FRAGMENT_HEAD = ["table", "photographs", "broken tiles", *COUNTED[1:]]
MEASURES = ("dlcm", "mgc")
FIRST_SEED, FIRST_WAY = 300, 400  # that nothing was fitted to

Tiles = NDArray[np.uint8]


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("store", type=Path)
    parser.add_argument("panels", type=Path, nargs="+")
    parser.add_argument("--photographs", type=int, default=10, help="of fragments on each table")
    parser.add_argument("--workers", type=int, default=1)
    options = parser.parse_args()
    found = []
    if options.store.exists():
        found = [json.loads(line) for line in options.store.read_text("utf-8").splitlines()]
    done = {(each["panel"], each["trim"]) for each in found}
    panels = [(folder.name, each) for folder in options.panels for each in find_panels(folder)]
    corners = [
        (lose_corners, folder, each.path, trim)
        for folder, each in panels
        for trim in TRIMS
        if min(each.rows, each.cols) >= SIDE and (each.name, trim) not in done
    ]
    fragments = [
        (join_photograph, table, seed)
        for table in TABLES
        for seed in range(FIRST_SEED, FIRST_SEED + options.photographs)
        if (table, seed) not in done
    ]
    whole_way = [
        (solve_way, seed)
        for seed in range(FIRST_WAY, FIRST_WAY + options.photographs)
        if ("practice", seed) not in done
    ]
    tasks = corners + fragments + whole_way
    with (
        options.store.open("a", encoding="utf-8") as store,
        ProcessPoolExecutor(options.workers) as pool,
    ):
        running = [pool.submit(*task) for task in tasks]
        for number, task in enumerate(as_completed(running), 1):
            new = task.result()
            found += new
            store.write("".join(json.dumps(each) + "\n" for each in new))
            store.flush()
            print(f"{number} of {len(tasks)}: {new[0]['panel']} {new[0]['trim']}", flush=True)
    write(found)


def lose_corners(folder: str, path: Path, trim: float) -> list[dict]:
    """Measure a panel intact and with lost corners, in every colour and left out."""
    cells = middle(path, trim)
    pixels, truth = make_puzzle(cells, SIDE, SIDE, turned=True, seed=0)
    kinds = [(0, "intact", pixels, np.zeros(len(pixels) * 4, bool))]
    for corners in CORNERS:
        broken = break_corners(pixels, corners, seed=corners)
        lost = broken[..., 3] == 0
        touched = sides_of(lost)
        for name, colour in COLOURS.items():
            seen = np.where(lost[..., None], np.array(colour, np.uint8), pixels)
            kinds.append((corners, name, seen, touched))
        kinds.append((corners, LEFT_OUT, as_loaded(broken), touched))
    met = truth.neighbours()
    edge = np.flatnonzero(met >= 0)
    found = []
    for corners, kind, seen, touched in kinds:
        about = {"folder": folder, "panel": path.stem, "trim": trim, "corners": corners}
        for measure in MEASURES:
            scores = get_measure(measure).score(TileSet(seen, tuple(map(str, range(len(seen))))))
            first = true_ranks(scores, truth, upright=False) == 0
            at_loss = touched[edge] | touched[met[edge]]
            solved = evaluate(solve(scores, Knowns()), truth, upright=False).neighbour
            found.append(
                about
                | {"kind": kind, "measure": measure, "neighbour": solved}
                | {"rank": float(first[at_loss].mean() if corners else first.mean())}
            )
    return found


def middle(path: Path, trim: float) -> Tiles:
    """Cut 7 × 7 tiles from the middle of a panel."""
    panel = find_panels(path)[0]
    cells = cut(read_picture(path), panel.rows, panel.cols, trim, SIZE)
    grid = cells.reshape(panel.rows, panel.cols, *cells.shape[1:])
    top, left = (panel.rows - SIDE) // 2, (panel.cols - SIDE) // 2
    return grid[top : top + SIDE, left : left + SIDE].reshape(-1, *cells.shape[1:])


def sides_of(lost: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Return which edges [4n] something is lost of, by masks [n, S, S]."""
    lines = lost[:, 0], lost[:, :, -1], lost[:, -1], lost[:, :, 0]
    return np.stack([line.any(axis=1) for line in lines], axis=1).ravel()


def as_loaded(broken: Tiles) -> Tiles:
    """Write tiles with transparent parts and load them as any folder of tiles."""
    with tempfile.TemporaryDirectory() as folder:
        for number, tile in enumerate(broken):
            write_picture(Path(folder) / f"{number:03}.png", tile)
        return load_tiles(folder, any_shape=True).pixels


def write(every: list[dict]) -> None:
    found = [each for each in every if "part" not in each]
    photographs = [each for each in every if each.get("part") == "fragments"]
    ways = [each for each in every if each.get("part") == "way"]
    rows = []
    for folder in dict.fromkeys(each["folder"] for each in found):
        for trim in TRIMS:
            for corners, kind in [(0, "intact"), *((c, k) for c in CORNERS for k in KINDS)]:
                key = (folder, trim, corners, kind)
                chosen = [e for e in found if key == tuple(e[name] for name in KEYS)]
                cells = [
                    f"{100 * mean(e[value] for e in chosen if e['measure'] == measure):.1f}"
                    for measure in MEASURES
                    for value in ("neighbour", "rank")
                ]
                panels = len({each["panel"] for each in chosen})
                lost = f"{corners} corners, {kind}" if corners else kind
                rows.append([f"{folder} ({panels})", f"{trim:.0%}", lost, *cells])
    head = ["panels", "trim", "lost", *(f"{m} {v}" for m in MEASURES for v in ("joints", "rank 1"))]
    write_page(
        "broken.md",
        "# Broken tiles",
        f"{origin()} 7 × 7 tiles from the middle of each panel, turned, size unknown, one run. "
        "Corners are broken off with legs of 10 to 25 % of the side, and are *white*, as they "
        "were read from transparent pictures before, or show *clay* or *dark cloth*, or are *left "
        "out*: transparent, so that the nearest glaze continues there. *Joints*: neighbour "
        "accuracy in %; *rank 1*: of the sides with such a loss, at themselves or their "
        "neighbour, the share whose neighbour scores best (of all sides where tiles are intact). "
        "The way to fill was chosen on panels of `train`, which the networks have seen as well.",
        "## Lost corners",
        table(head, rows),
        "## Fragments",
        f"{len(photographs)} rendered photographs of {WHOLE_TILES} whole tiles and "
        f"{BROKEN_TILES} broken into two to five fragments each, {SHAPE[1]} × {SHAPE[0]} px, "
        "seeds that nothing was fitted to; fragments of one photograph are joined with each "
        "other. *Whole*: tiles of which all fragments are joined, in place (4 % of a side); "
        "*part*: joins of some fragments of a tile; *wrong*: joins with a fragment of another "
        f"tile, or out of place. *Sure* joins (probability from {SURE:.0%} on) are made without a "
        f"person's word, *likely* ones (each step from {LIKELY:.0%}, the sure ones among them) "
        "are shown to be confirmed.",
        table(FRAGMENT_HEAD, fragment_rows(photographs)),
        "## From photographs to a panel",
        f"{len(ways)} painted panels of {PANEL[0]} × {PANEL[1]} tiles, {PANEL_BROKEN} of them "
        "broken, photographed on dark cloth and on wood, imported, joined and solved with nothing "
        "known. *Joints*: share of all joints of the panel that are found, in %, so that a tile "
        "that is left in fragments costs all of its joints.",
        table(
            ["panels", "tiles joined, of broken ones", "joints without them", "joints with them"],
            [
                [
                    len(ways),
                    f"{sum(e['joins'] for e in ways)} of {sum(e['broken'] for e in ways)}",
                    *(f"{100 * mean(e[way] for e in ways):.1f}" for way in ("left out", "joined")),
                ]
            ]
            if ways
            else [],
        ),
    )


def fragment_rows(photographs: list[dict]) -> list[list[object]]:
    rows = []
    for name in (*TABLES, "all"):
        chosen = [each for each in photographs if name in (each["panel"], "all")]
        if chosen:
            total = {key: sum(each[key] for each in chosen) for key in COUNTED}
            rows.append([name, len(chosen), *(total[key] for key in COUNTED)])
    return rows


if __name__ == "__main__":
    main()
