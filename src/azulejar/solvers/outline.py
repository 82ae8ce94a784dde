"""What is known of a panel's outline: all of it, or sides of tiles that lie at it.

A tile from which growth starts in a known outline has to lie in its right place from the start,
which is one in thousands. So a short search puts the tiles together first, wherever that is; turned
and shifted to where most of it covers the outline, its tiles tell where to start.

Outer sides that people have named are mostly right. Their scores are lowered, so that a solver
gains little from joints with them, but can still lay one where all else speaks for it.
"""

from collections.abc import Collection
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from azulejar.core.alignment import ANY_TURN, Motion
from azulejar.core.assembly import Assembly
from azulejar.core.compatibility import Compatibility
from azulejar.core.knowns import Knowns
from azulejar.core.mask import Mask
from azulejar.measures.postprocess import weigh_by_outer_sides

TRUST = 0.9  # probability that an edge is an outer side where it is said to be one


def heed_outer_sides(compatibility: Compatibility, knowns: Knowns) -> tuple[Compatibility, Knowns]:
    """Lower the scores of edges that are said to be outer sides; return knowns without them."""
    if not knowns.outer:
        return compatibility, knowns
    outer = np.zeros(4 * len(compatibility))
    outer[list(knowns.outer)] = TRUST
    weighed = weigh_by_outer_sides(compatibility, outer, frame=False)
    return weighed, replace(knowns, outer=())


def outline_of(knowns: Knowns) -> Mask | None:
    """Return the mask of places for tiles; None unless the size and some empty places are known."""
    if not knowns.empty or knowns.rows is None or knowns.cols is None:
        return None
    mask = np.ones((knowns.rows, knowns.cols), bool)
    mask[tuple(np.array(knowns.empty).T)] = False
    return mask


def lay_on_outline(
    assembly: Assembly, outline: Mask, quarters: Collection[int] = ANY_TURN
) -> Assembly:
    """Turn and shift the assembly as a whole so that most tiles lie in the outline.

    Only turns by ``quarters`` are allowed; of equally good places the least turn wins.
    """
    best, found = -1, assembly
    for turn in sorted(quarters):
        moved = Motion(turn)(assembly)
        moved = Motion(0, -int(moved.row.min()), -int(moved.col.min()))(moved)
        taken = np.zeros((moved.rows, moved.cols), bool)
        taken[moved.row, moved.col] = True
        cover = _cover(outline, taken)
        down, right = np.unravel_index(cover.argmax(), cover.shape)
        if cover.max() > best:
            best = int(cover.max())
            shift = Motion(0, int(down) - moved.rows + 1, int(right) - moved.cols + 1)
            found = shift(moved)
    return found


def _cover(outline: Mask, taken: Mask) -> NDArray[np.float64]:
    """Return the number of overlapping places for every shift of one mask over the other.

    The first shift has the last place of ``taken`` over the first one of ``outline``.
    """
    size = tuple(a + b - 1 for a, b in zip(outline.shape, taken.shape, strict=True))
    spectra = np.fft.rfft2(outline, size) * np.fft.rfft2(taken[::-1, ::-1], size)
    return np.rint(np.fft.irfft2(spectra, size))
