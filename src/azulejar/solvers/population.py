"""The loop that all genetic solvers share: elite, generations, progress."""

from collections.abc import Callable
from typing import NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from azulejar.core.assembly import Assembly
from azulejar.errors import AzulejarError
from azulejar.solvers.budget import Clock
from azulejar.solvers.kernels.kernel import NOTHING
from azulejar.solvers.solver import OnProgress, Progress
from azulejar.system.threads import share_out


class Population(NamedTuple):
    """p chromosomes of n tiles.

    - ``placed`` [p, n, 3]: row, col and turn of each tile;
    - ``met`` [p, 4n]: for each edge the edge that it meets, or NOTHING;
    - ``fitness`` [p]: below 0 where a chromosome breaks a constraint;
    - ``marked`` [p, 4n]: what a solver notes of each edge; [p, 0] if it notes nothing.
    """

    placed: NDArray[np.int32]
    met: NDArray[np.int32]
    fitness: NDArray[np.float64]
    marked: NDArray[np.bool_]

    @classmethod
    def empty(cls, p: int, n: int, marks: bool = False) -> "Population":
        """Return p chromosomes in which no edges meet yet, all equally fit."""
        return cls(
            np.zeros((p, n, 3), np.int32),
            np.full((p, 4 * n), NOTHING, np.int32),
            np.ones(p),
            np.zeros((p, 4 * n if marks else 0), np.bool_),
        )

    def copy_from(self, other: "Population", chosen: NDArray[np.integer]) -> None:
        """Overwrite the first chromosomes with the ``chosen`` of another population."""
        for name in self._fields:
            getattr(self, name)[: len(chosen)] = getattr(other, name)[chosen]

    def best(self, absolute: bool = False) -> Assembly:
        """Return the fittest chromosome; ``absolute``: rows and cols count from a known place."""
        row, col, turn = self.placed[self.fitness.argmax()].T
        size = (int(row.max()) + 1, int(col.max()) + 1) if absolute else None
        return Assembly.of(row, col, turn, size=size)


class Generation(NamedTuple):
    """One generation: ``number`` from 0, ``now`` its parents, ``following`` its children.

    ``order`` [p] are the parents, fittest first.
    """

    number: int
    now: Population
    following: Population
    order: NDArray[np.int64]


# Makes the function that fills children ``first`` to ``stop`` of the following population.
Breed = Callable[[Generation], Callable[[int, int], object]]


class Genetic(Protocol):
    """The settings of the loop, which every genetic solver has."""

    @property
    def population(self) -> int:
        """The number p of chromosomes."""

    @property
    def elite(self) -> int:
        """How many of the fittest are kept as they are, from the second generation on."""


def evolve(
    settings: Genetic,
    n: int,
    breed: Breed,
    clock: Clock,
    on_progress: OnProgress,
    *,
    chunk: int,
    marks: bool = False,
    absolute: bool = False,
    start: NDArray[np.int32] | None = None,
) -> Assembly:
    """Return the best assembly of all generations of chromosomes of n tiles.

    Children are bred ``chunk`` at a time by each thread. ``start`` [n, 3] are the places and turns
    of the tiles in the parents of the first generation, if anything is known of them.
    """
    p = settings.population
    now, following = Population.empty(p, n, marks), Population.empty(p, n, marks)
    if start is not None:
        now.placed[:] = start
    while clock.running:
        order = np.argsort(-now.fitness, kind="stable")
        kept = min(settings.elite, p) if clock.generation else 0
        following.copy_from(now, order[:kept])
        grow = breed(Generation(clock.generation, now, following, order))
        _share_out_after(kept, grow, p, chunk)
        now, following = following, now
        clock.tick(float(now.fitness.max()))
        best = now.best(absolute)
        on_progress(Progress(clock.fraction, clock.generation, clock.seconds, clock.best, best))
    if now.fitness.max() < 0:
        raise AzulejarError(
            "constraints-unmet",
            "No assembly was found that keeps all locks and refusals.",
            "Take back some of them, or give a larger size.",
        )
    return now.best(absolute)


def _share_out_after(kept: int, grow: Callable[[int, int], object], p: int, chunk: int) -> None:
    share_out(lambda first, stop: grow(kept + first, kept + stop), p - kept, chunk)


def spin(fitness: NDArray[np.float64], seed: list[int]) -> NDArray[np.int64]:
    """Draw two parents for each child [p, 2] by roulette wheel, in proportion to fitness."""
    total = fitness.sum()
    shares = fitness / total if total > 0 else None
    return np.random.default_rng(seed).choice(len(fitness), (len(fitness), 2), p=shares)
