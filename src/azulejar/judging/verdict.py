"""Whether an assembly is probably wrong, ragged, or of a wrong size."""

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from azulejar.core.assembly import Assembly
from azulejar.core.compatibility import Compatibility
from azulejar.core.knowns import Knowns
from azulejar.judging.evidence import Rivals
from azulejar.solvers import Budget, solve
from azulejar.solvers.log_fitness import LogFitness

PROBABLY_WRONG = 0.75  # share of tiles that are likely to lie right, below which people are warned
# A panel is ragged if tiles fill a smaller share of the places between its first and last row and
# col, or of the places at that rim. Of 372 searches without a size in the cases of the confidence,
# 2 of the 212 with 90 % or more of the joints right are so, and 94 of the other 160.
RAGGED, RAGGED_RIM = 0.75, 0.65
APART = 0.5  # the size is questioned if two edges that are so likely neighbours lie apart
GAIN = 0.02  # share by which the tiles must fit better without the given size
FILLED = 0.9  # share of that size's places that must hold tiles: a ragged panel tells no size
DOUBT = 1e-3  # probabilities below count as none in the comparison


def mean_confidence(assembly: Assembly, confidence: NDArray[np.floating]) -> float | None:
    """Return the share of the placed tiles that is likely to lie right; None if none is placed.

    Args:
        assembly: Where the n tiles lie.
        confidence: The probability that each lies right [n].
    """
    placed = assembly.panel >= 0
    return float(confidence[placed].mean()) if placed.any() else None


def is_probably_wrong(mean: float | None) -> bool:
    """Whether people should be warned of an assembly with this mean confidence."""
    return mean is not None and mean < PROBABLY_WRONG


def is_ragged(knowns: Knowns, assembly: Assembly) -> bool:
    """Whether the tiles of one panel of unknown size are far from filling a rectangle.

    Most panels are rectangles, so some tiles probably lie wrong, however well their edges fit:
    border tiles that look alike, for example, may lie side by side.

    Args:
        knowns: What the assembly was made with.
        assembly: The one panel that was found.
    """
    if knowns.panels != 1 or knowns.empty or (knowns.rows and knowns.cols):
        return False
    placed = assembly.panel >= 0
    row, col = assembly.row[placed], assembly.col[placed]
    laid = np.zeros(_box(assembly), bool)
    laid[row - row.min(), col - col.min()] = True
    inner = np.zeros_like(laid)
    inner[1:-1, 1:-1] = True
    return bool(laid.mean() < RAGGED or laid[~inner].mean() < RAGGED_RIM)


def better_size(
    compatibility: Compatibility,
    knowns: Knowns,
    assembly: Assembly,
    *,
    rivals: Rivals | None = None,
    budget: Budget | None = None,
) -> tuple[int, int] | None:
    """Return the rows and cols that fit the tiles better than those given, if there are such.

    They are those that the tiles fill without a gap, where a given row or col stays empty as a
    whole. If the tiles fill less than the given size in any other way, or edges that should meet
    lie apart, they are those of a quick search without that size, if the tiles fit better then.

    Args:
        compatibility: Scores of the tiles.
        knowns: What the assembly was made with.
        assembly: The one panel that was found.
        rivals: Those of the compatibility, if they are computed already.
        budget: Ends the search early.
    """
    known = knowns.for_tiles(len(compatibility))
    if not any(known.frame) or known.panels != 1:
        return None
    filled = _box(assembly)
    smaller = filled if filled != (assembly.rows, assembly.cols) else None
    if known.empty or (smaller and filled[0] * filled[1] == len(assembly)):
        return smaller
    if smaller is None:
        rivals = rivals or Rivals.of(compatibility)
        if rivals.best_free(assembly.neighbours()).max() < np.log(APART):
            return None
    free = replace(known, rows=None, cols=None)
    found = solve(compatibility, free, preset="fast", seed=0, budget=budget)
    other = _box(found)
    if len(found) < FILLED * other[0] * other[1] or sorted(other) == sorted(filled):
        return smaller
    fitness = LogFitness.of(compatibility, known.upright, DOUBT)
    now, then = (fitness.total(compatibility, each) for each in (assembly, found))
    return other if then > now * (1 + (0 if smaller else GAIN)) else smaller


def _box(assembly: Assembly) -> tuple[int, int]:
    """Return how many rows and cols of the panel hold tiles, from the first to the last."""
    placed = assembly.panel >= 0
    row, col = assembly.row[placed], assembly.col[placed]
    return int(np.ptp(row)) + 1, int(np.ptp(col)) + 1
