"""Sort: divide a mixed crate into panels."""

from itertools import combinations, count
from math import ceil, sqrt

import numpy as np

from azulejar.app.jobs.context import JobContext
from azulejar.app.jobs.job_result import JobResult, clean_panel_name
from azulejar.app.jobs.panel_puzzle import PanelPuzzle
from azulejar.app.jobs.solve_job import begin_search, report_search, result_of
from azulejar.app.projects.convert import assembly_places, panel_frame
from azulejar.app.schemas.boards import LOOSE, Placed
from azulejar.app.schemas.jobs import SortRequest
from azulejar.core.assembly import Assembly
from azulejar.core.compatibility import Compatibility
from azulejar.errors import AzulejarError
from azulejar.imaging.folder import folder_classes
from azulejar.knowledge.inventory import panels_of
from azulejar.outputs.crate_groups import panel_names
from azulejar.solvers import get_preset
from azulejar.sorting import STRAY, Groups, solve_crate, sort_tiles


def run_sort(context: JobContext, request: SortRequest) -> JobResult:
    """Make each group a panel, assembled if requested; strays go to the tray.

    Locked tiles keep their panel and their place.
    """
    pictures, settings = context.pictures, request.settings
    if len(pictures) < 2:
        raise AzulejarError(
            "sort-too-few-tiles", "There are fewer than two tiles to sort.", "Add more."
        )
    scores = context.scores(settings)
    context.reporter.step("sorting")
    if not settings.one_size:
        scores = _keep_sizes_apart(context, scores)
    fast = _locked(context)
    known = [*panels_of(pictures.records).values(), *fast.values()]
    groups = sort_tiles(
        scores,
        panels=request.panels,
        upright=settings.upright,
        together=known,
        apart=_apart(list(panels_of(pictures.records).values())) + _apart(list(fast.values())),
        records=pictures.records,
    )
    _note_count(context, request, groups)
    panels, names = _number_panels(context, groups, fast)
    free = settings.model_copy(update={"rows": None, "cols": None})
    board = context.board.model_copy(update={"outlines": []})  # of panels as they were
    puzzles = [
        PanelPuzzle(board, context.tiles, groups.tiles(group).tolist(), panel, free)
        for group, panel in enumerate(panels)
    ]
    placed = (
        _solve_panels(context, puzzles, groups, scores)
        if request.solve
        else _lay_in_rows(context, puzzles)
    )
    strays = [context.tiles[i] for i in groups.tiles(STRAY).tolist()]
    placed += [Placed(tile=tile.tile, panel=LOOSE) for tile in strays]
    result = result_of(context, placed, names, scores, "sort")
    missing = [each for each in context.board.missing if each.panel in fast]
    outlines = [each for each in context.board.outlines if each.panel in fast]
    apart = {"corners": None, "believed": False}  # where a panel is not what it was
    references = [
        each if each.panel in fast else each.model_copy(update=apart)
        for each in context.board.references
    ]
    changes = {"missing": missing, "outlines": outlines, "references": references}
    return result.model_copy(update=changes)


def _keep_sizes_apart(context: JobContext, scores: Compatibility) -> Compatibility:
    """Return scores in which tiles of different sizes never meet, and report if there are such."""
    classes = folder_classes(context.pictures)
    if not classes.any():
        return scores
    context.reporter.note(
        "sort-sizes",
        "There are tiles of {count} sizes, which come into different panels.",
        count=int(classes.max()) + 1,
    )
    return scores.within(np.repeat(classes, 4))


def _locked(context: JobContext) -> dict[int, list[int]]:
    """Return the locked tiles of each panel, as numbers in the project's order."""
    at = {tile.tile: i for i, tile in enumerate(context.tiles)}
    locked = set(context.board.locked)
    found: dict[int, list[int]] = {}
    for each in context.board.placed:
        if each.tile in locked:
            found.setdefault(each.panel, []).append(at[each.tile])
    return found


def _apart(known: list) -> list[tuple[int, int]]:
    return [(one[0], other[0]) for one, other in combinations(known, 2)]


def _note_count(context: JobContext, request: SortRequest, groups: Groups) -> None:
    if request.panels is not None and groups.panels < request.panels:
        context.reporter.note(
            "sort-fewer-panels",
            "The joints tell only {count} panels apart.",
            count=groups.panels,
        )
    if request.panels is not None and groups.panels > request.panels:
        context.reporter.note(
            "sort-more-panels",
            "{count} groups are left: nothing links them.",
            count=groups.panels,
        )


def _number_panels(
    context: JobContext, groups: Groups, fast: dict[int, list[int]]
) -> tuple[list[int], list[str]]:
    """Return the panel that each group becomes, and the names of all panels."""
    own = {int(groups.panel[tiles[0]]): panel for panel, tiles in fast.items()}
    own.pop(STRAY, None)
    free = (panel for panel in count() if panel not in fast)
    panels = [own[group] if group in own else next(free) for group in range(groups.panels)]
    called = panel_names(context.pictures, groups)
    old = dict(enumerate(context.board.panels))
    names = [old.get(number, str(number + 1)) for number in range(max(*panels, *fast, 0) + 1)]
    for group, panel in enumerate(panels):
        if group not in own:
            names[panel] = clean_panel_name(called[group])
    return panels, names


def _solve_panels(
    context: JobContext, puzzles: list[PanelPuzzle], groups: Groups, scores: Compatibility
) -> list[Placed]:
    """Assemble each panel; a stop keeps the best so far of each."""
    solver = get_preset(puzzles[0].settings.preset)
    knowns = {puzzle.which[0]: puzzle.knowns(context.pictures) for puzzle in puzzles}
    for known in knowns.values():
        solver.check(known)
    begin_search(context, solver, list(knowns.values()))
    laid = solve_crate(
        scores,
        groups,
        lambda which: knowns[which[0]],
        solver,
        stop=context.stop,
        on_progress=lambda group, done: report_search(context, (group + done) / len(puzzles)),
    )
    placed: list[Placed] = []
    for puzzle in puzzles:
        row, col, turn, panel = (
            values[puzzle.which] for values in (laid.row, laid.col, laid.turn, laid.panel)
        )
        placed += assembly_places(puzzle.back(Assembly(row, col, turn, panel)), puzzle.tiles)
    return placed


def _lay_in_rows(context: JobContext, puzzles: list[PanelPuzzle]) -> list[Placed]:
    """Lay the tiles of each panel in rows below its locked tiles, in the order of their files."""
    placed: list[Placed] = []
    for puzzle in puzzles:
        fast = set(puzzle.locked)
        lies = assembly_places(puzzle.held, puzzle.tiles)
        placed += [lies[i] for i in fast]
        loose = [tile for i, tile in enumerate(puzzle.tiles) if i not in fast]
        frame = panel_frame(context.board, puzzle.panel) if fast else None
        top, left = (frame.top + frame.rows + 1, frame.left) if frame else (0, 0)
        row, col = np.divmod(np.arange(len(loose)), max(1, ceil(sqrt(len(loose)))))
        placed += [
            Placed(tile=tile.tile, panel=puzzle.panel, row=top + r, col=left + c)
            for tile, r, c in zip(loose, row.tolist(), col.tolist(), strict=True)
        ]
    return placed
