"""Budget: when a search ends, whatever the settings of its solver."""

import threading
import time
from dataclasses import dataclass, field

from azulejar.errors import AzulejarError


@dataclass(frozen=True)
class Budget:
    """Ends a search after ``seconds``, or once ``stop`` is set from outside.

    Limits are checked after each generation, and the first one is always finished.

    Raises:
        AzulejarError: If ``seconds`` are 0 or less.

    Examples:
        >>> import azulejar
        >>> azulejar.Budget(seconds=2.5).seconds
        2.5
    """

    seconds: float | None = None
    stop: threading.Event = field(default_factory=threading.Event)

    def __post_init__(self) -> None:
        if self.seconds is not None and not self.seconds > 0:
            raise AzulejarError(
                "budget-without-time",
                "A time budget of {seconds:g} s leaves no time.",
                "Give more than 0 seconds.",
                seconds=self.seconds,
            )


class Clock:
    """Keeps track of one search of at most so many ``generations``.

    ``stagnation`` counts generations without a better assembly. Whichever limit is reached first
    ends the search.
    """

    def __init__(
        self, budget: Budget, generations: int = 100, stagnation: int | None = None
    ) -> None:
        if generations < 1:
            raise AzulejarError(
                "budget-without-generations",
                "A search needs at least 1 generation.",
                "Give 1 or more.",
            )
        self.budget = budget
        self.generations = generations
        self.stagnation = stagnation
        self.started = time.perf_counter()
        self.generation = 0
        self.best = float("-inf")
        self.best_at = 0

    def tick(self, fitness: float) -> None:
        """Note one more generation and the best fitness after it."""
        self.generation += 1
        if fitness > self.best:
            self.best, self.best_at = fitness, self.generation

    @property
    def seconds(self) -> float:
        """Seconds since the search began."""
        return time.perf_counter() - self.started

    @property
    def running(self) -> bool:
        """Whether any of the budget is left."""
        if self.generation == 0:
            return True
        since = self.generation - self.best_at
        stagnant = self.stagnation is not None and since >= self.stagnation
        return self.generation < self.generations and not stagnant and not self.over

    @property
    def over(self) -> bool:
        """Whether the time is up or a stop was requested."""
        late = self.budget.seconds is not None and self.seconds >= self.budget.seconds
        return late or self.budget.stop.is_set()

    @property
    def fraction(self) -> float:
        """The share of the generations or of the time that is spent, from 0 to 1."""
        spent = self.generation / self.generations
        if self.budget.seconds is not None:
            spent = max(spent, self.seconds / self.budget.seconds)
        return min(1.0, spent)
