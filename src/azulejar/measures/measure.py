"""Measure: the base class of all measures, which scores every pair of edges block by block."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Sequence
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from azulejar.core.compatibility import BLOCK, Compatibility
from azulejar.core.edges import opposite
from azulejar.core.tiles import TileSet
from azulejar.measures.calibration import Rows
from azulejar.measures.half_sides import score_by_length
from azulejar.measures.postprocess import Step, apply_whole_steps, check_steps, row_steps

LARGEST_DENSE = 16_384  # edges: 1 GiB of scores; beyond, only the best are kept
TOP = 256  # partners of each edge that are kept then


class Measure(ABC):
    """Scores how well edges fit. A subclass needs a ``name`` and the method ``dissimilarity``.

    ``post`` names the steps that turn dissimilarities into the compatibility, ``rank_post`` those
    with which the measure was published and is ranked. Dissimilarities of learned measures are
    negated scores of any sign.

    Examples:
        >>> import numpy as np
        >>> from azulejar import Measure, TileSet, edge_strips
        >>> class Brightness(Measure):
        ...     name = "brightness"
        ...     def dissimilarity(self, rows):
        ...         light = edge_strips(self.pixels, 1).mean(axis=(1, 2, 3))  # [4n]
        ...         return np.abs(light[rows, None] - light)
        >>> tiles = TileSet(np.zeros((2, 8, 8, 3), np.uint8), ("a.png", "b.png"))
        >>> Brightness().score(tiles).scores.shape
        (8, 8)
    """

    name: ClassVar[str]
    post: ClassVar[tuple[str, ...]] = ("likelihood", "symmetric")
    rank_post: ClassVar[tuple[str, ...]] = ()
    learned: ClassVar[bool] = False
    # Called with the likeliest pairs of edges so far, by measures that take long.
    on_pairs: Callable[[Sequence[tuple[int, int]]], None] | None = None

    def prepare(self, pixels: NDArray[np.uint8]) -> None:
        """Take in the tiles [n, S, S, 3], once, before any dissimilarity is asked for.

        By default they are kept as ``self.pixels``; a measure may work out more here.
        """
        self.pixels = pixels

    @abstractmethod
    def dissimilarity(self, rows: NDArray[np.intp]) -> Rows:
        """Return how unlike the edges ``rows`` (consecutive numbers) are to all 4n edges.

        The result [rows, 4n] is float64 and 0 or above; pairs that cannot meet are left out later.
        """

    def score(
        self,
        tiles: TileSet,
        *,
        upright: bool = False,
        post: Sequence[str] | None = None,
        on_progress: Callable[[float], None] | None = None,
    ) -> Compatibility:
        """Score all pairs of edges.

        Args:
            tiles: pictures of n tiles.
            upright: only opposite sides are partners.
            post: names other steps than the measure's own.
            on_progress: called with the fraction done, from 0 to 1.
        """
        post = self.post if post is None else post
        check_steps(post, self.learned)
        if tiles.halved is not None:
            return score_by_length(
                tiles,
                lambda shown: self.score(
                    shown, upright=upright, post=post, on_progress=on_progress
                ),
            )
        self.prepare(tiles.pixels)
        edges = 4 * len(tiles)

        def partners(rows: NDArray[np.intp]) -> Rows:
            return self.partners(rows, edges, upright)

        steps = row_steps(post, partners, edges)
        keep = edges if edges <= LARGEST_DENSE else TOP
        scores = np.empty((edges, keep), np.float32)
        index = None if keep == edges else np.empty((edges, keep), np.int32)
        for rows in blocks(edges):
            block = _apply_steps(partners(rows), steps)
            if index is None:
                scores[rows] = block
            else:
                index[rows], scores[rows] = top(block, keep)
            if on_progress is not None:
                on_progress((rows[-1] + 1) / edges)
        compatibility = Compatibility(scores, tiles.files, self.name, index)
        return apply_whole_steps(post, compatibility, tiles, upright)

    def partners(self, rows: NDArray[np.intp], edges: int, upright: bool) -> Rows:
        """Return dissimilarities [rows, 4n], infinite for edges that cannot be partners."""
        block = self.dissimilarity(rows)
        block[self.barred(rows, edges, upright)] = np.inf
        return block

    @staticmethod
    def barred(rows: NDArray[np.intp], edges: int, upright: bool) -> NDArray[np.bool_]:
        """Return which edges cannot be partners of the edges ``rows``: [rows, 4n]."""
        other = np.arange(edges)
        barred = rows[:, None] // 4 == other // 4
        return barred | (opposite(rows[:, None]) != other % 4) if upright else barred


def apply_row_steps(names: Sequence[str], raw: Compatibility, upright: bool) -> Compatibility:
    """Apply the named steps to dense scores to which none was applied yet."""
    edges = len(raw.scores)

    def partners(rows: NDArray[np.intp]) -> Rows:
        block = -raw.scores[rows].astype(np.float64)
        block[Measure.barred(rows, edges, upright)] = np.inf
        return block

    steps = row_steps(names, partners, edges)
    scores = np.empty_like(raw.scores)
    for rows in blocks(edges):
        scores[rows] = _apply_steps(partners(rows), steps)
    return Compatibility(scores, raw.files, raw.measure)


def blocks(edges: int) -> Iterator[NDArray[np.intp]]:
    """Yield all edge numbers, as many at a time as fit in memory."""
    step = max(1, BLOCK // edges)
    for start in range(0, edges, step):
        yield np.arange(start, min(start + step, edges))


def _apply_steps(block: Rows, steps: Sequence[Step]) -> Rows:
    """Apply the steps; edges that cannot be partners get the row's minimum."""
    block = -block
    for step in steps:
        block = step(block)
    partner = np.isfinite(block)
    low = np.where(partner, block, np.inf).min(axis=1, keepdims=True)
    return np.where(partner, block, np.where(np.isfinite(low), low, 0))


def top(block: Rows, k: int) -> tuple[NDArray, NDArray]:
    """Return the k best of each row, the best first: their numbers and scores [rows, k]."""
    best = np.argpartition(-block, k - 1, axis=1)[:, :k]
    order = np.argsort(-np.take_along_axis(block, best, 1), axis=1)
    best = np.take_along_axis(best, order, 1)
    return best, np.take_along_axis(block, best, 1)
