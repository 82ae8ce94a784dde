"""What an old picture of the panel gains, and what a wrong one costs.

    python benchmarks/reference.py PANELS OTHERS WORK [--workers N] [--device auto]
    python benchmarks/reference.py --picture

PANELS holds NAME__RxC.jpg, OTHERS pictures of other things. WORK keeps scores, first assemblies and
what is measured, so that a run that is stopped goes on from there. ``--picture`` only draws the
picture of docs/reference.md, of a painted panel.
"""

import argparse
import json
from collections.abc import Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import dataclass
from multiprocessing import get_context
from pathlib import Path
from statistics import mean

import cv2
import numpy as np
from numpy.typing import NDArray

from azulejar import (
    Assembly,
    Compatibility,
    Knowns,
    Solution,
    TileSet,
    evaluate,
    get_measure,
    render,
    solve,
    write_picture,
)
from azulejar.evaluation.protocol import KnownPanel, find_panels
from azulejar.imaging.picture import is_picture, read_picture
from azulejar.judging.confidence import joint_confidence
from azulejar.outputs.wording import describe_reference
from azulejar.practice.painting.panel import paint_panel
from azulejar.practice.puzzles import cut, make_puzzle
from azulejar.reference.following import follow_reference
from azulejar.system.atomic import replacing
from azulejar.system.natural_order import natural_order
from tables import RESULTS, origin, table, write_page

TRIMS = (0.07, 0.09)
SIZE = 50  # pixels of a tile
SURE = 0.95  # confidence from which a joint counts as sure
WIDE, DRAWN = 300, 500  # pixels across a photograph and a drawing
PAINTED = (9, 12, 21)  # rows, cols and seed of the panel that illustrates
CROP, SLANT = 0.06, 0.05  # most of a side that is cut off, and by which corners are off
KINDS = {
    "photograph": "a grey photograph, 300 px wide: blurred, noisy, unevenly lit, corners off by "
    "up to 5 % of the shorter side, up to 6 % cut off at each side",
    "drawing": "the contours of the panel as black lines on white, 500 px wide, slanted and "
    "cropped like the photograph",
    "mirror image": "the photograph, mirrored",
    "another panel": "a photograph, made in the same way, of another panel",
    "another picture": "the same of a picture that shows something else",
}


@dataclass(frozen=True)
class Task:
    """One puzzle: a panel, how much is lost, whether its size is known, and what is given."""

    panels: Path
    others: Path
    work: Path
    name: str
    trim: float
    size: str = "unknown"
    kind: str = ""
    device: str = "auto"

    @property
    def panel(self) -> KnownPanel:
        return next(each for each in find_panels(self.panels) if each.name == self.name)

    def file(self, *parts: str, suffix: str) -> Path:
        stem = "_".join([self.name, f"{self.trim:.2f}", *parts]).replace(" ", "-")
        return self.work / f"{stem}{suffix}"

    @property
    def scores(self) -> Path:
        return self.file(suffix=".npz")

    @property
    def first(self) -> Path:
        return self.file(self.size, suffix=".solution.json")

    @property
    def result(self) -> Path:
        return self.file(self.size, self.kind, suffix=".result.json")

    @property
    def knowns(self) -> Knowns:
        known = self.size == "known"
        return Knowns(self.panel.rows, self.panel.cols) if known else Knowns()

    def puzzle(self) -> tuple[TileSet, Assembly]:
        panel = self.panel
        cells = cut(read_picture(panel.path), panel.rows, panel.cols, self.trim, SIZE)
        pixels, truth = make_puzzle(cells, panel.rows, panel.cols, turned=True, seed=0)
        return TileSet(pixels, tuple(f"{tile}.png" for tile in range(len(pixels)))), truth


def main() -> None:
    ask = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    for name in ("panels", "others", "work"):
        ask.add_argument(name, type=Path, nargs="?")
    ask.add_argument("--picture", action="store_true")
    ask.add_argument("--workers", type=int, default=1)
    ask.add_argument("--device", default="auto", help="that scores edges")
    given = ask.parse_args()
    if given.picture:
        illustrate()
        return
    if given.work is None:
        ask.error("give PANELS, OTHERS and WORK")
    given.work.mkdir(parents=True, exist_ok=True)
    panels = sorted(find_panels(given.panels), key=lambda each: -each.rows * each.cols)
    puzzles = [
        Task(given.panels, given.others, given.work, panel.name, trim, device=given.device)
        for panel in panels
        for trim in TRIMS
    ]
    sized = [with_(task, size=size) for task in puzzles for size in ("unknown", "known")]
    every = [
        with_(task, size=size, kind=kind)
        for size in ("unknown", "known")
        for trim in TRIMS
        for task in puzzles
        if task.trim == trim
        for kind in KINDS
    ]
    solve(get_measure("mgc").score(puzzles[-1].puzzle()[0]), preset="fast")  # compiled only once
    with ProcessPoolExecutor(given.workers, get_context("spawn")) as pool:
        for step, tasks in ((score, puzzles), (lay, sized), (follow, every)):
            for number, done in enumerate(run(pool, step, tasks), 1):
                print(f"{step.__name__} {number} of {len(tasks)}: {done}", flush=True)
                if step is follow and number % (len(panels) * len(KINDS)) == 0:
                    write(every, len(panels))


