"""Our genetic algorithm: best-first growth, led by scores that loops of four have re-weighed."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial

import numpy as np
from numpy.typing import NDArray

from azulejar.core.assembly import Assembly
from azulejar.core.compatibility import Compatibility
from azulejar.core.joints import Joints, joint_score
from azulejar.core.knowns import Knowns
from azulejar.knowledge.constraints import Constraints
from azulejar.measures.loops import weigh_by_loops
from azulejar.solvers.budget import Budget, Clock
from azulejar.solvers.evidence import Evidence
from azulejar.solvers.frames import fills_its_box, likely_frames
from azulejar.solvers.kernels.guided import grow_guided
from azulejar.solvers.kernels.holding import FREE_FRAME, ORIENTED, PLACED
from azulejar.solvers.kernels.kernel import NOTHING, write_met
from azulejar.solvers.kernels.streams import below, stream, uniform
from azulejar.solvers.population import Population, evolve
from azulejar.solvers.solver import OnProgress, Solver
from azulejar.system.compiling import allocating, lean
from azulejar.system.threads import share_out

CHUNK = 2  # children that a thread grows at a time


@dataclass(frozen=True)
class GuidedGrowth(Solver):
    """Kernel growth as in the paper, with another crossover.

    A share ``weighed`` of the children, at random, follow the scores weighed by loops, the others
    the scores as they are; parents are drawn from the best share ``parents``; ``bonus`` (for a
    joint that a parent has) and ``noise`` are upper bounds of what each child draws for itself.
    Fitness is the evidence of all joints, which takes scores below ``doubt`` for none.

    Where the size is unknown, a share ``framed`` of the children grow inside a whole rectangle near
    the best so far, and an assembly that is one is worth a share ``whole`` more, as most panels
    are. A panel of another shape, or with tiles missing, has to be that much fitter.
    """

    name = "guided-growth"
    keeps_constraints = True

    population: int = 150
    generations: int = 100
    stagnation: int | None = 20
    elite: int = 4
    parents: float = 0.5
    weighed: float = 0.5
    candidates: int = 8
    bonus: float = 0.5
    toll: float = 0.1
    noise: float = 0.2
    doubt: float = 1e-3
    framed: float = 0.5
    whole: float = 0.012

    @property
    def compiled(self) -> Callable:
        """The compiled function in which the time is spent."""
        return _grow_children

    def worth(self, compatibility: Compatibility, knowns: Knowns, assembly: Assembly) -> float:
        """The evidence of all joints, and more for a whole rectangle of unknown size."""
        evidence = Evidence.of(compatibility, knowns.upright, self.doubt)
        total = evidence.total(compatibility, assembly)
        if (assembly.panel == 0).all() and fills_its_box(assembly.row, assembly.col):
            total *= 1 + self._whole(knowns)
        return total

    def _whole(self, knowns: Knowns) -> float:
        """What a whole rectangle is worth more; nothing where the size is known."""
        return 0.0 if knowns.rows else self.whole

    def solve(
        self,
        compatibility: Compatibility,
        knowns: Knowns,
        seed: int,
        budget: Budget,
        on_progress: OnProgress,
    ) -> Assembly:
        """The best assembly of all generations."""
        table = Joints.of(compatibility, knowns.upright)
        evidence = Evidence.of(compatibility, knowns.upright, self.doubt)
        plain = replace(table, score=evidence(table.score)).without(knowns.apart)
        weighed = weigh_by_loops(plain)
        scores = np.stack([plain.score, weighed.score])
        best = np.stack([plain.best(self.candidates), weighed.best(self.candidates)])
        holds = Constraints.of(knowns, len(compatibility))
        frame = PLACED if holds.placed else ORIENTED if holds.oriented else FREE_FRAME
        clock = Clock(budget, self.generations, self.stagnation)
        eligible = max(1, int(self.parents * self.population))

        def breed(now: Population, following: Population, generation: int) -> None:
            order = np.argsort(-now.fitness, kind="stable")
            grow_children = partial(
                _grow_children, *now, *following, order, self.elite if generation else 0, eligible,
                self.weighed, plain.start, plain.other, scores, best,
                self.bonus if generation else 0.0, self.toll, self.noise,
                holds if knowns.constrained else None, frame,
                _frames(knowns, now, order[0], generation), self.framed, self._whole(knowns),
                knowns.upright, seed, generation,
            )  # fmt: skip
            share_out(grow_children, self.population, CHUNK)

        n = len(compatibility)
        return evolve(self.population, n, breed, clock, on_progress, absolute=holds.placed)


def _frames(knowns: Knowns, now: Population, best: int, generation: int) -> NDArray[np.int64]:
    """Rows and cols that are known, 0 if they are not, then those in which to try [k, 2]."""
    known = np.array([[knowns.rows or 0, knowns.cols or 0]])
    if known.any() or knowns.empty or generation == 0 or now.fitness[best] < 0:
        return known
    return np.concatenate([known, likely_frames(now.placed[best])])


@lean
def _fitness(met, start, others, score):
    total = 0.0
    for edge in range(len(met)):
        if met[edge] != NOTHING and met[edge] > edge:
            total += joint_score(start, others, score, edge, met[edge])
    return total


@allocating
def _grow_children(
    placed_by, met, fitness, next_placed, next_met, next_fitness,
    order, elite, eligible, weighed, start, others, scores, best, bonus, toll, noise,
    holds, frame, frames, framed, whole, upright, seed, generation, begin, stop,
):  # fmt: skip
    for child in range(begin, stop):
        if child < elite:
            kept = order[child]
            next_placed[child] = placed_by[kept]
            next_met[child] = met[kept]
            next_fitness[child] = fitness[kept]
        else:
            state = stream(seed, generation, child)
            fitter, other = order[below(state, eligible)], order[below(state, eligible)]
            parents = np.empty((2, met.shape[1]), np.int32)
            parents[0] = met[fitter]
            parents[1] = met[other]
            led_by = 1 if uniform(state) < weighed else 0
            weights = np.array(
                [bonus * uniform(state), bonus * uniform(state), toll, noise * uniform(state)]
            )
            pick = 0
            if len(frames) > 1 and uniform(state) < framed:
                pick = 1 + below(state, len(frames) - 1)
            rows, cols = frames[pick, 0], frames[pick, 1]
            placed, cells, kept = grow_guided(
                start, others, scores[led_by], best[led_by], parents, weights,
                holds, frame, placed_by[fitter], rows, cols, upright, state,
            )  # fmt: skip
            next_placed[child] = placed
            if kept:
                write_met(placed, cells, next_met[child])
                next_fitness[child] = _fitness(next_met[child], start, others, scores[0])
                if fills_its_box(placed[:, 0], placed[:, 1]):
                    next_fitness[child] *= 1 + whole
            else:
                next_met[child] = NOTHING
                next_fitness[child] = -1.0
