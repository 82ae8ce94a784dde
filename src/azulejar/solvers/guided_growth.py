"""Our genetic algorithm: best-first growth, led by scores that loops of four have re-weighed."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from azulejar.core.alignment import ANY_TURN
from azulejar.core.assembly import Assembly
from azulejar.core.compatibility import Compatibility
from azulejar.core.joints import Joints, JointTable, joint_score
from azulejar.core.knowns import Knowns
from azulejar.knowledge.constraints import Constraints
from azulejar.measures.loops import weigh_by_loops
from azulejar.solvers.annealing import Annealing
from azulejar.solvers.budget import Budget, Clock
from azulejar.solvers.kernels.constraints import FREE_FRAME, ORIENTED, PLACED
from azulejar.solvers.kernels.guided import Guide, grow_guided
from azulejar.solvers.kernels.kernel import NOTHING, write_met
from azulejar.solvers.kernels.streams import below, stream, uniform
from azulejar.solvers.log_fitness import LogFitness
from azulejar.solvers.outline import lay_on_outline, outline_of
from azulejar.solvers.population import Generation, evolve
from azulejar.solvers.rectangles import (
    fills_its_box,
    frames_to_try,
    pick_frame,
    whole_bonus,
    with_bonus,
)
from azulejar.solvers.solver import OnProgress, Progress, Solver
from azulejar.system.compiling import allocating, lean

CHUNK = 2  # children that a thread grows at a time
GROWN = 0.5  # progress at which annealing begins
ANNEALING = Annealing()


@dataclass(frozen=True)
class GuidedGrowth(Solver):
    """Kernel growth as in the paper, with another crossover.

    A share ``weighed`` of the children, at random, follow the scores weighed by loops, the others
    the scores as they are; parents are drawn from the best share ``parents``; ``bonus`` (for a
    joint that a parent has) and ``noise`` are upper bounds of what each child draws for itself.
    Fitness is the sum of the joints' log-fitness, which takes scores below ``doubt`` for none.

    Where the size is unknown, a share ``framed`` of the children grow inside a whole rectangle near
    the best so far, and an assembly that is one is worth a share ``whole`` more, as most panels
    are. A panel of another shape, or with tiles missing, has to be that much fitter.

    In the end the fittest assembly is improved by ``annealing``, unless that is None.
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
    annealing: Annealing | None = ANNEALING

    @property
    def compiled(self) -> Callable:
        """The compiled function in which the time is spent."""
        return _grow_children

    def worth(self, compatibility: Compatibility, knowns: Knowns, assembly: Assembly) -> float:
        """Return the log-fitness of all joints, more for a whole rectangle of unknown size."""
        fitness = LogFitness.of(compatibility, knowns.upright, self.doubt)
        return with_bonus(fitness.total(compatibility, assembly), self.whole, knowns, assembly)

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
        fitness = LogFitness.of(compatibility, knowns.upright, self.doubt)
        plain = replace(joints, score=fitness(joints.score)).without(knowns.apart)
        weighed = weigh_by_loops(plain)
        lead = Lead(
            plain.start,
            plain.other,
            np.stack([plain.score, weighed.score]),
            np.stack([plain.best(self.candidates), weighed.best(self.candidates)]),
        )
        constraints = Constraints.of(knowns, len(compatibility))
        frame = PLACED if constraints.placed else ORIENTED if constraints.oriented else FREE_FRAME
        habits = Habits(
            max(1, int(self.parents * self.population)),
            # Whole numbers would have everything compiled once more.
            float(self.weighed),
            float(self.bonus),
            float(self.toll),
            float(self.noise),
            float(self.framed),
            whole_bonus(self.whole, knowns),
            knowns.upright,
            frame,
        )

        clock = Clock(budget, self.generations, self.stagnation)
        start = self._start(compatibility, knowns, seed, budget)

        def breed(generation: Generation) -> Callable[[int, int], None]:
            return partial(
                _grow_children,
                generation,
                lead,
                habits if generation.number else habits._replace(bonus=0.0),
                constraints if knowns.constrained else None,
                frames_to_try(self.framed, knowns, generation),
                seed,
            )

        grown = GROWN if self.annealing else 1.0

        def report_growth(progress: Progress) -> None:
            on_progress(replace(progress, fraction=grown * progress.fraction))

        assembly = evolve(
            self,
            len(compatibility),
            breed,
            clock,
            report_growth,
            chunk=CHUNK,
            absolute=constraints.placed,
            start=start,
        )
        if self.annealing is None or clock.over:
            return assembly

        def worth(assembly: Assembly) -> float:
            total = fitness.total(compatibility, assembly)
            return with_bonus(total, self.whole, knowns, assembly)

        def report_annealing(share: float, best_worth: float, best: Assembly) -> None:
            clock.tick(best_worth)
            fraction = grown + (1 - grown) * share
            on_progress(Progress(fraction, clock.generation, clock.seconds, best_worth, best))

        best = np.concatenate([*lead.best], axis=1)
        return self.annealing.improve(
            assembly, plain, best, worth, knowns, seed, clock, report_annealing
        )

    def _start(
        self, compatibility: Compatibility, knowns: Knowns, seed: int, budget: Budget
    ) -> NDArray[np.int32] | None:
        """Return places and turns [n, 3] to start from in a known outline without locked places."""
        outline = outline_of(knowns)
        if outline is None or any((lock.row, lock.col) != (None, None) for lock in knowns.locks):
            return None
        short = replace(self, population=60, generations=40, stagnation=10, annealing=None)
        short = replace(short, framed=0.0, whole=0.0)
        free = replace(knowns, rows=None, cols=None, empty=())
        found = short.solve(compatibility, free, seed, budget, lambda progress: None)
        oriented = knowns.upright or any(lock.turn is not None for lock in knowns.locks)
        laid = lay_on_outline(found, outline, (0,) if oriented else ANY_TURN)
        return np.stack([laid.row, laid.col, laid.turn], axis=1).astype(np.int32)


