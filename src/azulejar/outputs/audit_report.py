"""The folder that an audit writes: audit.json, audit.csv, audit.html and proposed.json."""

import os
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from azulejar.core.assembly import Assembly, Place
from azulejar.core.solution import Solution
from azulejar.core.tiles import TileSet
from azulejar.judging.audit import Audit, Finding
from azulejar.judging.verdict import is_probably_wrong
from azulejar.outputs.html import write_html
from azulejar.outputs.joint_map import place_of
from azulejar.outputs.mosaics import data_uri, draw_mosaic, tile_grid
from azulejar.outputs.spreadsheets import write_spreadsheet
from azulejar.outputs.wording import (
    HARDLY_JUDGED,
    count_clause,
    describe_doubts,
    describe_place,
    format_percent,
    format_probability,
)
from azulejar.panel.doubts import LaidPanel
from azulejar.system.atomic import new_folder
from azulejar.system.json_text import json_text
from azulejar.version import __version__

MARK = "audit.json"
FORMAT = "azulejar-audit/1"
COLUMNS = (
    *("inventory", "file", "probability_wrong", "finding", "kind"),
    *("panel_from_1", "row_from_1", "col_from_1", "turn_degrees_clockwise"),
    *("better_panel_from_1", "better_row_from_1", "better_col_from_1"),
    *("better_turn_degrees_clockwise", "better_here"),
)
TILE_PIXELS = 96
OVERVIEW_PIXELS = 1400
SHOWN = 6  # places of one finding


def write_audit(
    folder: str | os.PathLike[str],
    tiles: TileSet,
    audit: Audit,
    *,
    name: str,
    measure: str,
    threshold: float,
    doubted: Sequence[LaidPanel] = (),
    overwrite: bool = False,
) -> None:
    """Write all four files or none; the page calls the assembly by ``name``.

    ``proposed.json`` is the assembly with all findings put right, as a solution. ``doubted``
    are panels that something speaks against as a whole.
    """
    folder = Path(folder)
    about = {"measure": measure, "threshold": threshold, "version": __version__}
    about["remarks"] = remarks = remarks_of(audit, doubted)
    better = audit.proposed
    proposed = Solution.of(
        Assembly.of(better.row, better.col, better.turn, better.panel, better.size),
        tiles.files,
        records=tiles.records,
        folder=None if tiles.folder is None else str(tiles.folder.resolve()),
        measure=measure,
        version=__version__,
    )
    with new_folder(folder, MARK, overwrite) as temporary:
        (temporary / MARK).write_text(_json(tiles, audit, about), encoding="utf-8")
        write_spreadsheet(temporary / "audit.csv", COLUMNS, _lines(tiles, audit))
        write_html(
            temporary / "audit.html",
            "audit.html",
            title=f"Audit of {name}",
            facts=_facts(audit, about),
            panels=[
                _marked_panel(tiles, audit, int(panel))
                for panel in np.unique(audit.given.panel)
                if panel >= 0
            ],
            findings=[_card(tiles, audit, found) for found in audit.findings],
            remarks=remarks,
            unmarked=describe_unmarked(audit, doubted=bool(remarks)),
        )
        proposed.save(temporary / "proposed.json", seen_from=folder)


def remarks_of(audit: Audit, doubted: Sequence[LaidPanel]) -> list[str]:
    """Return the sentences that warn of an assembly, and of its ``doubted`` panels, as a whole."""
    mean = audit.mean_confidence
    said = [HARDLY_JUDGED.format(share=format_percent(mean))] if is_probably_wrong(mean) else []
    several = bool(audit.given.panel.max() > 0)
    for panel in doubted:
        named = f"Panel {panel.number + 1}: " if several else ""
        said += [named + each for each in describe_doubts(panel.doubts, panel.assembly)]
    return said


