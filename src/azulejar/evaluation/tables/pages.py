"""Pages: one Markdown and one CSV file for each table of cells."""

from collections.abc import Iterator, Sequence
from pathlib import Path

from azulejar.evaluation.tables import summary
from azulejar.evaluation.tables.cells import Cell
from azulejar.evaluation.tables.markdown import origin, table, write_csv, write_page
from azulejar.evaluation.tables.plan import (
    BOTH,
    CONTENT,
    CORRUPTED_VARIANTS,
    ERODED,
    MISSING,
    STANDARD_SIZE,
    VARIANTS,
    Level,
)
from azulejar.evaluation.tables.rows import readable
from azulejar.evaluation.tables.summary import Columns

FILES = {"reconstruct": "reconstruction", "corruptions": "corruptions", "standard": "standard"}
KIND = {True: "T1", False: "T2"}
SIZE = {True: "known", False: "unknown"}
RUNS = (("runs", summary.runs),)
TYPES = "T1: upright tiles, T2: turned tiles; size known or unknown."


def write_table(folder: Path, name: str, cells: Sequence[Cell], command: str, lost: int) -> Path:
    """Write the page and the CSV file of a table; ``lost`` cells are lacking. Gives the page."""
    page = Path(folder) / f"{FILES[name]}.md"
    write_csv(page.with_suffix(".csv"), cells)
    write_page(page, _parts(name, cells, command, lost))
    return page


def _parts(name: str, cells: Sequence[Cell], command: str, lost: int) -> Iterator[str]:
    title, parts = PAGES[name]
    yield f"# {title}"
    yield origin(command)
    if lost:
        yield f"**Not complete**: {lost} of {lost + len(cells)} cells are lacking."
    yield from parts(cells)


def _reconstruction(cells: Sequence[Cell]) -> Iterator[str]:
    runs = len({cell.seed for cell in cells})
    columns = _variants(VARIANTS)
    yield (
        f"Neighbour accuracy in %, means over {_count(cells)}. {TYPES} Seconds are those of one "
        "search on one thread, without the scoring; – where a solver does not take such puzzles. A "
        "solver without chance runs once."
    )
    for trim in dict.fromkeys(cell.trim for cell in cells):
        own = summary.select(cells, trim=trim)
        yield f"## Trim {trim:.3g}"
        if runs > 1:
            yield "Best run on each panel, as the paper reports:"
        yield summary.row_table(own, columns, ("", summary.best), overall=RUNS)
        if runs > 1:
            yield "The run of highest worth to the solver, as a user would get it:"
            yield summary.row_table(own, columns, ("", summary.fittest), overall=RUNS)
            yield "Mean ± standard deviation of the runs on a panel:"
            yield summary.row_table(own, columns, ("", summary.mean), overall=RUNS)
        yield "Seconds:"
        yield summary.row_table(own, columns, ("", summary.seconds))
        yield f"Each panel, {' / '.join(columns)}{', best run' if runs > 1 else ''}:"
        yield _each_panel(own, columns)
    trims: Columns = {f"Trim {cell.trim:.3g}": {"trim": cell.trim} for cell in cells}
    yield from _held_back(cells, trims, columns)


def _corruptions(cells: Sequence[Cell]) -> Iterator[str]:
    yield (
        f"Neighbour accuracy in %, means over {_count(cells)}, one run. {TYPES} Corruptions after "
        "Dirauf et al. (2025); where edges are not what is eroded, the trim is 3 %."
    )
    variants = _variants(CORRUPTED_VARIANTS)
    for name, wanted in variants.items():
        own = summary.select(cells, **wanted)
        yield f"## {name}"
        yield "Missing tiles:"
        yield _levels(own, {f"{level.amount:.0%}": level for level in MISSING})
        yield "Eroded edges, trim:"
        yield _levels(own, {f"{level.trim:.0%}": level for level in ERODED})
        yield "Eroded content, share of each tile's area:"
        yield _levels(own, {f"{level.amount:.0%}": level for level in CONTENT})
    yield from _held_back(cells, {"All levels": {}}, variants)


def _standard(cells: Sequence[Cell]) -> Iterator[str]:
    yield (
        f"Tiles of {STANDARD_SIZE} px, one run, size known, but to solvers that take none "
        f"(multi-segment). {TYPES} Accuracies in %, means over pictures; *perfect* counts "
        "pictures; seconds are those of one search on one thread."
    )
    figures = (
        ("direct", summary.direct),
        ("neighbour", summary.best),
        ("perfect", summary.perfect),
        ("seconds", summary.seconds),
    )
    sets: Columns = {cell.set: {"set": cell.set} for cell in cells}
    types: Columns = {KIND[upright]: {"upright": upright} for upright in BOTH}
    for name, wanted in sets.items():
        own = summary.select(cells, **wanted)
        yield f"## {name}, {_count(own, 'picture')}"
        yield summary.row_table(own, types, *figures)
    yield from _held_back(cells, sets, types)


PAGES = {
    "reconstruct": ("Reconstruction", _reconstruction),
    "corruptions": ("Corrupted panels", _corruptions),
    "standard": ("Standard sets", _standard),
}


def _variants(variants: Sequence[tuple[bool, bool]]) -> Columns:
    return {
        f"{KIND[upright]} {SIZE[known]}": {"upright": upright, "known": known}
        for upright, known in variants
    }


def _held_back(cells: Sequence[Cell], groups: Columns, columns: Columns) -> Iterator[str]:
    yield "## Does the search or do the scores hold it back?"
    yield (
        "Three figures in %. *Worth*: what the solver makes large, of what the truth is worth to "
        "it. *Reached*: searches that found something worth as much as the truth, or more; more "
        "search would not mend them. *Outscored*: of the true joints that are lacking, those in "
        "whose place lies a joint that scores higher; there the scores are wrong."
    )
    for name, wanted in groups.items():
        yield f"{name}, worth / reached / outscored:"
        yield summary.row_table(summary.select(cells, **wanted), columns, ("", summary.held_back))


def _levels(cells: Sequence[Cell], levels: dict[str, Level]) -> str:
    columns: Columns = {name: dict(vars(level)) for name, level in levels.items()}
    return summary.row_table(cells, columns, ("", summary.best))


def _each_panel(cells: Sequence[Cell], columns: Columns) -> str:
    names = summary.row_names(cells)
    rows = []
    for panel in dict.fromkeys(cell.panel for cell in cells):
        line = [panel]
        for solver, measure in names:
            own = summary.select(cells, panel=panel, solver=solver, measure=measure)
            values = [summary.shown_of(summary.select(own, **wanted), summary.best)
                      for wanted in columns.values()]  # fmt: skip
            line.append(" / ".join(values))
        rows.append(line)
    return table(["panel", *(readable(*name) for name in names)], rows)


def _count(cells: Sequence[Cell], noun: str = "panel") -> str:
    count = len({(cell.set, cell.panel) for cell in cells})
    return f"{count} {noun}{'s' * (count != 1)}"