class Lead(NamedTuple):
    """Two tables of likely joints, scores as they are and weighed by loops, and their best.

    ``start`` and ``other`` as in ``Joints``; ``score`` [2, …]; ``best`` [2, 4n, k].
    """

    start: NDArray[np.int32]
    other: NDArray[np.int32]
    score: NDArray[np.float32]
    best: NDArray[np.int32]


class Habits(NamedTuple):
    """Settings of the solver as compiled code takes them; ``eligible`` parents are drawn from."""

    eligible: int
    weighed: float
    bonus: float
    toll: float
    noise: float
    framed: float
    whole: float
    upright: bool
    frame: int


@lean
def _fitness(met, table):
    total = 0.0
    for edge in range(len(met)):
        if met[edge] != NOTHING and met[edge] > edge:
            total += joint_score(table, edge, met[edge])
    return total


@allocating
def _grow_children(generation, lead, habits, constraints, frames, seed, begin, stop):
    now, following, order = generation.now, generation.following, generation.order
    plain = JointTable(lead.start, lead.other, lead.score[0])
    for child in range(begin, stop):
        state = stream(seed, generation.number, child)
        fitter, other = order[below(state, habits.eligible)], order[below(state, habits.eligible)]
        parents = np.empty((2, now.met.shape[1]), np.int32)
        parents[0] = now.met[fitter]
        parents[1] = now.met[other]
        led_by = 1 if uniform(state) < habits.weighed else 0
        weights = np.array(
            [
                habits.bonus * uniform(state),
                habits.bonus * uniform(state),
                habits.toll,
                habits.noise * uniform(state),
            ]
        )
        rows, cols = pick_frame(frames, habits.framed, state)
        table = JointTable(lead.start, lead.other, lead.score[led_by])
        kernel, kept = grow_guided(
            Guide(table, lead.best[led_by], parents, weights),
            constraints,
            habits.frame,
            now.placed[fitter],
            rows,
            cols,
            habits.upright,
            state,
        )
        following.placed[child] = kernel.placed
        if kept:
            write_met(kernel, following.met[child])
            following.fitness[child] = _fitness(following.met[child], plain)
            if fills_its_box(kernel.placed[:, 0], kernel.placed[:, 1]):
                following.fitness[child] *= 1 + habits.whole
        else:
            following.met[child] = NOTHING
            following.fitness[child] = -1.0
