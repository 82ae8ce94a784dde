"""Drawings of the director's report, as sizes and positions for SVG."""

from collections.abc import Sequence
from typing import Any

from azulejar.outputs.collection.crate_selection import Crates, order_in_blocks
from azulejar.outputs.collection.panels import SolvedPanel
from azulejar.outputs.wording import TRUST, count_noun, format_percent, trust_of

WIDTH, HEIGHT = 1100, 220
COLUMNS = 160  # panels that can be told apart side by side
CELL = 26
LABEL = 84


def draw_columns(panels: Sequence[SolvedPanel]) -> dict[str, Any]:
    """Draw a column for each panel, largest first: its places, and how many have a tile."""
    shown = sorted(panels, key=lambda panel: -panel.places)[:COLUMNS]
    highest = max(panel.places for panel in shown)
    pitch = min(40.0, WIDTH / len(shown))
    return {
        "width": pitch * len(shown),
        "height": HEIGHT,
        "column": pitch * 0.78,
        "columns": [
            {
                "title": f"Panel {panel.name}: {panel.within:,} of "
                f"{count_noun(panel.places, 'place')}, {TRUST[trust_of(panel.confidence)]}",
                "trust": trust_of(panel.confidence),
                "x": i * pitch,
                "places": HEIGHT * panel.places / highest,
                "tiles": HEIGHT * panel.within / highest,
            }
            for i, panel in enumerate(shown)
        ],
    }


def draw_crate_matrix(panels: Crates) -> dict[str, Any]:
    """Draw crates down and panels across.

    A disc's area is the share of the panel that the crate holds.
    """
    rows, columns = order_in_blocks(panels)
    return {
        "width": LABEL + CELL * len(columns) + 30,
        "height": LABEL + CELL * len(rows) + 4,
        "label": LABEL,
        "right": CELL * len(columns),
        "down": CELL * len(rows),
        "crates": [(_middle(y), _shorten(crate)) for y, crate in enumerate(rows)],
        "panels": [(_middle(x), _shorten(panel)) for x, panel in enumerate(columns)],
        "discs": [
            _disc(x, y, panels[panel][crate], panel, crate, sum(panels[panel].values()))
            for x, panel in enumerate(columns)
            for y, crate in enumerate(rows)
            if panels[panel].get(crate, 0)
        ],
    }


def _disc(x: int, y: int, count: int, panel: str, crate: str, total: int) -> dict[str, Any]:
    share = count / total
    tiles = count_noun(count, "tile")
    return {
        "x": _middle(x),
        "y": _middle(y),
        "radius": max(2.0, (CELL / 2 - 1) * share**0.5),
        "title": f"Crate {crate}: {tiles} of panel {panel}, {format_percent(share)}",
    }


def _middle(index: int) -> float:
    return LABEL + CELL * index + CELL / 2


def _shorten(name: str) -> str:
    return name if len(name) <= 11 else name[:10] + "…"
