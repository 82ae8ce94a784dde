"""Several searches with different seeds, of which the fittest is kept."""

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np

from azulejar.core.assembly import Assembly
from azulejar.core.compatibility import Compatibility
from azulejar.core.knowns import Knowns
from azulejar.errors import AzulejarError
from azulejar.solvers import Budget, Progress, Solver, solve
from azulejar.solvers.outline import heed_outer_sides

MOST_RUNS = 10_000

OnRun = Callable[[int, Progress], None]
History = list[tuple[float, int, float]]


@dataclass
class Run:
    """One search: its seed, its outcome, and (seconds, generation, fitness) along the way.

    Fitness is what the solver maximises.
    """

    seed: int
    assembly: Assembly
    fitness: float
    history: History = field(default_factory=list)


def best_of(
    compatibility: Compatibility,
    knowns: Knowns,
    solver: Solver,
    *,
    runs: int = 1,
    seed: int = 0,
    seconds: float | None = None,
    stop: threading.Event | None = None,
    on_progress: OnRun | None = None,
) -> Run:
    """Return the fittest of several runs; they share ``seconds``, and ``stop`` ends them all."""
    if runs < 1:
        raise AzulejarError(
            "runs-too-few", "{runs} runs give no result.", "Give 1 run or more.", runs=runs
        )
    if runs > MOST_RUNS:
        raise AzulejarError(
            "runs-too-many",
            "{runs} runs are too many.",
            "Give {most} runs at most.",
            runs=runs,
            most=MOST_RUNS,
        )
    compatibility, knowns = heed_outer_sides(compatibility, knowns)
    stop = stop or threading.Event()
    started = time.perf_counter()
    best: Run | None = None
    for number, child_seed in enumerate(seeds(seed, runs)):
        left = None if seconds is None else seconds - (time.perf_counter() - started)
        if best is not None and (stop.is_set() or (left is not None and left <= 0)):
            break
        share = None if left is None else max(left / (runs - number), 1e-3)
        budget = Budget(share, stop)
        run = _run(compatibility, knowns, solver, child_seed, budget, number, on_progress)
        if best is None or run.fitness > best.fitness:
            best = run
    assert best is not None
    return best


def seeds(seed: int, runs: int) -> list[int]:
    """Return the seed itself, then seeds drawn from it."""
    return [seed, *(int(s) for s in np.random.SeedSequence(seed).generate_state(runs)[1:])]


def _run(
    compatibility: Compatibility,
    knowns: Knowns,
    solver: Solver,
    seed: int,
    budget: Budget,
    number: int,
    on_progress: OnRun | None,
) -> Run:
    history: History = []

    def note(progress: Progress) -> None:
        history.append((progress.seconds, progress.generation, progress.fitness))
        if on_progress is not None:
            on_progress(number, progress)

    assembly = solve(
        compatibility, knowns, solver=solver, seed=seed, budget=budget, on_progress=note
    )
    return Run(seed, assembly, solver.worth(compatibility, knowns, assembly), history)
