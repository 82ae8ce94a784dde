"""The folder that an audit leaves: audit.json, audit.csv, audit.html and proposed.json."""

import csv
from pathlib import Path
from typing import Any

import numpy as np

from azulejar.core.assembly import Assembly
from azulejar.core.solution import Solution
from azulejar.core.tiles import TileSet
from azulejar.judging.audit import Audit, Finding
from azulejar.outputs.audit_page import audit_page
from azulejar.outputs.audit_words import sentence
from azulejar.outputs.placement import guarded
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


def write_audit(
    folder: Path,
    tiles: TileSet,
    audit: Audit,
    *,
    name: str,
    measure: str,
    threshold: float,
    overwrite: bool = False,
) -> None:
    """Write all four files or none; the page calls the assembly by ``name``.

    ``proposed.json`` is the assembly with all findings put right, as a solution.
    """
    about = {"measure": measure, "threshold": threshold, "version": __version__}
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
        _write_csv(temporary / "audit.csv", tiles, audit)
        page = audit_page(name, tiles, audit, about)
        (temporary / "audit.html").write_text(page, encoding="utf-8")
        proposed.save(temporary / "proposed.json", seen_from=folder)


def _json(tiles: TileSet, audit: Audit, about: dict[str, Any]) -> str:
    wrong = audit.wrong
    head = {"format": FORMAT, **about}
    head["findings"] = [_finding(tiles, audit, found) for found in audit.findings]
    head["tiles"] = [
        {"file": file, **_place(audit.given, i), "wrong": round(float(wrong[i]), 4)}
        for i, file in enumerate(tiles.files)
    ]
    return json_text(head)


def _finding(tiles: TileSet, audit: Audit, found: Finding) -> dict[str, Any]:
    return {
        "kind": found.kind,
        "probability": round(found.probability, 4),
        "gain": round(found.gain, 2),
        "text": sentence(tiles, audit, found),
        "hole": None if found.hole is None else found.hole._asdict(),
        "tiles": [
            {"file": tiles.files[tile], "given": _place(audit.given, tile),
             "better": _place(audit.proposed, tile)}
            for tile in found.tiles
        ],
    }  # fmt: skip


def _place(assembly: Assembly, tile: int) -> dict[str, int]:
    """As in solution.json."""
    names = ("row", "col", "panel")
    place = {name: int(getattr(assembly, name)[tile]) for name in names}
    return place | {"turn": 90 * int(assembly.turn[tile])}


def _write_csv(path: Path, tiles: TileSet, audit: Audit) -> None:
    """One line a tile, the likeliest to be wrong first; counts from 1, as people do."""
    wrong = audit.wrong
    number = {tile: i for i, found in enumerate(audit.findings) for tile in found.tiles}
    better_here = _better_here(audit)
    # utf-8-sig: without its byte-order mark, Excel garbles accents.
    with path.open("w", encoding="utf-8-sig", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(COLUMNS)
        for tile in np.argsort(-wrong, kind="stable").tolist():
            cells = [tiles.numbers[tile], tiles.files[tile], f"{wrong[tile]:.4f}"]
            if tile in number:
                found = audit.findings[number[tile]]
                here = better_here.get(tile)
                cells += [str(number[tile] + 1), found.kind, *_counted(audit.given, tile)]
                cells += _counted(audit.proposed, tile)
                cells += ["" if here is None else tiles.numbers[here]]
            else:
                cells += ["", "", *_counted(audit.given, tile), "", "", "", "", ""]
            writer.writerow(guarded(cell) for cell in cells)


def _better_here(audit: Audit) -> dict[int, int]:
    """For each marked tile the one that is proposed for its place, if any is."""
    return {
        following: tile
        for found in audit.findings
        for tile, following in zip(
            found.tiles, found.tiles[1:] + (() if found.hole else found.tiles[:1]), strict=False
        )
    }


def _counted(assembly: Assembly, tile: int) -> list[str]:
    if assembly.panel[tile] < 0:
        return [""] * 4
    place = (assembly.panel[tile] + 1, assembly.row[tile] + 1, assembly.col[tile] + 1)
    return [*map(str, place), str(90 * assembly.turn[tile])]
