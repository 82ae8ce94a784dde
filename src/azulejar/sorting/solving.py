"""The panels of a sorted crate, each put together by itself."""

import threading
from collections.abc import Callable

import numpy as np

from azulejar.core.assembly import Assembly
from azulejar.core.compatibility import Compatibility
from azulejar.core.knowns import Knowns
from azulejar.solvers import Progress, Solver
from azulejar.solvers.runs import best_of
from azulejar.sorting.groups import STRAY, Groups

OnPanel = Callable[[int, float], None]
"""Takes the panel at work and the fraction done of it."""


def solve_groups(
    compatibility: Compatibility,
    groups: Groups,
    knowns: Callable[[list[int]], Knowns],
    solver: Solver,
    *,
    seed: int = 0,
    stop: threading.Event | None = None,
    on_progress: OnPanel | None = None,
) -> Assembly:
    """One assembly of all panels; strays are not placed.

    ``knowns`` says what is known of the panel that some tiles make.
    """
    places = np.zeros((3, len(compatibility)), np.int32)
    for panel in range(groups.panels):
        tiles = groups.tiles(panel)

        def tell(run: int, progress: Progress, panel: int = panel) -> None:
            if on_progress is not None:
                on_progress(panel, progress.fraction)

        run = best_of(
            compatibility.take(tiles),
            knowns(tiles.tolist()),
            solver,
            seed=seed,
            stop=stop,
            on_progress=tell,
        )
        places[:, tiles] = run.assembly.row, run.assembly.col, run.assembly.turn
    placed = np.where(groups.panel == STRAY, -1, groups.panel)
    return Assembly.of(places[0], places[1], places[2], placed)
