"""Genetic algorithm of Sholomon, David and Netanyahu (GECCO 2014): unknown size, several panels."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import coo_array
from scipy.sparse.csgraph import connected_components

from azulejar.core.assembly import Assembly
from azulejar.core.compatibility import Compatibility
from azulejar.core.joints import Joints, best_buddies
from azulejar.core.knowns import Knowns
from azulejar.solvers.budget import Budget, Clock
from azulejar.solvers.kernels.segment_crossover import Relations, cross_segments
from azulejar.solvers.kernels.streams import stream
from azulejar.solvers.population import Generation, evolve, spin
from azulejar.solvers.solver import OnProgress, Progress, Solver
from azulejar.system.compiling import allocating

CHUNK = 2  # children that a thread makes at a time


@dataclass(frozen=True)
class MultiSegment(Solver):
    """A chromosome is a set of relations, edge to edge, that tie tiles into segments.

    ``elite`` best chromosomes are kept as they are; ``skip_shared`` and ``skip`` are the chances
    that a relation of both parents, or one that is tied for its score, is passed over. Where there
    may be several panels, a relation that scores less than ``weak`` ties no two of them; where
    their number is unknown, a segment of ``least`` tiles is a panel of its own.

    Roulette wheel and elite are those of the authors' other algorithms. The settings are ours: 432
    tiles take seconds, or half a minute where a third of them look alike.
    """

    name = "multi-segment"
    known_size = False
    several = True

    population: int = 100
    generations: int = 100
    elite: int = 4
    skip_shared: float = 0.001
    skip: float = 0.1
    weak: float = 0.5
    least: int = 10

    @property
    def compiled(self) -> Callable:
        """The compiled function in which the time is spent."""
        return _make_children

    def solve(
        self,
        compatibility: Compatibility,
        knowns: Knowns,
        seed: int,
        budget: Budget,
        on_progress: OnProgress,
    ) -> Assembly:
        """Return the best assembly of all generations."""
        joints = Joints.of(compatibility, knowns.upright)
        buddy = best_buddies(joints.best(1)[:, 0])
        pair, strong = best_relations(joints, self.weak)
        relations = Relations(joints.table, buddy, pair, strong, self.skip_shared, self.skip)
        clock = Clock(budget, self.generations)

        def breed(generation: Generation) -> Callable[[int, int], None]:
            parents = spin(generation.now.fitness, [seed, generation.number])
            return partial(
                _make_children,
                generation,
                parents,
                relations,
                knowns.panels or 0,
                self.least,
                knowns.upright,
                seed,
            )

        def report(progress: Progress) -> None:
            on_progress(replace(progress, assembly=in_panels(progress.assembly)))

        return in_panels(evolve(self, len(compatibility), breed, clock, report, chunk=CHUNK))


def best_relations(joints: Joints, weak: float) -> tuple[NDArray[np.int32], int]:
    """Return likely pairs of edges [2, m], best first, and how many score at least ``weak``."""
    edge = np.repeat(np.arange(len(joints.start) - 1, dtype=np.int32), np.diff(joints.start))
    once = np.flatnonzero(edge < joints.other)
    order = once[np.argsort(-joints.score[once], kind="stable")]
    strong = int((joints.score[order] >= weak).sum())
    return np.ascontiguousarray(np.stack([edge[order], joints.other[order]])), strong


def in_panels(assembly: Assembly) -> Assembly:
    """Return the assembly with each connected part as a panel of its own, the largest first."""
    joints = assembly.joints() // 4
    n = len(assembly)
    graph = coo_array((np.ones(len(joints)), joints.T), shape=(n, n))
    _, part = connected_components(graph, directed=False)
    by_size = np.argsort(-np.bincount(part), kind="stable")
    return Assembly.of(assembly.row, assembly.col, assembly.turn, np.argsort(by_size)[part])


@allocating
def _make_children(generation, parents, relations, panels, least, upright, seed, begin, stop):
    met, following = generation.now.met, generation.following
    for child in range(begin, stop):
        following.fitness[child] = cross_segments(
            met[parents[child, 0]],
            met[parents[child, 1]],
            relations,
            panels,
            least,
            upright,
            stream(seed, generation.number, child),
            following.met[child],
            following.placed[child],
        )
