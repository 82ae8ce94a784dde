"""``azulejar collection match``: which stored pattern continues a wall in a photograph."""

from pathlib import Path
from typing import Annotated

import typer
from rich.table import Table

from azulejar.cli.collection.options import CollectionFolder, open_filled
from azulejar.cli.console import bar, console, note, say
from azulejar.collection.pattern_match import PatternMatch, find_wall, match_photograph
from azulejar.collection.patterns import require_patterns
from azulejar.errors import AzulejarError
from azulejar.imaging.picture import read_picture
from azulejar.imaging.walls.corners import parse_corners
from azulejar.imaging.walls.detect import find_grids
from azulejar.imaging.walls.grid import Grid
from azulejar.outputs.wording import count_noun, format_percent


def command(
    folder: CollectionFolder,
    photo: Annotated[Path, typer.Argument(metavar="PHOTO", help="Photograph of a tiled wall.")],
    corners: Annotated[
        str | None,
        typer.Option(
            metavar="'X,Y X,Y X,Y X,Y'",
            help="The wall's corners in pixels, from the top left clockwise, as for azulejar cut.",
        ),
    ] = None,
    rows: Annotated[int | None, typer.Option(min=1, help="Rows of tiles, if known.")] = None,
    cols: Annotated[int | None, typer.Option(min=1, help="Columns of tiles, if known.")] = None,
) -> None:
    """Say which pattern of a collection continues a wall, and how many tiles can mend it.

    The patterns are those that azulejar collection patterns found last. Where joints are not seen,
    tiles are sought by the patterns themselves.

    Example: azulejar collection match museum facade.jpg
    """
    given = None if corners is None else parse_corners(corners)
    told = any(each is not None for each in (corners, rows, cols))
    with open_filled(folder) as collection:
        kept = require_patterns(collection)
        picture = read_picture(photo)
        grid: Grid | None
        seen, unsure = list[Grid](), None
        try:
            with bar("Finding the joints") as progress:
                seen = find_grids(picture, str(photo), given, rows, cols, progress)
        except AzulejarError as error:
            if told or error.code != "wall-grid-unsure":
                raise
            unsure = error
        with bar("Looking for the patterns") as progress:
            if told:
                grid, found = match_photograph(kept, picture, seen[0], progress)
            else:
                grid, found = find_wall(kept, picture, seen[0] if seen else None, progress)
        if grid is None:
            assert unsure is not None
            raise unsure
    say(f"{photo}: {grid.rows} rows × {grid.cols} cols")
    if found:
        _print_matches(found)
    else:
        note(
            "no pattern of the collection continues this wall. If it has other rows and cols, "
            "paint was taken for joints: give --corners, --rows and --cols."
        )


def _print_matches(found: list[PatternMatch]) -> None:
    shown = Table()
    for heading in ("pattern", "of the wall", "places to mend", "tiles in stock", "still lacking"):
        shown.add_column(heading)
    for each in found:
        cells = (sum(each.needed.values()), sum(each.stock.values()), each.lacking)
        shown.add_row(each.name, format_percent(each.share), *map(str, cells))
    console.print(shown)
    best = found[0]
    for number, (design, count) in enumerate(best.needed.items(), 1):
        if count:
            say(
                f"  pattern {best.name}, design {number}: {count_noun(count, 'place')} to mend, "
                f"{count_noun(best.stock[design], 'tile')} in stock"
            )
