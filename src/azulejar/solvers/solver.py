"""Solver: the base class of all solvers, and how a search reports its progress."""

from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from typing import ClassVar

from azulejar.core.assembly import Assembly
from azulejar.core.compatibility import Compatibility
from azulejar.core.knowns import Knowns
from azulejar.errors import AzulejarError
from azulejar.measures.probability import Scale, on_scale
from azulejar.solvers.budget import Budget
from azulejar.system.compiling import is_cached


@dataclass(frozen=True)
class Progress:
    """The state of a search after one generation.

    ``fraction`` of the budget spent, from 0 to 1; ``generation``, counted from 1; ``seconds`` since
    the search began; ``fitness`` and ``assembly``, the best so far.

    Examples:
        >>> import azulejar
        >>> tiles, _ = azulejar.practice_puzzle(4, 4, size=24)
        >>> scores = azulejar.get_measure("mgc").score(tiles)
        >>> seen = []
        >>> assembly = azulejar.solve(scores, preset="fast", on_progress=seen.append)
        >>> isinstance(seen[0], azulejar.Progress), seen[0].generation
        (True, 1)
    """

    fraction: float
    generation: int
    seconds: float
    fitness: float
    assembly: Assembly


OnProgress = Callable[[Progress], None]


class Solver(ABC):
    """Turns scores into an assembly. A subclass needs a ``name`` and the method ``solve``.

    The class attributes say which puzzles the solver takes, so that others are refused before the
    search begins. Settings are fields of a frozen dataclass in the shipped solvers; any class will
    do, as long as it can be made without arguments.

    Examples:
        >>> from azulejar import Assembly, Knowns, Solver
        >>> class InOneRow(Solver):
        ...     name = "in-one-row"
        ...     def solve(self, compatibility, knowns, seed, budget, on_progress):
        ...         n = len(compatibility)
        ...         return Assembly.of([0] * n, range(n), [0] * n)
        >>> InOneRow()
        InOneRow()
        >>> InOneRow().can(Knowns(rows=2, cols=3))
        True
    """

    name: ClassVar[str]
    scale: ClassVar[Scale] = "probability"  # on which it wants its scores
    turned: ClassVar[bool] = True  # takes turned tiles
    known_size: ClassVar[bool] = True  # takes puzzles of known size
    unknown_size: ClassVar[bool] = True  # takes puzzles of unknown size
    several: ClassVar[bool] = False  # can tell several panels apart
    keeps_constraints: ClassVar[bool] = False  # keeps locks, refusals and empty places
    random: ClassVar[bool] = True  # the seed matters
    stored_as: ClassVar[str | None] = None  # the class's name in results stored up to version 0.6

    @abstractmethod
    def solve(
        self,
        compatibility: Compatibility,
        knowns: Knowns,
        seed: int,
        budget: Budget,
        on_progress: OnProgress,
    ) -> Assembly:
        """Assemble two tiles or more.

        Args:
            compatibility: scores of all pairs of edges on the solver's ``scale``.
            knowns: what is known beforehand; where either of rows and cols is known, both are.
            seed: the only source of randomness.
            budget: ends the search early; solvers that take seconds may ignore it.
            on_progress: called after every generation. A solver that never calls it has its result
                reported once, by the function ``solve``.
        """

    def worth(self, compatibility: Compatibility, knowns: Knowns, assembly: Assembly) -> float:
        """Return what the solver maximises: by default the sum of all joints on its scale."""
        return on_scale(compatibility, self.scale).fitness(assembly)

    @property
    def compiled(self) -> Callable | None:
        """The compiled function in which most time is spent; None if there is none."""
        return None

    def is_compiled(self, knowns: Knowns | None = None) -> bool:
        """Whether the solver can start at once, since its compiled code lies on disk already."""
        # Growth that keeps locks and refusals is compiled by itself.
        forms = 2 if knowns is not None and knowns.constrained else 1
        return self.compiled is None or is_cached(self.compiled, forms)

    @property
    def identity(self) -> str:
        """Name, settings and scale as one text, by which results are stored."""
        own = type(self).__name__
        settings = repr(self).replace(own, self.stored_as or own, 1)
        return settings if self.scale == Solver.scale else f"{settings} of {self.scale} scores"

    def __repr__(self) -> str:
        settings = ", ".join(f"{name}={value!r}" for name, value in vars(self).items())
        return f"{type(self).__name__}({settings})"

    def can(self, knowns: Knowns) -> bool:
        """Whether the solver takes such puzzles."""
        return self._refusal(knowns) is None

    def check(self, knowns: Knowns) -> None:
        """Raise unless the solver takes such puzzles."""
        refusal = self._refusal(knowns)
        if refusal is not None:
            raise refusal

    def _refusal(self, knowns: Knowns) -> AzulejarError | None:
        sized = knowns.rows is not None or knowns.cols is not None
        if not knowns.upright and not self.turned:
            return AzulejarError(
                "solver-upright-only",
                "The solver {solver} takes upright tiles only.",
                "Say that the tiles are upright, or choose another solver.",
                solver=self.name,
            )
        if not sized and not self.unknown_size:
            return AzulejarError(
                "solver-needs-size",
                "The solver {solver} must know the size.",
                "Give rows and cols, or choose another solver.",
                solver=self.name,
            )
        if sized and not self.known_size:
            return AzulejarError(
                "solver-finds-size",
                "The solver {solver} finds the size itself.",
                "Leave rows and cols out, or choose another solver.",
                solver=self.name,
            )
        if knowns.constrained and not self.keeps_constraints:
            return AzulejarError(
                "solver-keeps-no-locks",
                "The solver {solver} keeps no locks or refusals.",
                "Leave them out, or choose guided-growth.",
                solver=self.name,
            )
        if knowns.panels != 1 and not self.several:
            return AzulejarError(
                "solver-one-panel",
                "The solver {solver} assembles one panel.",
                "Choose multi-segment or paikin-tal.",
                solver=self.name,
            )
        return None
