"""``azulejar plan``: the panel on paper, for the people who lay the tiles."""

import re
from pathlib import Path
from typing import Annotated

import typer

from azulejar.cli.console import bar, say
from azulejar.cli.inputs import read_solution_and_originals
from azulejar.cli.options import Overwrite, Rows, RowsFrom, SolutionFile, TilesMoved
from azulejar.errors import AzulejarError
from azulejar.outputs.plan.sheets import PAPERS, PlanScale
from azulejar.system.atomic import refuse_existing_file


def command(
    solution: SolutionFile,
    output: Annotated[
        Path, typer.Option("--output", "-o", metavar="FILE", help="PDF to write.")
    ] = Path("plan.pdf"),
    scale: Annotated[str, typer.Option(metavar="1:N", help="Paper to wall.")] = "1:5",
    tile_cm: Annotated[float, typer.Option(help="Side of a tile in centimetres.")] = 14.0,
    paper: Annotated[str, typer.Option(help="A4 or A3.")] = "A4",
    rows_from: RowsFrom = Rows.TOP,
    tiles: TilesMoved = None,
    overwrite: Overwrite = False,
) -> None:
    """Print the plan: an overview, the panel page by page at scale, and the list of tiles.

    Each tile carries its inventory number, an arrow that shows how it is turned, and crate, code
    and note if they are known; empty places are hatched, doubtful tiles marked.

    Example: azulejar plan result -o plan.pdf --scale 1:4 --paper A3
    """
    # Loaded here, as other commands can do without fonts.
    from azulejar.outputs.plan.document import write_plan

    refuse_existing_file(output, overwrite)
    if output.suffix.lower() != ".pdf":
        raise AzulejarError(
            "plan-no-pdf", "{file} is no PDF.", "Choose a name that ends in .pdf.", file=output.name
        )
    chosen = _parse_scale(scale, tile_cm, paper)
    found, originals = read_solution_and_originals(solution, tiles)
    with bar("Drawing the plan") as progress:
        pages = write_plan(output, found, originals, chosen, progress, rows_from=rows_from.value)
    say(f"Plan, {pages} pages: {output}")


def _parse_scale(text: str, tile_cm: float, paper: str) -> PlanScale:
    numbers = re.fullmatch(r"1:(\d+(?:\.\d+)?)", text.strip())
    if numbers is None or not 0 < float(numbers[1]) <= 1000:
        raise AzulejarError(
            "scale-no-ratio", "{text!r} is no scale.", "Give one such as --scale 1:5.", text=text
        )
    if not 1 <= tile_cm <= 1000:
        raise AzulejarError(
            "tile-width-impossible",
            "A tile cannot be {width:g} cm wide.",
            "Give --tile-cm in centimetres, such as 14.",
            width=tile_cm,
        )
    if paper.upper() not in PAPERS:
        raise AzulejarError(
            "paper-unknown",
            "There is no paper {paper} here.",
            "Choose {papers}.",
            paper=paper,
            papers=" or ".join(PAPERS),
        )
    return PlanScale(tile_cm, float(numbers[1]), paper.upper())
