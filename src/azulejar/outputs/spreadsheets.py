"""CSV files for spreadsheets: accents survive, and no cell is run as a formula."""

import csv
from collections.abc import Iterable, Sequence
from pathlib import Path

# A spreadsheet takes a cell that starts so for a formula and runs it.
FORMULA_STARTS = ("=", "+", "-", "@", "\t", "\r")


def write_spreadsheet(
    path: Path, columns: Sequence[str], lines: Iterable[Sequence[object]]
) -> None:
    """Write a line of column names, then the lines, with an apostrophe before formulas."""
    # utf-8-sig: without its byte-order mark, Excel garbles accents.
    with path.open("w", encoding="utf-8-sig", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(columns)
        for line in lines:
            writer.writerow([guard_cell(str(cell)) for cell in line])


def guard_cell(cell: str) -> str:
    """Return the text of a cell, made safe for spreadsheets."""
    return f"'{cell}" if cell.startswith(FORMULA_STARTS) else cell
