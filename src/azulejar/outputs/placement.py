"""``placement.csv``: the list for the people who lay the tiles."""

import csv
from pathlib import Path

import numpy as np

from azulejar.atomic import replacing
from azulejar.solution import PlacedTile, Solution

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
)

# A spreadsheet takes a cell that starts so for a formula and runs it.
FORMULA_STARTS = ("=", "+", "-", "@", "\t", "\r")


def write_placement(path: Path, solution: Solution) -> None:
    """Write one line a tile in reading order, panel by panel, tiles without a place last.

    Panels, rows and cols count from 1, as people do (``solution.json`` counts from 0); the last
    four columns are the inventory numbers of the neighbours, as the panel shows them. A tile
    without a place has only its inventory number and file. An apostrophe goes before text that a
    spreadsheet would run as a formula.
    """
    neighbours = _neighbours(solution)
    # utf-8-sig: without its byte-order mark, Excel garbles accents.
    with (
        replacing(path) as temporary,
        temporary.open("w", encoding="utf-8-sig", newline="") as file,
    ):
        writer = csv.writer(file)
        writer.writerow(COLUMNS)
        for i in sorted(
            range(len(solution.tiles)), key=lambda i: _reading_order(solution.tiles[i])
        ):
            writer.writerow(_guarded(cell) for cell in _line(solution.tiles[i], neighbours[i]))


def _neighbours(solution: Solution) -> list[list[str]]:
    """Inventory numbers above, right, below and left of each tile; empty where there is none."""
    assembly = solution.assembly()
    directions = np.arange(4) - assembly.turn[:, None]
    met = assembly.neighbours()[4 * np.arange(len(assembly))[:, None] + directions % 4] // 4
    return [["" if i < 0 else Path(solution.files[i]).stem for i in around] for around in met]


def _reading_order(tile: PlacedTile) -> tuple[bool, int, int, int, str]:
    if tile.panel < 0:
        return (True, 0, 0, 0, tile.file)
    return (False, tile.panel, tile.row, tile.col, tile.file)


def _line(tile: PlacedTile, neighbours: list[str]) -> list[str]:
    name = [Path(tile.file).stem, tile.file]
    if tile.panel < 0:
        return name + [""] * (len(COLUMNS) - len(name))
    place = [str(count + 1) for count in (tile.panel, tile.row, tile.col)]
    confidence = "" if tile.confidence is None else f"{tile.confidence:.2f}"
    return [*name, *place, str(tile.turn), confidence, *neighbours]


def _guarded(cell: str) -> str:
    return f"'{cell}" if cell.startswith(FORMULA_STARTS) else cell
