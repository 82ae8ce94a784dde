"""Whether an audit finds tiles that belong in an empty place.

python benchmarks/audit_holes.py DATA [--trials 5] [--workers 1]
DATA holds panels/val. Tiles are taken out of their places and laid elsewhere or left without any.
Nothing is fitted here.
"""

import argparse
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

import numpy as np
from numpy.random import Generator

from azulejar import get_measure
from azulejar.core.assembly import Assembly
from azulejar.core.compatibility import Compatibility
from azulejar.evaluation.protocol import KnownPanel, find_panels, make_puzzles
from azulejar.judging.audit import audit
from azulejar.outputs.wording import count_noun
from tables import origin, table, write_page

TRIM = 0.03
LIFTED = 5  # tiles that are without a place at once
Disturbed = tuple[Assembly, list[int]]


def at_the_rim(truth: Assembly, random: Generator) -> Disturbed:
    """Lay one tile above the panel, turned, and leave its place empty."""
    tile = int(random.integers(len(truth)))
    row, col, turn = truth.row.copy(), truth.col.copy(), truth.turn.copy()
    row[tile], col[tile], turn[tile] = -1, random.integers(truth.cols), random.integers(4)
    return Assembly.of(row, col, turn), [tile]


def in_another_hole(truth: Assembly, random: Generator) -> Disturbed:
    """Lay one tile in the place of another, which is taken out."""
    one, other = random.permutation(len(truth))[:2].tolist()
    row, col, panel = truth.row.copy(), truth.col.copy(), truth.panel.copy()
    row[one], col[one], panel[other] = row[other], col[other], -1
    return Assembly.of(row, col, truth.turn, panel), [one, other]


def lifted(truth: Assembly, random: Generator) -> Disturbed:
    """Take some tiles out of the panel and leave their places empty."""
    tiles = random.permutation(len(truth))[:LIFTED].tolist()
    panel = truth.panel.copy()
    panel[tiles] = -1
    return Assembly.of(truth.row, truth.col, truth.turn, panel), tiles


SITUATIONS: dict[str, Callable[[Assembly, Generator], Disturbed]] = {
    "one above the panel, its place empty": at_the_rim,
    "one in another's place, that one loose": in_another_hole,
    f"{LIFTED} loose, their places empty": lifted,
}


def count_marks(
    scores: Compatibility, truth: Assembly, odd: set[int], given: Assembly, wrong: list[int]
) -> list[int]:
    """Count the tiles that are wrong, marked, put right, and marked by mistake.

    ``odd`` tiles are marked in the intact panel too.
    """
    found = audit(scores, given)
    better = found.proposed
    proposed = Assembly.of(better.row, better.col, better.turn, better.panel)
    names = ("row", "col", "turn", "panel")
    right = [all(getattr(proposed, n)[t] == getattr(truth, n)[t] for n in names) for t in wrong]
    marked = set(found.marked.tolist())
    return [len(wrong), len(marked & set(wrong)), sum(right), len(marked - set(wrong) - odd)]


def false_marks_without(
    scores: Compatibility, truth: Assembly, odd: set[int], random: Generator
) -> int:
    """Return the number of false marks when the tiles of some holes are gone for good."""
    kept = np.sort(random.permutation(len(truth))[LIFTED:])
    left = Assembly.of(truth.row[kept], truth.col[kept], truth.turn[kept])
    return len(set(kept[audit(scores.take(kept), left).marked].tolist()) - odd)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("data", type=Path)
    parser.add_argument("--trials", type=int, default=5)
    parser.add_argument("--workers", type=int, default=1, help="panels measured side by side")
    options = parser.parse_args()
    panels = find_panels(options.data / "panels" / "val")
    with ProcessPoolExecutor(options.workers) as pool:
        each = list(pool.map(measure_panel, panels, [options.trials] * len(panels)))
    counts, gone = (np.sum(values, axis=0) for values in zip(*each, strict=True))
    write(counts, int(gone), len(panels), options.trials)


def measure_panel(panel: KnownPanel, trials: int) -> tuple[np.ndarray, int]:
    """Return the counts of each situation [3, 4], and the false marks beside holes."""
    (puzzle,) = (p for p in make_puzzles([panel], (TRIM,)) if not p.upright)
    truth, scores = puzzle.truth, get_measure("dlcm").score(puzzle.tiles)
    odd = set(audit(scores, truth).marked.tolist())
    counts, gone = np.zeros((len(SITUATIONS), 4), int), 0
    for seed in range(trials):
        random = np.random.default_rng(seed)
        for count, disturb in zip(counts, SITUATIONS.values(), strict=True):
            count += count_marks(scores, truth, odd, *disturb(truth, random))
        gone += false_marks_without(scores, truth, odd, random)
    print(panel.name, counts.tolist(), gone, flush=True)
    return counts, gone


def write(counts: np.ndarray, gone: int, panels: int, trials: int) -> None:
    write_page(
        "audit_holes.md",
        "# Audit of panels with empty places",
        f"{origin(judged=True)} {panels} panels of `val`, trim {TRIM:.0%}, measure `dlcm`, "
        f"{trials} trials a panel and situation. All tiles count, even "
        "plain ones. Turns are treated as unknown.",
        "*marked*: the tiles that are out of place and are part of a finding. *put right*: those "
        "that are proposed for their true place and turn. *false*: other tiles that are marked, "
        "except for those that are marked in the intact panel too, which seem to be laid wrongly "
        "on the wall itself ([page](audit.md)).",
        table(["situation", "tiles out of place", "marked", "put right", "false"],
              [[name, *map(str, count)] for name, count in zip(SITUATIONS, counts, strict=True)]),
        f"With {LIFTED} tiles gone for good, so that nothing fits the holes: "
        f"{count_noun(gone, 'false mark')} in {panels * trials} trials.",
    )  # fmt: skip


if __name__ == "__main__":
    main()
