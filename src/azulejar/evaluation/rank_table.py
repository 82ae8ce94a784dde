"""Where measures rank the true neighbours of known panels (paper, table 2 and rank_alpha)."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from azulejar.core.compatibility import Compatibility
from azulejar.core.tiles import TileSet
from azulejar.evaluation.protocol import Puzzle
from azulejar.evaluation.ranks import best_rivals, true_ranks

RANKS = 10


class Scorer(Protocol):
    """What is ranked: a measure with its post-processing, or anything else that scores edges."""

    @property
    def label(self) -> str:
        """The name under which it appears in tables."""

    def score(
        self, tiles: TileSet, *, upright: bool, on_progress: Callable[[float], None]
    ) -> Compatibility:
        """Scores of all pairs of edges."""


@dataclass(frozen=True)
class Ranking:
    """What one measure makes of one puzzle, for each edge that has a true neighbour.

    - ``edge`` and ``true``: the edge and that neighbour;
    - ``rank``: how many partners score higher, from 0; ties count half;
    - ``choice``: the best-scored partner; in a tie, one that is wrong.
    """

    measure: str
    puzzle: Puzzle
    edge: NDArray[np.intp]
    true: NDArray[np.int32]
    rank: NDArray[np.intp]
    choice: NDArray[np.intp]

    @property
    def rank_1(self) -> float:
        """Edges whose true neighbour comes first, in %."""
        return float(100 * (self.rank == 0).mean())

    def shares(self) -> NDArray[np.float64]:
        """Edges whose true neighbour comes first, second, … tenth, in %: [10]."""
        return 100 * np.bincount(self.rank, minlength=RANKS)[:RANKS] / len(self.rank)


@dataclass(frozen=True)
class RankTable:
    """The rankings of every puzzle by every measure."""

    rankings: tuple[Ranking, ...]

    @property
    def measures(self) -> list[str]:
        """Names of the measures, in the order given."""
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
        """The rankings of all panels by one measure."""
        return [
            ranking
            for ranking in self.rankings
            if (ranking.measure, ranking.puzzle.trim, ranking.puzzle.upright)
            == (measure, trim, upright)
        ]

    def rank_1(self, measure: str, trim: float, upright: bool) -> float:
        """Mean over panels, in %."""
        return float(np.mean([each.rank_1 for each in self.of(measure, trim, upright)]))

    def shares(self, measure: str, trim: float, upright: bool) -> NDArray[np.float64]:
        """Mean over panels of the shares of rank 1 to 10, in %: [10]."""
        return np.mean([each.shares() for each in self.of(measure, trim, upright)], axis=0)


def rank_puzzles(
    puzzles: Sequence[Puzzle],
    scorers: Sequence[Scorer],
    on_progress: Callable[[float], None] | None = None,
) -> RankTable:
    """Score every puzzle by every measure and rank the true neighbours."""
    rankings: list[Ranking] = []
    total = len(puzzles) * len(scorers)

    def tell(fraction: float) -> None:
        if on_progress is not None:
            on_progress((len(rankings) + fraction) / total)

    for puzzle in puzzles:
        for scorer in scorers:
            rankings.append(_ranking(puzzle, scorer, tell))
    return RankTable(tuple(rankings))


def _ranking(puzzle: Puzzle, scorer: Scorer, on_progress: Callable[[float], None]) -> Ranking:
    upright = puzzle.upright
    scores = scorer.score(puzzle.tiles, upright=upright, on_progress=on_progress)
    met = puzzle.truth.neighbours()
    edge = np.flatnonzero(met >= 0)
    rank = true_ranks(scores, puzzle.truth, upright=upright)
    rival = best_rivals(scores, puzzle.truth, upright=upright)
    choice = np.where(rank == 0, met[edge], rival)
    return Ranking(scorer.label, puzzle, edge, met[edge], rank, choice)
