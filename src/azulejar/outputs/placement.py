"""``placement.csv``: the list for the people who lay the tiles."""

import csv
from pathlib import Path

import numpy as np

from azulejar.core.solution import PlacedTile, Solution
from azulejar.outputs.places import reading_order
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

# A spreadsheet takes a cell that starts so for a formula and runs it.
FORMULA_STARTS = ("=", "+", "-", "@", "\t", "\r")


def write_placement(path: Path, solution: Solution) -> None:
    """Write one line a tile in reading order, panel by panel, tiles without a place last.

    Panels, rows and cols count from 1, as people do (``solution.json`` counts from 0); above,
    right, below and left are the inventory numbers of the neighbours, as the panel shows them. A
    tile without a place has only its inventory number, its file and what is known of it. An
    apostrophe goes before text that a spreadsheet would run as a formula.
    """
    neighbours = _neighbours(solution)
    # utf-8-sig: without its byte-order mark, Excel garbles accents.
    with (
        replacing(path) as temporary,
        temporary.open("w", encoding="utf-8-sig", newline="") as file,
    ):
        writer = csv.writer(file)
        writer.writerow(COLUMNS)
        for i in sorted(range(len(solution.tiles)), key=lambda i: reading_order(solution.tiles[i])):
            writer.writerow(guarded(cell) for cell in _line(solution.tiles[i], neighbours[i]))


def _neighbours(solution: Solution) -> list[list[str]]:
    """Inventory numbers above, right, below and left of each tile; empty where there is none."""
    assembly = solution.assembly()
    directions = np.arange(4) - assembly.turn[:, None]
    met = assembly.neighbours()[4 * np.arange(len(assembly))[:, None] + directions % 4] // 4
    return [["" if i < 0 else solution.tiles[i].number for i in around] for around in met]


def _line(tile: PlacedTile, neighbours: list[str]) -> list[str]:
    about = [tile.crate or "", tile.code or "", tile.note or ""]
    if tile.panel < 0:
        nothing = [""] * (len(COLUMNS) - 2 - len(about))
        return [tile.number, tile.file, *nothing, *about]
    place = [str(count + 1) for count in (tile.panel, tile.row, tile.col)]
    confidence = "" if tile.confidence is None else f"{tile.confidence:.2f}"
    return [tile.number, tile.file, *place, str(tile.turn), confidence, *neighbours, *about]


def guarded(cell: str) -> str:
    """The text of a cell, made safe for spreadsheets."""
    return f"'{cell}" if cell.startswith(FORMULA_STARTS) else cell
