"""Where measures rank the true neighbours of known panels (paper, section 6.1 and table 2)."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from azulejar.core.assembly import Assembly
from azulejar.core.compatibility import BLOCK, Compatibility
from azulejar.core.edges import opposite
from azulejar.evaluation.protocol import KnownPuzzle

if TYPE_CHECKING:  # measures need more than a bare server has
    from azulejar.evaluation.labelled_measures import LabelledMeasure

RANKS = 10
RANKED_MEASURES = ("ssd", "mgc", "l1", "twin", "dlcm")  # by default


@dataclass(frozen=True)
class Ranking:
    """The rank of the true neighbour by one measure on one puzzle, for each edge that has one.

    - ``edge`` and ``true``: the edge and that neighbour;
    - ``rank``: how many partners score higher, from 0; ties count half;
    - ``choice``: the best-scored partner; in a tie, one that is wrong.
    """

    measure: str
    puzzle: KnownPuzzle
    edge: NDArray[np.intp]
    true: NDArray[np.int32]
    rank: NDArray[np.intp]
    choice: NDArray[np.intp]

    @property
    def rank_1(self) -> float:
        """Share of edges whose true neighbour comes first, in %."""
        return float(100 * (self.rank == 0).mean())

    def shares(self) -> NDArray[np.float64]:
        """Return the shares of edges whose true neighbour has rank 1 to 10, in %: [10]."""
        return 100 * np.bincount(self.rank, minlength=RANKS)[:RANKS] / len(self.rank)


@dataclass(frozen=True)
class RankTable:
    """The rankings of every puzzle by every measure."""

    rankings: tuple[Ranking, ...]

    @property
    def measures(self) -> list[str]:
        """Labels of the measures, in the order given."""
        return list(dict.fromkeys(ranking.measure for ranking in self.rankings))

    @property
    def trims(self) -> list[float]:
        """The trims, in the order given."""
        return list(dict.fromkeys(ranking.puzzle.trim for ranking in self.rankings))

    @property
    def panels(self) -> list[str]:
        """Names of the panels, in the order given."""
        return list(dict.fromkeys(ranking.puzzle.panel.name for ranking in self.rankings))

    def of(self, measure: str, trim: float, upright: bool) -> list[Ranking]:
        """Return the rankings of all panels by one measure."""
        return [
            ranking
            for ranking in self.rankings
            if (ranking.measure, ranking.puzzle.trim, ranking.puzzle.upright)
            == (measure, trim, upright)
        ]

    def rank_1(self, measure: str, trim: float, upright: bool) -> float:
        """Return the mean rank-1 over panels, in %."""
        return float(np.mean([each.rank_1 for each in self.of(measure, trim, upright)]))

    def shares(self, measure: str, trim: float, upright: bool) -> NDArray[np.float64]:
        """Return the shares of rank 1 to 10, in %, as means over panels: [10]."""
        return np.mean([each.shares() for each in self.of(measure, trim, upright)], axis=0)


def rank_puzzles(
    puzzles: Sequence[KnownPuzzle],
    measures: Sequence["LabelledMeasure"],
    on_progress: Callable[[float], None] | None = None,
) -> RankTable:
    """Score every puzzle by every measure and rank the true neighbours."""
    rankings: list[Ranking] = []
    total = len(puzzles) * len(measures)

    def tell(fraction: float) -> None:
        if on_progress is not None:
            on_progress((len(rankings) + fraction) / total)

    for puzzle in puzzles:
        for measure in measures:
            scores = measure.score(puzzle.tiles, upright=puzzle.upright, on_progress=tell)
            rankings.append(rank_scores(measure.label, puzzle, scores))
    return RankTable(tuple(rankings))


def rank_scores(measure: str, puzzle: KnownPuzzle, scores: Compatibility) -> Ranking:
    """Rank the true neighbours of a puzzle by its scores; ``measure`` is the label of these."""
    upright = puzzle.upright
    met = puzzle.truth.neighbours()
    edge = np.flatnonzero(met >= 0)
    rank = true_ranks(scores, puzzle.truth, upright=upright)
    rival = best_rivals(scores, puzzle.truth, upright=upright)
    choice = np.where(rank == 0, met[edge], rival)
    return Ranking(measure, puzzle, edge, met[edge], rank, choice)


def true_ranks(compatibility: Compatibility, truth: Assembly, *, upright: bool) -> NDArray[np.intp]:
    """Count for each edge that has a true neighbour how many partners score higher than it.

    Partners are the edges of other tiles; if ``upright``, only their opposite sides. Ties count
    half, so that equal scores gain nothing from the order of the files.
    """
    ranks = [np.empty(0, np.intp)]
    for scores, true in _blocks(compatibility, truth, upright):
        own = np.take_along_axis(scores, true[:, None], 1)
        ranks.append((scores > own).sum(axis=1) + (scores == own).sum(axis=1) // 2)
    return np.concatenate(ranks)


def best_rivals(
    compatibility: Compatibility, truth: Assembly, *, upright: bool
) -> NDArray[np.intp]:
    """Return for each edge that has a true neighbour the best-scored of its other partners."""
    rivals = [np.empty(0, np.intp)]
    for scores, true in _blocks(compatibility, truth, upright):
        np.put_along_axis(scores, true[:, None], -np.inf, 1)
        rivals.append(scores.argmax(axis=1))
    return np.concatenate(rivals)


def _blocks(
    compatibility: Compatibility, truth: Assembly, upright: bool
) -> Iterator[tuple[NDArray[np.float32], NDArray[np.int32]]]:
    """Yield blocks of edges that have a true neighbour: scores [rows, 4n], and that neighbour.

    Edges that cannot be partners score minus infinity.
    """
    met = truth.neighbours()
    edges = np.flatnonzero(met >= 0)
    every = compatibility.dense()
    other = np.arange(len(met))[None]
    step = max(1, BLOCK // len(met))
    for start in range(0, len(edges), step):
        edge = edges[start : start + step]
        allowed = edge[:, None] // 4 != other // 4
        if upright:
            allowed &= opposite(edge[:, None]) == other % 4
        yield np.where(allowed, every[edge], np.float32(-np.inf)), met[edge]
