"""Presets: a solver's settings and its budget under one name."""

from dataclasses import dataclass

from azulejar.errors import AzulejarError
from azulejar.solvers import GuidedGrowth, KernelGrowth, Solver


@dataclass(frozen=True)
class Preset:
    """A solver and how long it searches."""

    solver: Solver
    generations: int
    stagnation: int | None


PRESETS = {
    "fast": Preset(GuidedGrowth(population=40), generations=30, stagnation=8),
    "standard": Preset(GuidedGrowth(), generations=100, stagnation=20),
    "paper": Preset(KernelGrowth(), generations=500, stagnation=None),
}


def get_preset(name: str) -> Preset:
    """The preset of that name."""
    if name not in PRESETS:
        raise AzulejarError(f"There is no preset {name!r}.", f"Choose from {', '.join(PRESETS)}.")
    return PRESETS[name]
