"""How the default measure weighs network and MGC, fitted on what no figure is reported on.

    python benchmarks/calibration.py SPLIT

SPLIT is made by benchmarks/hold_out.py. Its pictures and panels that were held out are cut into
turned and upright tiles, as they are at trims of 0 to 11 %, and each tile in a light of its own.
"""

import argparse
import os
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from azulejar.learning.pictures import picture_files
from azulejar.learning.shipping import CALIBRATION
from azulejar.measures.dlcm import Dlcm
from azulejar.measures.ensemble import KNOWS, WEIGHT, exclusive_factors, share_known
from azulejar.measures.lighting import sure_joints
from azulejar.practice.photography import cut_one_by_one
from azulejar.practice.puzzles import make_puzzle
from tables import origin, table, write_page

CELL, SIZE, MOST = 64, 50, 12  # pixels of a cell and of a tile; rows and cols of a puzzle
TRIMS = (0.0, 0.01, 0.03, 0.05, 0.07, 0.09, 0.11)
LIGHTS = ("mild", "medium", "strong")
FIXED = (0.0, 0.05, 0.1, 0.2, 0.3, 0.35, 0.5)
SHARPNESS = (0.45, 0.49, 0.55, 0.6, 0.65, 0.7)
NOBODY = (0.005, 0.013, 0.02, 0.03)
BY_RULE = -1.0  # stands for the weight that the tiles ask for
IMPOSSIBLE = -1e4  # evidence for pairs that cannot be partners
BEFORE = (0.35, 0.49, 0.013)  # mgc, sharpness and nobody until they were fitted here
KINDS = {
    "books": "books, of which `best` knows none",
    "pictures": "other pictures",
    "panels": "4 panels of `train`",
}
CLASSES = {
    "whole": "trim 0 to 3 %",
    "worn": "5 and 7 %",
    "far worn": "9 and 11 %",
    "lit": "each tile in its own light",
}


@dataclass(frozen=True)
class Task:
    """One puzzle: what it is cut from and how."""

    path: Path
    kind: str
    trim: float
    light: str
    upright: bool
    seed: int

    @property
    def wear(self) -> str:
        if self.light != "none":
            return "lit"
        return "whole" if self.trim < 0.04 else "worn" if self.trim < 0.08 else "far worn"


@dataclass(frozen=True)
class Found:
    """Loss and rank-1 of a puzzle for each (mgc, sharpness, nobody); ``knows`` as in Ensemble."""

    task: Task
    knows: float
    figures: dict[tuple[float, float, float], tuple[float, float]]


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("split", type=Path)
    parser.add_argument("--workers", type=int, default=os.cpu_count())
    parser.add_argument("--every", type=int, default=1, help="take one puzzle of so many")
    options = parser.parse_args()
    os.environ["AZULEJAR_CACHE"] = "off"
    tasks = plan(options.split / "aside")[:: options.every]
    with ProcessPoolExecutor(options.workers) as pool:
        found = []
        for each in pool.map(weigh, tasks):
            found.append(each)
            print(f"{len(found)} of {len(tasks)}", end="\r", flush=True)
    write(found)


