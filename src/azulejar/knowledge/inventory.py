"""``tiles.csv``: what the museum has on record of each tile."""

import csv
import io
from collections.abc import Iterator, Sequence
from pathlib import Path

from azulejar.core.knowns import Lock
from azulejar.core.limits import LONGEST
from azulejar.core.tiles import Record
from azulejar.errors import AzulejarError
from azulejar.system.reading import read_bytes

NAME = "tiles.csv"
COLUMNS = ("file", "inventory", "crate", "code", "turn", "row", "col", "panel", "note")
MOST_BYTES = 64 * 2**20
_SHOWN = 20  # characters of a cell in a message
_TURNS = {"0": 0, "90": 1, "180": 2, "270": 3}


def read_inventory(path: Path, files: Sequence[str]) -> tuple[tuple[Record, ...], list[str]]:
    """Return a record for each of ``files``, and notes on lines that were left out.

    The columns may come in any order, with others beside them; only ``file`` is required, with or
    without its suffix. Rows and cols count from 1, as in ``placement.csv``.
    """
    by_name = {Path(file).stem: i for i, file in enumerate(files)}
    by_name |= {file: i for i, file in enumerate(files)}
    records = [Record()] * len(files)
    strangers = []
    for line, cells in _lines(path):
        name = cells["file"]
        tile = by_name.get(name)
        if tile is None:
            strangers.append(name)
            continue
        if records[tile].line is not None:
            raise AzulejarError(
                "tiles-csv-tile-twice",
                "{path}, rows {first} and {second}: speak of the same tile {name}.",
                "Correct it there.",
                path=str(path),
                first=records[tile].line,
                second=line,
                name=name,
            )
        records[tile] = _record(path, line, cells)
    _check_numbers(path, records, files)
    notes = []
    if strangers:
        shown = ", ".join(strangers[:5]) + (" …" if len(strangers) > 5 else "")
        notes.append(f"{NAME} speaks of {len(strangers)} tiles that are not here: {shown}.")
    return tuple(records), notes


def locks_of(records: Sequence[Record]) -> tuple[Lock, ...]:
    """Return what the records say of places and turns."""
    return tuple(
        Lock(tile, known.row, known.col, known.turn, f"row {known.line} of {NAME}")
        for tile, known in enumerate(records)
        if (known.row, known.col, known.turn) != (None, None, None)
    )


def panels_of(records: Sequence[Record]) -> dict[str, tuple[int, ...]]:
    """Return the tiles of each panel that the records name, in the order of the tiles."""
    names = dict.fromkeys(known.panel for known in records if known.panel is not None)
    return {
        name: tuple(tile for tile, known in enumerate(records) if known.panel == name)
        for name in names
    }


def _lines(path: Path) -> Iterator[tuple[int, dict[str, str]]]:
    """Yield the number of each line that is not blank, from 1, and its cells."""
    text = _text(path)
    head = text.split("\n", 1)[0]
    separator = max(",;\t", key=head.count)  # a spreadsheet set to Portuguese writes semicolons
    reader = csv.reader(io.StringIO(text), delimiter=separator, strict=True)
    try:
        header = [cell.strip().casefold() for cell in next(reader, [])]
        _check_header(path, header)
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
            line = dict.fromkeys(COLUMNS, "") | dict(zip(header, stripped, strict=False))
            if not line["file"]:
                raise AzulejarError(
                    "tiles-csv-no-file",
                    "{path}, row {line}: names no file.",
                    "Correct it there.",
                    path=str(path),
                    line=reader.line_num,
                )
            yield reader.line_num, line
    except csv.Error as error:
        raise AzulejarError(
            "tiles-csv-unreadable-row",
            "{path}, row {line}: cannot be read ({reason}).",
            "Correct it there.",
            path=str(path),
            line=reader.line_num,
            reason=str(error),
        ) from error


def _text(path: Path) -> str:
    data = read_bytes(path, MOST_BYTES)
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        return data.decode("cp1252", errors="replace")  # what older spreadsheets write


def _check_header(path: Path, header: list[str]) -> None:
    if "file" not in header:
        raise AzulejarError(
            "tiles-csv-no-file-column",
            "{path} has no column named file.",
            "Let its first line name {columns}.",
            path=str(path),
            columns=", ".join(COLUMNS),
        )
    twice = sorted({name for name in header if name and header.count(name) > 1})
    if twice:
        raise AzulejarError(
            "tiles-csv-column-twice",
            "{path} has two columns named {column}.",
            "Remove one of them.",
            path=str(path),
            column=twice[0],
        )


def _record(path: Path, line: int, cells: dict[str, str]) -> Record:
    turn = cells["turn"].removesuffix("°").strip()
    if turn and turn not in _TURNS:
        raise AzulejarError(
            "tiles-csv-bad-turn",
            "{path}, row {line}: has turn {turn!r}: it is 0, 90, 180 or 270.",
            "Correct it there.",
            path=str(path),
            line=line,
            turn=turn,
        )
    return Record(
        inventory=cells["inventory"] or None,
        crate=cells["crate"] or None,
        code=cells["code"] or None,
        turn=_TURNS[turn] if turn else None,
        row=_count(path, line, "row", cells["row"]),
        col=_count(path, line, "col", cells["col"]),
        panel=cells["panel"] or None,
        note=cells["note"] or None,
        line=line,
    )


def _count(path: Path, line: int, name: str, cell: str) -> int | None:
    if not cell:
        return None
    digits = cell.lstrip("0") if cell.isascii() and cell.isdigit() else ""
    # No number of so many digits is converted, which would take long.
    if not digits or len(digits) > len(str(LONGEST)) or int(digits) > LONGEST:
        raise AzulejarError(
            "tiles-csv-bad-count",
            "{path}, row {line}: has {name} {cell!r}: rows and cols count from 1 to {longest}.",
            "Correct it there.",
            path=str(path),
            line=line,
            name=name,
            cell=cell if len(cell) <= _SHOWN else f"{cell[:_SHOWN]}…",
            longest=LONGEST,
        )
    return int(digits) - 1


def _check_numbers(path: Path, records: Sequence[Record], files: Sequence[str]) -> None:
    """Raise where two tiles have one inventory number."""
    taken: dict[str, int] = {}
    for tile, (known, file) in enumerate(zip(records, files, strict=True)):
        number = known.inventory or Path(file).stem
        other = taken.setdefault(number, tile)
        if other != tile:
            first, second = records[other].line, known.line
            if first is None or second is None:
                raise AzulejarError(
                    "tiles-csv-number-taken",
                    "{path}, row {line}: gives {file} and {other} the same number {number}.",
                    "Correct it there.",
                    path=str(path),
                    line=first or second,
                    file=files[other],
                    other=file,
                    number=number,
                )
            raise AzulejarError(
                "tiles-csv-number-twice",
                "{path}, rows {first} and {second}: give {file} and {other} the same number "
                "{number}.",
                "Correct it there.",
                path=str(path),
                first=first,
                second=second,
                file=files[other],
                other=file,
                number=number,
            )
