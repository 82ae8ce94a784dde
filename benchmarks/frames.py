"""How well painted frames are found and laid as frames; turned tiles, size known or unknown.

    python benchmarks/frames.py [--workers N]
    python benchmarks/frames.py PANELS... [--workers N]
    python benchmarks/frames.py --fit

Two kinds of made-up panels, worn and turned, at trims of 3 and 5 %: practice panels, and panels
whose frame is one border tile and one corner tile, repeated. PANELS are real ones, NAME__RxC.jpg:
they are measured instead, and put at the end of the page. ``--fit`` prints the weights of
measures/outer_sides.py, fitted to practice panels of other seeds.
"""

import argparse
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from multiprocessing import get_context
from pathlib import Path
from statistics import mean

import numpy as np
from numpy.typing import NDArray

from azulejar import Assembly, Knowns, TileSet, evaluate, get_measure, joint_confidence, solve
from azulejar.core.compatibility import Compatibility
from azulejar.core.edges import rotate_edge
from azulejar.core.joints import Joints
from azulejar.evaluation.markdown import NONE
from azulejar.evaluation.protocol import find_panels
from azulejar.imaging.picture import read_picture
from azulejar.measures import outer_sides
from azulejar.measures.postprocess import by_outer_sides
from azulejar.patterns.designs import find_designs
from azulejar.patterns.finding import FEW
from azulejar.patterns.frames import lay_frame
from azulejar.practice.painting.panel import paint_panel
from azulejar.practice.puzzles import cut, make_puzzle
from azulejar.practice.wear import age_tiles
from logistic import fit
from tables import RESULTS, origin, table, write_page

SIZES = ((6, 8), (7, 7), (6, 9), (7, 8), (8, 8), (7, 10), (8, 9), (8, 10), (9, 9), (9, 10), (9, 12),
         (10, 12))  # fmt: skip
TRIMS = (0.03, 0.05)
WEARS = (0.0, 0.5, 1.0)
JUDGED, FITTED = 9100, 7000  # first seeds
CELL, SIZE = 64, 50  # pixels before and after trimming
SURE, ENOUGH = 0.95, 20  # a joint is sure from this confidence; a worst panel has so many of them
STRAIGHT, CORNER = 1, 2
FIT_ROUNDS = 8
FRAMES = {"practice": None, "repeated": 1.0}  # width in tiles
PANELS = {"practice": 12, "repeated": 6}
TITLES = {
    "practice": "Practice panels: scrolls that differ from tile to tile",
    "repeated": "One border tile and one corner tile, repeated",
}
REAL = "Real panels"
INTRODUCTION = (
    "The measure `dlcm` finds which sides lie on the rim of a frame from the scores alone "
    "(`src/azulejar/measures/outer_sides.py`) and lowers the probability of pairs that they speak "
    "against. A frame of one border tile and one corner tile, repeated, is found by its alike "
    "tiles (`src/azulejar/patterns/frames.py`): their numbers tell the size, and they are laid "
    "all around before the rest is solved. *Before* is without these steps (`dlcm:none`, and no "
    "locks). Twelve panels of 6 × 8 to 10 × 12 tiles, and six of 6 × 8 to 7 × 10, at either trim, "
    "worn and turned, seed 0; other panels than those that the weights were fitted on. *Up to "
    "alike tiles* counts a joint as right if only tiles were exchanged that are alike by design, "
    "so that nothing in the picture tells which is which: the four corners, and in the second "
    "kind all border tiles. *Sure* joints have a confidence of 0.95 or more; the worst panel has "
    "at least 20 of them; the command line and the page also hold that no tile is surer than one "
    "in its copies, which is not counted here."
)