def plan(aside: Path) -> list[Task]:
    """Return the puzzles: each picture once as it is and once lit, panels under all conditions."""
    tasks = []
    for path in picture_files([aside / "panels"]):
        tasks += [Task(path, "panels", trim, "none", False, 1) for trim in TRIMS[1:]]
        tasks += [Task(path, "panels", trim, "none", True, 1) for trim in TRIMS[2::2]]
        tasks += [Task(path, "panels", 0.05, light, False, 1) for light in LIGHTS]
    folders = sorted(path for path in aside.iterdir() if path.name != "panels")
    for i, path in enumerate(path for folder in folders for path in picture_files([folder])):
        kind = "books" if path.parent.name == "books" else "pictures"
        tasks.append(Task(path, kind, TRIMS[i % len(TRIMS)], "none", i % 3 == 2, i))
        tasks.append(Task(path, kind, TRIMS[2 + i % 3], LIGHTS[i // 3 % 3], i % 4 == 3, i))
    return tasks


def weigh(task: Task) -> Found:
    """Score a puzzle and judge all ways to weigh its members."""
    cells = cut_one_by_one(*panel_of(task), task.trim, SIZE, light=task.light, seed=task.seed)
    _, rows, cols = panel_of(task)
    pixels, truth = make_puzzle(cells, rows, cols, turned=not task.upright, seed=task.seed)
    measure = Dlcm(device="cpu")
    measure.upright = task.upright
    measure.prepare(pixels)
    whole = measure.ensemble
    edges = np.arange(whole.edges)
    network, mgc = (mutual(scores) for scores in whole.members(edges))
    partners = (1 if task.upright else 4) * (len(pixels) - 1)
    joints = sure_joints(lambda rows: whole.members(rows)[0], whole.edges)
    knows = share_known(lambda rows: whole.members(rows)[1], whole.edges, joints, partners)
    partner = truth.neighbours()
    by_rule = float(np.interp(knows, KNOWS, WEIGHT))
    figures = {}
    for name, weight in {**{w: w for w in FIXED}, BY_RULE: by_rule}.items():
        for sharpness in SHARPNESS:
            odds = np.exp(sharpness * (network + weight * mgc))
            for nobody in NOBODY:
                figures[name, sharpness, nobody] = judged(odds, nobody, partner)
    return Found(task, knows, figures)


def panel_of(task: Task) -> tuple[NDArray[np.uint8], int, int]:
    """Return a picture, or the part that is used, with its rows and cols."""
    picture = Image.open(task.path).convert("RGB")
    if task.kind == "panels":
        rows, cols = (min(int(n), MOST) for n in task.path.stem.split("__")[1].split("x"))
        return np.asarray(picture.crop((0, 0, cols * CELL, rows * CELL))), rows, cols
    cell = min(picture.size) // (MOST - 2)
    cols, rows = (min(side // cell, MOST) for side in picture.size)
    part = picture.crop((0, 0, cols * cell, rows * cell))
    return np.asarray(part.resize((cols * CELL, rows * CELL), Image.Resampling.BICUBIC)), rows, cols


def mutual(logits: NDArray) -> NDArray:
    """Add the log-probabilities among the partners of either edge; logits are symmetric."""
    norm = np.logaddexp.reduce(logits, axis=1)
    return np.maximum(2 * logits - norm[:, None] - norm, IMPOSSIBLE)


def judged(odds: NDArray, nobody: float, partner: NDArray) -> tuple[float, float]:
    """Return the mean of −ln of the probability of what is true, and rank-1."""
    edge = np.flatnonzero(partner >= 0)
    all_edges = np.broadcast_to(np.arange(len(odds)), odds.shape)
    factor = exclusive_factors(all_edges, odds, np.zeros(len(odds)), nobody, absent=0.0)
    likely = odds * factor[:, None] * factor
    own = np.concatenate([likely[edge, partner[edge]], nobody * factor[partner < 0]])
    right = likely[edge].argmax(1) == partner[edge]
    return float(-np.log(own + 1e-9).mean()), float(right.mean())


def write(found: list[Found]) -> None:
    sharpness, nobody = CALIBRATION["sharpness"], CALIBRATION["nobody"]

    def mean(chosen: list[Found], key: tuple[float, float, float]) -> str:
        loss, rank = np.mean([each.figures[key] for each in chosen], axis=0)
        return f"{100 * rank:.1f} ({loss:.3f})"

    rows = []
    for kind, wear in ((kind, wear) for kind in KINDS for wear in CLASSES):
        chosen = [each for each in found if (each.task.kind, each.task.wear) == (kind, wear)]
        if chosen:
            knows = np.median([each.knows for each in chosen])
            rows.append([KINDS[kind], CLASSES[wear], len(chosen), f"{knows:.2f}",
                         mean(chosen, BEFORE), mean(chosen, (BY_RULE, sharpness, nobody)),
                         *(mean(chosen, (w, sharpness, nobody)) for w in FIXED)])  # fmt: skip
    unseen = [each for each in found if each.task.kind == "books"]
    write_page(
        "calibration.md",
        "# Calibration of `dlcm`",
        f"{origin()} Pictures and panels that benchmarks/hold_out.py sets aside, {len(found)} "
        f"puzzles of at most {MOST} × {MOST} tiles, none of `val`.",
        "The probability that edges i and j are neighbours is u_i·u_j·e^(s·B), with factors u such "
        "that the probabilities of an edge, and nobody·u of having no neighbour, add up to 1, and "
        "B = mutual(network) + mgc·mutual(MGC), both members as log-probabilities among all "
        "partners of either edge. Sharpness s and nobody are in the "
        "model's card.json. The weight of MGC depends on the tiles: *knows* is what MGC knows "
        "about the partners of the joints that the network is sure of, from 0 (no better than "
        f"guessing) to 1 (certain). MGC counts {WEIGHT[0]} up to {KNOWS[0]}, {WEIGHT[1]} from "
        f"{KNOWS[1]} on, and in between by a straight line "
        "(src/azulejar/measures/ensemble.py). Bends at 0.35 and 0.9 fit these puzzles as well; the "
        "present ones let MGC count a little more where it knows much, because an earlier table of "
        "`val` at 3 % had asked for that.",
        "Rank-1 in %, in brackets the loss, the mean of −ln of the probability given to what is "
        f"true. *Before* MGC counted {BEFORE[0]} everywhere, with sharpness {BEFORE[1]} and nobody "
        f"{BEFORE[2]}, fitted on `val`; the other columns have sharpness {sharpness} and nobody "
        f"{nobody}.",
        table(["kind", "class", "puzzles", "knows", "before", "now",
               *(f"mgc {w:g}" for w in FIXED)], rows),
        "`best` was trained on the panels and on the other pictures, which flatters the network "
        "there: sharpness and nobody are chosen on books alone.",
        "## Loss by sharpness and nobody, books",
        table(["sharpness", *(f"nobody {n:g}" for n in NOBODY)],
              [[s, *(f"{np.mean([each.figures[BY_RULE, s, n][0] for each in unseen]):.3f}"
                     for n in NOBODY)] for s in SHARPNESS]),
    )  # fmt: skip


if __name__ == "__main__":
    main()
