"""Puzzle solving by quadratic programming (Andaló, Taubin and Goldenstein, PAMI 2017).

A permutation of the tiles is relaxed to shares from 0 to 1, one for each tile at each place. A
quadratic objective is maximised by gradient ascent, under the constraint that the shares of each
tile, and those at each place, add up to 1.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array

from azulejar.core.assembly import Assembly
from azulejar.core.compatibility import Compatibility
from azulejar.core.edges import opposite
from azulejar.core.joints import NOTHING
from azulejar.core.knowns import Knowns
from azulejar.measures.probability import on_scale
from azulejar.solvers.budget import Budget, Clock
from azulejar.solvers.kernels.permutations import Neighbours, ascend
from azulejar.solvers.solver import OnProgress, Progress, Solver

RIGHT, BOTTOM = 1, 2
LEAST = 1e-5  # compatibility below which a pair is left out, as in the authors' own program
REPORTS = 20  # how often progress is reported in a search


@dataclass(frozen=True)
class Psqp(Solver):
    """Settle the tiles one by one, each by an ascent from equal shares.

    At first every free tile has the same share at every free place. As soon as a share reaches
    ``sure``, that tile is fixed at that place, and the remaining ones start again from equal
    shares. The grid wraps around, so that it does not matter where the first tile lies; in the end
    it is cut open along the seams that fit worst.

    ``step`` is the step size of the ascent. If no share becomes sure, the ascent ends when none
    changes by ``still`` or more, or after ``most`` steps, and the largest share is settled. The
    solver is deterministic and ignores the seed.
    """

    name = "psqp"
    scale = "distance"
    turned = False
    unknown_size = False
    random = False

    step: float = 0.5
    sure: float = 0.99
    still: float = 1e-3
    most: int = 200

    @property
    def compiled(self) -> Callable:
        """The compiled function in which the time is spent."""
        return ascend

    def solve(
        self,
        compatibility: Compatibility,
        knowns: Knowns,
        seed: int,
        budget: Budget,
        on_progress: OnProgress,
    ) -> Assembly:
        """Settle all tiles; when the budget ends, assign the remaining ones by their shares."""
        rows, cols = knowns.frame
        n, count = len(compatibility), rows * cols
        across, down = compatibility_matrices(compatibility)
        # Places without a tile are filled with blank tiles, which fit nowhere.
        across.resize((count, count))
        down.resize((count, count))
        sides = tuple(map(Neighbours.of, (down.T.tocsr(), across, down, across.T.tocsr())))
        share = np.full((count, count), 1 / count)
        settled = np.full(count, NOTHING)
        settled[0] = _surest(across, down)
        clock = Clock(budget, count - 1)
        best, worth, running = Assembly.of([], [], []), -np.inf, True
        while running:
            places = np.flatnonzero(settled == NOTHING)
            tiles = np.setdiff1d(np.arange(count), settled)
            share[np.ix_(places, tiles)] = 1 / len(places)
            place, tile = ascend(
                share, settled, sides, rows, cols, places, tiles,
                self.step, self.sure, self.still, self.most,
            )  # fmt: skip
            settled[place] = tile
            clock.tick(0.0)
            running = clock.running
            if running and clock.generation % max(1, count // REPORTS):
                continue
            grid = _assigned(share, settled).reshape(rows, cols)
            assembly = _assembly(_cut_open(grid, compatibility), n)
            now = _objective(assembly, across, down)
            if now > worth:
                best, worth = assembly, now
            fraction = clock.fraction if running else 1.0
            on_progress(Progress(fraction, clock.generation, clock.seconds, worth, best))
        return best

    def worth(self, compatibility: Compatibility, knowns: Knowns, assembly: Assembly) -> float:
        """Return the quadratic objective: the sum of the compatibilities of all joints."""
        across, down = compatibility_matrices(on_scale(compatibility, self.scale))
        return _objective(assembly, across, down)


def compatibility_matrices(compatibility: Compatibility) -> tuple[csr_array, csr_array]:
    """Return how well tile a fits to the left of tile b, and above it: two sparse [n, n].

    The compatibility is e^-(r + q + d/s). r and q are the ranks, from 0, that the two edges have
    for each other; d is their distance, and s the lower quartile of the distances of the one edge
    or of the other, whichever gives the smaller d/s. Scores are on the scale ``distance``. Values
    below 1e-5 are set to 0.
    """
    return _matrix(compatibility, RIGHT), _matrix(compatibility, BOTTOM)


def _matrix(compatibility: Compatibility, side: int) -> csr_array:
    tiles = np.arange(len(compatibility))
    edge, partner = 4 * tiles + side, 4 * tiles + opposite(side)
    scores = compatibility.dense()
    there = _scaled(-scores[np.ix_(edge, partner)].astype(np.float64))
    back = _scaled(-scores[np.ix_(partner, edge)].astype(np.float64))
    exponent = there.rank + back.rank.T + np.minimum(there.distance, back.distance.T)
    fit = np.exp(-exponent)
    fit[fit < LEAST] = 0
    return csr_array(fit)


@dataclass(frozen=True)
class _Scaled:
    """Ranks [n, n] of the partners of each edge, and their distances in units of a quartile."""

    rank: NDArray[np.int64]
    distance: NDArray[np.float64]


def _scaled(distance: NDArray[np.float64]) -> _Scaled:
    np.fill_diagonal(distance, np.inf)
    order = np.argsort(distance, axis=1, kind="stable")
    rank = np.empty_like(order)
    np.put_along_axis(rank, order, np.arange(len(order))[None], axis=1)
    quartile = min(len(distance) // 4, len(distance) - 2)
    unit = np.partition(distance, quartile, axis=1)[:, quartile]
    return _Scaled(rank, distance / np.maximum(unit, 1e-30)[:, None])


def _assigned(share: NDArray[np.float64], settled: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return the tile at each place [places].

    Tiles that are not settled are assigned so that the sum of their shares is largest.
    """
    # Imported late: it takes long to load.
    from scipy.optimize import linear_sum_assignment

    tile_at = settled.copy()
    places = np.flatnonzero(settled == NOTHING)
    tiles = np.setdiff1d(np.arange(len(settled)), settled)
    at, tile = linear_sum_assignment(share[np.ix_(places, tiles)], maximize=True)
    tile_at[places[at]] = tiles[tile]
    return tile_at


