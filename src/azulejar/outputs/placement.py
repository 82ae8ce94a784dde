"""``placement.csv``, the list for the people who lay the tiles, and the order of such lists."""

import os
from decimal import Decimal
from pathlib import Path

import numpy as np

from azulejar.core.solution import PlacedTile, Solution
from azulejar.outputs.spreadsheets import PLAIN, ListStyle, write_spreadsheet
from azulejar.outputs.wording import format_probability
from azulejar.system.atomic import replacing

COLUMNS = (
    "inventory",
    "file",
    "panel_from_1",
    "row_from_1",
    "col_from_1",
    "turn_degrees_clockwise",
    "confidence",
    "above",
    "right",
    "below",
    "left",
    "crate",
    "code",
    "note",
)
FURTHER = ("half", "mark", "thickness", "wall", "level", "section")  # where a tile has them


def write_placement(
    path: str | os.PathLike[str], solution: Solution, style: ListStyle = PLAIN
) -> None:
    """Write one line a tile in reading order, panel by panel, tiles without a place last.

    Panels, rows and cols count from 1, as people do (``solution.json`` counts from 0); above,
    right, below and left are the inventory numbers of the neighbours, as the panel shows them. A
    tile without a place has only its inventory number, its file and what is known of it. An
    apostrophe goes before text that a spreadsheet would run as a formula.

    Args:
        path: The file to write.
        solution: The panels.
        style: Language of the headings, and where rows are counted from.

    Examples:
        >>> import tempfile
        >>> from pathlib import Path
        >>> from azulejar import Assembly, ListStyle, Solution, write_placement
        >>> solution = Solution.of(Assembly.of([0, 1], [0, 0], [0, 3]), ("a.png", "b.png"))
        >>> with tempfile.TemporaryDirectory() as home:
        ...     path = Path(home, "placement.csv")
        ...     write_placement(path, solution, ListStyle(rows_from="bottom"))
        ...     first = path.read_text(encoding="utf-8-sig").splitlines()[1]
        >>> first[:13]
        'a,a.png,1,2,1'
    """
    neighbours = _neighbours(solution)
    tiles = solution.tiles
    order = sorted(range(len(tiles)), key=lambda i: reading_order(tiles[i]))
    further = [name for name in FURTHER if any(getattr(tile, name) for tile in tiles)]
    columns = [*COLUMNS, *further]
    rows = [tile.row + 1 for tile in tiles]
    if style.rows_from == "bottom":
        columns[columns.index("row_from_1")] = "row_from_bottom"
        assembly = solution.assembly()
        heights = {panel: assembly.box(panel)[0] for panel in {t.panel for t in tiles} - {-1}}
        rows = [heights.get(t.panel, 0) - int(assembly.row[i]) for i, t in enumerate(tiles)]
    with replacing(Path(path)) as temporary:
        lines = (_line(tiles[i], rows[i], neighbours[i], further) for i in order)
        write_spreadsheet(temporary, columns, lines, style)


def reading_order(tile: PlacedTile) -> tuple[bool, int, int, int, str]:
    """Return a sort key: panel by panel and row by row, tiles without a place last."""
    if tile.panel < 0:
        return (True, 0, 0, 0, tile.file)
    return (False, tile.panel, tile.row, tile.col, tile.file)


def placed_tiles(solution: Solution) -> list[PlacedTile]:
    """Return the tiles that have a place, in reading order.

    Rows and cols count within the panels' boxes.
    """
    assembly = solution.assembly()
    tiles = [
        tile.model_copy(update={"row": int(assembly.row[i]), "col": int(assembly.col[i])})
        for i, tile in enumerate(solution.tiles)
        if tile.panel >= 0
    ]
    return sorted(tiles, key=reading_order)


def loose_tiles(solution: Solution) -> list[PlacedTile]:
    """Return the tiles without a place."""
    return sorted((tile for tile in solution.tiles if tile.panel < 0), key=reading_order)


def _neighbours(solution: Solution) -> list[list[str]]:
    """Return the inventory numbers above, right, below and left of each tile; empty for none."""
    assembly = solution.assembly()
    directions = np.arange(4) - assembly.turn[:, None]
    met = assembly.neighbours()[4 * np.arange(len(assembly))[:, None] + directions % 4] // 4
    return [["" if i < 0 else solution.tiles[i].number for i in around] for around in met]


def _line(tile: PlacedTile, row: int, neighbours: list[str], further: list[str]) -> list[object]:
    """Return the cells of a tile; ``row`` as the list counts it."""
    about: list[object] = [tile.crate or "", tile.code or "", tile.note or ""]
    for name in further:
        value = getattr(tile, name)
        about.append(Decimal(f"{value:g}") if isinstance(value, float) else value or "")
    if tile.panel < 0:
        nothing = [""] * (len(COLUMNS) + len(further) - 2 - len(about))
        return [tile.number, tile.file, *nothing, *about]
    confidence = "" if tile.confidence is None else Decimal(format_probability(tile.confidence))
    place = [tile.panel + 1, row, tile.col + 1, tile.turn]
    return [tile.number, tile.file, *place, confidence, *neighbours, *about]
