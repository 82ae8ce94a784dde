"""``azulejar collection find``: which tiles of the whole collection fit an edge or a hole."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import typer
from rich.table import Table

from azulejar.cli.collection.options import CollectionFolder, open_filled
from azulejar.cli.console import console, note, say
from azulejar.collection.search.query import Match, find_edge, find_hole
from azulejar.collection.sort_results import SortResult, load_sort
from azulejar.collection.storage.catalogue import Collection, Entry
from azulejar.core.assembly import Place
from azulejar.core.edges import COL_STEP, ROW_STEP, SIDES, opposite, turn_towards
from azulejar.errors import AzulejarError
from azulejar.judging.candidates import surroundings
from azulejar.outputs.collection.find_sheet import FoundTile, LaidTile, check_suffix, write_sheet
from azulejar.outputs.collection.panels import load_panel_solution
from azulejar.outputs.collection.tile_pictures import describe_vanished
from azulejar.outputs.wording import format_sureness

Neighbours = dict[int, tuple[Entry, int]]
"""By direction, the tile that lies there and its side that faces the hole."""


@dataclass(frozen=True)
class _Answer:
    """The tiles ``found`` for a question, its ``title``, and the tiles ``around``."""

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

    A hole is given by the tiles beside it: where each lies, and which side of its picture faces the
    hole; or as an empty place of a solved panel, counted from 1 as in its report:
    azulejar collection find museum --panel 3 --row 4 --col 7

    Example: azulejar collection find museum A12 --side right -o sheet.html
    """
    if output is not None:
        check_suffix(output)
    with open_filled(folder) as collection:
        with console.status("Looking through the collection"):
            answer = _find(collection, tile, side, hole or [], (panel, row, col), count)
        fits = _describe_found(collection, answer)
        _print_ranking(answer, fits)
        if output is not None:
            vanished = write_sheet(output, collection, answer.title, answer.around, fits)
            if vanished:
                note(describe_vanished(vanished, len(answer.around) + len(fits)))
            say(f"Sheet: {output}")


def _find(
    collection: Collection,
    tile: str | None,
    side: str | None,
    hole: Sequence[str],
    place: tuple[str | None, int | None, int | None],
    count: int,
) -> _Answer:
    """Look for a tile's neighbours, or for what fits a hole: by its sides, or by its place."""
    if sum([tile is not None, bool(hole), any(part is not None for part in place)]) != 1:
        raise AzulejarError(
            "find-unclear",
            "What to fit is not clear.",
            "Give a tile, or --hole for each side, or --panel with --row and --col.",
        )
    if tile is not None:
        return _find_edge(collection, collection.entry(tile), side, count)
    if hole:
        return _find_hole(collection, "What fits the hole", _parse_hole(collection, hole), count)
    panel, row, col = place
    if panel is None or row is None or col is None:
        raise AzulejarError(
            "place-incomplete",
            "A place needs a panel, a row and a column.",
            "Give --panel, --row and --col.",
        )
    title = f"What fits row {row}, col {col} of panel {panel}"
    return _find_hole(collection, title, _neighbours_of_place(collection, panel, row, col), count)


def _find_edge(collection: Collection, entry: Entry, side: str | None, count: int) -> _Answer:
    number = None if side is None else _side_number(side)
    found = find_edge(collection, entry.number, number, count=count)
    where = "" if number is None else f" at its {SIDES[number]}"
    title = f"What fits {entry.inventory}{where}"
    return _Answer(title, [LaidTile(entry, 0, 0, 0)], found, hole=False)


def _find_hole(collection: Collection, title: str, around: Neighbours, count: int) -> _Answer:
    edges = {direction: (entry.number, side) for direction, (entry, side) in around.items()}
    found = find_hole(collection, edges, count=count)
    lying = [
        LaidTile(entry, *_step(direction), turn_towards(side, opposite(direction)))
        for direction, (entry, side) in around.items()
    ]
    return _Answer(title, lying, found, hole=True)


