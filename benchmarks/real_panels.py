"""Neighbour accuracy on real azulejo panels, in the paper's four variants.

python benchmarks/real_panels.py PANELS --measures mgc dlcm
PANELS holds NAME__RxC.jpg, tiles of equal size with joints on the grid. Tiles are trimmed at each
side, so that no pixel of the joint itself is left, and resampled to 50 px.
"""

import argparse
import time
from pathlib import Path

import numpy as np

from azulejar import Knowns, evaluate
from azulejar.evaluation.contenders import Contender
from azulejar.evaluation.protocol import Panel, find_panels, make_puzzles
from azulejar.solvers.presets import get_preset
from azulejar.solvers.runs import best_of
from tables import origin, table, write_page

TRIMS = (0.03, 0.05, 0.07)
VARIANTS = ("upright, size known", "upright, unknown", "turned, size known", "turned, unknown")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("panels", type=Path)
    parser.add_argument("--measures", nargs="+", default=["mgc", "dlcm"])
    parser.add_argument("--preset", default="standard")
    options = parser.parse_args()
    panels = find_panels(options.panels)
    means, each = [], []
    for trim in TRIMS:
        for measure in options.measures:
            cells = [solve_all(panel, trim, options.preset, measure) for panel in panels]
            accuracy = np.array([cell[0] for cell in cells])
            seconds = np.mean([cell[1] for cell in cells])
            means.append([f"{trim:.0%}", measure, *_percent(accuracy.mean(0)), f"{seconds:.1f}"])
            each += [[f"{trim:.0%}", measure, panel.name, *_percent(row)]
                     for panel, row in zip(panels, accuracy, strict=True)]  # fmt: skip
            print(means[-1], flush=True)
    write_page(
        "real_panels.md",
        "# Real panels",
        f"{origin()} Neighbour accuracy in %, preset {options.preset}, one run, seed 0; seconds "
        "for one search, without the scoring.",
        f"Mean of the {len(panels)} panels of `{options.panels.name}`:",
        table(["trim", "measure", *VARIANTS, "seconds"], means),
        "Each panel:",
        table(["trim", "measure", "panel", *VARIANTS], each),
    )


def solve_all(panel: Panel, trim: float, preset: str, measure: str) -> tuple[list[float], float]:
    """Neighbour accuracy in the four variants, and mean seconds of a search."""
    contender = Contender.of(measure)
    found, seconds = [], 0.0
    for puzzle in make_puzzles([panel], [trim]):
        # As `azulejar solve` scores, which is not always as measures are published.
        post = contender.post if ":" in measure else contender.measure.post
        scores = contender.measure.score(puzzle.tiles, upright=puzzle.upright, post=post)
        for known in (True, False):
            size = (panel.rows, panel.cols) if known else (None, None)
            knowns = Knowns(*size, puzzle.upright)
            started = time.perf_counter()
            run = best_of(scores, knowns, get_preset(preset))
            seconds += time.perf_counter() - started
            found.append(evaluate(run.assembly, puzzle.truth, upright=puzzle.upright).neighbour)
    return found, seconds / len(VARIANTS)


def _percent(values: np.ndarray) -> list[str]:
    return [f"{100 * value:.1f}" for value in values]


if __name__ == "__main__":
    main()
