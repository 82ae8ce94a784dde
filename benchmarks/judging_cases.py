"""Puzzles of all kinds, scored and solved, from which the confidence is fitted and judged.

    python benchmarks/judging_cases.py DATA -o CASES --processes 12 --seconds 900
    python benchmarks/judging_cases.py --pack CASES -o PARTS

DATA holds panels/train, panels/val, pictures/books and benchmark/mit_432. Case k is drawn from a
random stream of its own, and kinds alternate, so that a run that is stopped leaves a fair sample;
the same command goes on with the cases that are missing.
benchmarks/confidence.py and benchmarks/audit.py read the packed cases.
"""

import argparse
import json
import multiprocessing
import os
import time
import traceback
from collections.abc import Iterator
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from azulejar.core.assembly import Assembly
from azulejar.core.compatibility import Compatibility
from azulejar.core.edges import turn_picture
from azulejar.core.knowns import Knowns
from azulejar.core.tiles import TileSet
from azulejar.measures import get_measure
from azulejar.practice.photography import LIGHT, photograph_tile
from azulejar.solvers import PRESETS, solve
from azulejar.sorting import solve_crate, sort_tiles
from judging_puzzles import SIZE, Cut, crate, of_kind, of_panel
from stored_cases import Case, pack

KEPT = 64  # partners of each edge
LEAST = 1e-5  # probabilities below are not kept
# One round of cases; "judge" kinds are never fitted on.
ROUND = (
    "books", "painted", "val", "train", "judge-books", "books", "painted", "judge-painted",
    "val", "crate", "books", "photographs", "painted", "train", "judge-books", "judge-crate",
    "books", "judge-painted", "val", "painted",
)  # fmt: skip
VAL_CONDITIONS = (
    *((trim, "none") for trim in (0.03, 0.05, 0.07, 0.09, 0.11)),
    *((0.05, level) for level in LIGHT if level != "none"),
    (0.07, "mild"),
    (0.03, "medium"),
)


def main() -> None:
    ask = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    ask.add_argument("data", type=Path, nargs="?")
    ask.add_argument("-o", "--output", type=Path, required=True)
    ask.add_argument("--processes", type=int, default=1)
    ask.add_argument("--seconds", type=float, default=900)
    ask.add_argument("--cases", type=int, default=2000)
    ask.add_argument("--largest", type=int, default=1000, help="tiles of a case")
    ask.add_argument("--seed", type=int, default=0)
    ask.add_argument("--pack", type=Path, metavar="CASES")
    o = ask.parse_args()
    o.output.mkdir(parents=True, exist_ok=True)
    if o.pack:
        pack(o.pack, o.output)
        return
    os.environ |= {"AZULEJAR_THREADS": "1", "AZULEJAR_CACHE": "off", "OMP_NUM_THREADS": "1",
                   "OPENBLAS_NUM_THREADS": "1"}  # fmt: skip
    until = time.time() + o.seconds
    spawn = multiprocessing.get_context("spawn")
    warm = spawn.Process(target=make_case, args=(o.data, o.output, o.seed, -1, o.largest))
    warm.start()  # compiles everything, which the others then load from numba's cache
    warm.join()
    with spawn.Pool(o.processes) as pool:
        tasks = [(o.data, o.output, o.seed, number, o.largest) for number in range(o.cases)]
        found = [pool.apply_async(make_case, task) for task in tasks]
        while time.time() < until and not all(each.ready() for each in found):
            time.sleep(1)
        pool.terminate()
    print(len(list(o.output.glob("*.npz"))), "cases", flush=True)


def make_case(data: Path, output: Path, seed: int, number: int, largest: int) -> None:
    """Draw, score, solve and write one case, unless it is there; -1 is a small one."""
    path = output / f"case_{number:04d}.npz"
    if path.exists():
        return
    started = time.time()
    try:
        case, arrays = drawn(data, np.random.default_rng([seed, number + 1]), number, largest)
        case.seconds = round(time.time() - started, 1)
        about = np.frombuffer(json.dumps(case.__dict__).encode(), np.uint8)
        temporary = path.with_suffix(".part")
        with temporary.open("wb") as file:
            np.savez_compressed(file, about=about, **arrays)
        temporary.rename(path if number >= 0 else temporary)
        print(number, case.kind, len(arrays["truth"][0]), case.seconds, flush=True)
    except Exception:
        print(number, traceback.format_exc(), flush=True)


