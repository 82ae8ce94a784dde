"""Population: the chromosomes of one generation."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from azulejar.assembly import Assembly
from azulejar.solvers.budget import Clock
from azulejar.solvers.kernel import NOTHING
from azulejar.solvers.progress import Progress


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

    def best(self) -> Assembly:
        """The fittest chromosome."""
        return Assembly.of(*self.placed[self.fitness.argmax()].T)

    def progress(self, clock: Clock) -> Progress:
        """How the search stands."""
        return Progress(clock.fraction, clock.generation, clock.seconds, clock.best, self.best())
