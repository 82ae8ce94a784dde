"""What all records of a panel share, whatever their format."""

from dataclasses import dataclass
from datetime import date
from urllib.parse import quote

from azulejar.core.solution import PlacedTile, Solution
from azulejar.errors import AzulejarError
from azulejar.outputs.placement import placed_tiles
from azulejar.outputs.wording import format_probability


@dataclass(frozen=True)
class Provenance:
    """Where a record comes from.

    Args:
        title: Name of the panel.
        base_url: Address below which panel and tiles have theirs, without a slash at its end.
        date: Day on which the panel was put together, as 2026-11-17.
        by: The person who put it together or accepts it; by default the program alone.
        museum: The institution that publishes the record.

    Examples:
        >>> from azulejar import Provenance
        >>> about = Provenance("Panel 1", "https://museum.example", "2026-11-17", by="Ana Silva")
        >>> about.publisher, about.panel_address(0)
        ('Ana Silva', 'https://museum.example/panel/1')
    """

    title: str
    base_url: str
    date: str
    by: str | None = None
    museum: str | None = None

    @property
    def publisher(self) -> str:
        """The institution, else the person, else the program."""
        return self.museum or self.by or "azulejar"

    def panel_address(self, panel: int) -> str:
        """Return the address of a panel, which is counted from 0."""
        return f"{self.base_url}/panel/{panel + 1}"

    def tile_address(self, tile: PlacedTile) -> str:
        """Return the address of a tile."""
        return f"{self.base_url}/tile/{quote(tile.number, safe='')}"


def check_day(text: str) -> str:
    """Return a day as ISO 8601 (2026-11-17); raise if it is none."""
    try:
        return date.fromisoformat(text.strip()).isoformat()
    except ValueError:
        raise AzulejarError(
            "day-unreadable",
            "{text!r} is not a date.",
            "Give year, month and day as 2026-11-17.",
            text=text,
        ) from None


def tiles_of_panel(solution: Solution, panel: int) -> list[PlacedTile]:
    """Return the tiles of one panel, counted from 0, in reading order; raise if it has none."""
    tiles = [tile for tile in placed_tiles(solution) if tile.panel == panel]
    if not tiles:
        raise AzulejarError(
            "record-of-no-panel",
            "The solution has no panel {panel}.",
            "Its panels are {panels}.",
            panel=panel + 1,
            panels=", ".join(str(p + 1) for p in sorted({t.panel for t in solution.tiles} - {-1}))
            or "none",
        )
    return tiles


def describe_method(solution: Solution) -> str:
    """Say how the panel was put together."""
    how = [f"azulejar {solution.version}" if solution.version else "azulejar"]
    for name in ("measure", "solver", "preset", "seed"):
        if (value := getattr(solution, name)) is not None:
            how.append(f"{name} {value}")
    return ", ".join(how)


def describe_tile_place(tile: PlacedTile) -> str:
    """Say where in the panel a tile lies, from 1, how it is turned, and how sure that is."""
    sure = "" if tile.confidence is None else f", confidence {format_probability(tile.confidence)}"
    turned = f"turned {tile.turn}° clockwise" if tile.turn else "not turned"
    return f"Row {tile.row + 1}, col {tile.col + 1}, {turned}{sure}"


def describe_building_place(tile: PlacedTile) -> str:
    """Say where in the building a tile was; empty if nothing is known."""
    parts = {"wall": tile.wall, "level": tile.level, "section": tile.section}
    text = ", ".join(f"{name} {value}" for name, value in parts.items() if value)
    return text[:1].upper() + text[1:]
