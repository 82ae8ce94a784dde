"""Solvers: from compatibility and knowns to an assembly."""

from dataclasses import replace

from azulejar.core.assembly import Assembly
from azulejar.core.compatibility import Compatibility
from azulejar.core.knowns import Knowns
from azulejar.errors import AzulejarError
from azulejar.solvers.base import Solver
from azulejar.solvers.budget import Budget
from azulejar.solvers.gallagher import Gallagher
from azulejar.solvers.guided_growth import GuidedGrowth
from azulejar.solvers.kernel_growth import KernelGrowth
from azulejar.solvers.linear import Linear
from azulejar.solvers.loops import Loops
from azulejar.solvers.multi_segment import MultiSegment
from azulejar.solvers.paikin_tal import PaikinTal
from azulejar.solvers.progress import OnProgress, Progress
from azulejar.solvers.sholomon import Sholomon

SOLVERS: dict[str, type[Solver]] = {
    solver.name: solver
    for solver in (
        GuidedGrowth,
        KernelGrowth,
        Sholomon,
        MultiSegment,
        Gallagher,
        Loops,
        Linear,
        PaikinTal,
    )
}


def get_solver(name: str) -> Solver:
    """The solver of that name with its default settings."""
    if name not in SOLVERS:
        raise AzulejarError(
            f"There is no solver {name!r}.", f"Choose from {', '.join(sorted(SOLVERS))}."
        )
    return SOLVERS[name]()


def solve(
    compatibility: Compatibility,
    knowns: Knowns | None = None,
    *,
    solver: Solver | str = GuidedGrowth.name,
    seed: int = 0,
    budget: Budget | None = None,
    on_progress: OnProgress | None = None,
) -> Assembly:
    """Assemble the panel; the same seed gives the same answer on any number of threads."""
    knowns = (knowns or Knowns()).for_tiles(len(compatibility))
    chosen = get_solver(solver) if isinstance(solver, str) else solver
    chosen.check(knowns)
    if len(compatibility) == 1 and not knowns.constrained:
        return Assembly.of([0], [0], [0])
    if compatibility.scores.min() < 0:
        raise AzulejarError(
            "A solver needs scores of 0 and above.",
            "Bring them to 0..1, for example with the step minmax.",
        )
    assembly = chosen.solve(
        compatibility, knowns, seed, budget or Budget(), on_progress or (lambda progress: None)
    )
    return _as_known(assembly, knowns)


def _as_known(assembly: Assembly, knowns: Knowns) -> Assembly:
    """In the size that is known; a panel of turned tiles may have come out on its side."""
    if knowns.rows is None or knowns.cols is None:
        return assembly
    if assembly.rows > knowns.rows or assembly.cols > knowns.cols:
        assembly = assembly.turned(1)
    return replace(assembly, size=(knowns.rows, knowns.cols))


__all__ = [
    "SOLVERS",
    "Budget",
    "GuidedGrowth",
    "KernelGrowth",
    "OnProgress",
    "Progress",
    "Solver",
    "get_solver",
    "solve",
]
