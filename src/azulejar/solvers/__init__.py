"""Solvers: from compatibility and knowns to an assembly.

One file a solver, their shared compiled code in kernels/, and here the tables of their names. They
use core, knowledge and the measures' post-processing.
"""

import time
import warnings
from dataclasses import replace

from azulejar.core.assembly import Assembly
from azulejar.core.compatibility import Compatibility
from azulejar.core.knowns import Knowns
from azulejar.errors import AzulejarError
from azulejar.measures.probability import on_scale
from azulejar.solvers.budget import Budget
from azulejar.solvers.gallagher import Gallagher
from azulejar.solvers.guided_growth import GuidedGrowth
from azulejar.solvers.kernel_growth import KernelGrowth
from azulejar.solvers.multi_segment import MultiSegment
from azulejar.solvers.outline import heed_outer_sides
from azulejar.solvers.paikin_tal import PaikinTal
from azulejar.solvers.psqp import Psqp
from azulejar.solvers.sholomon import Sholomon
from azulejar.solvers.solver import OnProgress, Progress, Solver
from azulejar.solvers.son import Son
from azulejar.solvers.yu import Yu
from azulejar.system.plugins import PluginTable

SOLVERS: PluginTable[Solver] = PluginTable(
    "azulejar.solvers",
    Solver,  # type: ignore[type-abstract]
    (GuidedGrowth, KernelGrowth, Sholomon, MultiSegment, Gallagher, Son, Yu, PaikinTal, Psqp),
)
RENAMED = {"loops": Son.name, "linear": Yu.name}  # names up to 0.6, still accepted
PRESETS: dict[str, Solver] = {
    "fast": GuidedGrowth(population=40, generations=30, stagnation=8, annealing=None),
    "standard": GuidedGrowth(),
    "paper": KernelGrowth(),
}


DEFAULT_PRESET = "standard"


def get_solver(name: str) -> Solver:
    """Return the solver of a name with its default settings.

    Raises:
        AzulejarError: If there is no such solver.

    Examples:
        >>> import azulejar
        >>> azulejar.get_solver("paikin-tal").name
        'paikin-tal'
    """
    name = present_name(name)
    if name not in SOLVERS:
        SOLVERS.check(name)
        raise AzulejarError(
            "solver-unknown",
            "There is no solver {name!r}.",
            "Choose from {names}.",
            name=name,
            names=", ".join(sorted(SOLVERS)),
        )
    return SOLVERS[name]()


def present_name(name: str) -> str:
    """Return the present name of a solver; a former one is answered with a warning."""
    if name not in RENAMED:
        return name
    text = f"The solver {name!r} is now called {RENAMED[name]!r}; the old name will be removed."
    warnings.warn(text, FutureWarning, stacklevel=3)
    return RENAMED[name]


def get_preset(name: str) -> Solver:
    """Return the solver, with its settings, that a preset stands for.

    Args:
        name: One of ``PRESETS``: fast, standard or paper.

    Raises:
        AzulejarError: If there is no such preset.

    Examples:
        >>> import azulejar
        >>> azulejar.get_preset("fast").name
        'guided-growth'
    """
    if name not in PRESETS:
        raise AzulejarError(
            "preset-unknown",
            "There is no preset {name!r}.",
            "Choose from {names}.",
            name=name,
            names=", ".join(PRESETS),
        )
    return PRESETS[name]


def solve(
    compatibility: Compatibility,
    knowns: Knowns | None = None,
    *,
    solver: Solver | str | None = None,
    preset: str | None = None,
    runs: int = 1,
    seed: int = 0,
    budget: Budget | None = None,
    on_progress: OnProgress | None = None,
) -> Assembly:
    """Assemble a panel.

    Args:
        compatibility: Scores of the n tiles.
        knowns: What is known beforehand; nothing, by default.
        solver: A solver or the name of one; by default guided-growth.
        preset: Instead of a solver, one of ``PRESETS``.
        runs: Search this often, with seeds drawn from ``seed``, and return the fittest.
        seed: The same seed gives the same answer on any number of threads.
        budget: Ends the search early; its seconds are shared among the runs.
        on_progress: Called after every generation.

    Returns:
        The best assembly found. Where rows and cols are known, it has that size.

    Raises:
        AzulejarError: If the knowns contradict the tiles or each other, or the solver does not
            take such puzzles.

    Examples:
        >>> import azulejar
        >>> tiles, truth = azulejar.practice_puzzle(4, 4, size=24)
        >>> scores = azulejar.get_measure("mgc").score(tiles)
        >>> assembly = azulejar.solve(scores, azulejar.Knowns(rows=4), preset="fast", runs=2)
        >>> azulejar.evaluate(assembly, truth, upright=False).perfect
        True
    """
    if solver is not None and preset is not None:
        raise AzulejarError(
            "solver-and-preset",
            "A preset stands for a solver with its settings.",
            "Give a solver or a preset, not both.",
        )
    chosen = get_solver(solver) if isinstance(solver, str) else solver
    chosen = chosen or get_preset(preset or DEFAULT_PRESET)
    knowns = (knowns or Knowns()).for_tiles(len(compatibility))
    compatibility, knowns = heed_outer_sides(compatibility, knowns)
    budget = budget or Budget()
    if runs != 1:
        from azulejar.solvers.runs import best_of  # which is made of calls of this function

        def report_run(run: int, progress: Progress) -> None:
            if on_progress is not None:
                on_progress(replace(progress, fraction=(run + progress.fraction) / runs))

        best = best_of(
            compatibility, knowns, chosen, runs=runs, seed=seed, seconds=budget.seconds,
            stop=budget.stop, on_progress=report_run,
        )  # fmt: skip
        return best.assembly
    chosen.check(knowns)
    if len(compatibility) == 1 and not knowns.constrained:
        return Assembly.of([0], [0], [0])
    scores = on_scale(compatibility, chosen.scale)
    started = time.perf_counter()
    silent = True

    def report(progress: Progress) -> None:
        nonlocal silent
        silent = False
        if on_progress is not None:
            on_progress(progress)

    assembly = chosen.solve(scores, knowns, seed, budget, report)
    if silent and on_progress is not None:
        worth = chosen.worth(compatibility, knowns, assembly)
        on_progress(Progress(1.0, 1, time.perf_counter() - started, worth, assembly))
    return _in_known_size(assembly, knowns)


def _in_known_size(assembly: Assembly, knowns: Knowns) -> Assembly:
    """Give the assembly the size that is known; a panel of turned tiles may lie on its side."""
    rows, cols = knowns.frame
    if rows == 0:
        return assembly
    if assembly.rows > rows or assembly.cols > cols or _lies_on_its_side(assembly, knowns):
        assembly = assembly.turned(1)
    size = (knowns.rows or assembly.rows, knowns.cols or assembly.cols)
    return replace(assembly, size=size)


def _lies_on_its_side(assembly: Assembly, knowns: Knowns) -> bool:
    """Whether only a panel that is turned fills the one dimension that is known."""
    if knowns.upright or knowns.constrained or (knowns.rows and knowns.cols):
        return False
    if knowns.rows:
        return assembly.rows < knowns.rows == assembly.cols
    return assembly.cols < (knowns.cols or 0) == assembly.rows


__all__ = [
    "PRESETS",
    "RENAMED",
    "SOLVERS",
    "Budget",
    "GuidedGrowth",
    "KernelGrowth",
    "OnProgress",
    "Progress",
    "Solver",
    "get_preset",
    "get_solver",
    "present_name",
    "solve",
]
