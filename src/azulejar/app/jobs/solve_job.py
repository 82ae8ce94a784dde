"""Solve: assemble panels of the board."""

import numpy as np

from azulejar.app.jobs.context import JobContext
from azulejar.app.jobs.job_result import JobResult, lay_by_file
from azulejar.app.jobs.panel_puzzle import PanelPuzzle
from azulejar.app.projects.convert import assembly_places, board_assembly
from azulejar.app.schemas.jobs import SolveRequest, SolveSettings
from azulejar.app.schemas.projects import LOOSE, Board, Placed
from azulejar.core.assembly import Assembly
from azulejar.core.compatibility import Compatibility
from azulejar.core.knowns import Knowns
from azulejar.errors import AzulejarError
from azulejar.judging.confidence import joint_confidence, tile_confidence
from azulejar.judging.evidence import Rivals
from azulejar.judging.islands import islands
from azulejar.judging.verdict import better_size, is_ragged, mean_confidence
from azulejar.patterns.finding import Patterns, recognise_wall
from azulejar.patterns.frames import lay_frame
from azulejar.patterns.laying import is_wall, lay_patterns
from azulejar.solvers import Budget, Progress, Solver, get_preset
from azulejar.solvers.runs import best_of


def run_solve(context: JobContext, request: SolveRequest) -> JobResult:
    """Solve the requested panels; a stop keeps the best so far."""
    solver = get_preset(request.settings.preset)
    puzzles = _puzzles(context, request)
    knowns = [puzzle.knowns(context.pictures) for puzzle in puzzles]
    for known in knowns:
        solver.check(known)
    scores = context.scores(request.settings)
    note_compiling(context, solver, knowns)
    context.reporter.step("solving")
    placed: list[Placed] = []
    names = list(context.board.panels)
    for number, (puzzle, known) in enumerate(zip(puzzles, knowns, strict=True)):
        search = _Search(context, puzzle, scores, number, len(puzzles))
        laid = search.run(known, solver)
        if request.islands:
            laid = _divide(search, laid, names)
        placed += assembly_places(laid, puzzle.tiles)
        if context.stop.is_set():
            break
    return result_of(context, placed, names, scores, "solve")


def result_of(
    context: JobContext, placed: list[Placed], names: list[str], scores: Compatibility, kind: str
) -> JobResult:
    """Return the result of a solve or sort, with the mean confidence of the board to be."""
    moved = {each.tile: each for each in placed}
    after = Board(placed=[moved.get(each.tile, each) for each in context.board.placed])
    return JobResult(
        stopped=context.stop.is_set(),
        laid=lay_by_file(context.tiles, placed),
        panels=names,
        label=kind,
        source=kind,
        confidence=context.mean_confidence(scores, board_assembly(after, context.tiles)),
    )


def note_compiling(context: JobContext, solver: Solver, knowns: list[Knowns]) -> None:
    """Add a note if the solver has to be compiled first."""
    if not all(solver.is_compiled(known) for known in knowns):
        context.reporter.note(
            "solver-compiling",
            "Compiling the solver: this happens once and takes about half a minute.",
        )


def _puzzles(context: JobContext, request: SolveRequest) -> list[PanelPuzzle]:
    board, settings = context.board, request.settings
    lies = {each.tile: each.panel for each in board.placed}
    panel_of = [lies.get(tile.tile, LOOSE) for tile in context.tiles]
    wanted = range(len(board.panels)) if request.panel is None else [request.panel]
    if request.panel is not None and request.panel >= len(board.panels):
        raise AzulejarError("panel-unknown", "There is no such panel.", "Choose another one.")
    # It is unknown to which of several panels a loose tile belongs: that is for sorting.
    with_tray = request.with_tray and len(wanted) == 1
    if len(wanted) > 1:
        settings = settings.model_copy(update={"rows": None, "cols": None})
    puzzles = []
    for panel in wanted:
        taken = {panel, LOOSE} if with_tray else {panel}
        which = [i for i, where in enumerate(panel_of) if where in taken]
        if len(which) > 1:
            puzzles.append(PanelPuzzle(board, context.tiles, which, panel, settings))
    if not puzzles:
        raise AzulejarError(
            "solve-too-few-tiles",
            "There are fewer than two tiles to put together.",
            "Add more, or use those of the tray too.",
        )
    return puzzles


