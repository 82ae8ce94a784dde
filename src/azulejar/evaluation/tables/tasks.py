"""Tasks: what a worker does with a puzzle and its scores."""

import time
from dataclasses import dataclass
from functools import cache
from typing import Any, Protocol

import numpy as np

from azulejar.core.assembly import Assembly
from azulejar.core.compatibility import Compatibility
from azulejar.core.knowns import Knowns
from azulejar.evaluation.featureless import share_featureless
from azulejar.evaluation.metrics import evaluate
from azulejar.evaluation.protocol import KnownPuzzle
from azulejar.evaluation.ranks import Ranking, rank_scores
from azulejar.evaluation.tables.methods import Method, Scorer
from azulejar.evaluation.tables.puzzle_recipes import Recipe
from azulejar.evaluation.tables.result_store import result_key
from azulejar.evaluation.tables.results import SearchResult
from azulejar.solvers import Budget, Progress, Solver, solve


class BenchmarkTask(Protocol):
    """Something to compute once for a puzzle and its scores."""

    @property
    def recipe(self) -> Recipe:
        """How the puzzle is made."""

    @property
    def scorer(self) -> Scorer:
        """The scorer of its edges."""

    @property
    def key(self) -> str:
        """The key under which the outcome is stored."""

    @property
    def title(self) -> str:
        """Describes the task for a person."""

    def run(self, puzzle: KnownPuzzle, scores: Compatibility) -> dict[str, Any]:
        """Return the outcome, as JSON can hold it."""


@dataclass(frozen=True)
class SearchTask:
    """One search by a method; ``known``: whether the solver is told rows and cols."""

    table: str
    recipe: Recipe
    known: bool
    method: Method
    seed: int

    @property
    def scorer(self) -> Scorer:
        """The method's scorer."""
        return self.method.scorer

    @property
    def knowns(self) -> Knowns:
        """What the solver is told."""
        panel = self.recipe.source.panel
        if not self.known:
            return Knowns(upright=self.recipe.upright)
        return Knowns(panel.rows, panel.cols, self.recipe.upright)

    @property
    def key(self) -> str:
        """The key under which the result is stored."""
        return result_key(
            self.recipe.identity,
            self.known,
            _Unquoted(self.method.solver.identity),
            self.scorer.identity,
            self.seed,
        )

    @property
    def title(self) -> str:
        """Describes the search for a person."""
        size = "size known" if self.known else "size unknown"
        return f"{'@'.join(self.method.name)} on {self.recipe.title}, {size}, seed {self.seed}"

    def run(self, puzzle: KnownPuzzle, scores: Compatibility) -> dict[str, Any]:
        """Search, and compare the assembly with the truth."""
        solver, truth = self.method.solver, puzzle.truth
        warm_up(solver)
        better: list[Progress] = []

        def note(progress: Progress) -> None:
            if not better or progress.fitness > better[-1].fitness:
                better.append(progress)

        started = time.perf_counter()
        assembly = solve(scores, self.knowns, solver=solver, seed=self.seed, on_progress=note)
        seconds = time.perf_counter() - started
        accuracy = evaluate(assembly, truth, upright=puzzle.upright)
        outcome = {
            "neighbour": accuracy.neighbour,
            "direct": accuracy.direct,
            "perfect": accuracy.perfect,
            "largest": accuracy.largest,
            "seconds": round(seconds, 3),
            "worth": solver.worth(scores, self.knowns, assembly),
            "truth_worth": solver.worth(scores, self.knowns, truth),
            "outscored": share_outscored(scores, assembly, truth),
            "featureless": share_featureless(puzzle.tiles, truth),
            "place": np.stack(
                [assembly.row, assembly.col, assembly.turn, assembly.panel], axis=1
            ).tolist(),
            "history": [
                [round(each.seconds, 3), solver.worth(scores, self.knowns, each.assembly)]
                for each in better
            ],
        }
        return self.result(outcome).as_dict()

    def result(self, outcome: dict[str, Any]) -> SearchResult:
        """Return the result from its outcome, which may have been stored for another table."""
        recipe, source = self.recipe, self.recipe.source
        named = {
            "table": self.table,
            "set": source.set,
            "panel": source.panel.name,
            "rows": source.panel.rows,
            "cols": source.panel.cols,
            "trim": recipe.trim,
            "size": recipe.size,
            "corruption": recipe.corruption,
            "amount": recipe.amount,
            "light": recipe.light,
            "upright": recipe.upright,
            "known": self.known,
            "solver": self.method.label,
            "measure": self.scorer.label,
            "seed": self.seed,
        }
        return SearchResult.from_dict(outcome | named)


@dataclass(frozen=True)
class RankTask:
    """Rank the true neighbours of a puzzle by a measure."""

    recipe: Recipe
    scorer: Scorer

    @property
    def key(self) -> str:
        """The key under which the ranking is stored."""
        return result_key("rank", self.recipe.identity, self.scorer.identity)

    @property
    def title(self) -> str:
        """Describes the ranking for a person."""
        return f"{self.scorer.label} on {self.recipe.title}"

    def run(self, puzzle: KnownPuzzle, scores: Compatibility) -> dict[str, Any]:
        """Return the ranking without its puzzle."""
        ranking = rank_scores(self.scorer.label, puzzle, scores)
        return {name: getattr(ranking, name).tolist() for name in RANKING}

    def ranking(self, outcome: dict[str, Any]) -> Ranking:
        """Return the ranking from its outcome, its puzzle made anew."""
        arrays = {name: np.array(outcome[name]) for name in RANKING}
        return Ranking(self.scorer.label, self.recipe.make(), **arrays)


RANKING = ("edge", "true", "rank", "choice")  # fields of a ranking that are stored


class _Unquoted(str):
    """Text that goes into a key as it is, as the solver's own repr once did."""

    __slots__ = ()

    def __repr__(self) -> str:
        return str(self)


def share_outscored(scores: Compatibility, assembly: Assembly, truth: Assembly) -> float:
    """Return the share of edges without their true neighbour whose own one scores higher.

    There the scores are to blame, not the search. 0 if every edge has its true neighbour.
    """
    true, found = truth.neighbours(), assembly.neighbours()
    lacking = np.flatnonzero((true >= 0) & (found != true))
    if not len(lacking):
        return 0.0
    edge = lacking[found[lacking] >= 0]
    beaten = scores.mutual(edge, found[edge]) > scores.mutual(edge, true[edge])
    return float(beaten.sum()) / len(lacking)


@cache
def warm_up(solver: Solver) -> None:
    """Compile the solver, or load it compiled, so that no search pays for it."""
    random = np.random.default_rng(0)
    scores = Compatibility(random.random((16, 16), np.float32), ("a", "b", "c", "d"), "random")
    for upright in (True, False):
        for knowns in (Knowns(2, 2, upright), Knowns(upright=upright)):
            if solver.can(knowns):
                solve(scores, knowns, solver=solver, budget=Budget(seconds=0.1))
