"""What speaks against a panel as a whole, once it is solved or laid by hand."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import coo_array
from scipy.sparse.csgraph import connected_components

from azulejar.core.assembly import Assembly
from azulejar.core.compatibility import Compatibility
from azulejar.core.knowns import Knowns
from azulejar.judging.confidence import joint_confidence
from azulejar.judging.evidence import Rivals
from azulejar.judging.seams import LoosePart, find_loose_part
from azulejar.judging.verdict import better_size, is_ragged
from azulejar.panel.solving import PanelOutcome
from azulejar.solvers import Budget


@dataclass(frozen=True)
class PanelDoubts:
    """What speaks against a panel as a whole; false if nothing does.

    ``ragged``: its tiles are far from filling a rectangle. ``better_size`` are the rows and cols
    that fit better than those given, ``loose_part`` is a part that may not belong to the rest.
    """

    ragged: bool = False
    better_size: tuple[int, int] | None = None
    loose_part: LoosePart | None = None

    def __bool__(self) -> bool:
        return self.ragged or self.better_size is not None or self.loose_part is not None


@dataclass(frozen=True)
class LaidPanel:
    """One panel of an assembly by itself: its number, its tiles, how they lie, and the doubts."""

    number: int
    tiles: NDArray[np.intp]
    assembly: Assembly
    doubts: PanelDoubts


def question_panel(
    solved: PanelOutcome,
    pixels: NDArray[np.uint8],
    knowns: Knowns,
    budget: Budget | None,
    rivals: Rivals | None = None,
) -> PanelDoubts:
    """Return what speaks against a panel of tiles [n, S, S, 3] that was solved.

    ``knowns`` are those that were given. ``budget`` ends the quick search for a better size; there
    is none without it. ``rivals`` are those of the scores, if they are computed already. Of tiles
    that are alike, no seam can be doubted.
    """
    if solved.repeats:
        return PanelDoubts()
    scores, assembly, rivals = solved.compatibility, solved.assembly, rivals or solved.rivals
    size, part = None, None
    if budget is not None:
        size = better_size(scores, knowns, assembly, rivals=rivals, budget=budget)
    if not solved.patterns:
        part = _find_part(scores, assembly, rivals, pixels)
    return PanelDoubts(is_ragged(knowns, assembly), size, part)


def question_laid(
    compatibility: Compatibility,
    assembly: Assembly,
    pixels: NDArray[np.uint8],
    budget: Budget | None,
    *,
    upright: bool = False,
    copies: NDArray[np.int64] | None = None,
) -> Iterator[LaidPanel]:
    """Yield the panels of an assembly of tiles [n, S, S, 3], laid by whomever, that are doubtful.

    The size of each counts as given; ``budget`` is as in ``question_panel``. Of a panel in several
    pieces, as while people lay it, only the largest is questioned, and not its size. With
    ``copies``, as some tiles are alike, nothing is.
    """
    if copies is not None:
        return
    for number in range(int(assembly.panel.max(initial=-1)) + 1):
        here = np.flatnonzero(assembly.panel == number)
        tiles = _largest_piece(assembly, here)
        if len(tiles) < 2:
            continue
        laid = Assembly.of(assembly.row[tiles], assembly.col[tiles], assembly.turn[tiles])
        scores = compatibility.take(tiles)
        rivals, size = Rivals.of(scores), None
        if budget is not None and len(tiles) == len(here):
            given = Knowns(laid.rows, laid.cols, upright)
            size = better_size(scores, given, laid, rivals=rivals, budget=budget)
        part = _find_part(scores, laid, rivals, pixels[tiles])
        doubts = PanelDoubts(better_size=size, loose_part=part)
        if doubts:
            yield LaidPanel(number, tiles, laid, doubts)


def _find_part(
    compatibility: Compatibility, assembly: Assembly, rivals: Rivals, pixels: NDArray[np.uint8]
) -> LoosePart | None:
    judged = joint_confidence(compatibility, assembly, rivals)
    return find_loose_part(pixels, assembly, *judged)


def _largest_piece(assembly: Assembly, tiles: NDArray[np.intp]) -> NDArray[np.intp]:
    """Return those of the ``tiles`` of one panel that lie in its largest connected piece."""
    one, other = assembly.joints().T // 4
    n = len(assembly)
    _, piece = connected_components(coo_array((np.ones(len(one)), (one, other)), (n, n)))
    largest = np.bincount(piece[tiles], minlength=1).argmax()
    return tiles[piece[tiles] == largest]
