"""``tiles.csv``: what the museum has on record of each tile."""

import re
from collections.abc import Sequence
from dataclasses import replace
from decimal import Decimal
from pathlib import Path, PureWindowsPath

from azulejar.core.edges import SIDES
from azulejar.core.knowns import Lock
from azulejar.core.limits import LONGEST
from azulejar.core.tiles import Record
from azulejar.errors import AzulejarError
from azulejar.knowledge.headings import READ, guesses
from azulejar.knowledge.inventory_table import read_lines

NAME = "tiles.csv"
THICKEST = 200  # millimetres
_SHOWN = 20  # characters of a cell in a message
_TURNS = {"0": 0, "90": 1, "180": 2, "270": 3}
_HALVES = {name: name for name in ("height", "width", "both")} | {
    "altura": "height", "largura": "width", "ambas": "both",
}  # fmt: skip
_SIDES = {name: name for name in SIDES} | {
    "cima": "top", "direita": "right", "baixo": "bottom", "esquerda": "left",
}  # fmt: skip


def read_inventory(path: Path, files: Sequence[str]) -> tuple[tuple[Record, ...], list[str]]:
    """Return a record for each of ``files``, and notes on lines that were left out.

    The columns may come in any order, in English or Portuguese (``headings``), with others beside
    them; only ``file`` is required, with or without its suffix. Rows and cols count from 1, as in
    ``placement.csv``.
    """
    by_name = {Path(file).stem: i for i, file in enumerate(files)}
    by_name |= {file: i for i, file in enumerate(files)}
    records = [Record()] * len(files)
    strangers = []
    unknown, lines = read_lines(path)
    for line, cells in lines:
        name = cells["file"]
        tile = by_name.get(name, by_name.get(PureWindowsPath(name).name))  # other tables have paths
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
        told = _some(strangers)
        tiles = "1 tile that is" if len(strangers) == 1 else f"{len(strangers)} tiles that are"
        notes.append(f"{NAME} speaks of {tiles} not here: {told}.")
    if unknown:
        notes.append(f"{NAME} has headings that are not understood: {_some(guesses(unknown))}.")
    return tuple(records), notes


def records_in(folder: Path, files: Sequence[str]) -> tuple[Record, ...]:
    """Return what the folder's ``tiles.csv`` says of each of ``files``; nothing without one."""
    if not (folder / NAME).exists():
        return (Record(),) * len(files)
    return read_inventory(folder / NAME, files)[0]


def cells_of(file: str, known: Record) -> dict[str, object]:
    """Return a record as cells of ``tiles.csv``, by the columns of ``READ``."""
    counts = {"row": known.row, "row_from_bottom": None, "col": known.col}
    if known.row is not None and known.row < 0:
        counts |= {"row": None, "row_from_bottom": -1 - known.row}
    return (
        {name: getattr(known, name, None) or "" for name in READ}
        | {name: "" if count is None else str(count + 1) for name, count in counts.items()}
        | {
            "file": file,
            "thickness": "" if known.thickness is None else Decimal(f"{known.thickness:g}"),
            "turn": "" if known.turn is None else str(90 * known.turn),
        }
    )


def _some(names: Sequence[str]) -> str:
    return ", ".join(names[:5]) + (" …" if len(names) > 5 else "")


def locks_of(records: Sequence[Record], rows: int | None = None) -> tuple[Lock, ...]:
    """Return what the records say of places and turns, in a panel of ``rows`` if that is known."""
    return tuple(
        Lock(tile, _row(known, rows), known.col, known.turn, f"row {known.line} of {NAME}")
        for tile, known in enumerate(records)
        if (known.row, known.col, known.turn) != (None, None, None)
    )


def count_rows_from_bottom(records: Sequence[Record]) -> tuple[Record, ...]:
    """Return records whose rows were written as counted from the bottom."""
    return tuple(
        known if known.row is None or known.row < 0 else replace(known, row=-1 - known.row)
        for known in records
    )


def _row(known: Record, rows: int | None) -> int | None:
    """Return the row of a tile, counted from the top."""
    if known.row is None or known.row >= 0:
        return known.row
    if rows is None:
        raise AzulejarError(
            "tiles-csv-rows-unknown",
            "{name} counts rows from the bottom, and how many there are is not known.",
            "Give the number of rows.",
            name=NAME,
        )
    if known.row < -rows:
        raise AzulejarError(
            "tiles-csv-row-above",
            "{name}, row {line}: says row {row} from the bottom, of {rows} rows.",
            "Correct it there, or the number of rows.",
            name=NAME,
            line=known.line,
            row=-known.row,
            rows=rows,
        )
    return known.row + rows


