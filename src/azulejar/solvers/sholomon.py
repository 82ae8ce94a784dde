"""Genetic algorithm of Sholomon, David and Netanyahu (CVPR 2013; AAAI 2014 for turned tiles)."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

import numpy as np

from azulejar.core.assembly import Assembly
from azulejar.core.compatibility import Compatibility
from azulejar.core.joints import best_buddies
from azulejar.core.knowns import Knowns
from azulejar.measures.postprocess import symmetric
from azulejar.solvers.budget import Budget, Clock
from azulejar.solvers.kernels.kernel import write_met
from azulejar.solvers.kernels.sholomon_growth import grow_by_buddies, inherit
from azulejar.solvers.kernels.streams import stream
from azulejar.solvers.population import Population, evolve, spin
from azulejar.solvers.solver import OnProgress, Solver
from azulejar.system.compiling import allocating, lean
from azulejar.system.threads import share_out

CANDIDATES = 48  # most compatible edges of each edge that are kept in order
CHUNK = 10  # children that a thread grows at a time


@dataclass(frozen=True)
class Sholomon(Solver):
    """1,000 chromosomes, roulette wheel, three-phase crossover; figures of the source but for one.

    ``generations`` are those of upright tiles and ``generations_turned`` those of turned ones;
    ``elite`` best chromosomes are kept as they are; ``mutation`` is the chance that a placement of
    phase 1 or 3 takes a random tile. The source gives 5 % without saying of what; of placements
    that would be twenty wrong tiles in every child of 432, and falls short of what it reports.
    It starts from random chromosomes; since those agree on nothing, we start from their children,
    grown by phase 3 alone.
    """

    name = "sholomon"
    unknown_size = False

    population: int = 1000
    generations: int = 100
    generations_turned: int = 30
    elite: int = 4
    mutation: float = 0.005

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
        mutual = symmetric(compatibility)
        best, _ = mutual.best(CANDIDATES, knowns.upright)
        buddy = best_buddies(best[:, 0])
        scores = mutual.dense()
        clock = Clock(budget, self.generations if knowns.upright else self.generations_turned)

        def breed(now: Population, following: Population, generation: int) -> None:
            order = np.argsort(-now.fitness, kind="stable")
            grow_children = partial(
                _grow_children, *now, *following, order, self.elite if generation else 0,
                spin(now.fitness, [seed, generation]), best, buddy, scores, self.mutation,
                knowns.rows or 0, knowns.cols or 0, knowns.upright, seed, generation,
            )  # fmt: skip
            share_out(grow_children, self.population, CHUNK)

        return evolve(self.population, len(compatibility), breed, clock, on_progress)


@lean
def _fitness(met, scores):
    total = 0.0
    for edge in range(len(met)):
        if met[edge] > edge:
            total += scores[edge, met[edge]]
    return total


@allocating
def _grow_children(
    placed_by, met, fitness, next_placed, next_met, next_fitness,
    order, elite, parents, best, buddy, scores, mutation,
    rows, cols, upright, seed, generation, begin, stop,
):  # fmt: skip
    for child in range(begin, stop):
        if child < elite:
            kept = order[child]
            next_placed[child] = placed_by[kept]
            next_met[child] = met[kept]
            next_fitness[child] = fitness[kept]
        else:
            state = stream(seed, generation, child)
            wanted = inherit(met[parents[child, 0]], met[parents[child, 1]], buddy)
            placed, cells = grow_by_buddies(
                wanted, best, scores, mutation, rows, cols, upright, state
            )
            next_placed[child] = placed
            write_met(placed, cells, next_met[child])
            next_fitness[child] = _fitness(next_met[child], scores)
