"""``azulejar render``: the picture of a solution."""

from pathlib import Path
from typing import Annotated

import typer

from azulejar.cli.console import console, read_tiles
from azulejar.cli.evaluate import load
from azulejar.cli.options import Overwrite, SolutionFile
from azulejar.errors import AzulejarError
from azulejar.imaging.picture import write_picture
from azulejar.imaging.render import render


def command(
    solution: SolutionFile,
    output: Annotated[
        Path, typer.Option("--output", "-o", metavar="FILE", help="PNG, JPEG or TIFF to write.")
    ] = Path("panel.png"),
    tiles: Annotated[
        Path | None, typer.Option(help="Folder of the tiles, if it has moved since.")
    ] = None,
    tile_size: Annotated[
        int | None, typer.Option(min=1, help="Side of a tile in the picture, in pixels.")
    ] = None,
    overwrite: Overwrite = False,
) -> None:
    """Draw the panel from the full tile pictures.

    Example: azulejar render result/solution.json -o panel.tif --tile-size 400
    """
    if output.exists() and not overwrite:
        raise AzulejarError(f"{output} exists already.", "Give another -o, or --overwrite.")
    found = load(solution, "solution.json")
    folder = tiles or (Path(found.folder) if found.folder else None)
    if folder is None:
        raise AzulejarError("The solution does not say where its tiles lie.", "Give --tiles.")
    if not folder.is_dir():
        raise AzulejarError(f"There is no folder {folder}.", "Say where the tiles lie: --tiles.")
    pictures = read_tiles(folder)
    write_picture(output, render(pictures, found.assembly(pictures.files), tile_size))
    console.print(f"Panel: {output}", markup=False, soft_wrap=True)
