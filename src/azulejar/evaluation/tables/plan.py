"""Plan: all tasks of each table."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import product

from azulejar.evaluation.protocol import SIZE
from azulejar.evaluation.tables.puzzles import Recipe
from azulejar.evaluation.tables.rows import Row, Scorer
from azulejar.evaluation.tables.sources import Source
from azulejar.evaluation.tables.tasks import Rank, Search, Task
from azulejar.solvers.runs import seeds

TRIMS = (0.03, 0.05, 0.07)
RUNS = 10
STANDARD_SIZE = 28  # side of a tile in pixels, as in the literature
BOTH = (True, False)
VARIANTS = tuple(product(BOTH, BOTH))  # upright or turned, size known or unknown


@dataclass(frozen=True)
class Level:
    """How much of a panel is lost, and in which way."""

    trim: float = 0.03
    corruption: str = "none"
    amount: float = 0.0


# After Dirauf et al. 2025; each list begins with the level that all share.
UNHARMED = Level()
MISSING = (UNHARMED, *(Level(corruption="missing", amount=part) for part in (0.05, 0.1, 0.2)))
ERODED = (UNHARMED, *(Level(trim) for trim in (0.05, 0.07, 0.09, 0.11, 0.14)))
CONTENT = (UNHARMED, *(Level(corruption="content", amount=part) for part in (0.1, 0.2, 0.3)))
LEVELS = tuple(dict.fromkeys((*MISSING, *ERODED, *CONTENT)))
CORRUPTED_VARIANTS = ((False, False), (False, True), (True, True))


def plan_ranks(
    sources: Sequence[Source], scorers: Sequence[Scorer], trims: Sequence[float], seed: int
) -> list[Rank]:
    """Every panel at every trim, upright and turned, by every measure."""
    return [
        Rank(Recipe(source, upright, seed, trim, SIZE), scorer)
        for source, trim, upright, scorer in product(sources, trims, BOTH, scorers)
    ]


def plan_reconstruct(
    sources: Sequence[Source], rows: Sequence[Row], trims: Sequence[float], runs: int, seed: int
) -> list[Search]:
    """Every panel at every trim, in the paper's four variants, so many times by every row."""
    return [
        task
        for row, source, trim, (upright, known) in product(rows, sources, trims, VARIANTS)
        for task in _searches(
            "reconstruct", Recipe(source, upright, seed, trim, SIZE), known, row, runs, seed
        )
    ]


def plan_corruptions(sources: Sequence[Source], rows: Sequence[Row], seed: int) -> list[Search]:
    """Every panel at every level, with nothing known and with all known."""
    return [
        task
        for row, source, level, (upright, known) in product(
            rows, sources, LEVELS, CORRUPTED_VARIANTS
        )
        for task in _searches(
            "corruptions",
            Recipe(
                source, upright, seed, level.trim, SIZE,
                corruption=level.corruption, amount=level.amount,
            ),
            known, row, 1, seed,
        )
    ]  # fmt: skip


def plan_standard(sources: Sequence[Source], rows: Sequence[Row], seed: int) -> list[Search]:
    """Every picture, upright and turned; the size is known, but to solvers that take none."""
    tasks = []
    for row, source, upright in product(rows, sources, BOTH):
        recipe = Recipe(source, upright, seed, 0.0, STANDARD_SIZE, crop=True)
        known, unknown = (_searches("standard", recipe, known, row, 1, seed) for known in BOTH)
        tasks += known or unknown
    return tasks


def _searches(
    table: str, recipe: Recipe, known: bool, row: Row, runs: int, seed: int
) -> list[Search]:
    """None if the solver does not take the puzzle, one where the seed does not matter to it."""
    tasks = [
        Search(table, recipe, known, row, each)
        for each in seeds(seed, (row.runs or runs) if row.solver.random else 1)
    ]
    return tasks if row.solver.can(tasks[0].knowns) else []


def group(tasks: Iterable[Task]) -> list[list[Task]]:
    """Tasks that share a puzzle and its scores together, each key once, in the order given."""
    groups: dict[object, dict[str, Task]] = {}
    for task in tasks:
        shared = groups.setdefault((task.recipe.identity, task.scorer.identity), {})
        shared.setdefault(task.key, task)
    return [list(shared.values()) for shared in groups.values()]
