"""Puzzles of all kinds, scored and solved, from which the confidence is fitted and judged.

    python benchmarks/judging_cases.py DATA -o CASES --processes 12 --seconds 900
    python benchmarks/judging_cases.py --pack CASES -o PARTS

DATA holds panels/train, panels/val, pictures/books and benchmark/mit_432. Case k is drawn from a
random stream of its own, and kinds alternate, so that a run that is stopped leaves a fair sample;
the same command goes on with the cases that are missing.
benchmarks/confidence.py and benchmarks/audit.py read the packed cases.
"""

import argparse
import multiprocessing
import os
import time
import traceback
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from azulejar.collection.intake.encoding import describe_tiles
from azulejar.collection.solve import GroupJob, score_job, solve_job
from azulejar.core.assembly import Assembly
from azulejar.core.compatibility import Compatibility
from azulejar.core.edges import turn_picture
from azulejar.core.knowns import Knowns
from azulejar.core.tiles import TileSet
from azulejar.measures import get_measure
from azulejar.measures.runtime import Runtime
from azulejar.practice.photography import LIGHT, photograph_tile
from azulejar.solvers import PRESETS, solve
from azulejar.sorting import solve_crate, sort_tiles
from azulejar.weights import load_model
from judging_puzzles import SIZE, Cut, of_kind, of_panel, several, small
from stored_cases import Case, pack, write_case

KEPT = 64  # partners of each edge
LEAST = 1e-5  # probabilities below are not kept
LEAST_GROUP = 12  # tiles of a museum group that is worth judging
# One round of cases; "judge" kinds are never fitted on. Others are small and judge-small.
ROUND = (
    "books", "painted", "val", "train", "judge-books", "books", "painted", "judge-painted",
    "val", "crate", "books", "photographs", "painted", "train", "judge-books", "judge-crate",
    "books", "judge-painted", "val", "painted", "museum", "judge-museum", "large", "judge-large",
    "hard", "hard",
)  # fmt: skip
LIGHTS = {"none": 0.5, "mild": 0.17, "medium": 0.18, "strong": 0.15}
LIGHTS_OF_CRATES = {"none": 0.7, "mild": 0.2, "medium": 0.1}
LIGHTS_OF_MUSEUMS = {"none": 0.7, "mild": 0.3}
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
    ask.add_argument("--kinds", nargs="+", default=ROUND, help="one round of cases")
    ask.add_argument(
        "--light", nargs="+", choices=LIGHTS, default=list(LIGHTS), help="levels to draw from"
    )
    ask.add_argument("--largest", type=int, default=1000, help="tiles of a case")
    ask.add_argument("--seed", type=int, default=0)
    ask.add_argument("--device", default="cpu", help="that scores the tiles: cpu or cuda")
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
    given = (o.data, o.output, o.seed, o.largest, o.device, o.kinds, o.light)
    warm = spawn.Process(target=make_case, args=(*given, -1))
    warm.start()  # compiles everything, which the others then load from numba's cache
    warm.join()
    with spawn.Pool(o.processes) as pool:
        found = [pool.apply_async(make_case, (*given, number)) for number in range(o.cases)]
        while time.time() < until and not all(each.ready() for each in found):
            time.sleep(1)
        pool.terminate()
    print(len(list(o.output.glob("*.npz"))), "cases", flush=True)


def make_case(
    data: Path, output: Path, seed: int, largest: int, device: str, kinds: list[str],
    levels: list[str], number: int,
) -> None:  # fmt: skip
    """Draw, score, solve and write one case, unless it is there; -1 is a small one.

    A museum gives a case for each of its groups.
    """
    path = output / f"case_{number:04d}.npz"
    if path.exists():
        return
    started = time.time()
    try:
        rng = np.random.default_rng([seed, number + 1])
        found = drawn(data, rng, number, largest, device, kinds, levels)
        for group, (case, arrays) in reversed(list(enumerate(found))):
            case.seconds = round(time.time() - started, 1)
            if number >= 0:
                written = path.with_stem(f"{path.stem}_{group}") if group else path
                write_case(written, case, arrays)
            print(number, case.kind, len(arrays["truth"][0]), case.seconds, flush=True)
    except Exception:
        print(number, traceback.format_exc(), flush=True)