def with_(task: Task, **changes: str) -> Task:
    return Task(**{**vars(task), **changes})


def run(pool: ProcessPoolExecutor, step, tasks: list[Task]) -> Iterator[object]:
    for done in as_completed([pool.submit(step, task) for task in tasks]):
        yield done.result()


def score(task: Task) -> str:
    if not task.scores.exists():
        get_measure("dlcm", device=task.device).score(task.puzzle()[0]).save(task.scores)
    return task.scores.name


def lay(task: Task) -> str:
    """Solve without any reference."""
    if not task.first.exists():
        scores = Compatibility.load(task.scores)
        Solution.of(solve(scores, task.knowns), scores.files).save(task.first)
    return task.first.name


def follow(task: Task) -> dict:
    """Solve with a reference."""
    if task.result.exists():
        return json.loads(task.result.read_text(encoding="utf-8"))
    tiles, truth = task.puzzle()
    scores = Compatibility.load(task.scores)
    first = Solution.load(task.first).assembly(scores.files)
    knowns = task.knowns.for_tiles(len(tiles))
    found = follow_reference(
        tiles, scores, reference(task), knowns, first, lambda given: solve(given, knowns)
    )
    joints, confidence = joint_confidence(found.compatibility, found.assembly)
    right = truth.neighbours()[joints[:, 0]] == joints[:, 1]
    result = {
        "panel": task.name,
        "trim": task.trim,
        "size": task.size,
        "kind": task.kind,
        "without": evaluate(first, truth, upright=False).neighbour,
        "with": evaluate(found.assembly, truth, upright=False).neighbour,
        "believed": found.believed,
        "mirrored": found.mirrored,
        "bits": found.bits,
        "most": found.most,
        "tiles": found.tiles,
        "sure": int((confidence >= SURE).sum()),
        "sure right": int(right[confidence >= SURE].sum()),
    }
    with replacing(task.result) as temporary:
        temporary.write_text(json.dumps(result), encoding="utf-8")
    return result


