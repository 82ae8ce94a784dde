"""The folder that a sort leaves: groups.json, groups.csv and groups.html."""

import csv
import os
from html import escape
from pathlib import Path

import numpy as np

from azulejar.core.tiles import Record, TileSet
from azulejar.knowledge.inventory import COLUMNS
from azulejar.outputs.page import page, section
from azulejar.outputs.pictures import data_uri
from azulejar.outputs.placement import guarded
from azulejar.sorting import STRAY, Groups
from azulejar.system.atomic import new_folder
from azulejar.system.json_text import json_text
from azulejar.version import __version__

MARK = "groups.json"
FORMAT = "azulejar-groups/1"
TILE_PIXELS = 72


def write_groups(
    folder: Path, tiles: TileSet, groups: Groups, measure: str, *, overwrite: bool = False
) -> None:
    """Write all three files or none."""
    names = panel_names(tiles, groups)
    with new_folder(folder, MARK, overwrite) as temporary:
        data = _json(tiles, groups, names, measure, folder)
        (temporary / MARK).write_text(data, encoding="utf-8")
        _write_csv(temporary / "groups.csv", tiles, groups, names)
        (temporary / "groups.html").write_text(_page(tiles, groups, names), encoding="utf-8")


def panel_names(tiles: TileSet, groups: Groups) -> list[str]:
    """What each panel is called: as ``tiles.csv`` calls it, or by its number, from 1."""
    names = [str(panel + 1) for panel in range(groups.panels)]
    for record, panel in zip(tiles.records, groups.panel.tolist(), strict=False):
        if record.panel is not None and panel != STRAY:
            names[panel] = record.panel
    return names


def _json(tiles: TileSet, groups: Groups, names: list[str], measure: str, folder: Path) -> str:
    home = None if tiles.folder is None else os.path.relpath(tiles.folder, folder)
    data = {
        "format": FORMAT,
        "folder": None if home is None else Path(home).as_posix(),
        "measure": measure,
        "version": __version__,
        "panels": names,
        "tiles": [
            {"file": file, "panel": panel, "probability": round(likely, 4)}
            for file, panel, likely in _lines(tiles, groups)
        ],
    }
    return json_text(data)


def _lines(tiles: TileSet, groups: Groups) -> list[tuple[str, int, float]]:
    return list(zip(tiles.files, groups.panel.tolist(), groups.probability.tolist(), strict=True))


def _write_csv(path: Path, tiles: TileSet, groups: Groups, names: list[str]) -> None:
    """As ``tiles.csv`` has it, with what was on record, so that it can take its place."""
    records = tiles.records or (Record(),) * len(tiles)
    # utf-8-sig: without its byte-order mark, Excel garbles accents.
    with path.open("w", encoding="utf-8-sig", newline="") as file:
        writer = csv.writer(file)
        writer.writerow([*COLUMNS, "probability"])
        for (name, panel, likely), number, known in zip(
            _lines(tiles, groups), tiles.numbers, records, strict=True
        ):
            cells = [
                name,
                number,
                known.crate or "",
                known.code or "",
                "" if known.turn is None else str(90 * known.turn),
                *("" if count is None else str(count + 1) for count in (known.row, known.col)),
                "" if panel == STRAY else names[panel],
                known.note or "",
                f"{likely:.2f}",
            ]
            writer.writerow(map(guarded, cells))


def _page(tiles: TileSet, groups: Groups, names: list[str]) -> str:
    title = escape(tiles.folder.name if tiles.folder and tiles.folder.name else "Crate")
    lead = "Least sure first; the numbers are how likely each tile belongs here."
    panels = [
        section(
            f"Panel {escape(name)}: {len(groups.tiles(panel))} tiles",
            lead if panel == 0 else "",
            _contact_sheet(tiles, groups, panel),
        )
        for panel, name in enumerate(names)
    ]
    strays = len(groups.tiles(STRAY))
    if strays:
        lead = "They fit nowhere well enough; the numbers are how likely they belong to no panel."
        panels.append(
            section(f"Strays: {strays} tiles", lead, _contact_sheet(tiles, groups, STRAY))
        )
    return page(title, f"<header><h1>{title}</h1></header>" + "\n".join(panels))


def _contact_sheet(tiles: TileSet, groups: Groups, panel: int) -> str:
    """The tiles of a panel with their inventory numbers, least sure first."""
    which = groups.tiles(panel)
    which = which[np.argsort(groups.probability[which], kind="stable")]
    items = "".join(
        f'<li><img src="{data_uri(tiles.pixels[tile], TILE_PIXELS)}" alt="">'
        f"<b>{escape(tiles.numbers[tile])}</b> <small>{groups.probability[tile]:.2f}</small></li>"
        for tile in which.tolist()
    )
    return f'<ol class="loose">{items}</ol>'
