"""CSV files for spreadsheets: accents survive, and no cell is run as a formula."""

import csv
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from decimal import Decimal
from pathlib import Path
from typing import Literal

from azulejar.knowledge.headings import Language, heading

# A spreadsheet takes a cell that starts so for a formula and runs it.
FORMULA_STARTS = ("=", "+", "-", "@", "\t", "\r")


@dataclass(frozen=True)
class ListStyle:
    """How lists are written for people.

    In Portuguese ("pt"), headings are those of inventories there, semicolons separate the cells and
    commas the decimals, as a spreadsheet set to Portuguese has it. Rows are counted from the "top"
    of a panel or from its "bottom".

    Examples:
        >>> from azulejar import ListStyle
        >>> ListStyle("pt").rows_from
        'top'
    """

    language: Language = "en"
    rows_from: Literal["top", "bottom"] = "top"


PLAIN = ListStyle()


def write_spreadsheet(
    path: Path,
    columns: Sequence[str],
    lines: Iterable[Sequence[object]],
    style: ListStyle = PLAIN,
) -> None:
    """Write a header and rows, with an apostrophe before formulas.

    Numbers with decimals are given as ``Decimal``, other cells as text.
    """
    portuguese = style.language == "pt"
    # utf-8-sig: without its byte-order mark, Excel garbles accents.
    with path.open("w", encoding="utf-8-sig", newline="") as file:
        writer = csv.writer(file, delimiter=";" if portuguese else ",")
        writer.writerow(heading(column, style.language) for column in columns)
        for line in lines:
            writer.writerow(_cell_text(cell, portuguese) for cell in line)


def guard_cell(cell: str) -> str:
    """Return the text of a cell, made safe for spreadsheets."""
    return f"'{cell}" if cell.startswith(FORMULA_STARTS) else cell


def _cell_text(cell: object, portuguese: bool) -> str:
    if isinstance(cell, Decimal) and portuguese:
        return str(cell).replace(".", ",")
    return guard_cell(str(cell))
