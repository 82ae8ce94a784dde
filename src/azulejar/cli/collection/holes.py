"""Holes as people describe them: by the tiles around, or as a place of a solved panel."""

from collections.abc import Sequence

from azulejar.collection.storage.catalogue import Collection, Entry
from azulejar.core.assembly import Place
from azulejar.core.edges import SIDES, opposite
from azulejar.errors import AzulejarError
from azulejar.judging.candidates import surroundings
from azulejar.outputs.collection.panels import load_panel_solution

Around = dict[int, tuple[Entry, int]]
"""By direction, the tile that lies there and its side that faces the hole."""


def side_number(name: str) -> int:
    """0 to 3 for top, right, bottom and left, or their first letters."""
    found = [i for i, side in enumerate(SIDES) if name and side.startswith(name.strip().lower())]
    if len(found) != 1:
        raise AzulejarError(f"There is no side {name!r}.", f"Choose from {', '.join(SIDES)}.")
    return found[0]


def described(collection: Collection, texts: Sequence[str]) -> Around:
    """From texts such as ``left=A12:right``; without a side, the tile lies as its picture is."""
    around: Around = {}
    for text in texts:
        where, equals, rest = text.partition("=")
        if not equals or not rest:
            raise AzulejarError(
                f"--hole {text} does not say which tile lies where.",
                "Write it like --hole left=A12:right.",
            )
        direction = side_number(where)
        if direction in around:
            raise AzulejarError(f"Two tiles lie {where} of the hole.", "Name one for each side.")
        around[direction] = _tile_and_side(collection, rest, opposite(direction))
    twice = [entry.inventory for entry, _ in around.values()]
    for name in twice:
        if twice.count(name) > 1:
            raise AzulejarError(f"Tile {name} cannot lie on two sides.", "Name it once.")
    return around


def _tile_and_side(collection: Collection, text: str, default: int) -> tuple[Entry, int]:
    """An inventory number may hold colons itself."""
    name, colon, side = text.rpartition(":")
    if colon and side.strip().lower() in SIDES:
        return collection.entry(name), side_number(side)
    return collection.entry(text), default


def at_place(collection: Collection, panel: str, row: int, col: int) -> Around:
    """The tiles around an empty place of a solved panel; rows and cols count from 1."""
    solution = load_panel_solution(collection, panel)
    assembly = solution.assembly()
    place = Place(0, row - 1, col - 1)
    lies = [
        tile.number for tile in solution.tiles if (tile.panel, tile.row, tile.col) == tuple(place)
    ]
    if lies:
        raise AzulejarError(
            f"Row {row}, col {col} of panel {panel} is no hole: {lies[0]} lies there.",
            "Choose an empty place; its report shows them.",
        )
    return {
        direction: (collection.entry(solution.tiles[edge // 4].number), edge % 4)
        for direction, edge in surroundings(assembly, place).items()
    }
