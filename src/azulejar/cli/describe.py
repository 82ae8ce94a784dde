"""``azulejar describe``: the panel as a record for catalogues, in LIDO or Linked Art."""

from datetime import date
from pathlib import Path
from typing import Annotated

import typer

from azulejar.cli.console import console, say
from azulejar.cli.inputs import read_solution_and_originals
from azulejar.cli.manifest import HERE
from azulejar.cli.options import By, Day, Overwrite, SolutionFile, TilesMoved
from azulejar.errors import AzulejarError
from azulejar.knowledge.inventory import records_in
from azulejar.outputs.iiif import folder_address
from azulejar.outputs.lido import write_lido
from azulejar.outputs.linked_art import write_linked_art
from azulejar.outputs.records import Provenance, check_day
from azulejar.system.atomic import refuse_existing_file

WRITERS = {".xml": write_lido, ".json": write_linked_art, ".jsonld": write_linked_art}


def command(
    solution: SolutionFile,
    output: Annotated[
        Path,
        typer.Option(
            "--output",
            "-o",
            metavar="FILE",
            help="LIDO ends in .xml, Linked Art in .json.",
        ),
    ],
    panel: Annotated[int, typer.Option(min=1, help="Which panel, counted from 1.")] = 1,
    title: Annotated[
        str | None, typer.Option(help="Name of the panel, by default that of the tiles' folder.")
    ] = None,
    by: By = None,
    day: Day = None,
    museum: Annotated[str | None, typer.Option(help="Who publishes the record.")] = None,
    base_url: Annotated[
        str, typer.Option(metavar="URL", help="Base of the addresses of panel and tiles.")
    ] = HERE,
    tiles: TilesMoved = None,
    overwrite: Overwrite = False,
) -> None:
    """Write a record of the panel with its tiles as parts, for catalogues and portals.

    It tells the place of each tile, how sure it is, and how, when and by whom it was found.

    Example: azulejar describe result -o panel.xml --by "Ana Silva" --museum "Museu da Sé"
    """
    write = WRITERS.get(output.suffix.lower())
    if write is None:
        raise AzulejarError(
            "record-suffix-unknown",
            "The name {file} does not say what kind of record to write.",
            "Choose a name that ends in .xml for LIDO, or in .json for Linked Art.",
            file=output.name,
        )
    refuse_existing_file(output, overwrite)
    address = folder_address(base_url)
    found, originals = read_solution_and_originals(solution, tiles)
    found = found.with_records(records_in(originals.folder, found.files))
    about = Provenance(
        title or originals.folder.resolve().name or "Panel",
        address,
        date.today().isoformat() if day is None else check_day(day),
        by,
        museum,
    )
    write(output, found, panel - 1, about)
    if address == HERE:
        console.print(f"Its addresses begin with {HERE}; change that with --base-url.")
    say(f"Record: {output}")
