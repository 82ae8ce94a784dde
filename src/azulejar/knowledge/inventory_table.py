"""``tiles.csv`` as a table: its headings understood, its lines as cells by column."""

import csv
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from azulejar.errors import AzulejarError
from azulejar.knowledge.headings import READ, columns_of, in_centimetres
from azulejar.system.reading import Table, read_table

COLUMNS = tuple(column for column in READ if column != "row_from_bottom")
MOST_BYTES = 64 * 2**20


def read_lines(path: Path) -> tuple[list[str], Iterator[tuple[int, dict[str, str]]]]:
    """Return headings that mean nothing; and the number of each line, from 1, with its cells.

    Cells are named as in ``READ``. Where there is no file's name, the inventory number is taken for
    it: pictures are often named so.
    """
    reader = read_table(path, MOST_BYTES)
    with _naming_row(path, reader):
        header = [cell.strip() for cell in next(reader, [])]
    meant, unknown = columns_of(header)
    _check_header(path, header, meant)
    return unknown, _cells(path, header, meant, reader)


def _cells(
    path: Path, header: list[str], meant: list[str | None], reader: Table
) -> Iterator[tuple[int, dict[str, str]]]:
    """Yield the number of each line that is not blank, and its cells by column."""
    wide = {column for cell, column in zip(header, meant, strict=True) if in_centimetres(cell)}
    with _naming_row(path, reader):
        for cells in reader:
            stripped = [cell.strip() for cell in cells]
            if not any(stripped):
                continue
            if len(stripped) > len(header):
                raise AzulejarError(
                    "tiles-csv-too-many-cells",
                    "{path}, row {line}: has {cells} cells for {columns}.",
                    "Correct it there.",
                    path=str(path),
                    line=reader.line_num,
                    cells=len(stripped),
                    columns=len(header),
                )
            line = dict.fromkeys(READ, "") | {
                column: f"{cell} cm" if cell and column in wide else cell
                for column, cell in zip(meant, stripped, strict=False)
                if column is not None
            }
            if "file" not in meant:
                line["file"] = line["inventory"]
            if not line["file"]:
                raise AzulejarError(
                    "tiles-csv-no-file",
                    "{path}, row {line}: names no file.",
                    "Correct it there.",
                    path=str(path),
                    line=reader.line_num,
                )
            yield reader.line_num, line


@contextmanager
def _naming_row(path: Path, reader: Table) -> Iterator[None]:
    """Prefix errors inside the block with the row of the table."""
    try:
        yield
    except csv.Error as error:
        raise AzulejarError(
            "tiles-csv-unreadable-row",
            "{path}, row {line}: cannot be read.",
            "Correct it there: it has a stray quotation mark, or a cell of {most} characters or "
            "more.",
            path=str(path),
            line=reader.line_num,
            most=csv.field_size_limit(),
        ) from error


def _check_header(path: Path, header: list[str], meant: list[str | None]) -> None:
    if "file" not in meant and "inventory" not in meant:
        raise AzulejarError(
            "tiles-csv-no-file-column",
            "{path} has no column named file or inventory, nor ficheiro or número de inventário.",
            "Let its first line name some of {columns}.",
            path=str(path),
            columns=", ".join(COLUMNS),
        )
    names = [cell.casefold() for cell in header]
    twice = sorted({name for name in names if name and names.count(name) > 1})
    if twice:
        raise AzulejarError(
            "tiles-csv-column-twice",
            "{path} has two columns named {column}.",
            "Remove one of them.",
            path=str(path),
            column=twice[0],
        )
