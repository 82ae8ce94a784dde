"""``azulejar practice``: photographs to practise on, of tiles that the program paints."""

from pathlib import Path
from typing import Annotated

import numpy as np
import typer

from azulejar.atomic import new_folder
from azulejar.cli.console import bar, console
from azulejar.cli.options import Overwrite, Seed
from azulejar.imaging.ageing import age_tiles
from azulejar.imaging.painting import paint_panel
from azulejar.imaging.photographs.scenes import SCENES, render_scene
from azulejar.imaging.picture import write_picture
from azulejar.imaging.puzzle import cut, make_puzzle

ROWS, COLS = 6, 8
TILE = 240  # pixels
WEAR = 0.4
MISSING = 2
TABLES = ("dark cloth", "wood", "light cloth", "grid")
SHAPE = (1700, 2200)
MARK = "photographs"


def command(
    output: Annotated[
        Path, typer.Option("--output", "-o", metavar="OUT", help="Folder for the photographs.")
    ] = Path("practice"),
    seed: Seed = 0,
    overwrite: Overwrite = False,
) -> None:
    """Photograph the tiles of a painted panel, two of which are missing, on four tables.

    Example: azulejar practice -o practice
    """
    cells = cut(paint_panel(ROWS, COLS, TILE, seed=seed), ROWS, COLS)
    worn = age_tiles(cells, np.random.default_rng(seed), WEAR)
    tiles, _ = make_puzzle(worn, ROWS, COLS, turned=True, seed=seed)
    shares = np.array_split(tiles[MISSING:], len(TABLES))
    with new_folder(output, MARK, overwrite) as folder, bar("Photographing") as progress:
        (folder / MARK).mkdir()
        for number, (table, share) in enumerate(zip(TABLES, shares, strict=True), 1):
            photograph = render_scene(SCENES[table], share, SHAPE, seed + number)
            write_picture(folder / MARK / f"table_{number}.jpg", photograph.picture)
            progress(number / len(TABLES))
    console.print(f"Photographs: {output / MARK}", markup=False, soft_wrap=True)
