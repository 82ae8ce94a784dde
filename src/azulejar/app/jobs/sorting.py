"""Sort: tell the panels of a mixed crate apart."""

from itertools import combinations, count
from math import ceil, sqrt

import numpy as np

from azulejar.app.convert import frame_of, placed_of
from azulejar.app.jobs.bench import Bench
from azulejar.app.jobs.puzzles import Puzzle
from azulejar.app.jobs.result import Result, panel_name
from azulejar.app.jobs.solving import result_of, tell_compiling
from azulejar.app.schemas import LOOSE, Placed, Sort
from azulejar.core.assembly import Assembly
from azulejar.core.compatibility import Compatibility
from azulejar.errors import AzulejarError
from azulejar.knowledge.inventory import panels_of
from azulejar.outputs.crate_groups import panel_names
from azulejar.solvers import get_preset
from azulejar.sorting import STRAY, Groups, solve_crate, sort_tiles


def work(bench: Bench, wish: Sort) -> Result:
    """Each group becomes a panel, put together if wished; strays go to the tray.

    Locked tiles keep their panel and their place.
    """
    pictures, settings = bench.pictures, wish.settings
    if len(pictures) < 2:
        raise AzulejarError("There are fewer than two tiles to sort.", "Bring more.")
    scores = bench.scores(settings)
    bench.tell.step("sorting")
    fast = _locked(bench)
    known = [*panels_of(pictures.records).values(), *fast.values()]
    groups = sort_tiles(
        scores,
        panels=wish.panels,
        upright=settings.upright,
        together=known,
        apart=_apart(list(panels_of(pictures.records).values())) + _apart(list(fast.values())),
    )
    _tell(bench, wish, groups)
    panels, names = _numbered(bench, groups, fast)
    free = settings.model_copy(update={"rows": None, "cols": None})
    puzzles = [
        Puzzle(bench.board, bench.tiles, groups.tiles(group).tolist(), panel, free)
        for group, panel in enumerate(panels)
    ]
    placed = _solved(bench, puzzles, groups, scores) if wish.solve else _piled(bench, puzzles)
    strays = [bench.tiles[i] for i in groups.tiles(STRAY).tolist()]
    placed += [Placed(tile=tile.tile, panel=LOOSE) for tile in strays]
    result = result_of(bench, placed, names, scores, "sort")
    kept = [place for place in bench.board.missing if place.panel in fast]
    return result.model_copy(update={"missing": kept})


def _locked(bench: Bench) -> dict[int, list[int]]:
    """The locked tiles of each panel, as numbers in the project's order."""
    at = {tile.tile: i for i, tile in enumerate(bench.tiles)}
    locked = set(bench.board.locked)
    found: dict[int, list[int]] = {}
    for each in bench.board.placed:
        if each.tile in locked:
            found.setdefault(each.panel, []).append(at[each.tile])
    return found


def _apart(known: list) -> list[tuple[int, int]]:
    return [(one[0], other[0]) for one, other in combinations(known, 2)]


def _tell(bench: Bench, wish: Sort, groups: Groups) -> None:
    if wish.panels is not None and groups.panels < wish.panels:
        bench.tell.note(f"The joints tell only {groups.panels} panels apart.")
    if wish.panels is not None and groups.panels > wish.panels:
        bench.tell.note(f"{groups.panels} groups are left: nothing links them.")


def _numbered(
    bench: Bench, groups: Groups, fast: dict[int, list[int]]
) -> tuple[list[int], list[str]]:
    """The panel that each group becomes, and what all panels are called."""
    own = {int(groups.panel[tiles[0]]): panel for panel, tiles in fast.items()}
    own.pop(STRAY, None)
    free = (panel for panel in count() if panel not in fast)
    panels = [own[group] if group in own else next(free) for group in range(groups.panels)]
    called = panel_names(bench.pictures, groups)
    old = dict(enumerate(bench.board.panels))
    names = [old.get(number, str(number + 1)) for number in range(max(*panels, *fast, 0) + 1)]
    for group, panel in enumerate(panels):
        if group not in own:
            names[panel] = panel_name(called[group])
    return panels, names


def _solved(
    bench: Bench, puzzles: list[Puzzle], groups: Groups, scores: Compatibility
) -> list[Placed]:
    """Each panel put together; a stop keeps the best so far of each."""
    solver = get_preset(puzzles[0].settings.preset)
    knowns = {puzzle.which[0]: puzzle.knowns(bench.pictures) for puzzle in puzzles}
    for known in knowns.values():
        solver.check(known)
    tell_compiling(bench, solver, list(knowns.values()))
    bench.tell.step("solving")
    laid = solve_crate(
        scores,
        groups,
        lambda which: knowns[which[0]],
        solver,
        stop=bench.stop,
        on_progress=lambda group, done: bench.tell.fraction((group + done) / len(puzzles)),
    )
    placed: list[Placed] = []
    for puzzle in puzzles:
        row, col, turn, panel = (
            values[puzzle.which] for values in (laid.row, laid.col, laid.turn, laid.panel)
        )
        placed += placed_of(puzzle.back(Assembly(row, col, turn, panel)), puzzle.tiles)
    return placed


def _piled(bench: Bench, puzzles: list[Puzzle]) -> list[Placed]:
    """The tiles of each panel in rows below what is locked there, in the order of their files."""
    placed: list[Placed] = []
    for puzzle in puzzles:
        fast = set(puzzle.locked)
        lies = placed_of(puzzle.held, puzzle.tiles)
        placed += [lies[i] for i in fast]
        loose = [tile for i, tile in enumerate(puzzle.tiles) if i not in fast]
        frame = frame_of(bench.board, puzzle.panel) if fast else None
        top, left = (frame.top + frame.rows + 1, frame.left) if frame else (0, 0)
        row, col = np.divmod(np.arange(len(loose)), max(1, ceil(sqrt(len(loose)))))
        placed += [
            Placed(tile=tile.tile, panel=puzzle.panel, row=top + r, col=left + c)
            for tile, r, c in zip(loose, row.tolist(), col.tolist(), strict=True)
        ]
    return placed
