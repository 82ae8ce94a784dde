"""Summary: cells selected, and the figures that tables show of them."""

from collections.abc import Callable, Iterable, Sequence

import numpy as np

from azulejar.evaluation.tables.cells import Cell
from azulejar.evaluation.tables.markdown import NONE, table
from azulejar.evaluation.tables.rows import readable

ROUNDING = 1e-9  # by which two sums of the same scores may differ
Name = tuple[str, str]  # of a row: solver and measure
Columns = dict[str, dict[str, object]]  # the fields of the cells that belong in a column, by name
Figure = Callable[[Sequence[Cell]], str]


def select(cells: Iterable[Cell], **fields: object) -> list[Cell]:
    """The cells whose fields have these values."""
    return [
        cell
        for cell in cells
        if all(getattr(cell, name) == value for name, value in fields.items())
    ]


def row_names(cells: Iterable[Cell]) -> list[Name]:
    """Solver and measure of each row, in the order of the cells."""
    return list(dict.fromkeys((cell.solver, cell.measure) for cell in cells))


def row_table(
    cells: Sequence[Cell],
    columns: Columns,
    *figures: tuple[str, Figure],
    overall: Sequence[tuple[str, Figure]] = (),
) -> str:
    """A table of rows: for each column, named, the figures of the cells that it selects.

    The figures ``overall`` are of all cells of a row and come first.
    """
    head = [" ".join(filter(None, (column, name))) for column in columns for name, _ in figures]
    rows = []
    for solver, measure in row_names(cells):
        own = select(cells, solver=solver, measure=measure)
        shown = [shown_of(select(own, **wanted), figure)
                 for wanted in columns.values() for _, figure in figures]  # fmt: skip
        rows.append([readable(solver, measure), *(figure(own) for _, figure in overall), *shown])
    return table(["method", *(name for name, _ in overall), *head], rows)


def shown_of(cells: Sequence[Cell], figure: Figure) -> str:
    """The figure, or a dash where there is no cell."""
    return figure(cells) if cells else NONE


def best(cells: Sequence[Cell]) -> str:
    """Neighbour accuracy in % of each panel's best run, as the paper reports; mean over panels."""
    return _percent(np.mean([max(cell.neighbour for cell in runs) for runs in _panels(cells)]))


def fittest(cells: Sequence[Cell]) -> str:
    """The same of the run that the solver itself thinks best; a user has no other."""
    chosen = [max(runs, key=lambda cell: cell.worth) for runs in _panels(cells)]
    return _percent(np.mean([cell.neighbour for cell in chosen]))


def mean(cells: Sequence[Cell]) -> str:
    """Mean and standard deviation of a panel's runs, in %; both as means over panels."""
    each_panel = [[cell.neighbour for cell in runs] for runs in _panels(cells)]
    centre = _percent(np.mean([np.mean(each) for each in each_panel]))
    if max(map(len, each_panel)) == 1:
        return centre
    return f"{centre} ± {_percent(np.mean([np.std(each) for each in each_panel]))}"


def runs(cells: Sequence[Cell]) -> str:
    """How often each puzzle was searched."""
    return str(len({cell.seed for cell in cells}))


def direct(cells: Sequence[Cell]) -> str:
    """Mean direct accuracy, in %."""
    return _percent(np.mean([cell.direct for cell in cells]))


def perfect(cells: Sequence[Cell]) -> str:
    """How many are perfect."""
    return str(sum(cell.perfect for cell in cells))


def seconds(cells: Sequence[Cell]) -> str:
    """Mean duration of a search."""
    return f"{np.mean([cell.seconds for cell in cells]):.1f}"


def held_back(cells: Sequence[Cell]) -> str:
    """Worth in % of the truth's / share worth no less than the truth / mean ``outscored``."""
    shares = [cell.worth / cell.truth_worth for cell in cells if cell.truth_worth]
    reached = [cell.worth >= cell.truth_worth * (1 - ROUNDING) for cell in cells]
    wrong = [cell.outscored for cell in cells if cell.neighbour < 1]
    return " / ".join(
        _percent(np.mean(values)) if values else NONE for values in (shares, reached, wrong)
    )


def _panels(cells: Sequence[Cell]) -> list[list[Cell]]:
    """The runs of each panel."""
    panels: dict[tuple[str, str], list[Cell]] = {}
    for cell in cells:
        panels.setdefault((cell.set, cell.panel), []).append(cell)
    return list(panels.values())


def _percent(value: float | np.floating) -> str:
    return f"{100 * value:.1f}"