def _side_number(name: str) -> int:
    """Return 0 to 3 for top, right, bottom and left, or their first letters."""
    found = [i for i, side in enumerate(SIDES) if name and side.startswith(name.strip().lower())]
    if len(found) != 1:
        raise AzulejarError(
            "side-unknown",
            "There is no side {name!r}.",
            "Choose from {sides}.",
            name=name,
            sides=", ".join(SIDES),
        )
    return found[0]


def _parse_hole(collection: Collection, texts: Sequence[str]) -> Neighbours:
    """Read texts such as ``left=A12:right``; without a side, the tile lies as its picture is."""
    around: Neighbours = {}
    for text in texts:
        where, equals, rest = text.partition("=")
        if not equals or not rest:
            raise AzulejarError(
                "hole-unclear",
                "--hole {text} does not say which tile lies where.",
                "Write it like --hole left=A12:right.",
                text=text,
            )
        direction = _side_number(where)
        if direction in around:
            raise AzulejarError(
                "hole-side-twice",
                "Two tiles lie {where} of the hole.",
                "Name one for each side.",
                where=where,
            )
        around[direction] = _tile_and_side(collection, rest, opposite(direction))
    twice = [entry.inventory for entry, _ in around.values()]
    for name in twice:
        if twice.count(name) > 1:
            raise AzulejarError(
                "hole-tile-twice",
                "Tile {name} cannot lie on two sides.",
                "Name it once.",
                name=name,
            )
    return around


def _tile_and_side(collection: Collection, text: str, default: int) -> tuple[Entry, int]:
    """Read a tile and its side; an inventory number may hold colons itself."""
    name, colon, side = text.rpartition(":")
    if colon and side.strip().lower() in SIDES:
        return collection.entry(name), _side_number(side)
    return collection.entry(text), default


def _neighbours_of_place(collection: Collection, panel: str, row: int, col: int) -> Neighbours:
    """Return what lies around an empty place of a solved panel; rows and cols count from 1."""
    solution = load_panel_solution(collection, panel)
    assembly = solution.assembly()
    place = Place(0, row - 1, col - 1)
    lies = [
        tile.number for tile in solution.tiles if (tile.panel, tile.row, tile.col) == tuple(place)
    ]
    if lies:
        raise AzulejarError(
            "panel-place-is-no-hole",
            "Row {row}, col {col} of panel {panel} is no hole: {tile} lies there.",
            "Choose an empty place; its report shows them.",
            row=row,
            col=col,
            panel=panel,
            tile=lies[0],
        )
    return {
        direction: (collection.entry(solution.tiles[edge // 4].number), edge % 4)
        for direction, edge in surroundings(assembly, place).items()
    }


def _describe_found(collection: Collection, answer: _Answer) -> list[FoundTile]:
    last = load_sort(collection)
    return [
        FoundTile(
            LaidTile(each.entry, *((0, 0) if answer.hole else _step(each.side)), each.turn),
            each.probability,
            _last_panel(last, each.entry.number),
        )
        for each in answer.found
    ]


def _last_panel(last: SortResult | None, tile: int) -> str:
    """Say where the last sort put a tile, if it knew it."""
    if last is None or tile >= last.tiles:
        return ""
    return f"panel {last.names[tile]}" if tile in last.names else "stray"


def _step(direction: int) -> tuple[int, int]:
    return int(ROW_STEP[direction]), int(COL_STEP[direction])


def _print_ranking(answer: _Answer, fits: Sequence[FoundTile]) -> None:
    """Print the ranking as a table."""
    if not fits:
        say(f"{answer.title}: nothing.")
        return
    shown = Table(title=answer.title, title_justify="left")
    for name in ("rank", "tile", "crate", "at", "turn", "probability", "sorted into"):
        shown.add_column(name)
    for rank, (fit, each) in enumerate(zip(fits, answer.found, strict=True), 1):
        shown.add_row(
            str(rank),
            each.entry.inventory,
            each.entry.crate,
            "hole" if answer.hole else SIDES[each.side],
            f"{90 * each.turn}°",
            format_sureness(fit.probability),
            fit.now or "–",
        )
    console.print(shown)
