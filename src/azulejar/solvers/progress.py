"""Progress: what a search tells while it runs."""

from collections.abc import Callable
from dataclasses import dataclass

from azulejar.core.assembly import Assembly


@dataclass(frozen=True)
class Progress:
    """After one generation: ``fraction`` of the budget from 0 to 1, and the best so far."""

    fraction: float
    generation: int
    seconds: float
    fitness: float
    assembly: Assembly


OnProgress = Callable[[Progress], None]
