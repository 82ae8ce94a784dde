"""``azulejar placement``: the list of tiles and places for a spreadsheet."""

from pathlib import Path
from typing import Annotated

import typer

from azulejar.cli.console import say
from azulejar.cli.inputs import read_solution
from azulejar.cli.options import Headings, Overwrite, Rows, RowsFrom, SolutionFile, Tongue
from azulejar.outputs.placement import write_placement
from azulejar.outputs.spreadsheets import ListStyle
from azulejar.system.atomic import refuse_existing_file


def command(
    solution: SolutionFile,
    output: Annotated[
        Path, typer.Option("--output", "-o", metavar="FILE", help="CSV file to write.")
    ] = Path("placement.csv"),
    headings: Headings = Tongue.EN,
    rows_from: RowsFrom = Rows.TOP,
    overwrite: Overwrite = False,
) -> None:
    """Write placement.csv anew: in Portuguese, or with rows counted from the bottom.

    Example: azulejar placement result -o lugares.csv --headings pt --rows-from bottom
    """
    refuse_existing_file(output, overwrite)
    write_placement(output, read_solution(solution), ListStyle(headings.value, rows_from.value))
    say(f"List: {output}")
