"""Solve: put panels of the board together."""

import numpy as np

from azulejar.app.convert import assembly_of, placed_of
from azulejar.app.jobs.bench import Bench
from azulejar.app.jobs.puzzles import Puzzle
from azulejar.app.jobs.result import Result, laid_by
from azulejar.app.schemas import LOOSE, Board, Placed, Settings, Solve
from azulejar.core.assembly import Assembly
from azulejar.core.compatibility import Compatibility
from azulejar.core.knowns import Knowns
from azulejar.errors import AzulejarError
from azulejar.judging.confidence import Rivals, joint_confidence, tile_confidence
from azulejar.judging.islands import islands
from azulejar.solvers import Progress, Solver, get_preset
from azulejar.solvers.runs import best_of

COMPILING = "Compiling the solver: this happens once and takes about half a minute."


def work(bench: Bench, wish: Solve) -> Result:
    """Solve the panels that are wished for; a stop keeps the best so far."""
    solver = get_preset(wish.settings.preset)
    puzzles = _puzzles(bench, wish)
    knowns = [puzzle.knowns(bench.pictures) for puzzle in puzzles]
    for known in knowns:
        solver.check(known)
    scores = bench.scores(wish.settings)
    tell_compiling(bench, solver, knowns)
    bench.tell.step("solving")
    placed: list[Placed] = []
    names = list(bench.board.panels)
    for number, (puzzle, known) in enumerate(zip(puzzles, knowns, strict=True)):
        search = _Search(bench, puzzle, scores, number, len(puzzles))
        laid = search.run(known, solver)
        if wish.islands:
            laid = _apart(search, laid, names)
        placed += placed_of(laid, puzzle.tiles)
        if bench.stop.is_set():
            break
    return result_of(bench, placed, names, scores, "solve")


def result_of(
    bench: Bench, placed: list[Placed], names: list[str], scores: Compatibility, kind: str
) -> Result:
    """What a solve or sort leaves, with the mean confidence of the board as it will be."""
    moved = {each.tile: each for each in placed}
    after = Board(placed=[moved.get(each.tile, each) for each in bench.board.placed])
    return Result(
        stopped=bench.stop.is_set(),
        laid=laid_by(bench.tiles, placed),
        panels=names,
        label=kind,
        source=kind,
        confidence=bench.mean_confidence(scores, assembly_of(after, bench.tiles)),
    )


def tell_compiling(bench: Bench, solver: Solver, knowns: list[Knowns]) -> None:
    """Say so if the solver has to be compiled first."""
    if not all(solver.is_compiled(known) for known in knowns):
        bench.tell.note(COMPILING)


def _puzzles(bench: Bench, wish: Solve) -> list[Puzzle]:
    board, settings = bench.board, wish.settings
    lies = {each.tile: each.panel for each in board.placed}
    panel_of = [lies.get(tile.tile, LOOSE) for tile in bench.tiles]
    wanted = range(len(board.panels)) if wish.panel is None else [wish.panel]
    if wish.panel is not None and wish.panel >= len(board.panels):
        raise AzulejarError("There is no such panel.", "Choose another one.")
    # Nobody can say to which of several panels a loose tile should go: sorting does that.
    with_tray = wish.with_tray and len(wanted) == 1
    if len(wanted) > 1:
        settings = settings.model_copy(update={"rows": None, "cols": None})
    puzzles = []
    for panel in wanted:
        taken = {panel, LOOSE} if with_tray else {panel}
        which = [i for i, where in enumerate(panel_of) if where in taken]
        if len(which) > 1:
            puzzles.append(Puzzle(board, bench.tiles, which, panel, settings))
    if not puzzles:
        raise AzulejarError(
            "There are fewer than two tiles to put together.", "Bring more, or take the tray's too."
        )
    return puzzles


class _Search:
    """The search for one of ``count`` panels, shown as it goes along."""

    def __init__(
        self, bench: Bench, puzzle: Puzzle, scores: Compatibility, number: int, count: int
    ) -> None:
        self.bench, self.puzzle, self.number, self.count = bench, puzzle, number, count
        everything = len(puzzle.which) == len(scores)
        self.scores = scores if everything else scores.take(puzzle.which)
        self.rivals = Rivals.of(self.scores)
        self.settings: Settings = puzzle.settings
        self.shown = -1e-9  # fitness of the assembly that was shown last

    def run(self, known: Knowns, solver: Solver) -> Assembly:
        """The best assembly, as it comes to lie on the board."""
        seconds = self.settings.seconds
        run = best_of(
            self.scores,
            known,
            solver,
            runs=self.settings.runs,
            seconds=None if seconds is None else seconds / self.count,
            stop=self.bench.stop,
            on_progress=self._show,
        )
        return self.puzzle.back(run.assembly)

    def _show(self, run: int, now: Progress) -> None:
        tell = self.bench.tell
        of_panel = (run + now.fraction) / self.settings.runs
        # Only the search counts, not what was prepared for it.
        a_run = now.seconds / max(now.fraction, 1e-6)
        runs_left = self.settings.runs * (self.count - self.number - of_panel)
        tell.fraction((self.number + of_panel) / self.count, now.generation, a_run * runs_left)
        # Below 0 it does not keep yet what has to be kept; a later run begins with worse ones.
        if now.fitness <= self.shown or not tell.wants_live():
            return
        self.shown = now.fitness
        laid = self.puzzle.back(now.assembly)
        if tell.live(placed_of(laid, self.puzzle.tiles)):
            sure = tile_confidence(self.scores, laid, self.rivals)[laid.panel != LOOSE]
            tell.confidence(float(sure.mean()) if len(sure) else 0.0)


def _apart(search: _Search, laid: Assembly, names: list[str]) -> Assembly:
    """The islands of a panel. What is locked, or else the largest one, stays in it; the others
    become panels of their own, which are added to ``names``, and tiles alone go to the tray."""
    found = islands(laid, *joint_confidence(search.scores, laid, search.rivals)).panel
    fast = np.zeros(len(found), bool)
    fast[search.puzzle.locked] = True
    if not fast.any() and (found == LOOSE).all():
        raise AzulejarError("No joint is sure enough for islands.", "Solve without islands.")
    stays = set(found[fast].tolist()) - {LOOSE} or ({0} if not fast.any() else set())
    panel = np.full_like(laid.panel, LOOSE)
    panel[fast | np.isin(found, list(stays))] = search.puzzle.panel
    own = names[search.puzzle.panel]
    for island in sorted(set(found.tolist()) - stays - {LOOSE}):
        panel[(found == island) & ~fast] = len(names)
        names.append(f"{own}.{island + 1}"[:120])
    loose = panel == LOOSE
    return Assembly(np.where(loose, 0, laid.row), np.where(loose, 0, laid.col), laid.turn, panel)
