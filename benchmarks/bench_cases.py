"""Cases from the searches that `azulejar bench` has kept, for benchmarks/confidence.py.

    python benchmarks/bench_cases.py ../shared/data/panels/val results -o CASES

Each panel is cut again as it was, under each condition of the results but for what else than trim
and light corrupts it, and scored again; what the searches of azulejar found for turned tiles, some
without the size and one with it, is a case of the kind val. The same command goes on with the cases
that are missing. With --trim, only the puzzles of that trim become cases.
"""

import argparse
import json
import sqlite3
from collections import defaultdict
from pathlib import Path
from typing import Any

import numpy as np

from azulejar.core.assembly import Assembly
from azulejar.evaluation.protocol import SIZE
from azulejar.evaluation.tables.puzzle_recipes import PanelSource, Recipe, find_sources
from azulejar.measures import get_measure
from judging_cases import stored
from stored_cases import Case, write_case

SOLVER, MEASURE, SEED = "default", "dlcm", 0
RUNS = {False: 2, True: 1}  # searches of a puzzle: without the size, and with it
FIRST = 10_000  # number of the first case, beyond those of judging_cases.py

Condition = tuple[str, float, str]  # panel, trim and light


def main() -> None:
    ask = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    ask.add_argument("panels", type=Path)
    ask.add_argument("results", type=Path, help="folder that azulejar bench wrote")
    ask.add_argument("-o", "--output", type=Path, required=True)
    ask.add_argument("--trim", type=float)
    ask.add_argument("--first", type=int, default=FIRST, help="number of the first case")
    o = ask.parse_args()
    o.output.mkdir(parents=True, exist_ok=True)
    sources = {source.panel.name: source for source in find_sources(o.panels)}
    wanted = [each for each in sorted(searches(o.results).items()) if o.trim in (None, each[0][1])]
    for number, (condition, found) in enumerate(wanted, o.first):
        path = o.output / f"case_{number}.npz"
        if not path.exists():
            write_case(path, *made(number, sources[condition[0]], condition, found))
            print(number, *condition, flush=True)


def searches(results: Path) -> dict[Condition, list[dict[str, Any]]]:
    """Return the searches that count, by what was searched."""
    found = defaultdict(list)
    with sqlite3.connect(results / "cells.db") as store:
        for (value,) in store.execute("SELECT value FROM results"):
            cell = json.loads(value)
            whole = cell["table"] == "reconstruct" or cell.get("corruption") == "none"
            if (
                whole
                and not cell["upright"]
                and (cell["solver"], cell["measure"]) == (SOLVER, MEASURE)
            ):
                found[cell["panel"], cell["trim"], cell.get("light", "none")].append(cell)
    return {
        condition: [
            cell
            for known, runs in RUNS.items()
            for cell in sorted(
                (cell for cell in cells if cell["known"] == known), key=lambda cell: cell["seed"]
            )[:runs]
        ]
        for condition, cells in found.items()
    }


def made(
    number: int, source: PanelSource, condition: Condition, found: list[dict[str, Any]]
) -> tuple[Case, dict[str, np.ndarray]]:
    """Cut and score the puzzle again; return the case and its arrays."""
    name, trim, light = condition
    puzzle = Recipe(source, False, SEED, trim, SIZE, light=light).make()
    scores = get_measure(MEASURE, device="cpu").score(puzzle.tiles)
    size = (source.panel.rows, source.panel.cols)
    case = Case(number, "val", trim, light, sources=[name], sizes=[size])
    case.runs = ["known" if cell["known"] else "free" for cell in found]
    case.worth = [cell["worth"] for cell in found]
    truth = puzzle.truth
    laid = [Assembly.of(*np.array(cell["place"]).T) for cell in found]
    places = np.stack([truth.row, truth.col, truth.turn, truth.panel])
    return case, stored(scores, places, laid, upright=False)


if __name__ == "__main__":
    main()
