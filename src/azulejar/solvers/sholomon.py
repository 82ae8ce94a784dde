"""Genetic algorithm of Sholomon, David and Netanyahu (CVPR 2013; AAAI 2014 for turned tiles)."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

from azulejar.core.assembly import Assembly
from azulejar.core.compatibility import Compatibility
from azulejar.core.joints import best_buddies
from azulejar.core.knowns import Knowns
from azulejar.measures.postprocess import symmetric
from azulejar.solvers.budget import Budget, Clock
from azulejar.solvers.kernels.kernel import write_met
from azulejar.solvers.kernels.sholomon_growth import Fits, grow_by_buddies, inherit
from azulejar.solvers.kernels.streams import stream
from azulejar.solvers.population import Generation, evolve, spin
from azulejar.solvers.solver import OnProgress, Solver
from azulejar.system.compiling import allocating, lean

CANDIDATES = 48  # most compatible edges of each edge that are kept in order
CHUNK = 10  # children that a thread grows at a time


@dataclass(frozen=True)
class Sholomon(Solver):
    """1,000 chromosomes, roulette wheel, three-phase crossover; all settings but one are published.

    ``generations`` is for upright tiles and ``generations_turned`` for turned ones; the ``elite``
    best chromosomes are kept as they are; ``mutation`` is the chance that a placement of phase 1 or
    3 takes a random tile. The source gives 5 % without saying of what; of placements that would be
    twenty wrong tiles in every child of 432, and falls short of what it reports. It starts from
    random chromosomes; since those agree on nothing, we start from their children, grown by phase 3
    alone.
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
        """Return the best assembly of all generations."""
        mutual = symmetric(compatibility)
        best, _ = mutual.best(CANDIDATES, knowns.upright)
        buddy = best_buddies(best[:, 0])
        scores = mutual.dense()
        clock = Clock(budget, self.generations if knowns.upright else self.generations_turned)

        def breed(generation: Generation) -> Callable[[int, int], None]:
            parents = spin(generation.now.fitness, [seed, generation.number])
            return partial(
                _grow_children,
                generation,
                parents,
                Fits(best, scores),
                buddy,
                self.mutation,
                (*knowns.frame, knowns.upright),
                seed,
            )

        return evolve(self, len(compatibility), breed, clock, on_progress, chunk=CHUNK)


@lean
def _fitness(met, scores):
    total = 0.0
    for edge in range(len(met)):
        if met[edge] > edge:
            total += scores[edge, met[edge]]
    return total


@allocating
def _grow_children(generation, parents, fits, buddy, mutation, known, seed, begin, stop):
    """Grow some children; ``known``: the frame of the knowns, and whether tiles are upright."""
    rows, cols, upright = known
    met, following = generation.now.met, generation.following
    for child in range(begin, stop):
        state = stream(seed, generation.number, child)
        wanted = inherit(met[parents[child, 0]], met[parents[child, 1]], buddy)
        kernel = grow_by_buddies(wanted, fits, mutation, rows, cols, upright, state)
        following.placed[child] = kernel.placed
        write_met(kernel, following.met[child])
        following.fitness[child] = _fitness(following.met[child], fits.scores)