def reference(task: Task) -> NDArray[np.uint8]:
    """Make the reference that a task is given."""
    panels = find_panels(task.panels)
    number = [each.name for each in panels].index(task.name)
    if task.kind == "drawing":
        return draw(read_picture(panels[number].path), number)
    if task.kind == "another panel":
        # Panels of one building may share a painted frame.
        family = task.name.split("_")[0]
        after = panels[number + 1 :] + panels[:number]
        picture = next(each.path for each in after if each.name.split("_")[0] != family)
    elif task.kind == "another picture":
        pictures = sorted(filter(is_picture, task.others.iterdir()), key=natural_by_name)
        picture = pictures[number * (len(pictures) // len(panels))]
    else:
        picture = panels[number].path
    taken = photograph(read_picture(picture), number)
    return taken[:, ::-1].copy() if task.kind == "mirror image" else taken


def natural_by_name(path: Path):
    return natural_order(path.name)


def photograph(picture: NDArray[np.uint8], seed: int) -> NDArray[np.uint8]:
    """Return a small old photograph of a picture."""
    rng = np.random.default_rng([seed, 1])
    grey = slant(cv2.cvtColor(picture, cv2.COLOR_RGB2GRAY), rng, WIDE)
    grey = 20 + 0.8 * 255 * (cv2.GaussianBlur(grey, (0, 0), 1.0) / 255).clip(0, 1) ** 1.3
    down, across = (np.linspace(-0.5, 0.5, side) ** 2 for side in grey.shape)
    grey *= 1 - 0.6 * np.add.outer(down, across)
    return in_colour(grey + rng.normal(0, 8, grey.shape))


def draw(picture: NDArray[np.uint8], seed: int) -> NDArray[np.uint8]:
    """Return a drawing of the contours of a picture."""
    smooth = cv2.GaussianBlur(cv2.cvtColor(picture, cv2.COLOR_RGB2GRAY), (0, 0), 2.5)
    lines = cv2.dilate(cv2.Canny(smooth, 20, 55), np.ones((3, 3), np.uint8))
    return in_colour(slant(255 - lines, np.random.default_rng([seed, 2]), DRAWN))


def slant(grey: NDArray[np.uint8], rng: np.random.Generator, width: int) -> NDArray[np.float32]:
    """Return a picture ``width`` px wide, cropped a little and seen a little from the side."""
    high, wide = grey.shape
    left, top, right, bottom = rng.uniform(-0.02, CROP, 4)
    corners = np.array([[left, top], [1 - right, top], [1 - right, 1 - bottom], [left, 1 - bottom]])
    corners = corners * (wide, high) + rng.uniform(-SLANT, SLANT, (4, 2)) * min(high, wide)
    size = (width, round(width * high / wide))
    frame = np.array([[0, 0], [1, 0], [1, 1], [0, 1]]) * size
    matrix = cv2.getPerspectiveTransform(corners.astype(np.float32), frame.astype(np.float32))
    smooth = cv2.GaussianBlur(grey.astype(np.float32), (0, 0), 0.5 * max(1, wide / width))
    return cv2.warpPerspective(smooth, matrix, size, borderValue=110)


def in_colour(grey: NDArray[np.floating]) -> NDArray[np.uint8]:
    return np.repeat(grey.clip(0, 255).astype(np.uint8)[..., None], 3, axis=2)


def illustrate() -> None:
    """Draw a photograph, the panel that is found without it, and the one that is found with it."""
    rows, cols, seed = PAINTED
    picture = paint_panel(rows, cols, 64, seed)[64:-64, 64:-64]  # without its frame
    rows, cols = rows - 2, cols - 2
    cells = cut(picture, rows, cols, 0.1, SIZE)
    pixels, truth = make_puzzle(cells, rows, cols, turned=True, seed=0)
    tiles = TileSet(pixels, tuple(f"{tile}.png" for tile in range(len(pixels))))
    scores, size = get_measure("dlcm").score(tiles), Knowns(rows, cols)
    first, taken = solve(scores, size), photograph(picture, seed)
    found = follow_reference(tiles, scores, taken, size, first, lambda given: solve(given, size))
    for name, assembly in (("without", first), ("with", found.assembly)):
        print(name, evaluate(assembly, truth, upright=False))
    print(describe_reference(found))
    drawn = [render(tiles, each, 36) for each in (first, found.assembly)]
    high, wide = drawn[0].shape[:2]
    parts = [cv2.resize(taken, (wide, high), interpolation=cv2.INTER_CUBIC), *drawn]
    gap = np.full((high, 12, 3), 255, np.uint8)
    beside = np.concatenate([parts[0], gap, parts[1], gap, parts[2]], axis=1)
    write_picture(RESULTS.parent / "images" / "reference.jpg", beside)


def write(tasks: list[Task], panels: int) -> None:
    """Write the page of all panels that are measured at every trim and size."""
    missing = {task.name for task in tasks if not task.result.exists()}
    done = [task.result for task in tasks if task.name not in missing]
    found = [json.loads(path.read_text(encoding="utf-8")) for path in done]
    if not found:
        return
    measured = panels - len(missing)
    write_page(
        "reference.md",
        "# An old picture as a guide",
        f"{origin(judged=True)} {measured} of {panels} panels, turned tiles, one run, neighbour "
        "accuracy in %, means over panels. Each reference is made of the panel's picture with a "
        "perspective and crop of its own, which the program is not told. *Least gain* is that of "
        "the panel that gained least, in points. *Bits* is how much a believed reference tells of "
        "a sure tile's place and turn, and how much there is to tell. Sure joints have a "
        "confidence of 0.95 or more.",
        "\n".join(f"- **{kind}**: {what}." for kind, what in KINDS.items()),
        "## In all",
        table(HEAD, rows_of(found)),
        "## Panel by panel, size unknown",
        table(["panel", "trim", "without", *KINDS], panel_rows(found)),
    )


HEAD = ["trim", "size", "reference", "without", "with", "gain", "least gain", "believed",
        "taken as mirrored", "bits", "sure joints that are right"]  # fmt: skip


def rows_of(found: list[dict]) -> Iterator[list[str]]:
    for trim in TRIMS:
        for size in ("unknown", "known"):
            for kind in KINDS:
                wanted = (trim, size, kind)
                here = [e for e in found if (e["trim"], e["size"], e["kind"]) == wanted]
                used = [each for each in here if each["believed"]]
                gains = [each["with"] - each["without"] for each in here]
                sure = sum(each["sure"] for each in here)
                right = sum(each["sure right"] for each in here)
                yield [
                    f"{trim:.0%}", size, kind, percent(each["without"] for each in here),
                    percent(each["with"] for each in here), f"{100 * mean(gains):+.1f}",
                    f"{100 * min(gains):+.1f}", f"{len(used)} of {len(here)}",
                    str(sum(each["mirrored"] for each in used)),
                    "–" if not used else f"{mean(each['bits'] for each in used):.1f} of "
                    f"{mean(each['most'] for each in used):.1f}",
                    f"{right / max(sure, 1):.1%} of {sure}",
                ]  # fmt: skip


def percent(values: Iterable[float]) -> str:
    return f"{100 * mean(values):.1f}"


def panel_rows(found: list[dict]) -> Iterator[list[str]]:
    here = {(each["panel"], each["trim"], each["kind"]): each
            for each in found if each["size"] == "unknown"}  # fmt: skip
    for panel in dict.fromkeys(each["panel"] for each in found):
        for trim in TRIMS:
            results = [here[panel, trim, kind] for kind in KINDS]
            yield [panel, f"{trim:.0%}", percent([results[0]["without"]]),
                   *(percent([each["with"]]) if each["believed"] else "not believed"
                     for each in results)]  # fmt: skip


if __name__ == "__main__":
    main()
