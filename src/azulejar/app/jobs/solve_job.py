"""Solve: assemble panels of the board."""

from functools import partial

import numpy as np
from numpy.typing import NDArray

from azulejar.app.jobs.context import JobContext
from azulejar.app.jobs.job_result import JobResult, lay_by_file
from azulejar.app.jobs.panel_notes import note_doubts
from azulejar.app.jobs.panel_puzzle import PanelPuzzle
from azulejar.app.projects.board_file import REFERENCES
from azulejar.app.projects.convert import assembly_places, board_assembly, panel_frame
from azulejar.app.projects.score_files import save_guided, scores_path
from azulejar.app.schemas.boards import BEYOND, LOOSE, Board, PanelReference, Placed
from azulejar.app.schemas.jobs import SolveRequest, SolveSettings
from azulejar.core.alignment import motion_between
from azulejar.core.assembly import Assembly
from azulejar.core.compatibility import Compatibility
from azulejar.core.knowns import Knowns
from azulejar.errors import AzulejarError
from azulejar.judging.confidence import joint_confidence, tile_confidence
from azulejar.judging.evidence import Rivals
from azulejar.judging.islands import islands
from azulejar.judging.verdict import mean_confidence
from azulejar.panel.doubts import question_panel
from azulejar.panel.solving import PanelOutcome, solve_panel
from azulejar.patterns.finding import Patterns, recognise_wall
from azulejar.reference.following import Followed, read_reference
from azulejar.solvers import Budget, Progress, Solver, get_preset
from azulejar.solvers.runs import Run, best_of

NOTHING = -1e-9  # fitness that any assembly without violated constraints has


def run_solve(context: JobContext, request: SolveRequest) -> JobResult:
    """Solve the requested panels; a stop keeps the best so far.

    What cannot be solved is refused before edges are judged. That takes long, so the search begins
    with the board as it is then.
    """
    solver = get_preset(request.settings.preset)
    _prepare(context, request, solver)
    scores = context.scores(request.settings)
    context.renew_board()
    puzzles, guides, knowns = _prepare(context, request, solver)
    begin_search(context, solver, knowns)
    placed: list[Placed] = []
    names = list(context.board.panels)
    references: list[PanelReference] = []
    for number, (puzzle, known) in enumerate(zip(puzzles, knowns, strict=True)):
        search = _Search(context, puzzle, scores, number, len(puzzles), guides.get(puzzle.panel))
        laid = search.run(known, solver)
        if request.islands:
            laid = _divide(search, laid, names)
        placed += assembly_places(laid, puzzle.tiles)
        references += _lay_picture(search, laid)
        if context.stop.is_set():
            break
    if any(each.believed for each in references):
        believing = context.board.model_copy(update={"references": references})
        scores = context.judged_scores(request.settings, believing)
    result = result_of(context, placed, names, scores, "solve")
    seen = lay_by_file(context.tiles, context.began.placed)
    opened = names if request.islands else None  # else people may have named them meanwhile
    return result.model_copy(update={"references": references, "seen": seen, "panels": opened})


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


def begin_search(context: JobContext, solver: Solver, knowns: list[Knowns]) -> None:
    """Begin the step of the search, or the one before it if the solver has to be compiled."""
    compiled = all(solver.is_compiled(known) for known in knowns)
    context.reporter.step("solving" if compiled else "compiling")


def report_search(
    context: JobContext, done: float, generation: int | None = None, left: float | None = None
) -> None:
    """Report how far the search is; from its first generation on, the solver is compiled."""
    if context.reporter.job.step == "compiling":
        context.reporter.step("solving", done=done)
    context.reporter.fraction(done, generation, left)


def _prepare(
    context: JobContext, request: SolveRequest, solver: Solver
) -> tuple[list[PanelPuzzle], dict[int, NDArray[np.uint8]], list[Knowns]]:
    """Return the puzzles, the reference pictures by panel, and the knowns of each puzzle."""
    puzzles = _puzzles(context, request)
    for puzzle in puzzles:
        context.check_sizes(puzzle.which, request.settings)
    guides = _guides(context, puzzles) if request.reference else {}
    knowns = [puzzle.knowns(context.pictures) for puzzle in puzzles]
    for known in knowns:
        solver.check(known)
    return puzzles, guides, knowns


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


def _guides(context: JobContext, puzzles: list[PanelPuzzle]) -> dict[int, NDArray[np.uint8]]:
    """Return the old pictures of the panels that have one."""
    found = {}
    for each in context.board.references:
        if any(puzzle.panel == each.panel for puzzle in puzzles):
            path = context.folder / REFERENCES / str(each.file)
            if not path.is_file():
                raise AzulejarError(
                    "reference-gone",
                    "The old picture {file} is gone from the project's folder.",
                    "Put it back into the folder references, or give another one.",
                    file=path.name,
                )
            found[each.panel] = read_reference(path)
    if not found:
        raise AzulejarError(
            "reference-missing", "There is no old picture of this panel.", "Add one first."
        )
    return found


def _lay_picture(search: "_Search", laid: Assembly) -> list[PanelReference]:
    """Return the old picture of a panel as it was believed, laid over the tiles by that."""
    puzzle, board = search.puzzle, search.context.board
    known = next((each for each in board.references if each.panel == puzzle.panel), None)
    if known is None:
        return []
    found = search.followed
    if found is None or found.shown is None:
        return [known.model_copy(update={"believed": False})]
    path = scores_path(search.context.folder, search.settings)
    save_guided(path, puzzle.panel, search.scores)
    new = {"placed": assembly_places(laid, puzzle.tiles)}
    frame = panel_frame(board.model_copy(update=new), puzzle.panel)
    corners = known.corners
    if frame is not None:
        grid = found.shown.before(motion_between(laid, found.assembly)).box(*frame)
        there = grid.corners()
        if (np.abs(there - 0.5) <= 0.5 + BEYOND).all():
            corners = [(x, y) for x, y in there.round(5).tolist()]
    return [known.model_copy(update={"believed": True, "corners": corners})]


