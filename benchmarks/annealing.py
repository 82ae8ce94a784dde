"""What annealing adds to growth: accuracy, worth and seconds.

python benchmarks/annealing.py PANELS FOLDER --processes 2
PANELS holds NAME__RxC.jpg; FOLDER keeps what was found, so that the same command goes on. With
--model, the table of that model is printed, and the page is left as it is.
"""

import argparse
import json
import multiprocessing
import os
import time
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from azulejar import Knowns, evaluate, get_measure, solve
from azulejar.evaluation.protocol import SIZE
from azulejar.evaluation.tables.puzzle_recipes import PanelSource, Recipe, find_sources
from azulejar.solvers import GuidedGrowth
from tables import origin, table, write_page

# Trim, light and whether the tiles are upright.
CONDITIONS = [
    (0.05, "none", False),
    (0.07, "none", False),
    (0.07, "none", True),
    (0.09, "none", False),
]
WAYS = {"growth": GuidedGrowth(annealing=None), "and annealing": GuidedGrowth()}

Condition = tuple[float, str, bool]


def main() -> None:
    ask = argparse.ArgumentParser(description=__doc__)
    ask.add_argument("panels", type=Path)
    ask.add_argument("folder", type=Path)
    ask.add_argument("--processes", type=int, default=1)
    ask.add_argument("--seed", type=int, default=0)
    ask.add_argument("--model", help="of dlcm, instead of the default")
    o = ask.parse_args()
    o.folder.mkdir(parents=True, exist_ok=True)
    sources = find_sources(o.panels)
    os.environ |= {"AZULEJAR_THREADS": "1", "OMP_NUM_THREADS": "1"}
    jobs = [
        (source, condition, o.seed, o.folder, o.model)
        for condition in CONDITIONS for source in sources
    ]  # fmt: skip
    with multiprocessing.get_context("spawn").Pool(o.processes) as pool:
        found = [one for each in pool.imap(measured, jobs, chunksize=1) for one in each]
    rows = [
        row(condition, known, way, [one for one in found if one["condition"] == list(condition)
            and (one["known"], one["way"]) == (known, way)])
        for condition in CONDITIONS for known in (True, False) for way in WAYS
    ]  # fmt: skip
    head = ["tiles", "size", "search", "joints right", "worth", "processor seconds"]
    if o.model is not None:
        print(table(head, rows))
        return
    write_page(
        "annealing.md",
        "# What annealing adds",
        f"{origin()} {len(sources)} panels, one run each; searches on one thread.",
        "Neighbour accuracy in %, means over the panels. *Worth*: what the solver maximises, "
        "relative to the truth; above 100 % the scores are wrong, not the search.",
        table(head, rows),
    )


def measured(job: tuple[PanelSource, Condition, int, Path, str | None]) -> list[dict[str, Any]]:
    """Score one puzzle, search it in all ways, and return a line for each; or read them."""
    source, condition, seed, folder, model = job
    trim, light, upright = condition
    path = folder / f"{source.panel.name}_{trim}_{light}_{upright}_{seed}.json"
    if path.exists():
        return json.loads(path.read_text())
    puzzle = Recipe(source, upright, seed, trim, SIZE, light=light).make()
    scores = get_measure("dlcm", model=model).score(puzzle.tiles, upright=upright)
    lines = []
    for known in (True, False):
        size = (puzzle.truth.rows, puzzle.truth.cols) if known else (None, None)
        knowns = Knowns(*size, upright=upright)
        for way, solver in WAYS.items():
            solve(scores, knowns, solver=replace(solver, generations=1, population=8))  # compiles
            started = time.process_time()
            assembly = solve(scores, knowns, solver=solver, seed=seed)
            seconds = time.process_time() - started
            worth = [solver.worth(scores, knowns, each) for each in (assembly, puzzle.truth)]
            lines.append({
                "condition": condition, "known": known, "way": way, "seconds": seconds,
                "accuracy": evaluate(assembly, puzzle.truth, upright=upright).neighbour,
                "worth": worth[0] / worth[1],
            })  # fmt: skip
    path.write_text(json.dumps(lines))
    print(path.stem, *(f"{line['accuracy']:.3f}" for line in lines), flush=True)
    return [line | {"condition": list(condition)} for line in lines]


def row(condition: Condition, known: bool, way: str, lines: list[dict[str, Any]]) -> list[str]:
    trim, light, upright = condition
    mean = {name: np.mean([line[name] for line in lines])
            for name in ("accuracy", "worth", "seconds")}  # fmt: skip
    lit = "" if light == "none" else f", {light} light"
    return [
        f"{'upright' if upright else 'turned'}, trim {trim:.0%}{lit}",
        "known" if known else "unknown",
        way,
        f"{mean['accuracy']:.1%}",
        f"{mean['worth']:.1%}",
        f"{mean['seconds']:.1f}",
    ]


if __name__ == "__main__":
    main()
