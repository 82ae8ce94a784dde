"""``azulejar rank``: how well measures find the true neighbours of known panels."""

import shlex
import sys
from pathlib import Path
from typing import Annotated

import typer
from rich.table import Table

from azulejar.cli.console import bar, console, say
from azulejar.cli.options import Device, Model, Overwrite, Seed
from azulejar.errors import AzulejarError
from azulejar.evaluation.labelled_measures import parse_measures
from azulejar.evaluation.protocol import SIZE, find_panels, make_puzzles
from azulejar.evaluation.rank_report import MARK, rank_1_cells, write_ranks
from azulejar.evaluation.ranks import RANKED_MEASURES, RankTable, rank_puzzles
from azulejar.practice.puzzles import check_trim
from azulejar.system.atomic import refuse_existing

MEASURES = ",".join(RANKED_MEASURES)
TRIM = "0.07"
EXAMPLES = 6


def command(
    panels: Annotated[
        Path,
        typer.Argument(metavar="PANELS", help="Folder of panels named NAME__RxC.jpg, or one."),
    ],
    measures: Annotated[
        str,
        typer.Option(
            metavar="NAMES", help="Measures, with commas; NAME:STEP+STEP for other post-processing."
        ),
    ] = MEASURES,
    trim: Annotated[
        list[str],
        typer.Option(
            metavar="FRACTIONS",
            help="Fraction of the side lost at each side of a tile; several give several tables.",
        ),
    ] = [TRIM],  # noqa: B006
    output: Annotated[
        Path | None,
        typer.Option("--output", "-o", metavar="OUT", help="Folder for tables and figures."),
    ] = None,
    size: Annotated[int, typer.Option(help="Side of the tiles in pixels.")] = SIZE,
    examples: Annotated[
        int | None,
        typer.Option(min=0, help=f"Rows of the example sheets in OUT; default {EXAMPLES}."),
    ] = None,
    seed: Seed = 0,
    device: Device = "auto",
    model: Model = None,
    overwrite: Overwrite = False,
) -> None:
    """Print in how many % of the edges each measure ranks the true neighbour first.

    OUT gets ranks.md, ranks.csv, the figures ranks.png (means) and ranks_TRIM.png (each of several
    panels), and examples of joints for which the last measure alone is right (right.png) or is
    wrong (wrong.png).

    Example: azulejar rank panels --measures ssd,mgc --trim 0.05,0.07 -o ranks
    """
    if output is not None:
        refuse_existing(output, MARK, overwrite)
    elif examples:
        raise AzulejarError(
            "examples-without-folder", "The examples need a folder.", "Give one with -o."
        )
    ranked = parse_measures(measures, device, model)
    trims = parse_trims(trim)
    found = find_panels(panels)
    with bar("Cutting panels") as progress:
        puzzles = make_puzzles(found, trims, size=size, seed=seed, on_progress=progress)
    with bar("Ranking true neighbours") as progress:
        table = rank_puzzles(puzzles, ranked, on_progress=progress)
    if output is not None:
        write_ranks(
            output,
            table,
            command=shlex.join(["azulejar", *sys.argv[1:]]),
            examples=EXAMPLES if examples is None else examples,
            seed=seed,
            overwrite=overwrite,
        )
    _print_table(table)
    if output is not None:
        say(f"Tables and figures: {output}")


def _print_table(table: RankTable) -> None:
    """Print mean rank-1 for each trim."""
    count = len(table.panels)
    for trim in table.trims:
        title = f"rank-1 in %, {count} panel{'s' * (count > 1)}, trim {trim:.3g}"
        shown = Table(title=title, title_justify="left")
        shown.add_column("measure")
        for head in ("upright (Type 1)", "turned (Type 2)"):
            shown.add_column(head, justify="right")
        for measure in table.measures:
            shown.add_row(measure, *rank_1_cells(table, measure, trim))
        console.print(shown)


def parse_trims(given: list[str]) -> list[float]:
    """Return each trim once, in the order given; an option may hold several with commas."""
    trims = []
    for text in ",".join(given).split(","):
        try:
            trims.append(float(text))
        except ValueError:
            raise AzulejarError(
                "trim-no-number",
                "A trim of {text!r} is no number.",
                "Give a fraction such as 0.07.",
                text=text,
            ) from None
        check_trim(trims[-1])
    return list(dict.fromkeys(trims))
