"""What speaks against a panel as a whole, once it is solved."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from azulejar.core.knowns import Knowns
from azulejar.judging.confidence import joint_confidence
from azulejar.judging.seams import LoosePart, find_loose_part
from azulejar.judging.verdict import better_size, is_ragged
from azulejar.panel.solving import PanelOutcome
from azulejar.solvers import Budget


@dataclass(frozen=True)
class PanelDoubts:
    """What speaks against a panel as a whole.

    ``ragged``: its tiles are far from filling a rectangle. ``better_size`` are the rows and cols
    that fit better than those given, ``loose_part`` is a part that may not belong to the rest.
    """

    ragged: bool = False
    better_size: tuple[int, int] | None = None
    loose_part: LoosePart | None = None


def question_panel(
    solved: PanelOutcome,
    pixels: NDArray[np.uint8],
    knowns: Knowns,
    budget: Budget | None,
) -> PanelDoubts:
    """Return what speaks against a panel of tiles [n, S, S, 3].

    ``knowns`` are those that were given. ``budget`` ends the quick search for a better size; there
    is none without it. Of tiles that are alike, no seam can be doubted.
    """
    if solved.repeats:
        return PanelDoubts()
    size, part = None, None
    if budget is not None:
        size = better_size(solved.compatibility, knowns, solved.assembly, budget=budget)
    if not solved.patterns:
        judged = joint_confidence(solved.compatibility, solved.assembly, solved.rivals)
        part = find_loose_part(pixels, solved.assembly, *judged)
    return PanelDoubts(is_ragged(knowns, solved.assembly), size, part)
