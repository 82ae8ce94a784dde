"""The tasks of each table: which puzzles are solved by which methods, and how often."""

import os
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import product

from azulejar.evaluation.protocol import SIZE
from azulejar.evaluation.ranks import RANKED_MEASURES
from azulejar.evaluation.tables.methods import (
    GAUGED_METHODS,
    PAPER_METHODS,
    Method,
    MethodChoice,
    Scorer,
    all_solvers,
)
from azulejar.evaluation.tables.protocols import (
    ERODED_CROPS,
    ERODED_SIZE,
    LSEJ_CROPS,
    LSEJ_SIZE,
    LsejRecipe,
    find_squares,
)
from azulejar.evaluation.tables.puzzle_recipes import (
    PanelSource,
    Recipe,
    find_pictures,
    find_sources,
)
from azulejar.evaluation.tables.tasks import BenchmarkTask, RankTask, SearchTask
from azulejar.practice.photography import check_light
from azulejar.solvers.runs import seeds

OF_PANELS = ("rank", "reconstruct", "corruptions")  # tables of panels named NAME__RxC
PROTOCOLS = ("standard", "lsej", "eroded")  # published benchmarks, on pictures of any size
TABLES = OF_PANELS + PROTOCOLS
TRIMS = (0.03, 0.05, 0.07)
RUNS = 10
STANDARD_SIZE = 28  # side of a tile in pixels, as in the literature
BOTH = (True, False)
VARIANTS = tuple(product(BOTH, BOTH))  # upright or turned, size known or unknown


@dataclass(frozen=True)
class Loss:
    """How much of a panel is lost, and in which way."""

    trim: float = 0.03
    corruption: str = "none"
    amount: float = 0.0


# After Dirauf et al. 2025; each list begins with the loss that all share.
LEAST = Loss()
MISSING = (LEAST, *(Loss(corruption="missing", amount=part) for part in (0.05, 0.1, 0.2)))
ERODED = (LEAST, *(Loss(trim) for trim in (0.05, 0.07, 0.09, 0.11, 0.14)))
CONTENT = (LEAST, *(Loss(corruption="content", amount=part) for part in (0.1, 0.2, 0.3)))
LOSSES = tuple(dict.fromkeys((*MISSING, *ERODED, *CONTENT)))
CORRUPTED_VARIANTS = ((False, False), (False, True), (True, True))


def plan_table(
    table: str,
    panels: str | os.PathLike[str],
    chosen: MethodChoice,
    *,
    trims: Sequence[float] = TRIMS,
    lights: Sequence[str] = ("none",),
    runs: int = RUNS,
    seed: int = 0,
) -> Sequence[BenchmarkTask]:
    """Return all tasks of one of the ``TABLES`` on a folder of panels.

    Where the user chose no methods, reconstruct and corruptions run the paper's and ours, standard
    runs every solver with MGC, lsej and eroded run Gallagher's as a gauge and ours, and rank ranks
    the ``RANKED_MEASURES``. ``trims`` are for rank and reconstruct, ``lights`` and ``runs`` for
    reconstruct.
    """
    if table == "standard":
        methods = chosen.methods(all_solvers(), "mgc")
        return plan_standard(find_pictures(panels, STANDARD_SIZE), methods, seed)
    if table == "lsej":
        return plan_lsej(find_squares(panels), chosen.methods(GAUGED_METHODS, "dlcm"), seed)
    if table == "eroded":
        methods = chosen.methods(GAUGED_METHODS, "dlcm")
        return plan_eroded(find_pictures(panels, ERODED_SIZE), methods, seed)
    for light in lights:
        check_light(light)
    sources = find_sources(panels)
    if table == "rank":
        return plan_ranks(sources, chosen.scorers(RANKED_MEASURES), trims, seed)
    methods = chosen.methods(PAPER_METHODS, "dlcm")
    if table == "reconstruct":
        return plan_reconstruct(sources, methods, trims, runs, seed, lights)
    return plan_corruptions(sources, methods, seed)


