"""Puzzles of all kinds, scored and solved, from which the confidence is fitted and judged.

    python benchmarks/judging_cases.py DATA -o CASES --processes 12 --seconds 900
    python benchmarks/judging_cases.py --pack CASES -o PARTS

DATA holds panels/train, panels/val, pictures/books and benchmark/mit_432. Case k is drawn from a
random stream of its own, and kinds alternate, so that a run that is stopped leaves a fair sample.
Each case is one file: its likeliest pairs, the truth, and the assemblies that were found. Packing
puts them into tar files of at most 14 MiB, which benchmarks/confidence.py reads.
"""

import argparse
import io
import json
import multiprocessing
import os
import tarfile
import time
import traceback
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageFilter

from azulejar.core.assembly import Assembly
from azulejar.core.compatibility import Compatibility
from azulejar.core.edges import turn_picture
from azulejar.core.knowns import Knowns
from azulejar.core.tiles import TileSet
from azulejar.measures import get_measure
from azulejar.practice.painting.panel import paint_panel
from azulejar.practice.puzzles import cut
from azulejar.practice.wear import age_tiles
from azulejar.solvers import PRESETS, solve
from azulejar.sorting import solve_crate, sort_tiles

CELL, SIZE = 64, 50  # pixels of a cell before trimming, and of the tile that is scored
KEPT = 64  # partners of each edge
LEAST = 1e-5  # probabilities below are not kept
LARGEST_PART = 14 << 20  # bytes

# Gain, tint of each channel, gradient; blur in pixels of 64, noise; turn in degrees, error of crop.
LEVELS = {
    "mild": (0.05, 0.02, 0.04, 0.4, 0.010, 0.5, 0.007),
    "medium": (0.10, 0.04, 0.08, 0.7, 0.015, 1.0, 0.015),
    "strong": (0.18, 0.08, 0.15, 1.0, 0.025, 1.5, 0.025),
}
# One round of cases; "judge" kinds are never fitted on.
ROUND = (
    "books", "painted", "val", "train", "judge-books", "books", "painted", "judge-painted",
    "val", "crate", "books", "photographs", "painted", "train", "judge-books", "judge-crate",
    "books", "judge-painted", "val", "painted",
)  # fmt: skip
VAL_CONDITIONS = (
    *((trim, "none") for trim in (0.03, 0.05, 0.07, 0.09, 0.11)),
    *((0.05, level) for level in LEVELS),
    (0.07, "mild"),
    (0.03, "medium"),
)
JUDGED_BOOKS = 3  # every so many books are judged on
INKS = np.array(
    [
        [(247, 246, 243), (120, 150, 200), (24, 40, 110)],  # cobalt
        [(246, 243, 238), (170, 126, 160), (66, 34, 72)],  # manganese
        [(243, 245, 236), (120, 176, 140), (22, 72, 58)],  # copper
        [(247, 245, 232), (226, 182, 92), (112, 66, 22)],  # antimony
    ],
    float,
)
GREY = np.array([0.3, 0.59, 0.11])


@dataclass
class Cut:
    """Cells [n, 64, 64, 3] of one panel, and where each lies."""

    cells: NDArray[np.uint8]
    rows: int
    cols: int


@dataclass
class Case:
    """What a case file holds, besides arrays."""

    number: int
    kind: str
    trim: float
    light: str = "none"
    upright: bool = False
    measure: str = "dlcm"
    sources: list[str] = field(default_factory=list)
    sizes: list[tuple[int, int]] = field(default_factory=list)
    missing: float = 0.0
    runs: list[str] = field(default_factory=list)  # what each assembly was made with
    worth: list[float] = field(default_factory=list)  # fitness of each assembly
    seconds: float = 0.0


@dataclass
class StoredCase:
    """A case as it was stored: pairs that were not kept score 0."""

    about: Case
    scores: Compatibility
    truth: Assembly
    assemblies: list[Assembly]


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


def pack(cases: Path, output: Path) -> None:
    """Put the cases, in the order of their numbers, into tar files of limited size."""
    part, size = None, 0
    for number, path in enumerate(sorted(cases.glob("*.npz"))):
        length = path.stat().st_size + 1536
        if part is None or size + length > LARGEST_PART:
            if part is not None:
                part.close()
            part, size = tarfile.open(output / f"cases_{number:04d}.tar", "w"), 0  # noqa: SIM115
        part.add(path, path.name)
        size += length
    if part is not None:
        part.close()


def read_cases(folder: Path) -> Iterator[StoredCase]:
    """Yield the cases that were packed into a folder."""
    for path in sorted(folder.glob("cases_*.tar")):
        with tarfile.open(path) as part:
            for member in part:
                stored = part.extractfile(member)
                assert stored is not None
                yield _read_case(np.load(io.BytesIO(stored.read())))