def outer_of(records: Sequence[Record]) -> tuple[int, ...]:
    """Return the edges that the records call outer sides."""
    return tuple(
        4 * tile + SIDES.index(side)
        for tile, known in enumerate(records)
        for side in (known.outer or "").split()
    )


def panels_of(records: Sequence[Record]) -> dict[str, tuple[int, ...]]:
    """Return the tiles of each panel that the records name, in the order of the tiles."""
    found: dict[str, list[int]] = {}
    for tile, known in enumerate(records):
        if known.panel is not None:
            found.setdefault(known.panel, []).append(tile)
    return {name: tuple(tiles) for name, tiles in found.items()}


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
    words = (
        "inventory", "crate", "code", "mark", "panel", "pattern", "wall", "level", "section",
        "photo", "note",
    )  # fmt: skip
    row = _count(path, line, "row", cells["row"])
    if row is None and (above := _count(path, line, "row", cells["row_from_bottom"])) is not None:
        row = -1 - above
    return Record(
        **{name: cells[name] or None for name in words},
        thickness=_thickness(path, line, cells["thickness"]),
        turn=_TURNS[turn] if turn else None,
        row=row,
        col=_count(path, line, "col", cells["col"]),
        iiif=_address(path, line, cells["iiif"]),
        outer=_sides(path, line, cells["outer"]),
        half=_half(path, line, cells["half"]),
        line=line,
    )


def _thickness(path: Path, line: int, cell: str) -> float | None:
    """Return millimetres; the decimals may follow a comma."""
    if not cell:
        return None
    number = re.fullmatch(r"(\d{1,4}(?:[.,]\d{1,4})?) *(mm|cm|cm cm)?", cell, re.ASCII)
    size = float(number[1].replace(",", ".")) if number else 0.0
    if number and number[2] and "cm" in number[2]:
        size = round(10 * size, 4)
    if not 0 < size <= THICKEST:
        raise AzulejarError(
            "tiles-csv-bad-thickness",
            "{path}, row {line}: has thickness {cell!r}: it is in millimetres, up to {most}.",
            "Correct it there.",
            path=str(path),
            line=line,
            cell=_shorten(cell),
            most=THICKEST,
        )
    return size


def _sides(path: Path, line: int, cell: str) -> str | None:
    """Return the names of sides, in English and each once; they may be given in any order."""
    words = re.split(r"[\s,;/+]+", cell.casefold().strip(" ,;/+"))
    if not cell:
        return None
    if not _SIDES.keys() >= set(words):
        raise AzulejarError(
            "tiles-csv-bad-outer",
            "{path}, row {line}: has outer {cell!r}: it names sides, of {sides}.",
            "Correct it there.",
            path=str(path),
            line=line,
            cell=_shorten(cell),
            sides=", ".join(_SIDES),
        )
    named = {_SIDES[word] for word in words}
    return " ".join(side for side in SIDES if side in named)


def _half(path: Path, line: int, cell: str) -> str | None:
    """Return which measures of a half or quarter tile are half as long, in English."""
    if cell and cell.casefold() not in _HALVES:
        raise AzulejarError(
            "tiles-csv-bad-half",
            "{path}, row {line}: has half {cell!r}: it is one of {choices}, or empty.",
            "Correct it there.",
            path=str(path),
            line=line,
            cell=_shorten(cell),
            choices=", ".join(_HALVES),
        )
    return _HALVES.get(cell.casefold())


def _address(path: Path, line: int, cell: str) -> str | None:
    """Return the base URI of an image on a IIIF server."""
    if not cell:
        return None
    address = cell.removesuffix("/info.json").rstrip("/")
    if not re.fullmatch(r"https?://[^\s/?#]+/[^\s?#]+", address):
        raise AzulejarError(
            "tiles-csv-bad-iiif",
            "{path}, row {line}: has iiif {cell!r}: it is the address of an image on a server.",
            "Give one such as https://museum.example/iiif/A017.",
            path=str(path),
            line=line,
            cell=cell,
        )
    return address


def _shorten(cell: str) -> str:
    return cell if len(cell) <= _SHOWN else f"{cell[:_SHOWN]}…"


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
            cell=_shorten(cell),
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
