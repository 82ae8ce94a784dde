"""A preference for whole rectangles where the size is unknown, as most panels are rectangles.

Some children grow inside a rectangle that all tiles fill and that is near the best assembly so
far, and an assembly that is a whole rectangle is worth a little more.
"""

import numpy as np
from numpy.typing import NDArray

from azulejar.core.assembly import Assembly
from azulejar.core.knowns import Knowns
from azulejar.solvers.kernels.streams import below, uniform
from azulejar.solvers.population import Generation
from azulejar.system.compiling import lean

REACH = 2.0  # rows or cols by which a frame may differ from what an assembly suggests


def frames_to_try(framed: float, knowns: Knowns, generation: Generation) -> NDArray[np.int64]:
    """Return the known rows and cols, 0 if unknown, then those in which to try: [k, 2].

    There are none to try where a share of 0 children is ``framed``.
    """
    known = np.array([knowns.frame])
    now, best = generation.now, generation.order[0]
    tells = generation.number > 0 and now.fitness[best] >= 0
    if known.any() or knowns.empty or not framed or not tells:
        return known
    return np.concatenate([known, likely_frames(now.placed[best])])


def likely_frames(placed: NDArray[np.int32]) -> NDArray[np.int32]:
    """Return rows and cols [k, 2] of the rectangles near an assembly that its n tiles fill.

    Near is where either the rows or the cols are about those of ``placed`` [n, 3]. Its height and
    width are told by the spread of its tiles, as a few that stick out widen the box too much.
    """
    n = len(placed)
    rows = np.array([count for count in range(1, n + 1) if n % count == 0])
    frames = np.stack([rows, n // rows], axis=1)
    # The variance of h equally full rows is (h² - 1) / 12.
    suggested = np.sqrt(12 * placed[:, :2].var(axis=0) + 1)
    return frames[(np.abs(frames - suggested) <= REACH).any(axis=1)].astype(np.int32)


def whole_bonus(whole: float, knowns: Knowns) -> float:
    """Return the share that a whole rectangle is worth more; 0 where the size is known."""
    return 0.0 if any(knowns.frame) else float(whole)


def with_bonus(worth: float, whole: float, knowns: Knowns, assembly: Assembly) -> float:
    """Return the worth of an assembly, more if it is a whole rectangle of unknown size."""
    is_whole = (assembly.panel == 0).all() and fills_its_box(assembly.row, assembly.col)
    return worth * (1 + whole_bonus(whole, knowns)) if is_whole else worth


@lean
def pick_frame(frames, framed, state):
    """Draw the frame of a child: with the chance ``framed`` one that is to be tried."""
    pick = 0
    if len(frames) > 1 and uniform(state) < framed:
        pick = 1 + below(state, len(frames) - 1)
    return frames[pick, 0], frames[pick, 1]


@lean
def fills_its_box(row, col):
    """Whether tiles at these rows and cols [n], no two in one place, make a whole rectangle."""
    top = bottom = row[0]
    left = right = col[0]
    for tile in range(len(row)):
        top, bottom = min(top, row[tile]), max(bottom, row[tile])
        left, right = min(left, col[tile]), max(right, col[tile])
    return (bottom - top + 1) * (right - left + 1) == len(row)
