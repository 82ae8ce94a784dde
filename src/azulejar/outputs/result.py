"""The folder that a solve writes: solution.json, panel.png, placement.csv and report.html."""

import os
from collections.abc import Sequence
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
from azulejar.judging.evidence import Rivals
from azulejar.outputs.joint_map import JudgedAssembly
from azulejar.outputs.placement import write_placement
from azulejar.outputs.report import ReferenceShown, write_report
from azulejar.outputs.spreadsheets import PLAIN, ListStyle
from azulejar.outputs.wording import describe_reference
from azulejar.reference.following import Followed
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
    remarks: Sequence[str] = (),
    style: ListStyle = PLAIN,
    rivals: Rivals | None = None,
    reference: Followed | None = None,
    **about: Any,
) -> Solution:
    """Write solution.json, panel.png, placement.csv and report.html, all four or none.

    Args:
        folder: The folder to write.
        tiles: The n tiles.
        compatibility: Their scores.
        assembly: Where they lie.
        history: Seconds, generation and fitness along the search, for the report's chart.
        overwrite: Replace a folder that an earlier call wrote.
        title: Name of the panel; by default that of the tiles' folder.
        panel_picture: The panel drawn [H, W, 3]; by default it is drawn from the tiles.
        remarks: Sentences for the top of the report.
        style: Language of placement.csv, and from where it counts rows.
        rivals: Those of the scores, if they are computed already or know of tiles that are alike.
        reference: What came of a reference picture, for the report.
        **about: The solution's other fields, such as ``solver``, ``seed`` and ``seconds``.

    Returns:
        The solution, with the confidence of each tile.

    Raises:
        AzulejarError: If the folder exists, or cannot be written.

    Examples:
        >>> import tempfile
        >>> from pathlib import Path
        >>> import azulejar
        >>> tiles, truth = azulejar.practice_puzzle(4, 4, size=24)
        >>> scores = azulejar.get_measure("mgc").score(tiles)
        >>> with tempfile.TemporaryDirectory() as home:
        ...     solution = azulejar.write_result(f"{home}/result", tiles, scores, truth)
        ...     sorted(path.name for path in Path(home, "result").iterdir())
        ['panel.png', 'placement.csv', 'report.html', 'solution.json']
        >>> solution.rows, solution.cols
        (4, 4)
    """
    folder = Path(folder)
    judged = JudgedAssembly.of(tiles, assembly, compatibility, rivals)
    solution = Solution.of(
        assembly,
        tiles.files,
        judged.tile_confidence,
        tiles.records,
        tiles.halved,
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
        write_placement(temporary / "placement.csv", solution, style)
        write_report(
            temporary / "report.html",
            judged,
            solution,
            history=history or [],
            panel_picture=picture,
            title=title,
            remarks=remarks,
            reference=None
            if reference is None
            else ReferenceShown(describe_reference(reference), reference.beside),
        )
    return solution
