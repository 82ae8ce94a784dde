"""A rank table as a folder of files."""

import csv
import os
from collections.abc import Iterator, Sequence
from pathlib import Path

from azulejar.evaluation.examples import right_sheet, wrong_sheet
from azulejar.evaluation.labelled_measures import any_learned, sole_model
from azulejar.evaluation.markdown import describe_run, markdown_table
from azulejar.evaluation.ranks import RANKS, RankTable
from azulejar.system.atomic import new_folder

MARK = "ranks.csv"
COLUMNS = ("measure", "trim", "variant", "panel", "rank_1", "edges")
FURTHER = tuple(f"rank_{rank}" for rank in range(2, RANKS + 1))
SHEETS = {"right.png": right_sheet, "wrong.png": wrong_sheet}


def write_ranks(
    folder: str | os.PathLike[str],
    table: RankTable,
    *,
    command: str,
    examples: int,
    seed: int,
    overwrite: bool = False,
) -> None:
    """Write ranks.md, ranks.csv and ranks.png, and with ``examples`` right.png and wrong.png.

    If there are several panels, ranks_TRIM.png has the curves of each of them. ``command`` is the
    command line that made the table; each sheet shows ``examples`` joints.
    """
    # Imported late: matplotlib takes half a second to load, which other commands need not pay.
    from azulejar.evaluation.plotting import plot_panel_ranks, plot_ranks

    folder = Path(folder)
    with new_folder(folder, MARK, overwrite) as temporary:
        _write_csv(temporary / MARK, table)
        page = "\n\n".join(_page(table, command)) + "\n"
        (temporary / "ranks.md").write_text(page, encoding="utf-8")
        plot_ranks(temporary / "ranks.png", table)
        for trim in table.trims if len(table.panels) > 1 else ():
            plot_panel_ranks(temporary / _panel_figure(trim), table, trim)
        if examples:
            for name, sheet in SHEETS.items():
                sheet(table, examples, seed).save(temporary / name)
        written = {path.name for path in temporary.iterdir()}
    # Pictures of a table that was overwritten would be out of date.
    for path in [*(folder / name for name in SHEETS), *folder.glob("ranks_*.png")]:
        if path.name not in written:
            path.unlink(missing_ok=True)


def rank_1_cells(table: RankTable, measure: str, trim: float) -> list[str]:
    """Format the mean rank-1 in %, upright and turned."""
    return [f"{table.rank_1(measure, trim, upright):.1f}" for upright in (True, False)]


def _write_csv(path: Path, table: RankTable) -> None:
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(COLUMNS + FURTHER)
        for each in table.rankings:
            variant = "upright" if each.puzzle.upright else "turned"
            writer.writerow(
                (each.measure, each.puzzle.trim, variant, each.puzzle.panel.name,
                 f"{each.rank_1:.4f}", len(each.rank),
                 *(f"{share:.4f}" for share in each.shares()[1:]))
            )  # fmt: skip


def _page(table: RankTable, command: str) -> Iterator[str]:
    yield "# Rank-1 of the measures"
    yield describe_run(
        command,
        learned=any_learned(table.measures),
        model=sole_model(table.measures),
        machine=True,
    )
    yield (
        "Edges with a true neighbour whose best-scored partner is that neighbour, in %, upright "
        "(Type 1) / turned (Type 2). A tie counts as a miss. Means are over panels."
    )
    yield "![Rank of the true neighbour, mean of the panels](ranks.png)"
    for trim in table.trims:
        size = table.of(table.measures[0], trim, upright=True)[0].puzzle.tiles.size
        yield f"## Trim {trim:.3g}, tiles of {size} px"
        rows = [[measure, *rank_1_cells(table, measure, trim)] for measure in table.measures]
        yield markdown_table(["measure", "upright", "turned"], rows)
        yield markdown_table(["panel", *table.measures], _panel_rows(table, trim))
        if len(table.panels) > 1:
            yield f"![Rank of the true neighbour on each panel, turned]({_panel_figure(trim)})"


def _panel_figure(trim: float) -> str:
    return f"ranks_{trim:.3g}.png"


def _panel_rows(table: RankTable, trim: float) -> Iterator[Sequence[str]]:
    columns = [
        [
            f"{one.rank_1:.1f} / {other.rank_1:.1f}"
            for one, other in zip(
                table.of(measure, trim, True), table.of(measure, trim, False), strict=True
            )
        ]
        for measure in table.measures
    ]
    return zip(table.panels, *columns, strict=True)
