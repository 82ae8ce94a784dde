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
    """A panel begins with the surest tile; then follows, always, the surest best buddy.

    Where no best buddy of a laid tile is left, partners are chosen anew among the edges left, and
    the surest goes next, buddy or not. A candidate that closes several joints is as sure as their
    mutual clarity (buddies.py) in the mean.

    ``threshold``: a candidate less sure is doubtful. With several panels, doubt begins another one;
    if their number is unknown, only where a tile and its buddies are surer of their sides. With a
    known size and no tile missing, a doubtful one that would widen the box comes last: for such
    a step outwards every other tile would pay.

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
        """Every tile, in at most as many panels as are known."""
        n = len(compatibility)
        rows, cols = knowns.rows or 0, knowns.cols or 0
        placed, panel = _assemble(
            compatibility.dense(), rows, cols, knowns.upright, knowns.panels or n, self.threshold,
            self.threshold if knowns.panels is None else NEVER,
            self.threshold if rows * cols == n else NEVER,
        )  # fmt: skip
        return Assembly.of(placed[:, ROW], placed[:, COL], placed[:, TURN], panel)


@allocating
def _start(scores, choice, value, pool, now):
    """The free tile to begin a panel with, and how sure it is, from 0 to 1.

    Sure are tiles with clear best buddies on all four sides whose buddies have such, too.
    """
    n = len(scores) // 4
    sure = np.zeros(n)
    for edge in range(4 * n):
        buddy = free_buddy(choice, pool, edge)
        if buddy != NOTHING and is_free(pool, edge // 4):
            sure[edge // 4] += mutual_clarity(scores, choice, value, edge, buddy) / 4
    worth = np.where(pool[POSITION] != NOTHING, sure, -1.0)
    for edge in range(4 * n):
        buddy = free_buddy(choice, pool, edge)
        if buddy != NOTHING and is_free(pool, edge // 4):
            worth[edge // 4] += sure[buddy // 4] / 4
    best = worth.argmax()
    return best, worth[best] / 2


@lean
def _fit(scores, choice, value, placed, cells, edge, other):
    """Mean mutual clarity of all joints that ``other`` closes where it meets the laid ``edge``."""
    direction, row, col = facing(placed, edge)
    turn = (direction + 2 - other) % 4
    total, joints = 0.0, 0
    for side in range(4):
        met = edge_facing(placed, cells, side, row, col)
        if met != NOTHING:
            own = other - other % 4 + (side - turn) % 4
            total += mutual_clarity(scores, choice, value, met, own)
            joints += 1
    return total / joints


@lean
def _widens(placed, now, edge):
    """Whether a tile that meets the edge would lie outside the box."""
    _, row, col = facing(placed, edge)
    return not (now[LOW_ROW] <= row <= now[HIGH_ROW] and now[LOW_COL] <= col <= now[HIGH_COL])


@lean
def _surest_buddy(scores, choice, value, placed, pool, cells, now, key, entry, size, caution):
    """From the heap: a laid edge, its best buddy and how sure they are, or NOTHING."""
    while size[0] > 0:
        hoped, edge, buddy = pop(key, entry, size)
        _, row, col = facing(placed, edge)
        if not is_free(pool, buddy // 4) or not is_open(cells, now, row, col):
            continue
        fit = _fit(scores, choice, value, placed, cells, edge, buddy)
        if fit < caution and _widens(placed, now, edge):
            continue
        # Neighbours that came since may have spoilt it; then it has to wait again.
        if fit < hoped - 1e-6:
            push(key, entry, size, fit, edge, buddy)
        else:
            return np.int64(edge), np.int64(buddy), fit
    return np.int64(NOTHING), np.int64(NOTHING), NEVER


@lean
def _surest_left(scores, choice, value, placed, pool, cells, now, caution):
    """Of all laid edges that are left: one, its best partner and how sure they are."""
    best, highest, surest = np.int64(NOTHING), -np.inf, NEVER
    for edge in range(len(scores)):
        if is_free(pool, edge // 4) or not is_left(placed, pool, cells, now, edge):
            continue
        fit = _fit(scores, choice, value, placed, cells, edge, choice[edge, BEST])
        last = fit < caution and _widens(placed, now, edge)
        worth = fit + NEVER if last else fit
        if worth > highest:
            best, highest, surest = np.int64(edge), worth, fit
    return best, np.int64(choice[best, BEST]), surest


@lean
def _offer(scores, choice, value, placed, pool, cells, now, key, entry, size, tile):
    """Push the best buddies of a laid tile."""
    for edge in range(4 * tile, 4 * tile + 4):
        buddy = free_buddy(choice, pool, edge)
        _, row, col = facing(placed, edge)
        if buddy != NOTHING and is_open(cells, now, row, col):
            fit = _fit(scores, choice, value, placed, cells, edge, buddy)
            push(key, entry, size, fit, edge, buddy)


@allocating
def _assemble(scores, rows, cols, upright, panels, doubt, sure, caution):
    """Row, col and turn [n, 3] and panel [n] of every tile.

    Candidates below ``doubt`` begin a new panel, one that is surer than ``sure``; candidates below
    ``caution`` do not widen the box.
    """
    n = len(scores) // 4
    placed, pool, cells, now = new_kernel(n, rows, cols, upright)
    choice, value = new_choices(scores, placed, pool, cells, now)
    key, entry, size = new_heap(5 * n)
    panel = np.zeros(n, np.int32)
    tile, _ = _start(scores, choice, value, pool, now)
    put(placed, pool, cells, now, tile, 0, 0, 0)
    begun = 1
    while now[LEFT] > 0:
        _offer(scores, choice, value, placed, pool, cells, now, key, entry, size, tile)
        edge, other, fit = _surest_buddy(
            scores, choice, value, placed, pool, cells, now, key, entry, size, caution
        )
        if edge == NOTHING:
            choose_again(scores, placed, pool, cells, now, choice, value)
            edge, other, fit = _surest_left(
                scores, choice, value, placed, pool, cells, now, caution
            )
        if fit < doubt and begun < panels:
            tile, sureness = _start(scores, choice, value, pool, now)
            if sureness >= sure:
                push(key, entry, size, fit, edge, other)
                # Panels lie on one grid, too far from each other to touch.
                put(placed, pool, cells, now, tile, 0, begun * (2 * n + 1), 0)
                panel[tile] = begun
                begun += 1
                continue
        tile = other // 4
        direction, row, col = facing(placed, edge)
        put(placed, pool, cells, now, tile, row, col, (direction + 2 - other) % 4)
        panel[tile] = panel[edge // 4]
    return placed, panel
