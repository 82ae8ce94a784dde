"""The folder that a solve writes: solution.json, panel.png, placement.csv and report.html."""

import os
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from azulejar.core.assembly import Assembly
from azulejar.core.compatibility import Compatibility
from azulejar.core.solution import Solution
from azulejar.core.tiles import TileSet
from azulejar.imaging.picture import write_picture
from azulejar.imaging.render import render
from azulejar.judging.confidence import tile_confidence
from azulejar.outputs.placement import write_placement
from azulejar.outputs.report import write_report
from azulejar.system.atomic import new_folder
from azulejar.version import __version__

MARK = "solution.json"


def write_result(
    folder: str | os.PathLike[str],
    tiles: TileSet,
    compatibility: Compatibility,
    assembly: Assembly,
    *,
    history: list[tuple[float, int, float]] | None = None,
    overwrite: bool = False,
    title: str | None = None,
    panel_picture: NDArray[np.uint8] | None = None,
    **about: Any,
) -> Solution:
    """Write all four files or none; ``about`` fills the solution's other fields.

    ``title`` and ``panel_picture`` [H, W, 3] are by default the name of the tiles' folder and the
    panel drawn from it.
    """
    folder = Path(folder)
    solution = Solution.of(
        assembly,
        tiles.files,
        tile_confidence(compatibility, assembly),
        tiles.records,
        folder=None if tiles.folder is None else str(tiles.folder.resolve()),
        measure=compatibility.measure,
        fitness=round(compatibility.fitness(assembly), 4),
        version=__version__,
        **about,
    )
    with new_folder(folder, MARK, overwrite) as temporary:
        picture = render(tiles, assembly) if panel_picture is None else panel_picture
        solution.save(temporary / MARK, seen_from=folder)
        write_picture(temporary / "panel.png", picture)
        write_placement(temporary / "placement.csv", solution)
        write_report(
            temporary / "report.html",
            tiles=tiles,
            solution=solution,
            compatibility=compatibility,
            history=history or [],
            panel_picture=picture,
            title=title,
        )
    return solution
