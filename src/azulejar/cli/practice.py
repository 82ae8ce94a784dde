"""``azulejar practice``: photographs to practise on, of tiles that the program paints."""

from pathlib import Path
from typing import Annotated

import numpy as np
import typer
from numpy.typing import NDArray

from azulejar.cli.console import bar, say
from azulejar.cli.options import Overwrite, Seed
from azulejar.imaging.picture import write_picture
from azulejar.practice.samples import worn_puzzle
from azulejar.practice.scenes import SCENES, render_scene
from azulejar.system.atomic import new_folder

ROWS, COLS = 6, 8
STRANGERS = 4  # rows and cols of another panel, of which some tiles lie in the other crate
TILE = 240  # pixels
WEAR = 0.4
MISSING = 2
TABLES = ("dark cloth", "wood", "light cloth", "grid")
SHAPE = (1700, 2200)
MARK = "photographs"
CRATE = "other_crate"


def command(
    output: Annotated[
        Path, typer.Option("--output", "-o", metavar="OUT", help="Folder for the photographs.")
    ] = Path("practice"),
    seed: Seed = 0,
    overwrite: Overwrite = False,
) -> None:
    """Photograph the tiles of a painted panel on four tables; two lie in another crate.

    Example: azulejar practice -o practice
    """
    tiles = _loose_tiles(ROWS, COLS, seed)
    strangers = _loose_tiles(STRANGERS, STRANGERS, seed + 1)
    crate = np.concatenate([strangers[: 5 * MISSING], tiles[:MISSING]])
    shares = [*np.array_split(tiles[MISSING:], len(TABLES)), crate]
    names = [f"{MARK}/table_{i}.jpg" for i in range(1, len(shares))] + [f"{CRATE}/crate_7.jpg"]
    with new_folder(output, MARK, overwrite) as folder, bar("Photographing") as progress:
        for i, (name, share) in enumerate(zip(names, shares, strict=True)):
            scene = SCENES[TABLES[i % len(TABLES)]]
            (folder / name).parent.mkdir(exist_ok=True)
            write_picture(folder / name, render_scene(scene, list(share), SHAPE, seed + i).picture)
            progress((i + 1) / len(names))
    say(f"Photographs: {output / MARK}")
    say(f"Another crate: {output / CRATE}")


def _loose_tiles(rows: int, cols: int, seed: int) -> NDArray[np.uint8]:
    """Return worn tiles of a painted panel, shuffled and turned."""
    return worn_puzzle(seed, rows, cols, TILE, WEAR)[0]
