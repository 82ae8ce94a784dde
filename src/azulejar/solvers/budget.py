"""Budget: when a search ends; whichever limit is reached first."""

import threading
import time
from dataclasses import dataclass, field

from azulejar.errors import AzulejarError


@dataclass(frozen=True)
class Budget:
    """``stagnation`` counts generations without a better assembly; ``stop`` ends from outside.

    Limits are looked at after each generation, and the first one is always finished.
    """

    generations: int = 100
    seconds: float | None = None
    stagnation: int | None = 20
    stop: threading.Event = field(default_factory=threading.Event)

    def __post_init__(self) -> None:
        if self.generations < 1:
            raise AzulejarError("A search needs at least 1 generation.", "Give 1 or more.")
        if self.seconds is not None and not self.seconds > 0:
            raise AzulejarError(
                f"A time budget of {self.seconds:g} s leaves no time.", "Give more than 0 seconds."
            )


class Clock:
    """Follows one search against its budget."""

    def __init__(self, budget: Budget) -> None:
        self.budget = budget
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
        """Since the search began."""
        return time.perf_counter() - self.started

    @property
    def running(self) -> bool:
        """Whether there is anything left of the budget."""
        if self.generation == 0:
            return True
        stagnation = self.budget.stagnation
        stagnant = stagnation is not None and self.generation - self.best_at >= stagnation
        return self.fraction < 1 and not stagnant and not self.budget.stop.is_set()

    @property
    def fraction(self) -> float:
        """How much of the generations and of the time is spent, from 0 to 1."""
        spent = self.generation / self.budget.generations
        if self.budget.seconds is not None:
            spent = max(spent, self.seconds / self.budget.seconds)
        return min(1.0, spent)
