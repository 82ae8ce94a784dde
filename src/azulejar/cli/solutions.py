"""What the commands that begin with a solution share."""

from pathlib import Path
from typing import Annotated

import typer

from azulejar.cli.evaluate import load
from azulejar.core.solution import Solution
from azulejar.errors import AzulejarError
from azulejar.imaging.folder import Originals, natural_order
from azulejar.imaging.layout import LARGEST_TILE, Box, fitting_size

TilesMoved = Annotated[
    Path | None, typer.Option("--tiles", help="Folder of the tiles, if it has moved since.")
]
TileSize = Annotated[
    str | None,
    typer.Option(
        metavar="PX|full",
        help="Side of a tile in the picture, in pixels, or full for that of the photographs.",
    ),
]


def refuse_file(output: Path, overwrite: bool) -> None:
    """Raise if the file is there and may not be replaced."""
    if output.is_dir():
        raise AzulejarError(f"{output} is a folder.", "Give the name of a file to write: -o.")
    if output.exists() and not overwrite:
        raise AzulejarError(f"{output} exists already.", "Give another -o, or --overwrite.")


def solution_and_originals(path: Path, tiles: Path | None) -> tuple[Solution, Originals]:
    """The solution, and the pictures of its tiles in natural order of their names."""
    solution = load(path, "solution.json")
    if all(tile.panel < 0 for tile in solution.tiles):
        raise AzulejarError("No tile of this solution is placed.", "Place one tile at least.")
    folder = tiles_of(solution, tiles)
    return solution, Originals(folder, tuple(sorted(solution.files, key=natural_order)))


def tiles_of(solution: Solution, moved: Path | None) -> Path:
    """The folder of a solution's tiles: where they have ``moved`` to, or as it says itself."""
    folder = moved or (Path(solution.folder) if solution.folder else None)
    if folder is None:
        raise AzulejarError("The solution does not say where its tiles lie.", "Give --tiles.")
    if not folder.is_dir():
        raise AzulejarError(f"There is no folder {folder}.", "Say where the tiles lie: --tiles.")
    return folder


def chosen_size(
    wanted: str | None, originals: Originals, boxes: tuple[Box, ...], longest: int
) -> int:
    """Pixels of a tile's side; by default the picture is at most ``longest`` px long."""
    if wanted is None:
        return fitting_size(boxes, originals.side, longest)
    if wanted == "full":
        return min(originals.side, LARGEST_TILE)
    try:
        return int(wanted)
    except ValueError:
        raise AzulejarError(
            f"--tile-size is {wanted!r}, which is no number of pixels.",
            "Give a number such as 400, or full.",
        ) from None
