"""What an audit found, in a sentence for each finding."""

from azulejar.assembly import Assembly
from azulejar.audit import Audit, Finding
from azulejar.tiles import TileSet


def sentence(tiles: TileSet, audit: Audit, finding: Finding) -> str:
    """What seems wrong and what would be better, in plain text."""
    names = [tiles.numbers[tile] for tile in finding.tiles]
    places = [place(audit.given, tile) for tile in finding.tiles]
    if len(names) == 1:
        turn = _quarters(audit, finding.tiles[0]) * 90
        return f"Tile {names[0]} ({places[0]}) seems turned: turn it by {turn}° clockwise."
    belongs = [place(audit.proposed, tile) for tile in finding.tiles]
    told = [f"{name} ({where})" for name, where in zip(names, places, strict=True)]
    if len(names) == 2:
        text = f"Tiles {told[0]} and {told[1]} seem swapped."
    else:
        moves = ", ".join(f"{name}: {where}" for name, where in zip(names, belongs, strict=True))
        text = (
            f"Tiles {', '.join(told[:-1])} and {told[-1]} seem to lie in one another's places. "
            f"Where they belong: {moves}."
        )
    return text + _turns(names, [_quarters(audit, tile) for tile in finding.tiles])


def place(assembly: Assembly, tile: int) -> str:
    """Where a tile lies, counted from 1."""
    if assembly.panel[tile] < 0:
        return "without a place"
    several = assembly.panel.max() > 0
    panel = f"panel {assembly.panel[tile] + 1}, " if several else ""
    return f"{panel}row {assembly.row[tile] + 1}, col {assembly.col[tile] + 1}"


def _turns(names: list[str], quarters: list[int]) -> str:
    turned = [f"{name} by {90 * q}°" for name, q in zip(names, quarters, strict=True) if q]
    return f" Turn {' and '.join(turned)} clockwise." if turned else ""


def _quarters(audit: Audit, tile: int) -> int:
    """How far the tile is to be turned clockwise from how it lies."""
    if audit.proposed.panel[tile] < 0:
        return 0
    return int(audit.proposed.turn[tile] - audit.given.turn[tile]) % 4
