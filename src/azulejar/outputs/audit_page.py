"""``audit.html``: every finding as it is and as proposed, on one page that needs nothing else."""

from dataclasses import replace
from html import escape
from typing import Any

import numpy as np

from azulejar.core.assembly import Assembly, Place
from azulejar.core.tiles import TileSet
from azulejar.judging.audit import Audit, Finding
from azulejar.outputs.audit_words import named, place_of, sentence
from azulejar.outputs.page import page, section
from azulejar.outputs.pictures import data_uri, grid, mosaic

TILE_PIXELS = 96
OVERVIEW_PIXELS = 1400
SHOWN = 6  # places of one finding


def audit_page(name: str, tiles: TileSet, audit: Audit, about: dict[str, Any]) -> str:
    """The whole page; ``about`` names measure, threshold and version."""
    title = f"Audit of {escape(name)}"
    parts = [_headline(title, audit, about), _overview(tiles, audit), _findings(tiles, audit)]
    return page(title, "\n".join(parts))


def _headline(title: str, audit: Audit, about: dict[str, Any]) -> str:
    facts = {
        "tiles": f"{len(audit.given):,}",
        "findings": len(audit.findings),
        "tiles marked": len(audit.marked),
        "least probability": about["threshold"],
        "measure": about["measure"],
        "version": about["version"],
    }
    items = "".join(
        f"<div><dt>{name}</dt><dd>{escape(str(value))}</dd></div>" for name, value in facts.items()
    )
    return f'<header><h1>{title}</h1><dl class="facts">{items}</dl></header>'


def _overview(tiles: TileSet, audit: Audit) -> str:
    panels = [int(panel) for panel in np.unique(audit.given.panel) if panel >= 0]
    figures = "".join(f"<figure>{_marked_panel(tiles, audit, panel)}</figure>" for panel in panels)
    lead = (
        "The assembly as it is. A frame marks a tile that is more likely in the wrong place, or "
        "turned, than right, or an empty place that one fits; its number is that of the finding "
        "below."
        if audit.findings
        else "No tile seems to be in the wrong place or turned. Plain tiles, whose edges fit "
        "everywhere alike, cannot be judged."
    )
    return section("The assembly", lead, figures)


def _marked_panel(tiles: TileSet, audit: Audit, panel: int) -> str:
    places = grid(audit.given, panel)
    rows, cols = places.shape
    picture = data_uri(mosaic(tiles, audit.given.turn, places, OVERVIEW_PIXELS), OVERVIEW_PIXELS)
    frames = "".join(
        _frame(place, number)
        for number, found in enumerate(audit.findings, 1)
        for place in _changed(audit, found)
        if place.panel == panel
    )
    return (
        f'<svg class="audited" role="img" aria-label="The assembly with marked tiles" '
        f'viewBox="0 0 {100 * cols} {100 * rows}" style="max-width:{96 * cols}px">'
        f'<image href="{picture}" width="{100 * cols}" height="{100 * rows}"/>{frames}</svg>'
    )


def _frame(place: Place, number: int) -> str:
    x, y = 100 * place.col, 100 * place.row
    return (
        f'<a href="#finding-{number}"><rect class="mark" x="{x + 3}" y="{y + 3}" width="94" '
        f'height="94"/><circle class="c0" cx="{x + 24}" cy="{y + 24}" r="18"/>'
        f'<text class="number" x="{x + 24}" y="{y + 24}">{number}</text></a>'
    )


def _findings(tiles: TileSet, audit: Audit) -> str:
    if not audit.findings:
        return ""
    cards = "".join(
        _card(tiles, audit, found, number) for number, found in enumerate(audit.findings, 1)
    )
    lead = (
        "The surest first, with the probability. On the left the places as they are, on the right "
        "as proposed, with the tiles around them."
    )
    return section("Findings", lead, f'<div class="findings">{cards}</div>')


def _card(tiles: TileSet, audit: Audit, found: Finding, number: int) -> str:
    rows = "".join(
        f"<figcaption>{escape(named(audit.given, place))}</figcaption>"
        f"{_around(tiles, audit, audit.given, place)}"
        f"{_around(tiles, audit, audit.proposed, place)}"
        for place in _changed(audit, found)[:SHOWN]
    )
    return (
        f'<article class="finding" id="finding-{number}"><header><h3>{number}</h3>'
        f"<p>{escape(sentence(tiles, audit, found))}</p>"
        f'<span class="score">{found.probability:.2f}</span></header>'
        f'<figure class="pairs"><b>as it is</b><b>as proposed</b>{rows}</figure></article>'
    )


def _changed(audit: Audit, found: Finding) -> list[Place]:
    """The places that a finding would change; an empty one, to be filled, first."""
    lie = [place_of(audit.given, tile) for tile in found.tiles if audit.given.panel[tile] >= 0]
    return [*([found.hole] if found.hole else []), *lie]


def _around(tiles: TileSet, audit: Audit, assembly: Assembly, place: Place) -> str:
    """A place and those around it in an assembly, as one picture."""
    box = audit.given.box(place.panel)
    whole = grid(replace(assembly, size=box), place.panel)
    top, left = (max(0, min(at - 1, count - 3)) for at, count in zip(place[1:], box, strict=True))
    places = whole[top : top + 3, left : left + 3]
    rows, cols = places.shape
    x, y = 100 * (place.col - left), 100 * (place.row - top)
    picture = data_uri(mosaic(tiles, assembly.turn, places, 3 * TILE_PIXELS), 3 * TILE_PIXELS)
    there = int(whole[place.row, place.col])
    turned = f", turned {90 * int(assembly.turn[there])}°"
    name = escape(tiles.numbers[there]) if there >= 0 else "empty"
    return (
        f'<div><svg viewBox="0 0 {100 * cols} {100 * rows}" role="img" '
        f'aria-label="{name} among its neighbours">'
        f'<image href="{picture}" width="{100 * cols}" height="{100 * rows}"/>'
        f'<rect class="frame" x="{x}" y="{y}" width="100" height="100"/></svg>'
        f"<small>{name}{turned if there >= 0 else ''}</small></div>"
    )