class _Search:
    """The search for one of ``count`` panels, shown as it proceeds.

    With a ``guide``, an old picture, it is solved a second time if that is believed; ``followed``
    is then what came of it.
    """

    def __init__(
        self,
        context: JobContext,
        puzzle: PanelPuzzle,
        scores: Compatibility,
        number: int,
        count: int,
        guide: NDArray[np.uint8] | None = None,
    ) -> None:
        self.guide = guide
        self.followed: Followed | None = None
        self.context, self.puzzle, self.number, self.count = context, puzzle, number, count
        everything = len(puzzle.which) == len(scores)
        self.scores = scores if everything else scores.take(puzzle.which)
        copies = None if context.copies is None else context.copies[puzzle.which]
        self.rivals = Rivals.of(self.scores, copies)
        self.settings: SolveSettings = puzzle.settings
        self.shown = NOTHING
        self.first: Progress | None = None  # of the run at hand
        self.passes, self.passed = 1 if guide is None else 2, 0

    def run(self, known: Knowns, solver: Solver) -> Assembly:
        """Return the best assembly, as placed on the board."""
        stop, tell = self.context.stop, self.context.reporter
        pictures = self.context.pictures.take(self.puzzle.which)
        patterns = recognise_wall(pictures.pixels)
        self._note_patterns(patterns)
        solved = solve_panel(
            pictures,
            self.scores,
            known,
            solver,
            partial(self._search, solver=solver),
            patterns=patterns,
            reference=self.guide,
            stop=stop,
            on_look=partial(tell.step, "looking"),
        )
        self._note_reference(solved)
        if solved.followed is not None and solved.followed.believed:
            self.followed = solved.followed
        self._use(solved.compatibility)
        waits = self.settings.seconds is None and not stop.is_set() and not self.puzzle.outline
        budget = Budget(stop=stop) if waits else None
        doubts = question_panel(solved, pictures.pixels, known, budget, self.rivals)
        note_doubts(tell, doubts, solved.assembly)
        return self.puzzle.back(solved.assembly, standing=self.followed is not None)

    def _search(self, scores: Compatibility, known: Knowns, solver: Solver) -> Run:
        if self._use(scores):
            self.shown = NOTHING
            self.context.reporter.step("solving")
        seconds = self.settings.seconds
        run = best_of(
            scores,
            known,
            solver,
            runs=self.settings.runs,
            seconds=None if seconds is None else seconds / (self.count * self.passes),
            stop=self.context.stop,
            on_progress=self._show,
        )
        self.passed += 1
        return run

    def _use(self, scores: Compatibility) -> bool:
        """Judge by these scores from now on; tell whether an old picture has changed them."""
        if scores is self.scores:
            return False
        self.scores, self.rivals = scores, Rivals.of(scores, self.rivals.copies)
        return True

    def _note_reference(self, solved: PanelOutcome) -> None:
        """Report what came of the old picture, if there is one."""
        tell, found = self.context.reporter, solved.followed
        if self.guide is not None and solved.repeats:
            tell.note(
                "reference-pattern",
                "The old picture was not used: alike tiles are laid as their pattern repeats.",
            )
        if found is None:
            return
        if not found.believed:
            tell.note(
                "reference-unhelpful",
                "The old picture proved nothing and changed nothing: it does not show where the "
                "sure parts of the panel lie.",
            )
            return
        tell.note(
            "reference-believed",
            "The old picture was believed: it tells {share:.0%} of the place and turn of the "
            "{tiles} tiles that the edges alone are sure of. Compare the two: another panel with "
            "the same painted frame can be believed too.",
            share=found.bits / found.most,
            tiles=found.tiles,
        )
        if found.mirrored:
            tell.note("reference-mirrored", "The old picture is a mirror image of the panel.")

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

    def _seconds_a_run(self, now: Progress) -> float | None:
        """Estimate how long a run takes from all its generations but the first.

        The first may have waited for the compiler.
        """
        if self.first is None or now.generation <= self.first.generation:
            self.first = now
        since = now.fraction - self.first.fraction
        return (now.seconds - self.first.seconds) / since if since > 0 else None

    def _show(self, run: int, now: Progress) -> None:
        tell = self.context.reporter
        of_panel = (self.passed + (run + now.fraction) / self.settings.runs) / self.passes
        runs_left = self.settings.runs * self.passes * (self.count - self.number - of_panel)
        pace = self._seconds_a_run(now)
        left = None if pace is None else pace * runs_left
        report_search(self.context, (self.number + of_panel) / self.count, now.generation, left)
        # Below 0, constraints are still violated; a later run begins with worse assemblies.
        if now.fitness <= self.shown or not tell.wants_live():
            return
        self.shown = now.fitness
        laid = self.puzzle.back(now.assembly)
        if tell.live(assembly_places(laid, self.puzzle.tiles)):
            sure = tile_confidence(self.scores, laid, self.rivals)
            tell.confidence(mean_confidence(laid, sure) or 0.0)


def _divide(search: _Search, laid: Assembly, names: list[str]) -> Assembly:
    """Divide a panel into islands. The one with locked tiles, or else the largest, stays in it;
    the others become panels of their own, added to ``names``, and single tiles go to the tray."""
    judged = joint_confidence(search.scores, laid, search.rivals)
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
