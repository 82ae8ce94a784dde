"""``azulejar collection practice``: crates of painted tiles to practise on."""

from pathlib import Path
from typing import Annotated

import typer

from azulejar.cli.console import bar, say
from azulejar.cli.options import Overwrite, Seed
from azulejar.imaging.picture import write_picture
from azulejar.practice.samples import paint_museum
from azulejar.system.atomic import new_folder

MARK = "crates"
LATER = "later"


def command(
    output: Annotated[
        Path, typer.Option("--output", "-o", metavar="OUT", help="Folder for the crates.")
    ] = Path("practice"),
    panels: Annotated[
        int, typer.Option(min=1, max=1000, help="How many; 66 give some 3,000 tiles.")
    ] = 6,
    seed: Seed = 0,
    overwrite: Overwrite = False,
) -> None:
    """Paint tiles of six panels or more and some strays, mixed over crates; one comes later.

    Example: azulejar collection practice -o practice
    """
    with bar("Painting") as progress:
        crates = paint_museum(seed, progress, panels)
    digits, width = max(3, len(str(sum(map(len, crates))))), max(2, len(str(len(crates))))
    number = 0
    with new_folder(output, MARK, overwrite) as folder:
        for i, tiles in enumerate(crates, 1):
            crate = folder / (LATER if i == len(crates) else MARK) / f"{i:0{width}d}"
            crate.mkdir(parents=True)
            for tile in tiles:
                number += 1
                write_picture(crate / f"A{number:0{digits}d}.png", tile.pixels)
    say(f"{len(crates) - 1} crates: {output / MARK}")
    say(f"One that comes later: {output / LATER}")
