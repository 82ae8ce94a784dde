"""Greedy placement by best buddies and confidence (Paikin and Tal, CVPR 2015)."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from azulejar.core.assembly import Assembly
from azulejar.core.compatibility import Compatibility
from azulejar.core.knowns import Knowns
from azulejar.solvers.budget import Budget
from azulejar.solvers.kernels.buddies import (
    BEST,
    choose_again,
    free_buddy,
    is_left,
    mutual_clarity,
    new_choices,
)
from azulejar.solvers.kernels.heap import new_heap, pop, push
from azulejar.solvers.kernels.kernel import (
    COL,
    HIGH_COL,
    HIGH_ROW,
    LEFT,
    LOW_COL,
    LOW_ROW,
    NOTHING,
    POSITION,
    ROW,
    TURN,
    edge_facing,
    facing,
    is_free,
    is_open,
    new_kernel,
    put,
)
from azulejar.solvers.solver import OnProgress, Solver
from azulejar.system.compiling import allocating, lean

NEVER = -2.0  # below any clarity


@dataclass(frozen=True)
class PaikinTal(Solver):
    """Start a panel with the surest tile, then always add the surest best buddy.

    Where no best buddy of a laid tile is left, partners are chosen anew among the edges left, and
    the surest goes next, buddy or not. A candidate that closes several joints is as sure as the
    mean of their mutual clarity (buddies.py).

    ``threshold``: a candidate less sure is doubtful. With several panels, doubt begins another one;
    if their number is unknown, only where a tile and its buddies are surer of their sides. With a
    known size and no tile missing, a doubtful one that would widen the box comes last, since every
    other tile would pay for such a step outwards.

    Nothing is drawn at random: the seed changes nothing.
    """

    name = "paikin-tal"
    several = True
    random = False

    threshold: float = 0.75

    @property
    def compiled(self) -> Callable:
        """The compiled function in which the time is spent."""
        return _assemble

    def solve(
        self,
        compatibility: Compatibility,
        knowns: Knowns,
        seed: int,
        budget: Budget,
        on_progress: OnProgress,
    ) -> Assembly:
        """Lay every tile, in at most as many panels as are known."""
        n = len(compatibility)
        rows, cols = knowns.frame
        placed, panel = _assemble(
            compatibility.dense(), rows, cols, knowns.upright, knowns.panels or n, self.threshold,
            self.threshold if knowns.panels is None else NEVER,
            self.threshold if rows * cols == n else NEVER,
        )  # fmt: skip
        return Assembly.of(placed[:, ROW], placed[:, COL], placed[:, TURN], panel)


@allocating
def _start(choices, kernel):
    """Return the free tile to begin a panel with, and how sure it is, from 0 to 1.

    Sure are tiles with clear best buddies on all four sides whose buddies have such, too.
    """
    n = len(choices.scores) // 4
    sure = np.zeros(n)
    for edge in range(4 * n):
        buddy = free_buddy(choices, kernel, edge)
        if buddy != NOTHING and is_free(kernel, edge // 4):
            sure[edge // 4] += mutual_clarity(choices, edge, buddy) / 4
    worth = np.where(kernel.pool[POSITION] != NOTHING, sure, -1.0)
    for edge in range(4 * n):
        buddy = free_buddy(choices, kernel, edge)
        if buddy != NOTHING and is_free(kernel, edge // 4):
            worth[edge // 4] += sure[buddy // 4] / 4
    best = worth.argmax()
    return best, worth[best] / 2


@lean
def _fit(choices, kernel, edge, other):
    """Return the mean clarity of all joints that ``other`` closes where it meets a laid edge."""
    direction, row, col = facing(kernel, edge)
    turn = (direction + 2 - other) % 4
    total, joints = 0.0, 0
    for side in range(4):
        met = edge_facing(kernel, side, row, col)
        if met != NOTHING:
            own = other - other % 4 + (side - turn) % 4
            total += mutual_clarity(choices, met, own)
            joints += 1
    return total / joints


@lean
def _widens(kernel, edge):
    """Whether a tile that meets the edge would lie outside the box."""
    _, row, col = facing(kernel, edge)
    now = kernel.now
    return not (now[LOW_ROW] <= row <= now[HIGH_ROW] and now[LOW_COL] <= col <= now[HIGH_COL])


@lean
def _surest_buddy(choices, kernel, heap, caution):
    """Take from the heap a laid edge, its best buddy and how sure they are, or NOTHING."""
    while heap.size[0] > 0:
        hoped, edge, buddy = pop(heap)
        _, row, col = facing(kernel, edge)
        if not is_free(kernel, buddy // 4) or not is_open(kernel, row, col):
            continue
        fit = _fit(choices, kernel, edge, buddy)
        if fit < caution and _widens(kernel, edge):
            continue
        # Neighbours that came since may have spoilt it; then it has to wait again.
        if fit < hoped - 1e-6:
            push(heap, fit, edge, buddy)
        else:
            return np.int64(edge), np.int64(buddy), fit
    return np.int64(NOTHING), np.int64(NOTHING), NEVER


@lean
def _surest_left(choices, kernel, caution):
    """Return the surest laid edge that is left, its best partner and how sure they are."""
    best, highest, surest = np.int64(NOTHING), -np.inf, NEVER
    for edge in range(len(choices.scores)):
        if is_free(kernel, edge // 4) or not is_left(kernel, edge):
            continue
        fit = _fit(choices, kernel, edge, choices.partner[edge, BEST])
        last = fit < caution and _widens(kernel, edge)
        worth = fit + NEVER if last else fit
        if worth > highest:
            best, highest, surest = np.int64(edge), worth, fit
    return best, np.int64(choices.partner[best, BEST]), surest


@lean
def _offer(choices, kernel, heap, tile):
    """Push the best buddies of a laid tile."""
    for edge in range(4 * tile, 4 * tile + 4):
        buddy = free_buddy(choices, kernel, edge)
        _, row, col = facing(kernel, edge)
        if buddy != NOTHING and is_open(kernel, row, col):
            fit = _fit(choices, kernel, edge, buddy)
            push(heap, fit, edge, buddy)


@allocating
def _assemble(scores, rows, cols, upright, panels, doubt, sure, caution):
    """Return row, col and turn [n, 3] and panel [n] of every tile.

    Candidates below ``doubt`` begin a new panel, one that is surer than ``sure``; candidates below
    ``caution`` do not widen the box.
    """
    n = len(scores) // 4
    kernel = new_kernel(n, rows, cols, upright)
    choices = new_choices(scores, kernel)
    heap = new_heap(5 * n)
    panel = np.zeros(n, np.int32)
    tile, _ = _start(choices, kernel)
    put(kernel, tile, 0, 0, 0)
    begun = 1
    while kernel.now[LEFT] > 0:
        _offer(choices, kernel, heap, tile)
        edge, other, fit = _surest_buddy(choices, kernel, heap, caution)
        if edge == NOTHING:
            choose_again(choices, kernel)
            edge, other, fit = _surest_left(choices, kernel, caution)
        if fit < doubt and begun < panels:
            tile, sureness = _start(choices, kernel)
            if sureness >= sure:
                push(heap, fit, edge, other)
                # Panels lie on one grid, too far from each other to touch.
                put(kernel, tile, 0, begun * (2 * n + 1), 0)
                panel[tile] = begun
                begun += 1
                continue
        tile = other // 4
        direction, row, col = facing(kernel, edge)
        put(kernel, tile, row, col, (direction + 2 - other) % 4)
        panel[tile] = panel[edge // 4]
    return kernel.placed, panel