def _read_case(stored: Mapping[str, NDArray]) -> StoredCase:
    about = Case(**json.loads(bytes(stored["about"]).decode()))
    partner, score = stored["partner"].astype(np.intp), stored["score"].astype(np.float32)
    edges = len(partner)
    dense = np.zeros((edges, edges), np.float32)
    np.maximum.at(dense, (np.arange(edges)[:, None], partner), score)
    files = tuple(str(tile) for tile in range(edges // 4))
    return StoredCase(
        about,
        Compatibility(np.maximum(dense, dense.T), files, about.measure),
        Assembly.of(*stored["truth"]),
        [Assembly(*laid.astype(np.int32)) for laid in stored["assemblies"]],
    )


def make_case(data: Path, output: Path, seed: int, number: int, largest: int) -> None:
    """Draw, score, solve and write one case; -1 is a small one."""
    started = time.time()
    try:
        case, arrays = drawn(data, np.random.default_rng([seed, number + 1]), number, largest)
        case.seconds = round(time.time() - started, 1)
        about = np.frombuffer(json.dumps(case.__dict__).encode(), np.uint8)
        path = output / f"case_{number:04d}.npz"
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
    light = str(rng.choice(["none", *LEVELS], p=[0.5, 0.17, 0.18, 0.15]))
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
    """About how many tiles: 12 to 320, rarely up to the largest."""
    if rng.random() < 0.03:
        return int(rng.uniform(400, largest))
    return int(np.exp(rng.uniform(np.log(12), np.log(320))))


def of_kind(
    kind: str, judge: bool, data: Path, case: Case, rng: np.random.Generator, most: int
) -> Cut:
    if kind == "painted":
        return painted(case, rng, most, judge)
    if kind == "train":
        files = sorted((data / "panels" / "train").glob("*.jpg"))
        return of_panel(files[rng.integers(len(files))], case, rng, most)
    if kind == "photographs":
        files = sorted(path for path in (data / "benchmark" / "mit_432").iterdir()
                       if path.suffix in (".png", ".jpg", ".webp"))  # fmt: skip
        return of_picture(files[rng.integers(len(files))], case, rng, most)
    files = sorted((data / "pictures" / "books").glob("*.webp"))
    names = sorted({path.stem.rpartition("_")[0] for path in files})
    judged = set(names[::JUDGED_BOOKS])
    files = [path for path in files if (path.stem.rpartition("_")[0] in judged) == judge]
    return of_picture(files[rng.integers(len(files))], case, rng, most, blue=rng.random() < 0.5)


def crate(data: Path, case: Case, rng: np.random.Generator, most: int) -> list[Cut]:
    """Two to five panels of any kind; several painted ones share subject and frame."""
    judge = "judge" in case.kind
    count = int(rng.choice([2, 3, 4, 5], p=[0.45, 0.3, 0.15, 0.1]))
    kinds = rng.choice(["books", "painted", "val" if judge else "train"], count)
    found = []
    for kind in kinds:
        size = int(most / count * rng.uniform(0.5, 1))
        if kind == "val":
            files = sorted((data / "panels" / "val").glob("*.jpg"))
            found.append(of_panel(files[rng.integers(len(files))], case, rng, size))
        else:
            found.append(of_kind(str(kind), judge, data, case, rng, size))
    return found


def of_panel(
    path: Path, case: Case, rng: np.random.Generator, most: int, whole: bool = False
) -> Cut:
    """A panel, or a part of it that has about so many tiles."""
    rows, cols = map(int, path.stem.split("__")[1].split("x"))
    case.sources.append(path.stem)
    cells = cells_of(np.asarray(Image.open(path).convert("RGB")), rows, cols)
    grid = cells.reshape(rows, cols, CELL, CELL, 3)
    if not whole and rows * cols > most:
        tall = int(np.clip(round(np.sqrt(most * rng.uniform(0.5, 1.6))), 3, rows))
        wide = int(np.clip(most // tall, 3, cols))
        top, left = rng.integers(rows - tall + 1), rng.integers(cols - wide + 1)
        grid = grid[top : top + tall, left : left + wide]
    case.sizes.append(grid.shape[:2])
    return Cut(grid.reshape(-1, CELL, CELL, 3), *grid.shape[:2])


def of_picture(
    path: Path, case: Case, rng: np.random.Generator, most: int, blue: bool = False
) -> Cut:
    """A picture as a panel, as it is, or as if painted on tiles that have aged."""
    picture = np.asarray(Image.open(path).convert("RGB"))
    height, width = picture.shape[:2]
    cell = int(np.clip(np.sqrt(height * width / most), 28, min(height, width) / 3))
    rows, cols = height // cell, width // cell
    if rows * cols > most:  # only a part of the picture
        rows = max(3, min(rows, round(np.sqrt(most))))
        cols = max(3, min(cols, most // rows))
    top, left = rng.integers(height - rows * cell + 1), rng.integers(width - cols * cell + 1)
    picture = picture[top : top + rows * cell, left : left + cols * cell]
    case.sources.append(path.stem + (" blue" if blue else ""))
    case.sizes.append((rows, cols))
    if blue:
        picture = coloured(picture, INKS[rng.choice(len(INKS), p=[0.7, 0.1, 0.1, 0.1])])
    cells = cells_of(picture, rows, cols)
    return Cut(age_tiles(cells, rng, rng.uniform(0.2, 1.2)) if blue else cells, rows, cols)


def painted(case: Case, rng: np.random.Generator, most: int, judge: bool) -> Cut:
    """A panel of the practice room; those to be judged have an odd number of rows."""
    most = int(np.clip(most, 20, 260))
    rows = int(np.clip(round(np.sqrt(most * rng.uniform(0.5, 2))), 4, 18))
    rows += (rows % 2 == 0) == judge
    cols = int(np.clip(most // rows, 4, 20))
    seed = int(rng.integers(10**6))
    case.sources.append(f"painted {seed}")
    case.sizes.append((rows, cols))
    picture = paint_panel(rows, cols, CELL, seed=seed)
    if rng.random() < 0.3:
        picture = coloured(picture, INKS[rng.integers(1, len(INKS))])
    cells = cells_of(picture, rows, cols)
    return Cut(age_tiles(cells, rng, float(rng.choice([0, 0.5, rng.uniform(0, 1.2)]))), rows, cols)


def coloured(picture: NDArray[np.uint8], inks: NDArray[np.float64]) -> NDArray[np.uint8]:
    ink = np.clip((243 - picture @ GREY) / 205, 0, 1)
    rgb = np.stack([np.interp(ink, (0.0, 0.5, 1.0), inks[:, c]) for c in range(3)], axis=2)
    return np.round(rgb).astype(np.uint8)


def cells_of(picture: NDArray[np.uint8], rows: int, cols: int) -> NDArray[np.uint8]:
    return cut(picture, rows, cols, 0.0, CELL)


def photographed(
    cell: NDArray[np.uint8], trim: float, light: str, rng: np.random.Generator
) -> NDArray[np.uint8]:
    """One tile [50, 50, 3] from its own pixels alone: moved, turned, blurred, lit, made noisy."""
    if light == "none":
        box = (CELL * trim, CELL * trim, CELL - CELL * trim, CELL - CELL * trim)
        return np.asarray(Image.fromarray(cell).resize((SIZE, SIZE), Image.Resampling.BICUBIC, box))
    gain, tint, gradient, blur, noise, turn, crop = LEVELS[light]
    x, y = CELL / 2 + rng.uniform(-crop, crop, 2) * CELL
    step = (1 - 2 * trim) * (1 + rng.uniform(-crop, crop))
    angle = np.deg2rad(rng.uniform(-turn, turn))
    c, s, h, rim = step * np.cos(angle), step * np.sin(angle), CELL / 2, 8
    padded = Image.fromarray(np.pad(cell, ((rim, rim), (rim, rim), (0, 0)), mode="edge"))
    matrix = (c, -s, x - c * h + s * h + rim, s, c, y - s * h - c * h + rim)
    tile = padded.transform((CELL, CELL), Image.Transform.AFFINE, matrix, Image.Resampling.BICUBIC)
    tile = tile.filter(ImageFilter.GaussianBlur(rng.uniform(0.05, blur)))
    value = np.asarray(tile).astype(np.float32) / 255
    down, right = np.mgrid[-1 : 1 : CELL * 1j, -1 : 1 : CELL * 1j]
    slope = rng.uniform(-gradient, gradient, 2)
    value = value * (1 + rng.uniform(-gain, gain)) * (1 + rng.uniform(-tint, tint, 3))
    value = value * (1 + slope[0] * right + slope[1] * down)[..., None]
    value = value + rng.normal(0, noise, value.shape) * rng.uniform(0.3, 1)
    lit = Image.fromarray((value.clip(0, 1) * 255 + 0.5).astype(np.uint8))
    return np.asarray(lit.resize((SIZE, SIZE), Image.Resampling.BICUBIC))


def solved(case: Case, cuts: list[Cut], rng: np.random.Generator) -> dict[str, NDArray]:
    """The likeliest pairs of the shuffled tiles, the truth, and assemblies."""
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
            turn_picture(photographed(cells[o], case.trim, case.light, rng), -t)
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
    """Assemblies of several runs; ``case`` notes how each was made."""
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