def describe_unmarked(audit: Audit, *, doubted: bool = False) -> str:
    """Say how far unmarked tiles can be trusted; empty if there is nothing to add.

    ``doubted``: something speaks against a panel as a whole.
    """
    unsure = len(audit.unsure)
    if not unsure:
        all_clear = "No tile seems to be in the wrong place or turned."
        return "" if audit.findings else "No single tile is marked." if doubted else all_clear
    tiles = count_clause(unsure, "tile")
    if audit.findings:
        told = f"{tiles} neither marked nor surely right"
    else:
        told = f"No tile is marked, but {tiles} not surely right"
    return f"{told}, such as plain ones, which fit everywhere."


def describe_finding(tiles: TileSet, audit: Audit, finding: Finding) -> str:
    """Say in plain text what seems wrong and what would be better."""
    names = [tiles.numbers[tile] for tile in finding.tiles]
    places = [_where(audit, place_of(audit.given, tile)) for tile in finding.tiles]
    if finding.kind == "turned":
        turn = _quarters(audit, finding.tiles[0]) * 90
        return f"Tile {names[0]} ({places[0]}) seems turned: turn it by {turn}° clockwise."
    if finding.kind == "doubtful":
        return f"Tile {names[0]} ({places[0]}) seems misplaced or turned; nothing better was found."
    belongs = [_where(audit, place_of(audit.proposed, tile)) for tile in finding.tiles]
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
    quarters = [_quarters(audit, tile) for tile in finding.tiles]
    turns = [f"{name} by {90 * q}°" for name, q in zip(names, quarters, strict=True) if q]
    return text + (f" Turn {' and '.join(turns)} clockwise." if turns else "")


def _where(audit: Audit, place: Place) -> str:
    return describe_place(place, several=bool(audit.given.panel.max() > 0))


def _quarters(audit: Audit, tile: int) -> int:
    """Return how far the tile is to be turned clockwise from how it lies."""
    if audit.proposed.panel[tile] < 0:
        return 0
    return int(audit.proposed.turn[tile] - audit.given.turn[tile]) % 4


def _json(tiles: TileSet, audit: Audit, about: dict[str, Any]) -> str:
    wrong = audit.wrong
    data = {"format": FORMAT, **about}
    data["findings"] = [_finding_json(tiles, audit, found) for found in audit.findings]
    data["tiles"] = [
        {"file": file, **_place_json(audit.given, i), "wrong": round(float(wrong[i]), 4)}
        for i, file in enumerate(tiles.files)
    ]
    return json_text(data)


def _finding_json(tiles: TileSet, audit: Audit, found: Finding) -> dict[str, Any]:
    return {
        "kind": found.kind,
        "probability": round(found.probability, 4),
        "gain": None if found.gain is None else round(found.gain, 2),
        "text": describe_finding(tiles, audit, found),
        "hole": None if found.hole is None else found.hole._asdict(),
        "tiles": [
            {"file": tiles.files[tile], "given": _place_json(audit.given, tile),
             "better": _place_json(audit.proposed, tile)}
            for tile in found.tiles
        ],
    }  # fmt: skip


def _place_json(assembly: Assembly, tile: int) -> dict[str, int]:
    """Return row, col, panel and turn as in solution.json."""
    names = ("row", "col", "panel")
    place = {name: int(getattr(assembly, name)[tile]) for name in names}
    return place | {"turn": 90 * int(assembly.turn[tile])}


def _lines(tiles: TileSet, audit: Audit) -> Iterator[list[str]]:
    """Yield the cells of each tile, the likeliest to be wrong first; places count from 1."""
    wrong = audit.wrong
    number = {tile: i for i, found in enumerate(audit.findings) for tile in found.tiles}
    better_here = _better_here(audit)
    for tile in np.argsort(-wrong, kind="stable").tolist():
        cells = [tiles.numbers[tile], tiles.files[tile], f"{wrong[tile]:.4f}"]
        if tile in number:
            found = audit.findings[number[tile]]
            here = better_here.get(tile)
            cells += [str(number[tile] + 1), found.kind, *_place_cells(audit.given, tile)]
            better = found.gain is not None
            cells += _place_cells(audit.proposed, tile) if better else [""] * 4
            cells += ["" if here is None else tiles.numbers[here]]
        else:
            cells += ["", "", *_place_cells(audit.given, tile), "", "", "", "", ""]
        yield cells


