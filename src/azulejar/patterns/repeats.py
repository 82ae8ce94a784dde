"""Repeats: how designs continue over a wall, as the smallest module that repeats.

A module is a grid of tiles whose right side continues at its left and whose bottom at its top,
perhaps with a drop. Of a size, the best module is found by Gibbs sampling at falling temperature:
each place in turn draws a design and a turn, those that fit its four neighbours more often.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from azulejar.core.edges import edge_strips, edge_towards, turn_picture

SIDE = 50  # pixels of a design in which lengths are given
DEPTH = 4  # lines of pixels of which the gradient at an edge is taken
GAP = 2.0  # pixels between the outermost lines of two neighbours
SHIFT = 1  # pixels along the edge by which painted lines may miss each other
SMOOTH = 1.0  # pixels along the edge
# Rows, cols and drop of the modules that are tried, smallest first.
SIZES = (
    (1, 1, 0), (1, 2, 0), (2, 1, 0), (2, 1, 1), (2, 2, 0), (2, 2, 1), (2, 4, 0), (4, 2, 0),
    (4, 2, 2), (3, 3, 0), (4, 4, 0), (4, 4, 2), (6, 6, 0), (6, 6, 3),
)  # fmt: skip
CHAINS = 32  # searches side by side
MOST_OFTEN = 4  # times that a module shows each of its designs, on average, at most
LARGE = 16  # tiles of a large module
SWEEPS = 60, 240  # of a small and of a large one
HOT, COLD = 30.0, 1.0  # temperatures, on the scale of the misfit in grey levels
LARGER = 0.05  # share by which a larger module must fit better than a smaller one
BALANCE = 24.0  # misfit, in grey levels, of a design that is used once too often
UNUSED = 30.0  # misfit, in grey levels, of a module that uses none of the stock


@dataclass(frozen=True)
class Module:
    """The repeat of a pattern.

    Args:
        design: Design at each place: [rows, cols].
        turn: Clockwise quarters by which its picture is turned there: [rows, cols].
        drop: Rows by which each module hangs lower than the one to its left.
        misfit: Mean difference across the joints, in grey levels.
    """

    design: NDArray[np.int64]
    turn: NDArray[np.int64]
    drop: int
    misfit: float

    @property
    def rows(self) -> int:
        return len(self.design)

    @property
    def cols(self) -> int:
        return self.design.shape[1]

    def at(self, row: int, col: int) -> tuple[int, int]:
        """Return design and turn at any place of a wall."""
        across, inside = divmod(col, self.cols)
        down = (row - across * self.drop) % self.rows
        return int(self.design[down, inside]), int(self.turn[down, inside])


def edge_misfits(pictures: NDArray[np.uint8]) -> NDArray[np.float64]:
    """Return how badly each edge of designs [k, S, S, 3] continues at each other: [4k, 4k].

    It is the mean difference in grey levels between an edge and what the other leads one to expect
    there by its gradient. So a mirror image fits only where the painting meets the edge squarely.
    """
    small = [cv2.resize(each, (SIDE, SIDE), interpolation=cv2.INTER_AREA) for each in pictures]
    strips = edge_strips(np.array(small, np.uint8).reshape(-1, SIDE, SIDE, 3), DEPTH)
    for edge in strips:
        edge[:] = cv2.GaussianBlur(edge, (0, 0), SMOOTH, sigmaY=1e-3)
    outer = strips[:, 0]
    half = DEPTH // 2
    gradient = (strips[:, :half].mean(axis=1) - strips[:, half:].mean(axis=1)) / half
    expected = outer + GAP * gradient
    size = outer.shape[1]
    best = np.full((len(outer), len(outer)), np.inf)
    for shift in range(-SHIFT, SHIFT + 1):
        own = slice(max(shift, 0), size + min(shift, 0))
        their = slice(max(-shift, 0), size - max(shift, 0))
        met = outer[:, ::-1][:, their]
        one = np.abs(expected[:, None, own] - met[None]).mean(axis=(2, 3))
        best = np.minimum(best, one)
    return (best + best.T) / 2


def find_module(
    misfits: NDArray[np.float64], designs: Sequence[int], stock: NDArray[np.integer]
) -> Module:
    """Return the module in which some designs continue best, each used at least once if possible.

    Args:
        misfits: Of all edges, see ``edge_misfits``.
        designs: The designs of the pattern.
        stock: Tiles of each; of modules that fit alike, one that uses designs alike is taken.
    """
    chosen = np.asarray(designs)
    edges = (4 * chosen[:, None] + np.arange(4)).ravel()
    own = misfits[np.ix_(edges, edges)]
    state = np.arange(4 * len(chosen))
    tile, turn = state // 4, state % 4
    across = own[np.ix_(edge_towards(tile, turn, 1), edge_towards(tile, turn, 3))]
    down = own[np.ix_(edge_towards(tile, turn, 2), edge_towards(tile, turn, 0))]
    share = stock / stock.sum()
    best: tuple[float, Module] | None = None
    for rows, cols, drop in SIZES:
        if best is not None and rows * cols > MOST_OFTEN * len(chosen):
            break
        grid, misfit = _search(across, down, share, (rows, cols, drop))
        total = misfit + UNUSED * (1 - share[np.unique(grid // 4)].sum())
        if best is None or total < best[0] * (1 - LARGER):
            best = total, Module(chosen[grid // 4], grid % 4, drop, misfit)
    assert best is not None
    return best[1]


def _search(
    across: NDArray[np.float64],
    down: NDArray[np.float64],
    share: NDArray[np.float64],
    size: tuple[int, int, int],
) -> tuple[NDArray[np.int64], float]:
    """Return the best states [rows, cols] on a torus, and their mean misfit a joint."""
    rows, cols, drop = size
    rng = np.random.default_rng(0)
    states, cells = len(across), rows * cols
    above, below, left, right = _around(rows, cols, drop)
    grid = rng.integers(0, states, (CHAINS, cells))
    chains = np.arange(CHAINS)
    used = np.zeros((CHAINS, len(share)))
    for cell in range(cells):
        used[chains, grid[:, cell] // 4] += 1
    wanted = cells * share
    for temperature in [*np.geomspace(HOT, COLD, SWEEPS[cells >= LARGE]), 0, 0, 0]:
        for cell in rng.permutation(cells):
            used[chains, grid[:, cell] // 4] -= 1
            cost = np.repeat(BALANCE * (used + 0.5 - wanted), 4, axis=1)
            for table, before, after in ((across, left, right), (down, above, below)):
                if before[cell] == cell:
                    cost += np.diagonal(table)
                else:
                    cost += table[grid[:, before[cell]]] + table[:, grid[:, after[cell]]].T
            if temperature:
                cost -= temperature * rng.gumbel(size=cost.shape)
            grid[:, cell] = cost.argmin(axis=1)
            used[chains, grid[:, cell] // 4] += 1
    misfit = np.zeros(CHAINS)
    for cell in range(cells):
        here = grid[:, cell]
        misfit += across[here, grid[:, right[cell]]] + down[here, grid[:, below[cell]]]
    total = misfit + BALANCE / 2 * ((used - wanted) ** 2).sum(axis=1)
    best = int(np.argmin(total))
    return grid[best].reshape(rows, cols), float(misfit[best] / (2 * cells))


def _around(rows: int, cols: int, drop: int) -> tuple[NDArray[np.int64], ...]:
    """Return the cells above, below, left and right of each on a torus with a drop."""
    row, col = np.divmod(np.arange(rows * cols), cols)
    last, first = col == cols - 1, col == 0
    return (
        (row - 1) % rows * cols + col,
        (row + 1) % rows * cols + col,
        (row + drop * first) % rows * cols + (col - 1) % cols,
        (row - drop * last) % rows * cols + (col + 1) % cols,
    )


def draw_module(module: Module, pictures: NDArray[np.uint8], times: int = 1) -> NDArray[np.uint8]:
    """Draw the repeat of designs [k, S, S, 3], ``times`` down and across: uint8 [h, w, 3]."""
    size = pictures.shape[1]
    rows, cols = times * module.rows, times * module.cols
    wall = np.empty((rows * size, cols * size, 3), np.uint8)
    for row in range(rows):
        for col in range(cols):
            design, turn = module.at(row, col)
            tile = turn_picture(pictures[design], turn)
            wall[row * size :, col * size :][:size, :size] = tile
    return wall