class _Search:
    """The search for one of ``count`` panels, shown as it proceeds."""

    def __init__(
        self,
        context: JobContext,
        puzzle: PanelPuzzle,
        scores: Compatibility,
        number: int,
        count: int,
    ) -> None:
        self.context, self.puzzle, self.number, self.count = context, puzzle, number, count
        everything = len(puzzle.which) == len(scores)
        self.scores = scores if everything else scores.take(puzzle.which)
        self.rivals = Rivals.of(self.scores)
        self.copies = None if context.copies is None else context.copies[puzzle.which]
        self.settings: SolveSettings = puzzle.settings
        self.shown = -1e-9  # fitness of the assembly that was shown last

    def run(self, known: Knowns, solver: Solver) -> Assembly:
        """Return the best assembly, as placed on the board."""
        patterns = recognise_wall(self.context.pictures.pixels[self.puzzle.which])
        self._note_patterns(patterns)
        framed = lay_frame(patterns.designs, known)
        if framed is not None and not solver.can(framed):
            framed = None
        wall = framed is None and len(patterns) > 0 and is_wall(patterns)
        if wall and not (known.upright or known.constrained):
            return self.puzzle.back(lay_patterns(patterns, known.rows, known.cols))
        seconds = self.settings.seconds
        run = best_of(
            self.scores,
            framed or known,
            solver,
            runs=self.settings.runs,
            seconds=None if seconds is None else seconds / self.count,
            stop=self.context.stop,
            on_progress=self._show,
        )
        self._question_size(known, run.assembly)
        return self.puzzle.back(run.assembly)

    def _note_patterns(self, patterns: Patterns) -> None:
        """Report that the order of alike tiles is undetermined."""
        for pattern in patterns:
            self.context.reporter.note(
                "pattern-order",
                "Pattern: order undetermined. {tiles} tiles with {designs} designs repeat every "
                "{rows} × {cols} tiles; which of the alike tiles lay where cannot be known.",
                tiles=len(pattern),
                designs=len(pattern.designs),
                rows=pattern.module.rows,
                cols=pattern.module.cols,
            )

    def _question_size(self, known: Knowns, found: Assembly) -> None:
        """Note if the tiles fill no rectangle, or fit better without the size that was given."""
        if is_ragged(known, found):
            self.context.reporter.note(
                "ragged-panel",
                "The tiles do not fill a rectangle: {tiles} in {rows} rows × {cols} cols. Unless "
                "the panel has another shape, some lie wrong. Give its rows and cols, or lock "
                "tiles whose places are known.",
                tiles=len(found),
                rows=found.rows,
                cols=found.cols,
            )
        if self.settings.seconds is not None or self.context.stop.is_set() or self.puzzle.outline:
            return
        size = better_size(self.scores, known, found, budget=Budget(stop=self.context.stop))
        if size is not None:
            self.context.reporter.note(
                "better-size",
                "The tiles fit better as {rows} rows × {cols} cols than in the given size.",
                rows=size[0],
                cols=size[1],
            )

    def _show(self, run: int, now: Progress) -> None:
        tell = self.context.reporter
        of_panel = (run + now.fraction) / self.settings.runs
        # Only the search counts, not its preparation.
        a_run = now.seconds / max(now.fraction, 1e-6)
        runs_left = self.settings.runs * (self.count - self.number - of_panel)
        tell.fraction((self.number + of_panel) / self.count, now.generation, a_run * runs_left)
        # Below 0, constraints are still violated; a later run begins with worse assemblies.
        if now.fitness <= self.shown or not tell.wants_live():
            return
        self.shown = now.fitness
        laid = self.puzzle.back(now.assembly)
        if tell.live(assembly_places(laid, self.puzzle.tiles)):
            sure = tile_confidence(self.scores, laid, self.rivals, self.copies)
            tell.confidence(mean_confidence(laid, sure) or 0.0)


def _divide(search: _Search, laid: Assembly, names: list[str]) -> Assembly:
    """Divide a panel into islands. The one with locked tiles, or else the largest, stays in it;
    the others become panels of their own, added to ``names``, and single tiles go to the tray."""
    judged = joint_confidence(search.scores, laid, search.rivals, search.copies)
    found = islands(laid, *judged).panel
    fast = np.zeros(len(found), bool)
    fast[search.puzzle.locked] = True
    if not fast.any() and (found == LOOSE).all():
        raise AzulejarError(
            "no-sure-joints", "No joint is sure enough for islands.", "Solve without islands."
        )
    stays = set(found[fast].tolist()) - {LOOSE} or ({0} if not fast.any() else set())
    panel = np.full_like(laid.panel, LOOSE)
    panel[fast | np.isin(found, list(stays))] = search.puzzle.panel
    own = names[search.puzzle.panel]
    for island in sorted(set(found.tolist()) - stays - {LOOSE}):
        panel[(found == island) & ~fast] = len(names)
        names.append(f"{own}.{island + 1}"[:120])
    loose = panel == LOOSE
    return Assembly(np.where(loose, 0, laid.row), np.where(loose, 0, laid.col), laid.turn, panel)
