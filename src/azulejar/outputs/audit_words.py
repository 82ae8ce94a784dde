"""What an audit found, in a sentence for each finding."""

from azulejar.core.assembly import Assembly, Place
from azulejar.core.tiles import TileSet
from azulejar.judging.audit import Audit, Finding


def sentence(tiles: TileSet, audit: Audit, finding: Finding) -> str:
    """What seems wrong and what would be better, in plain text."""
    names = [tiles.numbers[tile] for tile in finding.tiles]
    places = [named(audit.given, place_of(audit.given, tile)) for tile in finding.tiles]
    if finding.kind == "turned":
        turn = _quarters(audit, finding.tiles[0]) * 90
        return f"Tile {names[0]} ({places[0]}) seems turned: turn it by {turn}° clockwise."
    belongs = [named(audit.given, place_of(audit.proposed, tile)) for tile in finding.tiles]
    told = [f"{name} ({where})" for name, where in zip(names, places, strict=True)]
    if finding.kind == "swapped":
        text = f"Tiles {told[0]} and {told[1]} seem swapped."
    elif len(names) == 1:
        text = f"Tile {told[0]} seems to belong in an empty place: {belongs[0]}."
    else:
        moves = ", ".join(f"{name}: {where}" for name, where in zip(names, belongs, strict=True))
        text = (
            f"Tiles {', '.join(told[:-1])} and {told[-1]} seem to lie in one another's places. "
            f"Where they belong: {moves}{', which is empty' if finding.hole else ''}."
        )
    return text + _turns(names, [_quarters(audit, tile) for tile in finding.tiles])


def place_of(assembly: Assembly, tile: int) -> Place:
    """Where a tile lies."""
    return Place(int(assembly.panel[tile]), int(assembly.row[tile]), int(assembly.col[tile]))


def named(assembly: Assembly, place: Place) -> str:
    """A place of an assembly, counted from 1."""
    if place.panel < 0:
        return "without a place"
    panel = f"panel {place.panel + 1}, " if assembly.panel.max() > 0 else ""
    return f"{panel}row {place.row + 1}, col {place.col + 1}"


def _turns(names: list[str], quarters: list[int]) -> str:
    turned = [f"{name} by {90 * q}°" for name, q in zip(names, quarters, strict=True) if q]
    return f" Turn {' and '.join(turned)} clockwise." if turned else ""


def _quarters(audit: Audit, tile: int) -> int:
    """How far the tile is to be turned clockwise from how it lies."""
    if audit.proposed.panel[tile] < 0:
        return 0
    return int(audit.proposed.turn[tile] - audit.given.turn[tile]) % 4