def _better_here(audit: Audit) -> dict[int, int]:
    """Return for each marked tile the one that is proposed for its place, if there is one."""
    return {
        following: tile
        for found in audit.findings
        if found.gain is not None
        for tile, following in zip(
            found.tiles, found.tiles[1:] + (() if found.hole else found.tiles[:1]), strict=False
        )
    }


def _place_cells(assembly: Assembly, tile: int) -> list[str]:
    """Return panel, row and col, counted from 1, and turn; empty for a tile without a place."""
    if assembly.panel[tile] < 0:
        return [""] * 4
    place = (assembly.panel[tile] + 1, assembly.row[tile] + 1, assembly.col[tile] + 1)
    return [*map(str, place), str(90 * assembly.turn[tile])]


def _facts(audit: Audit, about: dict[str, Any]) -> dict[str, object]:
    return {
        "tiles": f"{len(audit.given):,}",
        "findings": len(audit.findings),
        "tiles marked": len(audit.marked),
        "not surely right": len(audit.unsure),
        "least probability": about["threshold"],
        "measure": about["measure"],
        "version": about["version"],
    }


def _marked_panel(tiles: TileSet, audit: Audit, panel: int) -> dict[str, Any]:
    """Return a panel's picture and the marked places with the numbers of their findings."""
    places = tile_grid(audit.given, panel)
    picture = draw_mosaic(tiles, audit.given.turn, places, OVERVIEW_PIXELS)
    return {
        "rows": places.shape[0],
        "cols": places.shape[1],
        "picture": data_uri(picture, OVERVIEW_PIXELS),
        "marks": [
            {"x": 100 * place.col, "y": 100 * place.row, "number": number}
            for number, found in enumerate(audit.findings, 1)
            for place in _changed_places(audit, found)
            if place.panel == panel
        ],
    }


def _card(tiles: TileSet, audit: Audit, found: Finding) -> dict[str, Any]:
    """Return a finding with its places as they are and as proposed."""
    return {
        "text": describe_finding(tiles, audit, found),
        "probability": format_probability(found.probability),
        "places": [
            {
                "title": _where(audit, place),
                "views": [
                    _surroundings(tiles, audit, assembly, place)
                    for assembly in _views(audit, found)
                ],
            }
            for place in _changed_places(audit, found)[:SHOWN]
        ],
    }


def _views(audit: Audit, found: Finding) -> list[Assembly]:
    """Return the assembly as it is and, if something better was found, as proposed."""
    return [audit.given] if found.gain is None else [audit.given, audit.proposed]


def _changed_places(audit: Audit, found: Finding) -> list[Place]:
    """Return the places that a finding would change; an empty one, to be filled, first."""
    lie = [place_of(audit.given, tile) for tile in found.tiles if audit.given.panel[tile] >= 0]
    return [*([found.hole] if found.hole else []), *lie]


def _surroundings(tiles: TileSet, audit: Audit, assembly: Assembly, place: Place) -> dict[str, Any]:
    """Return a place and those around it in an assembly, as one picture."""
    box = audit.given.box(place.panel)
    whole = tile_grid(replace(assembly, size=box), place.panel)
    top, left = (max(0, min(at - 1, count - 3)) for at, count in zip(place[1:], box, strict=True))
    places = whole[top : top + 3, left : left + 3]
    picture = draw_mosaic(tiles, assembly.turn, places, 3 * TILE_PIXELS)
    there = int(whole[place.row, place.col])
    return {
        "rows": places.shape[0],
        "cols": places.shape[1],
        "x": 100 * (place.col - left),
        "y": 100 * (place.row - top),
        "picture": data_uri(picture, 3 * TILE_PIXELS),
        "number": tiles.numbers[there] if there >= 0 else "empty",
        "turn": 90 * int(assembly.turn[there]) if there >= 0 else None,
    }
