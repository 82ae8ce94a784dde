"""``azulejar practice``: photographs to practise on, of tiles that the program paints."""

from pathlib import Path
from typing import Annotated

import numpy as np
import typer
from numpy.typing import NDArray

from azulejar.cli.console import bar, say
from azulejar.cli.options import Overwrite, Seed
from azulejar.errors import AzulejarError
from azulejar.imaging.picture import write_picture
from azulejar.practice.breaking import break_some
from azulejar.practice.samples import shaped_puzzle, worn_puzzle
from azulejar.practice.scenes import SCENES, render_scene
from azulejar.system.atomic import new_folder

ROWS, COLS = 6, 8
STRANGERS = 4  # rows and cols of another panel, of which some tiles lie in the other crate
TILE = 240  # pixels
WEAR = 0.4
MISSING = 2
TABLES = ("dark cloth", "wood", "light cloth", "grid")
SHAPE, SINGLE_SHAPE = (1700, 2200), (700, 800)
MARK = "photographs"
CRATE = "other_crate"


def command(
    output: Annotated[
        Path, typer.Option("--output", "-o", metavar="OUT", help="Folder for the photographs.")
    ] = Path("practice"),
    one_by_one: Annotated[
        bool,
        typer.Option(
            "--one-by-one", help="Photograph each tile by itself, in its own light, on any table."
        ),
    ] = False,
    broken: Annotated[
        int, typer.Option(metavar="N", help="Break N tiles into two to five fragments each.")
    ] = 0,
    shaped: Annotated[
        bool, typer.Option("--shaped", help="Cut the panel's top, and the tiles there, to a shape.")
    ] = False,
    seed: Seed = 0,
    overwrite: Overwrite = False,
) -> None:
    """Photograph the tiles of a painted panel on four tables; two lie in another crate.

    Example: azulejar practice -o practice --one-by-one
    """
    _check_broken(broken, one_by_one)
    _check_shaped(shaped, one_by_one)
    tiles = _shaped_tiles(seed) if shaped else list(worn_puzzle(seed, ROWS, COLS, TILE, WEAR)[0])
    strangers = worn_puzzle(seed + 1, STRANGERS, STRANGERS, TILE, WEAR)[0]
    crate = [*strangers[: 5 * MISSING], *tiles[:MISSING]]
    present = tiles[MISSING:]
    photographs = len(present) if one_by_one else len(TABLES)
    scenes = ["single"] * photographs if one_by_one else list(TABLES)
    name = "tile_{:02}" if one_by_one else "table_{}"
    names = [f"{MARK}/{name.format(i + 1)}.jpg" for i in range(photographs)]
    shares = _deal(break_some(present, broken, seed), photographs)
    shots = [
        *zip(names, scenes, shares, strict=True),
        (f"{CRATE}/crate_7.jpg", TABLES[0], crate),
    ]
    with new_folder(output, MARK, overwrite) as folder, bar("Photographing") as progress:
        for i, (path, scene, share) in enumerate(shots):
            shape = SINGLE_SHAPE if scene == "single" else SHAPE
            (folder / path).parent.mkdir(exist_ok=True)
            photo = render_scene(SCENES[scene], share, shape, seed + i)
            write_picture(folder / path, photo.picture)
            progress((i + 1) / len(shots))
    say(f"Photographs: {output / MARK}")
    say(f"Another crate: {output / CRATE}")


def _check_broken(broken: int, one_by_one: bool) -> None:
    most = 0 if one_by_one else (ROWS * COLS - MISSING) // 2
    if not 0 <= broken <= most:
        raise AzulejarError(
            "practice-broken",
            "{broken} tiles cannot be broken.",
            "Give a number from 0 to {most}; fragments need whole tiles beside them.",
            broken=broken,
            most=most,
        )


def _check_shaped(shaped: bool, one_by_one: bool) -> None:
    if shaped and one_by_one:
        raise AzulejarError(
            "practice-shaped",
            "Shaped tiles cannot be photographed one by one.",
            "Leave out one of both; shaped tiles need whole tiles beside them.",
        )


def _deal(pieces: list[NDArray[np.uint8]], count: int) -> list[list[NDArray[np.uint8]]]:
    """Deal pieces onto so many tables, each of which gets some of every kind."""
    if all(piece.shape[2] == 3 for piece in pieces):  # of one kind
        return [list(share) for share in np.array_split(np.stack(pieces), count)]
    return [pieces[table::count] for table in range(count)]


def _shaped_tiles(seed: int) -> list[NDArray[np.uint8]]:
    """Return worn tiles of a panel with a shaped top, shuffled and turned; two whole ones come
    first, then those that are cut, then the others.
    """
    tiles, _ = shaped_puzzle(seed, ROWS, COLS, TILE, WEAR)
    whole = [tile for tile in tiles if tile.shape[2] == 3]
    cut = [tile for tile in tiles if tile.shape[2] == 4]
    return [*whole[:MISSING], *cut, *whole[MISSING:]]
