"""Measures: how well two edges fit."""

from azulejar.errors import AzulejarError
from azulejar.measures.base import Measure
from azulejar.measures.l1 import L1
from azulejar.measures.mgc import MGC
from azulejar.measures.ssd import SSD

MEASURES: dict[str, type[Measure]] = {measure.name: measure for measure in (SSD, MGC, L1)}


def get_measure(name: str) -> Measure:
    """The measure of that name."""
    if name not in MEASURES:
        raise AzulejarError(
            f"There is no measure {name!r}.", f"Choose from {', '.join(sorted(MEASURES))}."
        )
    return MEASURES[name]()