def plan_ranks(
    sources: Sequence[PanelSource], scorers: Sequence[Scorer], trims: Sequence[float], seed: int
) -> list[RankTask]:
    """Rank every panel at every trim, upright and turned, by every measure."""
    return [
        RankTask(Recipe(source, upright, seed, trim, SIZE), scorer)
        for source, trim, upright, scorer in product(sources, trims, BOTH, scorers)
    ]


def plan_reconstruct(
    sources: Sequence[PanelSource],
    methods: Sequence[Method],
    trims: Sequence[float],
    runs: int,
    seed: int,
    lights: Sequence[str] = ("none",),
) -> list[SearchTask]:
    """Solve every panel at every trim and in every light, ``runs`` times a method.

    The variants are the paper's four: upright or turned, size known or unknown.
    """
    return [
        task
        for method, source, trim, light, (upright, known) in product(
            methods, sources, trims, lights, VARIANTS
        )
        for task in _searches(
            "reconstruct",
            Recipe(source, upright, seed, trim, SIZE, light=light),
            known, method, runs, seed,
        )
    ]  # fmt: skip


def plan_corruptions(
    sources: Sequence[PanelSource], methods: Sequence[Method], seed: int
) -> list[SearchTask]:
    """Solve every panel with every loss, with nothing known, the size known and all known."""
    return [
        task
        for method, source, loss, (upright, known) in product(
            methods, sources, LOSSES, CORRUPTED_VARIANTS
        )
        for task in _searches(
            "corruptions",
            Recipe(
                source, upright, seed, loss.trim, SIZE,
                corruption=loss.corruption, amount=loss.amount,
            ),
            known, method, 1, seed,
        )
    ]  # fmt: skip


def plan_standard(
    sources: Sequence[PanelSource], methods: Sequence[Method], seed: int
) -> list[SearchTask]:
    """Solve every picture, upright and turned, with its size unless the solver takes none."""
    return [
        task
        for method, source, upright in product(methods, sources, BOTH)
        for task in _sized_search(
            "standard", Recipe(source, upright, seed, 0.0, STANDARD_SIZE, crop=True), method, seed
        )
    ]


def plan_lsej(
    sources: Sequence[PanelSource], methods: Sequence[Method], seed: int
) -> list[SearchTask]:
    """Solve every square at every crop, upright, size known, as ImageNet-LSEJ does."""
    return [
        task
        for method, source, crop in product(methods, sources, LSEJ_CROPS)
        for task in _searches(
            "lsej",
            LsejRecipe(source, True, seed, crop / LSEJ_SIZE, LSEJ_SIZE),
            True, method, 1, seed,
        )
    ]  # fmt: skip


def plan_eroded(
    sources: Sequence[PanelSource], methods: Sequence[Method], seed: int
) -> list[SearchTask]:
    """Solve every picture at both erosions, upright and turned, after Bridger et al. 2020."""
    return [
        task
        for method, source, upright, crop in product(methods, sources, BOTH, ERODED_CROPS)
        for task in _sized_search(
            "eroded",
            Recipe(
                source, upright, seed, crop / ERODED_SIZE, ERODED_SIZE - 2 * crop, crop=True
            ),
            method, seed,
        )
    ]  # fmt: skip


def _sized_search(table: str, recipe: Recipe, method: Method, seed: int) -> list[SearchTask]:
    """Return one search with the size, or without it if the solver takes none."""
    known, unknown = (_searches(table, recipe, known, method, 1, seed) for known in BOTH)
    return known or unknown


def _searches(
    table: str, recipe: Recipe, known: bool, method: Method, runs: int, seed: int
) -> list[SearchTask]:
    """Return no task if the solver does not take the puzzle, one if it ignores the seed."""
    tasks = [
        SearchTask(table, recipe, known, method, each)
        for each in seeds(seed, (method.runs or runs) if method.solver.random else 1)
    ]
    return tasks if method.solver.can(tasks[0].knowns) else []


def group_tasks(tasks: Iterable[BenchmarkTask]) -> list[list[BenchmarkTask]]:
    """Group tasks that share a puzzle and its scores, each key once, in the order given."""
    groups: dict[object, dict[str, BenchmarkTask]] = {}
    for task in tasks:
        shared = groups.setdefault((task.recipe.identity, task.scorer.identity), {})
        shared.setdefault(task.key, task)
    return [list(shared.values()) for shared in groups.values()]