def drawn(data: Path, rng: np.random.Generator, number: int, largest: int) -> tuple[Case, dict]:
    kind = ROUND[number % len(ROUND)] if number >= 0 else "crate"
    trim = rng.uniform(0.01, 0.11)
    light = str(rng.choice(list(LIGHT), p=[0.5, 0.17, 0.18, 0.15]))
    if light != "none":
        trim *= 0.7
    case = Case(number, kind, round(trim, 4), light, bool(rng.random() < 0.15))
    case.measure = "mgc" if rng.random() < 0.1 else "dlcm"
    if kind == "val":
        which = (number // len(ROUND)) * ROUND.count("val") + ROUND[: number % len(ROUND)].count(
            "val"
        )
        panels = sorted((data / "panels" / "val").glob("*.jpg"))
        order = np.random.default_rng(7).permutation(len(panels) * len(VAL_CONDITIONS))
        turn, pick = divmod(which, len(order))
        panel, condition = divmod(int(order[pick]), len(VAL_CONDITIONS))
        case.trim, case.light = VAL_CONDITIONS[condition]
        case.upright, case.measure = turn % 2 == 1, "dlcm"
        cuts = [of_panel(panels[panel], case, rng, 10**6, whole=True)]
    elif "crate" in kind:
        case.upright, case.measure = False, "dlcm"
        case.trim = round(rng.uniform(0.02, 0.07), 4)
        case.light = str(rng.choice(["none", "mild", "medium"], p=[0.7, 0.2, 0.1]))
        cuts = crate(data, case, rng, min(largest, 360) if number >= 0 else 24)
    else:
        most = tiles_wanted(rng, largest)
        cuts = [of_kind(kind.removeprefix("judge-"), "judge" in kind, data, case, rng, most)]
    return case, solved(case, cuts, rng)


def tiles_wanted(rng: np.random.Generator, largest: int) -> int:
    """Draw about how many tiles to take: 12 to 320, rarely up to the largest."""
    if rng.random() < 0.03:
        return int(rng.uniform(400, largest))
    return int(np.exp(rng.uniform(np.log(12), np.log(320))))


def solved(case: Case, cuts: list[Cut], rng: np.random.Generator) -> dict[str, NDArray]:
    """Score and solve; return the likeliest pairs of the shuffled tiles, truth and assemblies."""
    places = np.concatenate(
        [
            np.stack([*np.divmod(np.arange(len(cut.cells)), cut.cols),
                      np.full(len(cut.cells), panel)], axis=1)
            for panel, cut in enumerate(cuts)
        ]
    )  # fmt: skip
    cells = np.concatenate([cut.cells for cut in cuts])
    order = rng.permutation(len(cells))
    if len(cuts) == 1 and case.kind != "val" and rng.random() < 0.15 and len(cells) > 20:
        case.missing = round(float(rng.uniform(0.02, 0.15)), 3)
        order = order[: round(len(cells) * (1 - case.missing))]
    turn = np.zeros(len(order), int) if case.upright else rng.integers(0, 4, len(order))
    tiles = np.stack(
        [
            turn_picture(photograph_tile(cells[o], case.trim, LIGHT[case.light], rng, SIZE), -t)
            for o, t in zip(order, turn, strict=True)
        ]
    )
    tile_set = TileSet(tiles, tuple(str(tile) for tile in range(len(tiles))))
    measure = get_measure(case.measure, **({} if case.measure == "mgc" else {"device": "cpu"}))
    scores = measure.score(tile_set, upright=case.upright)
    row, col, panel = places[order].T
    assemblies = list(assembled(case, scores, rng))
    best, value = scores.best(min(KEPT, len(scores.scores)), case.upright)
    kept = value >= LEAST
    dense = np.maximum(scores.dense(), 0)
    return {
        "truth": np.stack([row, col, turn, panel]).astype(np.int16),
        "partner": np.where(kept, best, 0).astype(np.int16),
        "score": np.where(kept, value, 0).astype(np.float16),
        "sum": dense.sum(axis=1).astype(np.float32),
        "least": dense.min(axis=1).astype(np.float32),
        "assemblies": np.array(
            [np.stack([a.row, a.col, a.turn, a.panel]) for a in assemblies], np.int16
        ),
    }


def assembled(case: Case, scores: Compatibility, rng: np.random.Generator) -> Iterator[Assembly]:
    """Yield the assemblies of several runs; ``case`` notes how each was made."""
    standard = PRESETS["standard"]

    def noted(how: str, knowns: Knowns, assembly: Assembly) -> Assembly:
        case.runs.append(how)
        case.worth.append(round(standard.worth(scores, knowns, assembly), 3))
        return assembly

    free = Knowns(upright=case.upright)
    if len(case.sizes) > 1:
        for run in range(2):
            groups = sort_tiles(scores)
            crate = solve_crate(scores, groups, lambda tiles: free, standard, seed=run)
            yield noted(f"sorted {run}", free, crate)
        return
    for run in range(2):
        yield noted(f"free {run}", free, solve(scores, free, solver=standard, seed=run))
    wanted = rng.random(3) < (0.35, 0.2, 0.25)
    rows, cols = case.sizes[0]
    if wanted[0]:
        known = Knowns(rows, cols, case.upright)
        yield noted("known", known, solve(scores, known, solver=standard, seed=2))
    if wanted[1] and rows > 3:
        other = rows + int(rng.choice([-1, 1]))
        forced = Knowns(other, -(-len(scores) // other), case.upright)
        yield noted("forced", forced, solve(scores, forced, solver=standard, seed=3))
    if wanted[2]:
        yield noted("fast", free, solve(scores, free, solver=PRESETS["fast"], seed=4))


if __name__ == "__main__":
    main()
