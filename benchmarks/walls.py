"""How well the grid of joints is found on photographs of real walls, from rough corners.

python benchmarks/walls.py WALLS WORK

WALLS holds NAME.jpg and NAME.json with the true crossings; what is measured is kept in WORK, and a
stopped run goes on from there. Ctrl-C writes the page with what there is.
"""

import json
import sys
import time
from collections import defaultdict
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from azulejar.imaging.picture import read_picture
from azulejar.imaging.walls.corners import grid_between
from tables import origin, table, write_page

SEEDS = range(5)
OFF = 0.5  # tiles that a corner may be off
NEAR = 0.05  # tiles that a crossing may be off
SHARE = 0.95  # of the crossings that must be near


def panels(walls: Path) -> Iterator[tuple[Path, str, NDArray[np.float64]]]:
    """Photograph, name and true crossings [rows + 1, cols + 1, 2] of every panel."""
    for file in sorted(walls.glob("*.json")):
        for panel in json.loads(file.read_text(encoding="utf-8"))["panels"]:
            name = panel["panel"].split("__")[0]
            yield file.with_suffix(".jpg"), name, np.array(panel["crossings"])


def rough_corners(crossings: NDArray[np.float64], seed: int) -> NDArray[np.float64]:
    """The true corners, each moved uniformly within a disc of half a tile's radius."""
    random = np.random.default_rng(seed)
    along, down = tile_sides(crossings)
    corners = []
    for row, col in ((0, 0), (0, -1), (-1, -1), (-1, 0)):
        angle, radius = random.uniform(0, 2 * np.pi), OFF * np.sqrt(random.uniform())
        move = radius * (np.cos(angle) * along[row, col] + np.sin(angle) * down[row, col])
        corners.append(crossings[row, col] + move)
    return np.array(corners)


def tile_sides(crossings: NDArray[np.float64]) -> tuple[NDArray, NDArray]:
    """At every crossing the step to the next one, along the row and down the column."""
    return np.gradient(crossings, axis=1), np.gradient(crossings, axis=0)


def errors(found: NDArray[np.float64], true: NDArray[np.float64]) -> NDArray[np.float64]:
    """Distance of the crossings in tiles, as if the wall were seen from straight ahead."""
    sides = np.stack(tile_sides(true), axis=-1)
    return np.linalg.norm(np.linalg.solve(sides, (found - true)[..., None])[..., 0], axis=-1)


def measure(photo: Path, true: NDArray[np.float64], seed: int) -> dict:
    picture = read_picture(photo)
    started = time.process_time()
    grid = grid_between(picture, rough_corners(true, seed))
    result = {
        "rows": grid.rows,
        "cols": grid.cols,
        "confidence": grid.confidence,
        "seconds": time.process_time() - started,
    }
    if grid.crossings.shape == true.shape:
        off = errors(grid.crossings, true)
        result |= {
            "near": float((off < NEAR).mean()),
            "median": float(np.median(off)),
            "most": float(np.quantile(off, 0.95)),
        }
    return result


def measure_all(walls: Path, work: Path) -> None:
    """Measure every panel with every seed; what is in ``work`` is not measured again."""
    work.mkdir(parents=True, exist_ok=True)
    for seed in SEEDS:
        for photo, name, true in panels(walls):
            file = work / f"{name}_{seed}.json"
            if not file.is_file():
                result = measure(photo, true, seed)
                result["true"] = [len(true) - 1, len(true[0]) - 1]
                file.write_text(json.dumps(result), encoding="utf-8")
                print(name, seed, result, flush=True)


def measured(walls: Path, work: Path) -> dict[str, list[dict]]:
    """The runs in ``work`` of every panel, by seed."""
    results: dict[str, list[dict]] = defaultdict(list)
    for _, name, _ in panels(walls):
        for seed in SEEDS:
            file = work / f"{name}_{seed}.json"
            if file.is_file():
                results[name].append(json.loads(file.read_text(encoding="utf-8")))
    return results


def counted(result: dict) -> bool:
    return [result["rows"], result["cols"]] == result["true"]


def good(result: dict) -> bool:
    return counted(result) and result["near"] >= SHARE


def percent(values: list[float]) -> str:
    return f"{100 * float(np.median(values)):.1f}" if values else "–"


def row(name: str, runs: list[dict]) -> list[object]:
    right = [run for run in runs if counted(run)]
    return [
        name,
        "{} × {}".format(*runs[0]["true"]),
        f"{len(right)} of {len(runs)}",
        " ".join(f"{100 * run['near']:.0f}" if counted(run) else "–" for run in runs),
        percent([run["median"] for run in right]),
        percent([run["most"] for run in right]),
        f"{sum(map(good, runs))} of {len(runs)}",
        f"{np.median([run['seconds'] for run in runs]):.1f}",
    ]


def main() -> None:
    walls, work = Path(sys.argv[1]), Path(sys.argv[2])
    with suppress(KeyboardInterrupt):
        measure_all(walls, work)
    results = measured(walls, work)
    count, runs = len(list(panels(walls))), sum(map(len, results.values()))
    every = sum(all(map(good, runs)) for runs in results.values())
    most = sum(sum(map(good, runs)) * 2 > len(runs) for runs in results.values())
    head = ["panel", "rows × cols", "counted right", "% near, by seed", "median %", "95 % within",
            "good", "CPU s"]  # fmt: skip
    write_page(
        "walls.md",
        "# Joints of real walls",
        origin(),
        f"Each panel is looked for from its four corners, each moved uniformly within a disc of "
        f"half a tile's radius, with {len(SEEDS)} seeds: {runs} of the {count * len(SEEDS)} runs "
        f"on {len(results)} of the {count} panels were made. A run is *good* if rows and cols are "
        f"found exactly and {SHARE:.0%} of the crossings lie within "
        f"{NEAR:.0%} of a tile of the true ones. Errors are in % of a tile's side as seen from "
        "straight ahead, so a foreshortened tile counts in full; their medians over the seeds "
        "whose rows and cols are right.",
        f"**All runs good: {every} of the {len(results)} panels; more than half of the runs good: "
        f"{most}.**",
        table(head, (row(name, runs) for name, runs in results.items())),
        NOTES,
    )


NOTES = """## What was chosen on these walls

There is no other set of walls, so the method was made looking at these: what a line must stand out
by, when joints count as all light or all dark, the focal length that is assumed, the steps of the
search, the stiffness of the warp, and that points count from the picture's corner (counted from the
pixels' middles, they were off by about half a pixel on most panels). No setting differs from wall
to wall. The figures are therefore those of a tuning set, not of a test set.

Without corners the command takes the picture's own, for a photograph that shows a panel from edge
to edge, and asks for corners where it is unsure. That was not measured here: on these walls the
panel is a part of the picture, and finding it without corners is not solved yet."""


if __name__ == "__main__":
    main()
