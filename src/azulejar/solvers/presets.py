"""Presets: a solver's settings under one name."""

from azulejar.errors import AzulejarError
from azulejar.solvers import GuidedGrowth, KernelGrowth, Solver

PRESETS: dict[str, Solver] = {
    "fast": GuidedGrowth(population=40, generations=30, stagnation=8),
    "standard": GuidedGrowth(),
    "paper": KernelGrowth(),
}


def get_preset(name: str) -> Solver:
    """The solver that the preset of that name stands for."""
    if name not in PRESETS:
        raise AzulejarError(f"There is no preset {name!r}.", f"Choose from {', '.join(PRESETS)}.")
    return PRESETS[name]
