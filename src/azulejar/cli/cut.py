"""``azulejar cut``: a photograph of a panel on its wall, cut into tiles at the joints."""

from pathlib import Path
from typing import Annotated, NoReturn

import numpy as np
import typer
from numpy.typing import NDArray

from azulejar.cli.console import bar, console, note, say, warn
from azulejar.cli.messages import phrase
from azulejar.cli.options import OutFolder, Overwrite
from azulejar.errors import AzulejarError
from azulejar.imaging.orientation import orientation_doubt
from azulejar.imaging.picture import read_picture, write_picture
from azulejar.imaging.walls.corners import UNSURE, grid_from_corners, parse_corners
from azulejar.imaging.walls.cut import draw_grid, unseen_share
from azulejar.imaging.walls.detect import detect_grids, sure_grids
from azulejar.imaging.walls.grid import Grid, load_grid
from azulejar.outputs.tile_folders import WALL_MARK, write_wall
from azulejar.system.atomic import refuse_existing


def command(
    photo: Annotated[Path, typer.Argument(metavar="PHOTO", help="Photograph of a tiled wall.")],
    output: OutFolder,
    corners: Annotated[
        str | None,
        typer.Option(
            metavar="'X,Y X,Y X,Y X,Y'",
            help="The panel's corners in pixels, from the top left clockwise; half a tile off "
            "is near enough. Without them, the largest grid that can be found with confidence.",
        ),
    ] = None,
    rows: Annotated[int | None, typer.Option(min=1, help="Rows of tiles, if known.")] = None,
    cols: Annotated[int | None, typer.Option(min=1, help="Columns of tiles, if known.")] = None,
    grid: Annotated[
        Path | None,
        typer.Option(metavar="GRID", help="A grid.json of an earlier cut, edited by hand."),
    ] = None,
    tile_size: Annotated[
        int | None, typer.Option(help="Side of the tiles in pixels; default: as they come out.")
    ] = None,
    overwrite: Overwrite = False,
) -> None:
    """Find the joints and cut: OUT/tiles, solution.json, grid.json, and overlay.png to check.

    Example: azulejar cut wall.jpg --corners "120,80 900,95 910,620 110,600" -o wall
    """
    refuse_existing(output, WALL_MARK, overwrite)
    given = None if corners is None else parse_corners(corners)
    picture = read_picture(photo)
    doubt = orientation_doubt([photo])
    if doubt is not None:
        warn(phrase(doubt))
    others: list[Grid] = []
    if grid is not None:
        found = load_grid(grid)
    elif given is not None:
        with bar("Finding the joints") as progress:
            found = grid_from_corners(picture, given, rows, cols, progress)
    else:
        with bar("Finding the joints") as progress:
            alone = detect_grids(picture, progress)
        sure = sure_grids(alone, rows, cols)
        if not sure:
            _ask_for_corners(picture, alone[0].grid, output)
        found, *others = sure
    with bar("Cutting") as progress:
        write_wall(
            output,
            photo.stem,
            picture,
            found,
            corners=given,
            others=others,
            tile_size=tile_size,
            overwrite=overwrite,
            on_progress=progress,
        )
    _print_grid(output, found)
    if given is None and grid is None:
        text = "Found without corners: check in the overlay that it is the panel you mean."
        console.print(text, style="yellow")
    for other in others:
        at = " ".join(f"{x:.0f},{y:.0f}" for x, y in other.corners)
        say(
            f"There is another panel of {other.rows} rows × {other.cols} cols, framed in green; to "
            f'cut it: --corners "{at}"'
        )


def _ask_for_corners(picture: NDArray[np.uint8], grid: Grid, output: Path) -> NoReturn:
    shown = output.with_name(f"{output.name}_unsure.png")
    write_picture(shown, draw_grid(picture, grid))
    raise AzulejarError(
        "grid-unsure",
        "Finding the joints: it is not certain which grid of tiles is meant; the best guess, "
        "{rows} rows × {cols} cols, is drawn in {picture}.",
        'Give the panel\'s four corners, such as --corners "120,80 900,95 910,620 110,600".',
        rows=grid.rows,
        cols=grid.cols,
        picture=str(shown),
    )


def _print_grid(output: Path, grid: Grid) -> None:
    text = f"{grid.rows} rows × {grid.cols} cols: {output / 'tiles'}"
    say(text)
    if grid.confidence < UNSURE:
        note(
            "the joints are faint and the grid may be wrong; check overlay.png, and give "
            "--rows and --cols if you know them."
        )
    unseen = f"{unseen_share(grid):.0%} of the joints, in yellow, were not seen"
    say(f"Check: {output / 'overlay.png'} ({unseen})")
