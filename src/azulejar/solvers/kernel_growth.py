"""The paper's genetic algorithm (Rika, Sholomon, David, Netanyahu, GECCO 2019, section 3)."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

import numpy as np

from azulejar.core.assembly import Assembly
from azulejar.core.compatibility import Compatibility
from azulejar.core.knowns import Knowns
from azulejar.solvers.budget import Budget, Clock
from azulejar.solvers.kernels.growth import PHASES, crossover, grow
from azulejar.solvers.kernels.kernel import NOTHING, write_met
from azulejar.solvers.kernels.streams import stream, uniform
from azulejar.solvers.population import Population, evolve
from azulejar.solvers.solver import OnProgress, Solver
from azulejar.system.compiling import allocating, lean
from azulejar.system.threads import share_out

CHUNK = 5  # children that a thread grows at a time


@dataclass(frozen=True)
class KernelGrowth(Solver):
    """100 chromosomes, 500 generations, roulette wheel, six-phase crossover.

    ``elite`` best chromosomes are kept as they are, as in Sholomon et al. 2013, on which the paper
    builds; the other figures are the paper's own.
    """

    name = "kernel-growth"

    population: int = 100
    generations: int = 500
    elite: int = 4
    skip_inherited: float = 0.1
    skip_agreed: float = 0.2
    rich: float = 0.8

    @property
    def compiled(self) -> Callable:
        """The compiled function in which the time is spent."""
        return _grow_children

    def solve(
        self,
        compatibility: Compatibility,
        knowns: Knowns,
        seed: int,
        budget: Budget,
        on_progress: OnProgress,
    ) -> Assembly:
        """The best assembly of all generations."""
        scores = compatibility.dense()
        partner, _ = compatibility.best(2, knowns.upright)
        first = np.ascontiguousarray(partner[:, 0])
        second = np.ascontiguousarray(partner[:, 1])
        skip = np.array([self.skip_inherited] * 2 + [self.skip_agreed] + [0.0] * (PHASES - 3))
        clock = Clock(budget, self.generations)
        rich = np.zeros((2, self.population, len(scores)), np.bool_)

        def breed(now: Population, following: Population, generation: int) -> None:
            order = np.argsort(-now.fitness, kind="stable")
            grow_children = partial(
                _grow_children, *now, rich[generation % 2], *following, rich[1 - generation % 2],
                order, np.cumsum(now.fitness), self.elite if generation else 0, self.rich, scores,
                first, second, skip, knowns.rows or 0, knowns.cols or 0, knowns.upright, seed,
                generation,
            )  # fmt: skip
            share_out(grow_children, self.population, CHUNK)

        return evolve(self.population, len(compatibility), breed, clock, on_progress)


@allocating
def judge(met, scores, rich_threshold, rich):
    """Fitness of a chromosome, and into ``rich`` [4n] which joints phases I and II may inherit.

    A tile's score is the mean over its joints; both tiles of a rich joint score above
    max(threshold, mean over all joints).
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
    threshold = max(rich_threshold, total / max(joints, 1))
    for edge in range(len(met)):
        rich[edge] = (
            met[edge] != NOTHING
            and tile_score[edge // 4] > threshold
            and tile_score[met[edge] // 4] > threshold
        )
    return total / 2


@lean
def _spin(wheel, state):
    """Roulette wheel: a chromosome, with a chance in proportion to its fitness."""
    return min(np.searchsorted(wheel, uniform(state) * wheel[-1], side="right"), len(wheel) - 1)


@allocating
def _grow_children(
    placed_by, met, fitness, rich, next_placed, next_met, next_fitness, next_rich,
    order, wheel, elite, rich_threshold, scores, first, second, skip,
    rows, cols, upright, seed, generation, begin, stop,
):  # fmt: skip
    for child in range(begin, stop):
        if child < elite:
            kept = order[child]
            next_placed[child] = placed_by[kept]
            next_met[child] = met[kept]
            next_fitness[child] = fitness[kept]
            next_rich[child] = rich[kept]
        else:
            state = stream(seed, generation, child)
            a = _spin(wheel, state)
            b = _spin(wheel, state)
            if fitness[b] > fitness[a]:
                a, b = b, a
            partners = crossover(met[a], met[b], rich[a], rich[b], first, second)
            used = np.zeros(PHASES, np.int64)
            placed, cells = grow(partners, skip, rows, cols, upright, state, used)
            next_placed[child] = placed
            write_met(placed, cells, next_met[child])
            next_fitness[child] = judge(next_met[child], scores, rich_threshold, next_rich[child])
