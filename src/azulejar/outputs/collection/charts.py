"""Drawings of the director's report, as SVG."""

from collections.abc import Sequence
from html import escape

from azulejar.outputs.collection.opening import Crates, in_blocks
from azulejar.outputs.collection.panels import Panel
from azulejar.outputs.collection.words import TRUST, counted, per_cent, trust

WIDTH, HEIGHT = 1100, 220
COLUMNS = 160  # panels that can be told apart side by side
CELL = 26
LABEL = 84


def shares_bar(shares: Sequence[tuple[str, int, str]]) -> str:
    """One bar of all tiles with its key; a share is its words, tiles and trust."""
    total = max(1, sum(tiles for _, tiles, _ in shares))
    there = [share for share in shares if share[1]]
    parts = "".join(
        f'<i class="{kind}" style="flex:{tiles}" title="{words}: {tiles:,}"></i>'
        for words, tiles, kind in there
    )
    key = "".join(
        f'<li><i class="{kind}"></i><b>{tiles:,}</b> {words} <small>{per_cent(tiles / total)}'
        "</small></li>"
        for words, tiles, kind in there
    )
    return f'<div class="shares">{parts}</div><ul class="key">{key}</ul>'


def skyline(panels: Sequence[Panel]) -> str:
    """A column for each panel, largest first: its places, and how many of them have a tile."""
    shown = sorted(panels, key=lambda panel: -panel.places)[:COLUMNS]
    highest = max(panel.places for panel in shown)
    pitch = min(40.0, WIDTH / len(shown))
    wide = pitch * 0.78
    bars = []
    for i, panel in enumerate(shown):
        x, full = i * pitch, HEIGHT * panel.places / highest
        has = HEIGHT * panel.within / highest
        title = (
            f"Panel {escape(panel.name)}: {panel.within:,} of {counted(panel.places, 'place')}, "
            f"{TRUST[trust(panel.confidence)]}"
        )
        bars.append(
            f"<g><title>{title}</title>"
            f'<rect class="empty" x="{x:.1f}" y="{HEIGHT - full:.1f}" width="{wide:.1f}" '
            f'height="{full:.1f}"/>'
            f'<rect class="f-{trust(panel.confidence)}" x="{x:.1f}" y="{HEIGHT - has:.1f}" '
            f'width="{wide:.1f}" height="{has:.1f}"/></g>'
        )
    across = pitch * len(shown)
    return (
        f'<svg class="skyline" role="img" aria-label="Places and tiles of each panel" '
        f'viewBox="0 0 {across:.0f} {HEIGHT + 1}" style="max-width:{across:.0f}px">{"".join(bars)}'
        f'<path class="axis" d="M0 {HEIGHT}.5H{across:.0f}"/></svg>'
    )


def crate_matrix(panels: Crates) -> str:
    """Crates down, panels across; a disc's area is the share of the panel that the crate holds."""
    rows, columns = in_blocks(panels)
    parts = []
    for y, crate in enumerate(rows):
        middle = LABEL + CELL * y + CELL / 2
        parts.append(f'<path class="line" d="M{LABEL} {middle}h{CELL * len(columns)}"/>')
        parts.append(f'<text class="y" x="{LABEL - 8}" y="{middle + 4}">{_short(crate)}</text>')
    for x, panel in enumerate(columns):
        middle = LABEL + CELL * x + CELL / 2
        parts.append(f'<path class="line" d="M{middle} {LABEL}v{CELL * len(rows)}"/>')
        parts.append(
            f'<text class="name" transform="translate({middle + 4} {LABEL - 8}) rotate(-60)">'
            f"{_short(panel)}</text>"
        )
    for x, panel in enumerate(columns):
        total = sum(panels[panel].values())
        for y, crate in enumerate(rows):
            count = panels[panel].get(crate, 0)
            if count:
                parts.append(_disc(x, y, count / total, crate, panel, count))
    wide, high = LABEL + CELL * len(columns) + 30, LABEL + CELL * len(rows) + 4
    return (
        f'<div class="wide"><svg class="matrix" role="img" aria-label="Crates and panels" '
        f'viewBox="0 0 {wide} {high}" width="{wide}">{"".join(parts)}</svg></div>'
    )


def _disc(x: int, y: int, share: float, crate: str, panel: str, count: int) -> str:
    radius = max(2.0, (CELL / 2 - 1) * share**0.5)
    return (
        f'<circle cx="{LABEL + CELL * x + CELL / 2}" cy="{LABEL + CELL * y + CELL / 2}" '
        f'r="{radius:.1f}"><title>Crate {escape(crate)}: {counted(count, "tile")} of panel '
        f"{escape(panel)}, {per_cent(share)}</title></circle>"
    )


def _short(name: str) -> str:
    return escape(name if len(name) <= 11 else name[:10] + "…")
