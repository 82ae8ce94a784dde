"""Sort a crate that holds tiles of several panels, and solve each panel separately."""

import threading
from collections.abc import Callable, Iterable, Sequence

import numpy as np

from azulejar.core.assembly import Assembly
from azulejar.core.compatibility import Compatibility
from azulejar.core.knowns import Knowns
from azulejar.core.tiles import Record
from azulejar.solvers import Progress, Solver
from azulejar.solvers.runs import best_of
from azulejar.sorting.groups import Groups
from azulejar.sorting.joining import attach_small, join_large
from azulejar.sorting.links import Links
from azulejar.sorting.partition import STRAY, Partition
from azulejar.sorting.records import RecordEvidence
from azulejar.sorting.segments import grow_segments

AGREEING = 0.35  # weight that merges two segments; over √tiles of the smaller one
ATTACHED = 1.0  # weight that adds a few tiles to a panel; over √tiles
CHAINED = 1.3  # the same for links to tiles that were themselves added so
LOOSE = 0.33  # weight that unites two large groups; over tiles of the smaller one

OnPanel = Callable[[int, float], None]
"""Takes the panel that is being solved and the fraction done of it."""


def sort_tiles(
    compatibility: Compatibility,
    *,
    panels: int | None = None,
    upright: bool = False,
    together: Iterable[Sequence[int]] = (),
    apart: Iterable[tuple[int, int]] = (),
    records: Sequence[Record] = (),
) -> Groups:
    """Group the tiles of a crate by panel.

    Args:
        compatibility: Scores of all tiles of the crate.
        panels: The number of panels, if known.
        upright: All tiles lie as their files show them.
        together: Lists of tiles that are known to share a panel.
        apart: Pairs of tiles that are known not to share one.
        records: What is on record of each tile: marks and thickness tip the balance.

    Examples:
        >>> import azulejar
        >>> tiles, _ = azulejar.practice_puzzle(4, 4, size=24)
        >>> groups = azulejar.sort_tiles(azulejar.get_measure("mgc").score(tiles), panels=1)
        >>> groups.panels, len(groups.panel)
        (1, 16)
    """
    links = Links.of(compatibility, upright)
    partition = Partition(len(compatibility), together, apart, panels)
    evidence = RecordEvidence.of(links, records) if records else None
    grow_segments(links, AGREEING, partition, evidence)
    join_large(links, partition, LOOSE, evidence)
    if panels is not None:
        join_large(links, partition, 0.0, evidence)
    attach_small(links, partition, ATTACHED)
    while attach_small(links, partition, CHAINED):
        pass
    return Groups.of(links, partition)


def solve_crate(
    compatibility: Compatibility,
    groups: Groups,
    knowns: Callable[[list[int]], Knowns],
    solver: Solver,
    *,
    seed: int = 0,
    stop: threading.Event | None = None,
    on_progress: OnPanel | None = None,
) -> Assembly:
    """Solve each panel of a sorted crate, and return all in one assembly.

    Strays are not placed. ``knowns`` returns what is known of the panel that some tiles make.
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
