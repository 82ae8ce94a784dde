"""Tasks: what a worker does with a puzzle and its scores."""

import time
from dataclasses import dataclass
from functools import cache
from typing import Any, Protocol

import numpy as np

from azulejar.core.assembly import Assembly
from azulejar.core.compatibility import Compatibility
from azulejar.core.knowns import Knowns
from azulejar.evaluation.metrics import evaluate
from azulejar.evaluation.protocol import Puzzle
from azulejar.evaluation.rank_table import Ranking, rank_puzzles
from azulejar.evaluation.tables.cells import Cell
from azulejar.evaluation.tables.puzzles import Recipe
from azulejar.evaluation.tables.rows import Row, Scorer
from azulejar.evaluation.tables.store import key_of
from azulejar.solvers import Budget, Progress, Solver, solve


class Task(Protocol):
    """Something to be worked out once for a puzzle and its scores."""

    @property
    def recipe(self) -> Recipe:
        """How the puzzle is made."""

    @property
    def scorer(self) -> Scorer:
        """What scores its edges."""

    @property
    def key(self) -> str:
        """Under which the outcome is stored."""

    @property
    def title(self) -> str:
        """What a person would call it."""

    def run(self, puzzle: Puzzle, scores: Compatibility) -> dict[str, Any]:
        """The outcome, as JSON can hold it."""


@dataclass(frozen=True)
class Search:
    """One search of a row's solver; ``known``: it is told rows and cols."""

    table: str
    recipe: Recipe
    known: bool
    row: Row
    seed: int

    @property
    def scorer(self) -> Scorer:
        """What scores for the row."""
        return self.row.scorer

    @property
    def knowns(self) -> Knowns:
        """What the solver is told."""
        panel = self.recipe.source.panel
        if not self.known:
            return Knowns(upright=self.recipe.upright)
        return Knowns(panel.rows, panel.cols, self.recipe.upright)

    @property
    def key(self) -> str:
        """Under which the cell is stored."""
        return key_of(
            self.recipe.identity,
            self.known,
            _Unquoted(self.row.solver.identity),
            self.scorer.identity,
            self.seed,
        )

    @property
    def title(self) -> str:
        """What a person would call the cell."""
        size = "size known" if self.known else "size unknown"
        return f"{'@'.join(self.row.name)} on {self.recipe.title}, {size}, seed {self.seed}"

    def run(self, puzzle: Puzzle, scores: Compatibility) -> dict[str, Any]:
        """Search, and hold the assembly against the truth."""
        solver, truth = self.row.solver, puzzle.truth
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
            "outscored": outscored(scores, assembly, truth),
            "place": np.stack(
                [assembly.row, assembly.col, assembly.turn, assembly.panel], axis=1
            ).tolist(),
            "history": [
                [round(each.seconds, 3), solver.worth(scores, self.knowns, each.assembly)]
                for each in better
            ],
        }
        return self.cell(outcome).as_dict()

    def cell(self, outcome: dict[str, Any]) -> Cell:
        """The cell from its outcome; what names the cell may be that of another table."""
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
            "upright": recipe.upright,
            "known": self.known,
            "solver": self.row.label,
            "measure": self.scorer.label,
            "seed": self.seed,
        }
        return Cell.from_dict(outcome | named)


@dataclass(frozen=True)
class Rank:
    """Where a measure ranks the true neighbours."""

    recipe: Recipe
    scorer: Scorer

    @property
    def key(self) -> str:
        """Under which the ranking is stored."""
        return key_of("rank", self.recipe.identity, self.scorer.identity)

    @property
    def title(self) -> str:
        """What a person would call the ranking."""
        return f"{self.scorer.label} on {self.recipe.title}"

    def run(self, puzzle: Puzzle, scores: Compatibility) -> dict[str, Any]:
        """The ranking without its puzzle."""
        ranking = rank_puzzles([puzzle], [_Scored(self.scorer.label, scores)]).rankings[0]
        return {name: getattr(ranking, name).tolist() for name in RANKING}

    def ranking(self, outcome: dict[str, Any]) -> Ranking:
        """The ranking from its outcome, its puzzle made anew."""
        arrays = {name: np.array(outcome[name]) for name in RANKING}
        return Ranking(self.scorer.label, self.recipe.make(), **arrays)


RANKING = ("edge", "true", "rank", "choice")


class _Unquoted(str):
    """Text that goes into a key as it is, as the solver itself once did."""

    __slots__ = ()

    def __repr__(self) -> str:
        return str(self)


@dataclass(frozen=True)
class _Scored:
    """Scores that are there already, where something that scores is asked for."""

    label: str
    scores: Compatibility

    def score(self, *_: object, **__: object) -> Compatibility:
        return self.scores


def outscored(scores: Compatibility, assembly: Assembly, truth: Assembly) -> float:
    """Of the edges that lack their true neighbour, how many have one that scores higher.

    The scores are then to blame, not the search. 0 if no edge lacks it.
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
    """Compile, or load what was compiled, so that no search pays for it."""
    random = np.random.default_rng(0)
    scores = Compatibility(random.random((16, 16), np.float32), ("a", "b", "c", "d"), "random")
    for upright in (True, False):
        for knowns in (Knowns(2, 2, upright), Knowns(upright=upright)):
            if solver.can(knowns):
                solve(scores, knowns, solver=solver, budget=Budget(seconds=0.1))