def drawn(
    data: Path, rng: np.random.Generator, number: int, largest: int, device: str, kinds: list[str],
    levels: list[str],
) -> list[tuple[Case, dict[str, NDArray]]]:  # fmt: skip
    turn, place = divmod(number, len(kinds))
    kind = kinds[place] if number >= 0 else "crate"
    trim = rng.uniform(0.01, 0.11)
    light = drawn_light(rng, levels, LIGHTS)
    if light != "none":
        trim *= 0.7
    case = Case(number, kind, round(trim, 4), light, bool(rng.random() < 0.15))
    case.measure = "mgc" if rng.random() < 0.1 else "dlcm"
    if kind == "val":
        which = turn * kinds.count("val") + kinds[:place].count("val")
        panels = sorted((data / "panels" / "val").glob("*.jpg"))
        conditions = [condition for condition in VAL_CONDITIONS if condition[1] in levels]
        order = np.random.default_rng(7).permutation(len(panels) * len(conditions))
        again, pick = divmod(which, len(order))
        panel, condition = divmod(int(order[pick]), len(conditions))
        case.trim, case.light = conditions[condition]
        case.upright, case.measure = again % 2 == 1, "dlcm"
        cuts = [of_panel(panels[panel], case, rng, 10**6, whole=True)]
    elif "crate" in kind:
        case.upright, case.measure = False, "dlcm"
        case.trim = round(rng.uniform(0.02, 0.07), 4)
        case.light = drawn_light(rng, levels, LIGHTS_OF_CRATES)
        count = int(rng.choice([2, 3, 4, 5], p=[0.45, 0.3, 0.15, 0.1]))
        cuts = several(data, case, rng, min(largest, 360) if number >= 0 else 24, count)
    elif "museum" in kind:
        case.upright, case.measure = False, "collection"
        case.trim = round(rng.uniform(0.02, 0.06), 4)
        case.light = drawn_light(rng, levels, LIGHTS_OF_MUSEUMS)
        return museum_groups(case, several(data, case, rng, largest, int(rng.integers(7, 12))), rng)
    elif "small" in kind:
        case.trim, case.light = round(rng.uniform(0, 0.03), 4), "none"
        case.measure = str(rng.choice(["mgc", "dlcm"]))
        cuts = [small(data, case, rng, tiles_wanted(rng, 60))]
    elif kind == "hard":
        case.trim, case.light, case.measure = round(rng.uniform(0.08, 0.12), 4), "none", "dlcm"
        source = str(rng.choice(["books", "painted", "train"]))
        cuts = [of_kind(source, False, data, case, rng, int(rng.uniform(40, 160)))]
    elif "large" in kind:
        case.measure = "dlcm"
        most = int(rng.uniform(0.5, 1) * largest)
        cuts = [of_kind("books", "judge" in kind, data, case, rng, most)]
    else:
        most = tiles_wanted(rng, min(largest, 400))
        cuts = [of_kind(kind.removeprefix("judge-"), "judge" in kind, data, case, rng, most)]
    return [(case, solved(case, cuts, rng, device))]


def drawn_light(rng: np.random.Generator, levels: list[str], shares: dict[str, float]) -> str:
    """Draw a level of light, one of ``levels`` if there are shares of any."""
    wanted = [share * (level in levels) for level, share in shares.items()]
    share = np.array(wanted if any(wanted) else list(shares.values()))
    return str(rng.choice(list(shares), p=share / share.sum()))


def tiles_wanted(rng: np.random.Generator, largest: int) -> int:
    """Draw about how many tiles to take: 12 to the largest, most often few."""
    return int(np.exp(rng.uniform(np.log(12), np.log(largest))))


def solved(
    case: Case, cuts: list[Cut], rng: np.random.Generator, device: str
) -> dict[str, NDArray]:
    """Score and solve; return the likeliest pairs of the shuffled tiles, truth and assemblies."""
    tiles, truth = photographed(case, cuts, rng)
    tile_set = TileSet(tiles, tuple(str(tile) for tile in range(len(tiles))))
    measure = get_measure(case.measure, **({} if case.measure == "mgc" else {"device": device}))
    scores = measure.score(tile_set, upright=case.upright)
    return stored(scores, truth, list(assembled(case, scores, rng)), case.upright)


def photographed(
    case: Case, cuts: list[Cut], rng: np.random.Generator
) -> tuple[NDArray[np.uint8], NDArray]:
    """Return the shuffled tiles of all panels, and row, col, turn and panel of each [4, n]."""
    places = np.concatenate(
        [
            np.stack([*np.divmod(np.arange(len(cut.cells)), cut.cols),
                      np.full(len(cut.cells), panel)], axis=1)
            for panel, cut in enumerate(cuts)
        ]
    )  # fmt: skip
    cells = np.concatenate([cut.cells for cut in cuts])
    order = rng.permutation(len(cells))
    lost = "museum" in case.kind or (len(cuts) == 1 and case.kind != "val" and rng.random() < 0.15)
    if lost and len(cells) > 20:
        case.missing = round(float(rng.uniform(0.02, 0.15)), 3)
        order = order[: round(len(cells) * (1 - case.missing))]
    turn = np.zeros(len(order), int) if case.upright else rng.integers(0, 4, len(order))
    tiles = np.stack(
        [
            turn_picture(photograph_tile(cells[o], case.trim, LIGHT[case.light], rng, SIZE), -t)
            for o, t in zip(order, turn, strict=True)
        ]
    )
    row, col, panel = places[order].T
    return tiles, np.stack([row, col, turn, panel])


def museum_groups(
    case: Case, cuts: list[Cut], rng: np.random.Generator
) -> list[tuple[Case, dict[str, NDArray]]]:
    """Describe, sort and solve the tiles of many panels as a collection does, group by group."""
    tiles, truth = photographed(case, cuts, rng)
    descriptions, scales = describe_tiles(tiles, Runtime(load_model("best"), "cpu"))

    def job(which: NDArray[np.intp]) -> GroupJob:
        edges = (4 * which[:, None] + np.arange(4)).ravel()
        files = tuple(str(tile) for tile in which)
        return GroupJob(tiles[which], descriptions[edges], scales[edges], files, Knowns(),
                        "standard", 0)  # fmt: skip

    groups = sort_tiles(score_job(job(np.arange(len(tiles)))))
    found = []
    for panel in range(groups.panels):
        which = groups.tiles(panel)
        if len(which) < LEAST_GROUP:
            continue
        scores, assembly, _, _ = solve_job((), job(which))
        group = replace(case, runs=["group"], worth=[0.0])
        found.append((group, stored(scores, truth[:, which], [assembly], upright=False)))
    return found


def stored(
    scores: Compatibility, truth: NDArray, assemblies: list[Assembly], upright: bool
) -> dict[str, NDArray]:
    """Return what is kept of a case: its likeliest pairs, truth and assemblies."""
    best, value = scores.best(min(KEPT, len(scores.scores)), upright)
    kept = value >= LEAST
    dense = np.maximum(scores.dense(), 0)
    return {
        "truth": truth.astype(np.int16),
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