@dataclass
class Puzzle:
    """A framed puzzle: scores before the step ``outer``, and which tiles are alike by design.

    ``kind`` [n] is 0 for a tile that is like no other; ``front`` [n] is the side of a tile that
    corresponds in all tiles of its kind.
    """

    name: str
    trim: float
    tiles: NDArray[np.uint8]
    scores: Compatibility
    truth: Assembly
    kind: NDArray[np.intp]
    front: NDArray[np.intp]

    @property
    def outer(self) -> NDArray[np.bool_]:
        return self.truth.neighbours() < 0


def main() -> None:
    ask = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    ask.add_argument("panels", nargs="*", type=Path, metavar="PANELS")
    ask.add_argument("--fit", action="store_true")
    ask.add_argument("--workers", type=int, default=1, help="panels judged side by side")
    options = ask.parse_args()
    if options.fit:
        # In the largest panels, a trim of 5 % takes off most of the outer mouldings.
        told = [each for each in puzzles("practice", FITTED)
                if each.trim < max(TRIMS) or len(each.truth) <= 100]  # fmt: skip
        print(fitted_weights(told).round(2).tolist())
        return
    sections = []
    with ProcessPoolExecutor(options.workers, get_context("spawn")) as pool:
        if options.panels:
            real = [pool.submit(judge_real_panel, path) for path in options.panels]
            add_real_panels([each for job in real for each in job.result()])
            return
        jobs = {kind: [pool.submit(judge_panel, kind, number) for number in range(PANELS[kind])]
                for kind in TITLES}  # fmt: skip
        for kind, panels in jobs.items():
            found = [each for job in panels for each in job.result()]
            sections += [f"## {TITLES[kind]}", found_table(found), laid_table(found)]
    write_page("frames.md", "# Painted frames", origin(judged=True), INTRODUCTION, *sections)


def add_real_panels(found: list[dict]) -> None:
    """Put what was found of real panels at the end of the page."""
    page = (RESULTS / "frames.md").read_text(encoding="utf-8")
    others, _, _ = page.partition(f"## {REAL}")
    count = len(found) // len(TRIMS)
    text = f"{origin(judged=True)} {count} panels, turned, not worn, one run each."
    if not any(each["claimed"] or each["repeated"] for each in found):
        text += (
            " No frame is found in any of them, neither by its outer sides nor by alike tiles, so "
            "*after* is the same as *before*."
        )
    write_page("frames.md", others.strip(), f"## {REAL}", text, found_table(found),
               laid_table(found))  # fmt: skip


def judge_real_panel(path: Path) -> list[dict[str, object]]:
    panel, measure = find_panels(path)[0], get_measure("dlcm")
    found = []
    for trim in TRIMS:
        cells = cut(read_picture(path), panel.rows, panel.cols, trim, SIZE)
        tiles, truth = make_puzzle(cells, panel.rows, panel.cols, turned=True, seed=0)
        names = tuple(str(tile) for tile in range(len(tiles)))
        scores = measure.score(TileSet(tiles, names), post=())
        none = np.zeros(len(tiles), np.intp)  # no two tiles are alike by design
        found.append(judged(Puzzle(panel.name, trim, tiles, scores, truth, none, none)))
    return found


def judge_panel(kind: str, number: int) -> list[dict[str, object]]:
    return [judged(puzzle) for puzzle in puzzles(kind, JUDGED, [number])]


def puzzles(kind: str, seed: int, numbers: Sequence[int] | None = None) -> Iterator[Puzzle]:
    measure = get_measure("dlcm")
    for number in range(PANELS[kind]) if numbers is None else numbers:
        rows, cols = SIZES[number]
        picture = paint_panel(rows, cols, CELL, seed + number, border=FRAMES[kind])
        cells = cut(picture, rows, cols)
        if kind == "repeated":
            cells = with_repeated_frame(cells, rows, cols)
        worn = age_tiles(cells, np.random.default_rng(seed + number), WEARS[number % len(WEARS)])
        whole = worn.reshape(rows, cols, CELL, CELL, 3).swapaxes(1, 2)
        for trim in TRIMS:
            trimmed = cut(whole.reshape(picture.shape), rows, cols, trim, SIZE)
            tiles, truth = make_puzzle(trimmed, rows, cols, turned=True, seed=seed + number)
            names = tuple(str(tile) for tile in range(len(tiles)))
            scores = measure.score(TileSet(tiles, names), post=())
            alike = kinds_of(truth, repeated=kind == "repeated")
            yield Puzzle(f"{rows} × {cols}", trim, tiles, scores, truth, *alike)


