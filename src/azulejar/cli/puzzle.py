"""``azulejar puzzle``: a panel cut up and shuffled, with its truth kept apart."""

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import numpy as np
import typer
from numpy.typing import NDArray

from azulejar.cli.console import say
from azulejar.cli.options import OutFolder, Overwrite, Seed
from azulejar.errors import AzulejarError
from azulejar.imaging.mask_file import read_mask
from azulejar.imaging.picture import read_picture
from azulejar.outputs.tile_folders import PUZZLE_MARK, write_puzzle
from azulejar.practice import half_tiles
from azulejar.practice.photography import LIGHT, cut_one_by_one
from azulejar.practice.puzzles import shuffle
from azulejar.system.atomic import refuse_existing


def command(
    panel: Annotated[Path, typer.Argument(metavar="PANEL", help="Picture of a whole panel.")],
    rows: Annotated[int, typer.Option(help="Rows of tiles.")],
    cols: Annotated[int, typer.Option(help="Columns of tiles.")],
    output: OutFolder,
    trim: Annotated[
        float, typer.Option(help="Fraction of the side lost at each side of a tile.")
    ] = 0.0,
    light: Annotated[
        str,
        typer.Option(
            metavar="KIND",
            help="Photograph each tile by itself, in its own light and a little askew: "
            f"{', '.join(LIGHT)}.",
        ),
    ] = "none",
    mask: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Keep only the tiles of this outline (see solve)."),
    ] = None,
    broken_corners: Annotated[
        int, typer.Option(metavar="N", help="Break off N corners, which become transparent.")
    ] = 0,
    half_rim: Annotated[
        bool,
        typer.Option(
            "--half-rim",
            help="Cut the outermost rows and cols to half tiles, the corners to quarters.",
        ),
    ] = False,
    turned: Annotated[bool, typer.Option("--turned", help="Turn every tile at random.")] = False,
    tile_size: Annotated[
        int | None, typer.Option(help="Side of the tiles in pixels; default: as they come out.")
    ] = None,
    seed: Seed = 0,
    overwrite: Overwrite = False,
) -> None:
    """Cut, trim, shuffle and turn: OUT/tiles and OUT/truth.json.

    Example: azulejar puzzle panel.jpg --rows 8 --cols 12 --trim 0.07 --turned -o puzzle
    """
    refuse_existing(output, PUZZLE_MARK, overwrite)
    outline = None if mask is None else read_mask(mask)
    if half_rim and (light != "none" or broken_corners):
        raise AzulejarError(
            "half-rim-only-cut",
            "A half rim cannot be combined with light or broken corners.",
            "Leave out --half-rim, or --light and --broken-corners.",
        )
    picture = read_picture(panel)
    cells: Sequence[NDArray[np.uint8]]
    if half_rim:
        lines = half_tiles.half_rim(rows), half_tiles.half_rim(cols)
        cells = half_tiles.cut_at(picture, rows, cols, trim, tile_size, *lines)
    else:
        cells = list(cut_one_by_one(picture, rows, cols, trim, tile_size, light=light, seed=seed))
    tiles, truth = shuffle(cells, rows, cols, turned=turned, seed=seed, mask=outline)
    if broken_corners:
        # Loaded here, since OpenCV takes long.
        from azulejar.practice.corruption import break_corners

        tiles = list(break_corners(np.stack(tiles), broken_corners, seed))
    write_puzzle(output, tiles, truth, upright=not turned, seed=seed, overwrite=overwrite)
    say(f"{len(tiles)} tiles: {output / 'tiles'}")
    say(f"Truth: {output / PUZZLE_MARK}")
