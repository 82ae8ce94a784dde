"""Population: the chromosomes of one generation, and how one follows another."""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from azulejar.core.assembly import Assembly
from azulejar.errors import AzulejarError
from azulejar.solvers.budget import Clock
from azulejar.solvers.kernels.kernel import NOTHING
from azulejar.solvers.solver import OnProgress, Progress


class Population(NamedTuple):
    """``placed`` [p, n, 3] (row, col, turn), ``met`` [p, 4n] and ``fitness`` [p]."""

    placed: NDArray[np.int32]
    met: NDArray[np.int32]
    fitness: NDArray[np.float64]

    @classmethod
    def empty(cls, p: int, n: int) -> "Population":
        """p chromosomes in which no edges meet yet, all equally fit."""
        met = np.full((p, 4 * n), NOTHING, np.int32)
        return cls(np.zeros((p, n, 3), np.int32), met, np.ones(p))

    def best(self, absolute: bool = False) -> Assembly:
        """The fittest chromosome; ``absolute``: its rows and cols count from a known place."""
        row, col, turn = self.placed[self.fitness.argmax()].T
        size = (int(row.max()) + 1, int(col.max()) + 1) if absolute else None
        return Assembly.of(row, col, turn, size=size)


Breed = Callable[[Population, Population, int], None]


def evolve(
    p: int, n: int, breed: Breed, clock: Clock, on_progress: OnProgress, absolute: bool = False
) -> Assembly:
    """The best assembly of all generations of p chromosomes of n tiles.

    ``breed(now, following, generation)`` fills the following population from the present one; it
    has to keep the best. A chromosome below 0 breaks what has to be kept.
    """
    now, following = Population.empty(p, n), Population.empty(p, n)
    while clock.running:
        breed(now, following, clock.generation)
        now, following = following, now
        clock.tick(float(now.fitness.max()))
        best = now.best(absolute)
        on_progress(Progress(clock.fraction, clock.generation, clock.seconds, clock.best, best))
    if now.fitness.max() < 0:
        raise AzulejarError(
            "No assembly was found that keeps all locks and refusals.",
            "Take back some of them, or give a larger size.",
        )
    return now.best(absolute)


def spin(fitness: NDArray[np.float64], seed: list[int]) -> NDArray[np.int64]:
    """Roulette wheel: two parents for each child [p, 2], chances in proportion to fitness."""
    total = fitness.sum()
    shares = fitness / total if total > 0 else None
    return np.random.default_rng(seed).choice(len(fitness), (len(fitness), 2), p=shares)
