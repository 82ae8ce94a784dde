"""Options that several commands share."""

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer


class Rows(StrEnum):
    """From where rows are counted."""

    TOP = "top"
    BOTTOM = "bottom"


class Tongue(StrEnum):
    """Languages of lists."""

    EN = "en"
    PT = "pt"


TilesFolder = Annotated[Path, typer.Argument(metavar="TILES", help="Folder of tile pictures.")]
SolutionFile = Annotated[
    Path,
    typer.Argument(metavar="SOLUTION", help="solution.json, or the folder that holds it."),
]
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
OutFolder = Annotated[
    Path, typer.Option("--output", "-o", metavar="OUT", help="Folder for the results.")
]
Overwrite = Annotated[
    bool, typer.Option("--overwrite", help="Replace results that are there already.")
]
MeasureName = Annotated[
    str,
    typer.Option(
        "--measure",
        "-m",
        metavar="NAME",
        help="dlcm (learned, the best), twin (learned, faster), mgc, ssd, l1 (pixels only); "
        "the paper's networks red, green, blue, rgb, dlcm-paper.",
    ),
]
Device = Annotated[
    str, typer.Option(help="Where learned measures run: auto, cpu or cuda.", metavar="DEVICE")
]
Model = Annotated[
    str | None,
    typer.Option(metavar="FOLDER", help="A model of your own, as azulejar export writes it."),
]
AnyShape = Annotated[
    bool,
    typer.Option(
        "--these-are-tiles",
        help="Take every picture for one tile, whatever its size and shape, copies too.",
    ),
]
Upright = Annotated[
    bool, typer.Option("--upright", help="No tile is turned: its file shows it as it lay.")
]
RowsFrom = Annotated[
    Rows, typer.Option(help="From where lists count the rows of a panel: top or bottom.")
]
Headings = Annotated[
    Tongue, typer.Option(help="Language of the headings of lists: en, or pt with semicolons.")
]
By = Annotated[str | None, typer.Option("--by", metavar="NAME", help="Who put the panel together.")]
Day = Annotated[
    str | None, typer.Option("--date", metavar="YYYY-MM-DD", help="When; by default today.")
]
Seed = Annotated[int, typer.Option("--seed", min=0, max=2**63 - 1, help="Same seed, same answer.")]
Scores = Annotated[
    Path | None, typer.Option(metavar="FILE.npz", help="Scores to use instead of a measure.")
]