def with_repeated_frame(cells: NDArray[np.uint8], rows: int, cols: int) -> NDArray[np.uint8]:
    """Put one border tile all around the panel, and corners that are mitred from it.

    Its right half is the mirror image of its left half, so that it continues in itself.
    """
    grid = cells.reshape(rows, cols, CELL, CELL, 3).copy()
    straight = grid[0, 1].copy()
    straight[:, CELL // 2 :] = straight[:, : CELL // 2][:, ::-1]
    down, right = np.mgrid[:CELL, :CELL]
    corner = straight[np.minimum(down, right), np.maximum(down, right)]
    for quarters in range(4):
        turned = np.rot90(grid, quarters)  # a view, in which one side of the frame is on top
        turned[0, 1:-1] = np.rot90(straight, -quarters)
        turned[0, 0] = np.rot90(corner, -quarters)
    return grid.reshape(cells.shape)


def kinds_of(truth: Assembly, repeated: bool) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """Return kind and front of each tile: corners are alike, repeated border tiles as well."""
    sides = (truth.neighbours() < 0).reshape(-1, 4)
    count = sides.sum(axis=1)
    kind = np.where(count == 2, CORNER, np.where((count == 1) & repeated, STRAIGHT, 0))
    # Of a corner's two outer sides, the one that has the other clockwise of it.
    first = sides & np.where((count == 2)[:, None], np.roll(sides, -1, axis=1), True)
    return kind, np.where(kind > 0, first.argmax(axis=1), 0)


def judged(puzzle: Puzzle) -> dict[str, object]:
    """Find and lay the frame, with and without the step, size known and unknown."""
    scores = by_outer_sides(puzzle.scores, upright=False)
    claimed = scores is not puzzle.scores
    outer = outer_sides.find_outer_sides(Joints.of(puzzle.scores, upright=False))
    taken = np.zeros(len(puzzle.outer), bool) if outer is None else outer > 0.5
    designs = find_designs(puzzle.tiles, least=FEW)
    found: dict[str, object] = {
        "trim": puzzle.trim, "claimed": claimed, "taken": int(taken.sum()),
        "repeated": lay_frame(designs, Knowns()) is not None,
        "right": int((taken & puzzle.outer).sum()), "outer": int(puzzle.outer.sum()),
    }  # fmt: skip
    size = Knowns(puzzle.truth.rows, puzzle.truth.cols)
    for step, given in (("before", puzzle.scores), ("after", scores)):
        for which, knowns in (("unknown", Knowns()), ("known", size)):
            framed = lay_frame(designs, knowns) if step == "after" else None
            if step == "after" and not claimed and framed is None:
                found[f"after {which}"] = found[f"before {which}"]
                continue
            found[f"{step} {which}"] = laid(puzzle, given, solve(given, framed or knowns))
    print(puzzle.name, found, flush=True)
    return found


def laid(puzzle: Puzzle, scores: Compatibility, assembly: Assembly) -> dict[str, float]:
    truth = puzzle.truth
    joints, confidence = joint_confidence(scores, assembly)
    true = truth.neighbours()
    right = true[joints[:, 0]] == joints[:, 1]
    sure = confidence >= SURE
    of_kind = set(map(tuple, by_kind(puzzle, truth.joints()).tolist()))
    alike = [tuple(each) in of_kind for each in by_kind(puzzle, joints).tolist()]
    return {
        "neighbour": evaluate(assembly, truth, upright=False).neighbour,
        "alike": sum(alike) / len(truth.joints()),
        "size": sorted((assembly.rows, assembly.cols)) == sorted((truth.rows, truth.cols)),
        "sure": int(sure.sum()),
        "sure right": int((sure & right).sum()),
        "sure alike": int((sure & np.array(alike)).sum()),
    }


def by_kind(puzzle: Puzzle, joints: NDArray[np.integer]) -> NDArray[np.integer]:
    """Name the edges of alike tiles alike, and sort the two edges of each joint [m, 2]."""
    tile = joints // 4
    own = np.where(puzzle.kind > 0, -puzzle.kind, np.arange(len(puzzle.kind)))
    side = rotate_edge(joints, -puzzle.front[tile]) % 4
    return np.sort(4 * own[tile] + side, axis=1)


def found_table(found: list[dict]) -> str:
    rows = []
    for trim in TRIMS:
        here = [each for each in found if each["trim"] == trim]
        claimed = [each for each in here if each["claimed"]]
        taken, right = (sum(each[key] for each in claimed) for key in ("taken", "right"))
        rows.append([
            f"{trim:.0%}", f"{len(claimed)} of {len(here)}",
            f"{sum(each['repeated'] for each in here)} of {len(here)}",
            share(right, taken),
            share(right, sum(each["outer"] for each in here)),
        ])  # fmt: skip
    head = ["trim", "panels with a frame found", "with a repeated frame",
            "outer sides: precision", "recall in all panels"]  # fmt: skip
    return table(head, rows)


def laid_table(found: list[dict]) -> str:
    rows = []
    for trim in TRIMS:
        for which in ("unknown", "known"):
            for step in ("before", "after"):
                here = [each[f"{step} {which}"] for each in found if each["trim"] == trim]
                sure = sum(each["sure"] for each in here)
                enough = [each for each in here if each["sure"] >= ENOUGH]
                worst = min((each["sure right"] / each["sure"] for each in enough), default=0)
                rows.append([
                    f"{trim:.0%}", which, step,
                    f"{100 * mean(each['neighbour'] for each in here):.1f}",
                    f"{100 * mean(each['alike'] for each in here):.1f}",
                    f"{sum(each['size'] for each in here)} of {len(here)}",
                    f"{share(sum(each['sure right'] for each in here), sure)} of {sure}",
                    share(sum(each["sure alike"] for each in here), sure),
                    share(worst, bool(enough)),
                ])  # fmt: skip
    head = ["trim", "size", "outer sides", "neighbour accuracy", "up to alike tiles", "size right",
            "sure joints that are right", "up to alike tiles", "in the worst panel"]  # fmt: skip
    return table(head, rows)


def share(part: float, whole: int) -> str:
    return f"{part / whole:.1%}" if whole else NONE


def fitted_weights(given: list[Puzzle]) -> NDArray[np.float64]:
    """Fit the weights to where they lead themselves, each time halfway.

    For each weight, one row of either outcome is added, so that none grows without bounds.
    """
    prepared = []
    for puzzle in given:
        kind, lines = outer_sides.prepare(Joints.of(puzzle.scores, upright=False))
        prepared.append((kind, lines, puzzle.outer))
    weights = None
    count = len(outer_sides.WEIGHTS)
    added = np.arange(2 * count) < count
    true = np.concatenate([*(outer for *_, outer in prepared), added])
    for rounds in range(FIT_ROUNDS):
        rows = []
        for kind, lines, _ in prepared:
            outer = outer_sides.first_guess(kind, lines)
            if weights is not None:
                outer = outer_sides.settle(kind, lines, outer, weights, rounds)
            rows.append(outer_sides.features(kind, lines, outer))
        fresh = fit(np.concatenate([*rows, np.eye(count), np.eye(count)]), true)
        weights = fresh if weights is None else (weights + fresh) / 2
    assert weights is not None
    return weights


if __name__ == "__main__":
    main()
