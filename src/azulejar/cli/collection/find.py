"""``azulejar collection find``: which tiles of the whole collection fit an edge or a hole."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import typer
from rich.table import Table

from azulejar.cli.collection.holes import Around, at_place, described, side_number
from azulejar.cli.collection.opened import opened
from azulejar.cli.collection.options import CollectionFolder
from azulejar.cli.console import console
from azulejar.collection.search.query import Match, find_edge, find_hole
from azulejar.collection.sort_results import SortResult, load_sort
from azulejar.collection.storage.catalogue import Collection, Entry
from azulejar.core.edges import COL_STEP, ROW_STEP, SIDES, opposite, turn_towards
from azulejar.errors import AzulejarError
from azulejar.outputs.collection.find_sheet import FoundTile, LaidTile, check_suffix, write_sheet
from azulejar.outputs.collection.tile_pictures import describe_vanished
from azulejar.outputs.wording import format_sureness


@dataclass(frozen=True)
class Question:
    """What is asked, in words, the tiles that lie there, and the answers."""

    title: str
    around: list[LaidTile]
    found: list[Match]
    hole: bool


def command(
    folder: CollectionFolder,
    tile: Annotated[
        str | None,
        typer.Argument(metavar="[TILE]", help="Inventory number of a tile.", show_default=False),
    ] = None,
    side: Annotated[
        str | None,
        typer.Option(help="top, right, bottom or left of its picture; by default any."),
    ] = None,
    hole: Annotated[
        list[str] | None,
        typer.Option(
            metavar="WHERE=TILE:SIDE",
            help="What lies beside a hole, such as left=A12:right; once for each side.",
        ),
    ] = None,
    panel: Annotated[
        str | None, typer.Option(metavar="NAME", help="A solved panel with a hole.")
    ] = None,
    row: Annotated[int | None, typer.Option(help="Row of the hole, from 1.")] = None,
    col: Annotated[int | None, typer.Option(help="Column of the hole, from 1.")] = None,
    count: Annotated[int, typer.Option(min=1, max=500, help="How many to show.")] = 12,
    output: Annotated[
        Path | None,
        typer.Option(
            "--output", "-o", metavar="SHEET", help="Also a contact sheet: .html, .png or .jpg."
        ),
    ] = None,
) -> None:
    """Rank the tiles of the whole collection that fit a side of a tile, or a hole.

    A hole is told by the tiles beside it: where each lies, and which side of its picture faces the
    hole; or as an empty place of a solved panel, counted from 1 as in its report:
    azulejar collection find museum --panel 3 --row 4 --col 7

    Example: azulejar collection find museum A12 --side right -o sheet.html
    """
    if output is not None:
        check_suffix(output)
    with opened(folder) as collection:
        with console.status("Looking through the collection"):
            asked = _ask(collection, tile, side, hole or [], (panel, row, col), count)
        fits = _fits(collection, asked)
        _tell(asked, fits)
        if output is not None:
            vanished = write_sheet(output, collection, asked.title, asked.around, fits)
            if vanished:
                note = describe_vanished(vanished, len(asked.around) + len(fits))
                console.print(f"  note: {note}", style="yellow", markup=False, soft_wrap=True)
            console.print(f"Sheet: {output}", markup=False, soft_wrap=True)


def _ask(
    collection: Collection,
    tile: str | None,
    side: str | None,
    hole: Sequence[str],
    place: tuple[str | None, int | None, int | None],
    count: int,
) -> Question:
    """One of the three ways to ask."""
    if sum([tile is not None, bool(hole), any(part is not None for part in place)]) != 1:
        raise AzulejarError(
            "What to fit is not clear.",
            "Give a tile, or --hole for each side, or --panel with --row and --col.",
        )
    if tile is not None:
        return _ask_edge(collection, collection.entry(tile), side, count)
    if hole:
        return _ask_hole(collection, "What fits the hole", described(collection, hole), count)
    panel, row, col = place
    if panel is None or row is None or col is None:
        raise AzulejarError("A place needs a panel, a row and a column.",
                            "Give --panel, --row and --col.")  # fmt: skip
    title = f"What fits row {row}, col {col} of panel {panel}"
    return _ask_hole(collection, title, at_place(collection, panel, row, col), count)


def _ask_edge(collection: Collection, entry: Entry, side: str | None, count: int) -> Question:
    number = None if side is None else side_number(side)
    found = find_edge(collection, entry.number, number, count=count)
    where = "" if number is None else f" at its {SIDES[number]}"
    title = f"What fits {entry.inventory}{where}"
    return Question(title, [LaidTile(entry, 0, 0, 0)], found, hole=False)


def _ask_hole(collection: Collection, title: str, around: Around, count: int) -> Question:
    edges = {direction: (entry.number, side) for direction, (entry, side) in around.items()}
    found = find_hole(collection, edges, count=count)
    lying = [
        LaidTile(entry, *_step(direction), turn_towards(side, opposite(direction)))
        for direction, (entry, side) in around.items()
    ]
    return Question(title, lying, found, hole=True)


def _fits(collection: Collection, asked: Question) -> list[FoundTile]:
    last = load_sort(collection)
    return [
        FoundTile(
            LaidTile(each.entry, *((0, 0) if asked.hole else _step(each.side)), each.turn),
            each.probability,
            _place(last, each.entry.number),
        )
        for each in asked.found
    ]


def _place(last: SortResult | None, tile: int) -> str:
    """Where the last sort put a tile, if it knew it."""
    if last is None or tile >= last.tiles:
        return ""
    return f"panel {last.names[tile]}" if tile in last.names else "stray"


def _step(direction: int) -> tuple[int, int]:
    return int(ROW_STEP[direction]), int(COL_STEP[direction])


def _tell(asked: Question, fits: Sequence[FoundTile]) -> None:
    """The ranking as a table."""
    if not fits:
        console.print(f"{asked.title}: nothing.", markup=False)
        return
    shown = Table(title=asked.title, title_justify="left")
    for name in ("rank", "tile", "crate", "at", "turn", "probability", "sorted into"):
        shown.add_column(name)
    for rank, (fit, each) in enumerate(zip(fits, asked.found, strict=True), 1):
        shown.add_row(
            str(rank),
            each.entry.inventory,
            each.entry.crate,
            "hole" if asked.hole else SIDES[each.side],
            f"{90 * each.turn}°",
            format_sureness(fit.probability),
            fit.now or "–",
        )
    console.print(shown)
