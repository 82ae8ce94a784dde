"""``azulejar manifest``: the panel for IIIF viewers."""

from pathlib import Path
from typing import Annotated

import typer

from azulejar.cli.console import bar, console, say
from azulejar.cli.inputs import parse_tile_size, read_solution_and_originals
from azulejar.cli.options import Overwrite, SolutionFile, TileSize, TilesMoved
from azulejar.imaging.layout import Layout, boxes_of
from azulejar.imaging.render import LONGEST_SIDE
from azulejar.knowledge.inventory import records_in
from azulejar.outputs.iiif import MARK, folder_address, write_iiif
from azulejar.system.atomic import refuse_existing

HERE = "http://localhost:8000"


def command(
    solution: SolutionFile,
    output: Annotated[
        Path, typer.Option("--output", "-o", metavar="OUT", help="Folder to publish.")
    ] = Path("iiif"),
    base_url: Annotated[
        str, typer.Option(metavar="URL", help="Address under which the folder will be published.")
    ] = HERE,
    each_tile: Annotated[
        bool,
        typer.Option(
            "--each-tile",
            help="Paint every tile by itself, from the museum's image server where tiles.csv "
            "has its address.",
        ),
    ] = False,
    tiles: TilesMoved = None,
    tile_size: TileSize = None,
    overwrite: Overwrite = False,
) -> None:
    """Write a IIIF Presentation 3 manifest in which every tile is an annotation, and its pictures.

    Put the folder on a web server as it is, and give its manifest.json to a viewer such as
    Mirador, or panel_1/info.json to one for deep zoom such as OpenSeadragon. With --each-tile,
    viewers can take the panel apart.

    Example: azulejar manifest result -o iiif --base-url https://museum.example/panels/42
    """
    refuse_existing(output, MARK, overwrite)
    address = folder_address(base_url)
    found, originals = read_solution_and_originals(solution, tiles)
    found = found.with_records(records_in(originals.folder, found.files))
    boxes = boxes_of(found.assembly(originals.files), found.halved(originals.files))
    layouts = [
        Layout.of((box,), parse_tile_size(tile_size, originals, (box,), LONGEST_SIDE))
        for box in boxes
    ]
    with bar("Drawing") as progress:
        write_iiif(
            output,
            found,
            originals,
            layouts,
            address,
            each_tile=each_tile,
            overwrite=overwrite,
            on_progress=progress,
        )
    if address == HERE:
        console.print(f"Its addresses begin with {HERE}; change that with --base-url.")
    say(f"Manifest: {output / MARK}")
