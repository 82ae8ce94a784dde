"""Solver: what all of them offer."""

from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import ClassVar

from azulejar.core.assembly import Assembly
from azulejar.core.compatibility import Compatibility
from azulejar.core.knowns import Knowns
from azulejar.errors import AzulejarError
from azulejar.solvers.budget import Budget
from azulejar.solvers.progress import OnProgress


class Solver(ABC):
    """From scores to an assembly; a solver is a frozen dataclass whose fields are its knobs."""

    name: ClassVar[str]
    turned: ClassVar[bool] = True  # whether it takes turned tiles
    known_size: ClassVar[bool] = True
    unknown_size: ClassVar[bool] = True
    several: ClassVar[bool] = False  # whether it can tell several panels apart
    holds: ClassVar[bool] = False  # whether it keeps locks and refusals
    random: ClassVar[bool] = True  # whether the seed matters

    @property
    @abstractmethod
    def compiled(self) -> Callable:
        """The compiled function in which the time is spent."""

    @abstractmethod
    def solve(
        self,
        compatibility: Compatibility,
        knowns: Knowns,
        seed: int,
        budget: Budget,
        on_progress: OnProgress,
    ) -> Assembly:
        """An assembly of at least two tiles; tells of its progress after every generation."""

    def worth(self, compatibility: Compatibility, knowns: Knowns, assembly: Assembly) -> float:
        """What it seeks to make large: by default the sum of the scores of all joints."""
        return compatibility.fitness(assembly)

    def can(self, knowns: Knowns) -> bool:
        """Whether it takes such puzzles."""
        return self._cannot(knowns) is None

    def check(self, knowns: Knowns) -> None:
        """Raise unless it takes such puzzles."""
        reason = self._cannot(knowns)
        if reason is not None:
            raise AzulejarError(f"The solver {self.name} {reason[0]}.", reason[1])

    def _cannot(self, knowns: Knowns) -> tuple[str, str] | None:
        sized = knowns.rows is not None or knowns.cols is not None
        if not knowns.upright and not self.turned:
            return "takes upright tiles only", "Give --upright, or choose another solver."
        if not sized and not self.unknown_size:
            return "must know the size", "Give --rows and --cols, or choose another solver."
        if sized and not self.known_size:
            return "finds the size itself", "Leave --rows and --cols out, or choose another solver."
        if knowns.constrained and not self.holds:
            return "keeps no locks or refusals", "Leave them out, or choose guided-growth."
        if knowns.panels != 1 and not self.several:
            return "assembles one panel", "Choose multi-segment or paikin-tal."
        return None
