"""Accuracy on the standard jigsaw sets (Cho 2010; Pomeranz 2011): tiles of 28 px, size known.

python benchmarks/standard_sets.py DATA
DATA holds mit_432, mcgill_540 and bgu_805 with 20 pictures each.
"""

import argparse
import json
import time
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from azulejar import Assembly, Knowns, TileSet, evaluate, get_measure
from azulejar.atomic import replacing
from azulejar.imaging.picture import read_picture
from azulejar.imaging.puzzle import cut, make_puzzle
from azulejar.solvers.presets import get_preset
from azulejar.solvers.runs import best_of
from tables import RESULTS, origin, table, write_page

SETS = {"mit_432": (18, 24), "mcgill_540": (20, 27), "bgu_805": (23, 35)}
# Sholomon et al.: best of ten runs upright (2013), best of five turned (2014).
PUBLISHED = {
    "mit_432": (96.2, 94.9),
    "mcgill_540": (96.0, 92.0),
    "bgu_805": (96.3, 92.1),
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("data", type=Path)
    parser.add_argument("--sets", nargs="+", default=list(SETS), choices=list(SETS))
    parser.add_argument("--preset", default="standard")
    parser.add_argument("--measure", default="mgc")
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    name = "standard_sets" if options.preset == "standard" else f"standard_sets_{options.preset}"
    stored = RESULTS / f"{name}.json"
    cells = json.loads(stored.read_text()) if stored.exists() else {}
    warm_up(options)
    for set_name in options.sets:
        for path in sorted((options.data / set_name).iterdir()):
            for upright in (True, False):
                key = f"{set_name}/{path.stem}/{'upright' if upright else 'turned'}"
                if key not in cells:
                    cells[key] = solve_one(path, *SETS[set_name], upright, options)
                    print(key, cells[key], flush=True)
                    with replacing(stored) as temporary:
                        temporary.write_text(json.dumps(cells, indent=0))
    write_page(f"{name}.md", *page(cells, options))


def warm_up(options: argparse.Namespace) -> None:
    """Compile, or load what was compiled, so that no picture pays for it."""
    tiles = TileSet(np.zeros((4, 28, 28, 3), np.uint8), ("a", "b", "c", "d"))
    for upright in (True, False):
        scores = get_measure(options.measure).score(tiles, upright=upright)
        best_of(scores, Knowns(2, 2, upright), get_preset(options.preset))


def solve_one(
    path: Path, rows: int, cols: int, upright: bool, options: argparse.Namespace
) -> dict[str, float]:
    """One picture: accuracies in %, seconds, fitness over the truth's, and the bound."""
    picture = cut(read_picture(path), rows, cols)
    pixels, truth = make_puzzle(picture, rows, cols, turned=not upright, seed=options.seed)
    tiles = TileSet(pixels, tuple(str(i) for i in range(len(pixels))))
    started = time.perf_counter()
    scores = get_measure(options.measure).score(tiles, upright=upright)
    scored = time.perf_counter()
    knowns = Knowns(rows, cols, upright)
    run = best_of(scores, knowns, get_preset(options.preset), seed=options.seed)
    solved = time.perf_counter()
    accuracy = evaluate(run.assembly, truth, upright=upright)
    joints = truth.joints()
    return {
        "neighbour": round(100 * accuracy.neighbour, 2),
        "direct": round(100 * accuracy.direct, 2),
        "largest": round(100 * accuracy.largest, 2),
        "perfect": accuracy.perfect,
        "score_seconds": round(scored - started, 2),
        "solve_seconds": round(solved - scored, 2),
        "fitness_ratio": round(run.fitness / float(scores.pairs(*joints.T).sum()), 4),
        "tellable": round(100 * tellable(pixels, truth), 2),
    }


def tellable(pixels: NDArray[np.uint8], truth: Assembly) -> float:
    """Fraction of joints between tiles of which no pixel-identical copy exists, in any turn."""
    copies: dict[bytes, int] = {}
    names = []
    for tile in pixels:
        name = min(np.rot90(tile, q).tobytes() for q in range(4))
        copies[name] = copies.get(name, 0) + 1
        names.append(name)
    unique = np.array([copies[name] == 1 for name in names])
    joints = truth.joints() // 4
    return float((unique[joints[:, 0]] & unique[joints[:, 1]]).mean())


def page(cells: dict[str, dict[str, float]], options: argparse.Namespace) -> list[str]:
    """The parts of the results page."""
    parts = [
        f"# Standard sets, measure {options.measure}, preset {options.preset}",
        f"{origin()} Size known, one run a picture, seed {options.seed}. Tiles are shuffled "
        "(and turned) before they are scored. Accuracies in %; *tellable* is the share of true "
        "joints between tiles that have no pixel-identical copy: what lies beyond it is luck. "
        "*Fitness* is that of our assembly over that of the truth: at 1 or above, only a better "
        "measure can help, not a better search.",
    ]
    summary = []
    for set_name in SETS:
        for upright in (True, False):
            rows = rows_of(cells, set_name, upright)
            if rows:
                summary.append(summary_row(set_name, upright, rows))
    head = ["set", "", "neighbour", "published", "direct", "perfect", "tellable", "seconds",
            "slowest"]  # fmt: skip
    parts.append(table(head, summary))
    for set_name in SETS:
        for upright in (True, False):
            rows = rows_of(cells, set_name, upright)
            if rows:
                parts.append(f"## {set_name}, {'upright' if upright else 'turned'}")
                parts.append(picture_table(rows))
    return parts


def rows_of(
    cells: dict[str, dict[str, float]], set_name: str, upright: bool
) -> dict[str, dict[str, float]]:
    kind = "upright" if upright else "turned"
    return {
        key.split("/")[1]: cell
        for key, cell in sorted(cells.items())
        if key.startswith(f"{set_name}/") and key.endswith(f"/{kind}")
    }


def summary_row(set_name: str, upright: bool, rows: dict[str, dict[str, float]]) -> list[object]:
    def mean(field: str) -> str:
        return f"{np.mean([row[field] for row in rows.values()]):.2f}"

    seconds = [row["score_seconds"] + row["solve_seconds"] for row in rows.values()]
    return [
        f"{set_name} ({len(rows)})",
        "upright" if upright else "turned",
        f"**{mean('neighbour')}**",
        PUBLISHED[set_name][0 if upright else 1],
        mean("direct"),
        sum(bool(row["perfect"]) for row in rows.values()),
        mean("tellable"),
        f"{np.mean(seconds):.1f}",
        f"{max(seconds):.1f}",
    ]


def picture_table(rows: dict[str, dict[str, float]]) -> str:
    head = ["picture", "neighbour", "direct", "largest", "tellable", "fitness", "seconds"]
    return table(
        head,
        [
            [
                name,
                row["neighbour"],
                row["direct"],
                row["largest"],
                row["tellable"],
                row["fitness_ratio"],
                f"{row['score_seconds'] + row['solve_seconds']:.1f}",
            ]
            for name, row in rows.items()
        ],
    )


if __name__ == "__main__":
    main()
