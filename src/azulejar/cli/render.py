"""``azulejar render``: the picture of a solution."""

from pathlib import Path
from typing import Annotated

import typer

from azulejar.cli.console import bar, say
from azulejar.cli.inputs import parse_tile_size, read_solution_and_originals
from azulejar.cli.options import Overwrite, SolutionFile, TileSize, TilesMoved
from azulejar.imaging.layout import Layout, before_and_after, boxes_of
from azulejar.imaging.picture import writable_kind
from azulejar.imaging.render import LONGEST_SIDE
from azulejar.imaging.streaming import render_to_file
from azulejar.system.atomic import refuse_existing_file

BEFORE_AFTER_SIDE = 4000


def command(
    solution: SolutionFile,
    output: Annotated[
        Path, typer.Option("--output", "-o", metavar="FILE", help="PNG, TIFF or JPEG to write.")
    ] = Path("panel.png"),
    tiles: TilesMoved = None,
    tile_size: TileSize = None,
    joints: Annotated[
        bool, typer.Option("--joints", help="Leave thin joints between the tiles.")
    ] = False,
    before_after: Annotated[
        bool,
        typer.Option("--before-after", help="On the left the loose tiles, on the right the panel."),
    ] = False,
    overwrite: Overwrite = False,
) -> None:
    """Draw the panel from the full tile pictures; places without a tile are hatched.

    By default the picture is at most 8,000 px long (4,000 with --before-after). PNG and TIFF may
    be of any size: they are written as they are drawn.

    Example: azulejar render result -o panel.tif --tile-size full --joints
    """
    refuse_existing_file(output, overwrite)
    writable_kind(output)
    found, originals = read_solution_and_originals(solution, tiles)
    assembly = found.assembly(originals.files)
    halved = found.halved(originals.files)
    boxes, longest = boxes_of(assembly, halved), LONGEST_SIDE
    if before_after:
        (assembly, boxes), longest = before_and_after(assembly, halved), BEFORE_AFTER_SIDE
    size = parse_tile_size(tile_size, originals, boxes, longest)
    count = len(originals.files)
    with bar("Drawing") as progress:
        render_to_file(
            output,
            lambda tile, side: originals(tile % count, side),
            assembly,
            Layout.of(boxes, size, joints=joints),
            profile=originals.profile,
            on_progress=progress,
        )
    what = "Before and after" if before_after else "Panel"
    say(f"{what}: {output}")
