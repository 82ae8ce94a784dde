"""Figures that summarise results, and tables of them with one row per method."""

from collections.abc import Callable, Iterable, Iterator, Sequence

import numpy as np

from azulejar.evaluation.markdown import NONE, markdown_table
from azulejar.evaluation.tables.methods import method_title
from azulejar.evaluation.tables.results import SearchResult

KIND = {True: "T1", False: "T2"}
TYPES = "T1: upright tiles, T2: turned tiles; size known or unknown."
ROUNDING = 1e-9  # by which two sums of the same scores may differ
Columns = dict[str, dict[str, object]]  # by heading: the fields that select a column's results
Figure = Callable[[Sequence[SearchResult]], str]


def select_results(results: Iterable[SearchResult], **fields: object) -> list[SearchResult]:
    """Return the results whose fields have the given values."""
    return [
        result
        for result in results
        if all(getattr(result, name) == value for name, value in fields.items())
    ]


def method_names(results: Iterable[SearchResult]) -> list[tuple[str, str]]:
    """Return the solver and measure of each method, in the order of the results."""
    return list(dict.fromkeys((result.solver, result.measure) for result in results))


def method_table(
    results: Sequence[SearchResult],
    columns: Columns,
    *figures: tuple[str, Figure],
    overall: Sequence[tuple[str, Figure]] = (),
) -> str:
    """Return a table with one row per method and, for each of ``columns``, the named figures.

    The ``overall`` figures, of all results of a method, come first.
    """
    head = [" ".join(filter(None, (column, name))) for column in columns for name, _ in figures]
    rows = []
    for solver, measure in method_names(results):
        own = select_results(results, solver=solver, measure=measure)
        shown = [format_figure(select_results(own, **wanted), figure)
                 for wanted in columns.values() for _, figure in figures]  # fmt: skip
        rows.append(
            [method_title(solver, measure), *(figure(own) for _, figure in overall), *shown]
        )
    return markdown_table(["method", *(name for name, _ in overall), *head], rows, align_right=True)


def format_figure(results: Sequence[SearchResult], figure: Figure) -> str:
    """Format a figure, or a dash if there are no results."""
    return figure(results) if results else NONE


def best(results: Sequence[SearchResult]) -> str:
    """Return the neighbour accuracy of the best run, as the paper reports it: mean in %."""
    return _percent(
        np.mean([max(result.neighbour for result in runs) for runs in _panels(results)])
    )


def fittest(results: Sequence[SearchResult]) -> str:
    """Return the neighbour accuracy of the run of highest worth, which users get: mean in %."""
    chosen = [max(runs, key=lambda result: result.worth) for runs in _panels(results)]
    return _percent(np.mean([result.neighbour for result in chosen]))


def mean(results: Sequence[SearchResult]) -> str:
    """Return mean ± standard deviation of the runs on a panel, both averaged over panels, in %."""
    each_panel = [[result.neighbour for result in runs] for runs in _panels(results)]
    centre = _percent(np.mean([np.mean(each) for each in each_panel]))
    if max(map(len, each_panel)) == 1:
        return centre
    return f"{centre} ± {_percent(np.mean([np.std(each) for each in each_panel]))}"


def runs(results: Sequence[SearchResult]) -> str:
    """Return the number of runs on each puzzle."""
    return str(len({result.seed for result in results}))


def direct(results: Sequence[SearchResult]) -> str:
    """Return the mean direct accuracy, in %."""
    return _percent(np.mean([result.direct for result in results]))


def perfect(results: Sequence[SearchResult]) -> str:
    """Return the number of perfect results."""
    return str(sum(result.perfect for result in results))


def seconds(results: Sequence[SearchResult]) -> str:
    """Return the mean duration of a search."""
    return f"{np.mean([result.seconds for result in results]):.1f}"


def held_back(results: Sequence[SearchResult]) -> str:
    """Return the figures of ``explain_held_back``: worth / reached / outscored, in %."""
    shares = [result.worth / result.truth_worth for result in results if result.truth_worth]
    reached = [result.worth >= result.truth_worth * (1 - ROUNDING) for result in results]
    wrong = [result.outscored for result in results if result.neighbour < 1]
    return " / ".join(
        _percent(np.mean(values)) if values else NONE for values in (shares, reached, wrong)
    )


def perfect_share(results: Sequence[SearchResult]) -> str:
    """Return the share of perfect results, in %."""
    return _percent(np.mean([result.perfect for result in results]))


def count_panels(results: Iterable[SearchResult], noun: str = "panel") -> str:
    """Return how many panels the results cover, as text such as ``8 panels``."""
    count = len({(result.set, result.panel) for result in results})
    return f"{count} {noun}{'s' * (count != 1)}"


def explain_held_back(
    results: Sequence[SearchResult], groups: Columns, columns: Columns
) -> Iterator[str]:
    """Yield the part of a page on what limits each method, with one table per group."""
    yield "## Does the search or do the scores hold it back?"
    yield (
        "Three figures in %. *Worth*: the solver's objective for its assembly, relative to that "
        "for the truth. *Reached*: searches that found an assembly worth at least as much as the "
        "truth; more searching would not improve them. *Outscored*: the share of the missing true "
        "joints in whose place lies a joint that scores higher; there the scores are wrong. "
        "*Featureless* joints have no brush stroke on either side (contrast below 3 grey levels), "
        "or a tile with an exact copy: only the shade and the rest of the panel tell of them."
    )
    for name, wanted in groups.items():
        own = select_results(results, **wanted)
        yield f"{name}, worth / reached / outscored{_featureless(own)}:"
        yield method_table(own, columns, ("", held_back))


def _featureless(results: Sequence[SearchResult]) -> str:
    shares = [result.featureless for result in results if result.featureless is not None]
    return f" ({_percent(np.mean(shares))} % of the joints are featureless)" if shares else ""


def _panels(results: Sequence[SearchResult]) -> list[list[SearchResult]]:
    """Return the runs of each panel."""
    panels: dict[tuple[str, str], list[SearchResult]] = {}
    for result in results:
        panels.setdefault((result.set, result.panel), []).append(result)
    return list(panels.values())


def _percent(value: float | np.floating) -> str:
    return f"{100 * value:.1f}"
