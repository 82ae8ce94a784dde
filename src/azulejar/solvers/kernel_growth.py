"""The paper's genetic algorithm (Rika, Sholomon, David, Netanyahu, GECCO 2019, section 3)."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from azulejar.core.assembly import Assembly
from azulejar.core.compatibility import Compatibility
from azulejar.core.knowns import Knowns
from azulejar.solvers.budget import Budget, Clock
from azulejar.solvers.kernels.growth import PHASES, crossover, grow
from azulejar.solvers.kernels.kernel import NOTHING, write_met
from azulejar.solvers.kernels.streams import stream, uniform
from azulejar.solvers.population import Generation, evolve
from azulejar.solvers.rectangles import (
    fills_its_box,
    frames_to_try,
    pick_frame,
    whole_bonus,
    with_bonus,
)
from azulejar.solvers.solver import OnProgress, Solver
from azulejar.system.compiling import allocating, lean

CHUNK = 5  # children that a thread grows at a time


@dataclass(frozen=True)
class KernelGrowth(Solver):
    """100 chromosomes, 500 generations, roulette wheel, six-phase crossover.

    ``elite`` best chromosomes are kept as they are, as in Sholomon et al. 2013, on which the paper
    builds; the other figures are the paper's own. ``framed`` and ``whole`` give it the preference
    for whole rectangles that guided growth has, which the paper's solver does not: 0 is off.
    """

    name = "kernel-growth"
    scale = "unit"

    population: int = 100
    generations: int = 500
    elite: int = 4
    skip_inherited: float = 0.1
    skip_agreed: float = 0.2
    rich: float = 0.8
    framed: float = 0.0
    whole: float = 0.0

    @property
    def compiled(self) -> Callable:
        """The compiled function in which the time is spent."""
        return _grow_children

    def worth(self, compatibility: Compatibility, knowns: Knowns, assembly: Assembly) -> float:
        """Return the sum of all joints, more for a whole rectangle if it is preferred."""
        total = super().worth(compatibility, knowns, assembly)
        return with_bonus(total, self.whole, knowns, assembly)

    def solve(
        self,
        compatibility: Compatibility,
        knowns: Knowns,
        seed: int,
        budget: Budget,
        on_progress: OnProgress,
    ) -> Assembly:
        """Return the best assembly of all generations."""
        scores = compatibility.dense()
        partner, _ = compatibility.best(2, knowns.upright)
        first = np.ascontiguousarray(partner[:, 0])
        second = np.ascontiguousarray(partner[:, 1])
        skip = np.array([self.skip_inherited] * 2 + [self.skip_agreed] + [0.0] * (PHASES - 3))
        bonus = whole_bonus(self.whole, knowns)
        clock = Clock(budget, self.generations)

        def breed(generation: Generation) -> Callable[[int, int], None]:
            return partial(
                _grow_children,
                generation,
                np.cumsum(generation.now.fitness),
                Choice(scores, first, second, skip, self.rich, float(self.framed), bonus),
                frames_to_try(self.framed, knowns, generation),
                knowns.upright,
                seed,
            )

        return evolve(self, len(compatibility), breed, clock, on_progress, chunk=CHUNK, marks=True)


class Choice(NamedTuple):
    """The partners that children choose from, and the settings of that choice.

    ``scores`` [4n, 4n]; ``first`` and ``second`` [4n], the most and second-most compatible partner
    of each edge; ``skip`` [6], the chance that a phase is passed over; ``rich``, the least score of
    rich joints; ``framed`` and ``whole``, the preference for whole rectangles.
    """

    scores: NDArray[np.float32]
    first: NDArray[np.int32]
    second: NDArray[np.int32]
    skip: NDArray[np.float64]
    rich: float
    framed: float
    whole: float


@allocating
def rate(met, scores, threshold, rich):
    """Return the fitness of a chromosome; note in ``rich`` [4n] which joints may be inherited.

    Phases I and II inherit rich joints. A tile's score is the mean over its joints; both tiles of
    a rich joint score above max(threshold, mean over all joints).
    """
    n = len(met) // 4
    tile_score = np.zeros(n)
    total = 0.0
    joints = 0
    for tile in range(n):
        own = 0
        for edge in range(4 * tile, 4 * tile + 4):
            if met[edge] != NOTHING:
                tile_score[tile] += scores[edge, met[edge]]
                own += 1
        total += tile_score[tile]
        joints += own
        tile_score[tile] /= max(own, 1)
    least = max(threshold, total / max(joints, 1))
    for edge in range(len(met)):
        rich[edge] = (
            met[edge] != NOTHING
            and tile_score[edge // 4] > least
            and tile_score[met[edge] // 4] > least
        )
    return total / 2


@lean
def _spin(wheel, state):
    """Draw a chromosome by roulette wheel, in proportion to its fitness."""
    return min(np.searchsorted(wheel, uniform(state) * wheel[-1], side="right"), len(wheel) - 1)


@allocating
def _grow_children(generation, wheel, choice, frames, upright, seed, begin, stop):
    """Grow some children, each in one of the ``frames`` [k, 2]."""
    now, following = generation.now, generation.following
    met, rich = now.met, now.marked
    for child in range(begin, stop):
        state = stream(seed, generation.number, child)
        a = _spin(wheel, state)
        b = _spin(wheel, state)
        if now.fitness[b] > now.fitness[a]:
            a, b = b, a
        partners = crossover(met[a], met[b], rich[a], rich[b], choice.first, choice.second)
        rows, cols = pick_frame(frames, choice.framed, state)
        used = np.zeros(PHASES, np.int64)
        kernel = grow(partners, choice.skip, rows, cols, upright, state, used)
        following.placed[child] = kernel.placed
        write_met(kernel, following.met[child])
        following.fitness[child] = rate(
            following.met[child], choice.scores, choice.rich, following.marked[child]
        )
        if fills_its_box(kernel.placed[:, 0], kernel.placed[:, 1]):
            following.fitness[child] *= 1 + choice.whole