def _surest(across: csr_array, down: csr_array) -> int:
    """Return the tile with the highest sum of best compatibilities on its four sides."""
    best = [matrix.max(axis=axis).toarray() for matrix in (across, down) for axis in (0, 1)]
    return int(np.sum(best, axis=0).argmax())


def _cut_open(grid: NDArray[np.int64], compatibility: Compatibility) -> NDArray[np.int64]:
    """Return the grid [rows, cols], rolled so that the seams that fit worst lie on the borders.

    Seams are compared by distance, as in the authors' own program: the compatibilities of plain
    tiles are all near 0.
    """
    seam_of_cols = _closeness(grid, np.roll(grid, -1, axis=1), RIGHT, compatibility).sum(axis=0)
    seam_of_rows = _closeness(grid, np.roll(grid, -1, axis=0), BOTTOM, compatibility).sum(axis=1)
    shift = -1 - int(seam_of_rows.argmin()), -1 - int(seam_of_cols.argmin())
    return np.roll(grid, shift, axis=(0, 1))


def _closeness(
    a: NDArray[np.int64], b: NDArray[np.int64], side: int, compatibility: Compatibility
) -> NDArray[np.float64]:
    """Return how much closer tiles a and b are than the most distant pair; 0 for blank tiles."""
    there = (a < len(compatibility)) & (b < len(compatibility))
    closeness = np.zeros(a.shape)
    score = compatibility.mutual(4 * a[there] + side, 4 * b[there] + opposite(side))
    closeness[there] = score - compatibility.scores.min()
    return closeness


def _objective(assembly: Assembly, across: csr_array, down: csr_array) -> float:
    a, b = assembly.joints().T
    first = np.where(np.isin(a % 4, (RIGHT, BOTTOM)), a, b)  # on the left, or above
    second = np.where(first == a, b, a)
    wide = first % 4 == RIGHT
    tile, other = first // 4, second // 4
    return float(across[tile[wide], other[wide]].sum() + down[tile[~wide], other[~wide]].sum())


def _assembly(grid: NDArray[np.int64], n: int) -> Assembly:
    """Return the assembly of the n tiles in ``grid``; places of blank tiles stay empty."""
    place = np.empty(grid.size, np.int64)
    place[grid.ravel()] = np.arange(grid.size)
    row, col = np.divmod(place[:n], grid.shape[1])
    return Assembly.of(row, col, np.zeros(n, np.int64))
