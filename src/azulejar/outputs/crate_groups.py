"""The folder that the sorting of a crate writes: groups.json, groups.csv and groups.html."""

import os
from collections.abc import Iterator
from decimal import Decimal
from pathlib import Path
from typing import Any

import numpy as np

from azulejar.core.tiles import Record, TileSet
from azulejar.knowledge.headings import READ
from azulejar.knowledge.inventory import cells_of
from azulejar.knowledge.inventory_table import COLUMNS
from azulejar.outputs.html import write_html
from azulejar.outputs.mosaics import data_uri
from azulejar.outputs.spreadsheets import PLAIN, ListStyle, write_spreadsheet
from azulejar.outputs.wording import format_probability
from azulejar.sorting import STRAY, Groups
from azulejar.system.atomic import new_folder
from azulejar.system.json_text import json_text
from azulejar.version import __version__

MARK = "groups.json"
FORMAT = "azulejar-groups/1"
TILE_PIXELS = 72


def write_crate_groups(
    folder: str | os.PathLike[str],
    tiles: TileSet,
    groups: Groups,
    measure: str,
    *,
    overwrite: bool = False,
    style: ListStyle = PLAIN,
) -> None:
    """Write all three files or none; ``measure`` is the one by which the tiles were sorted."""
    folder = Path(folder)
    names = panel_names(tiles, groups)
    with new_folder(folder, MARK, overwrite) as temporary:
        data = _json(tiles, groups, names, measure, folder)
        (temporary / MARK).write_text(data, encoding="utf-8")
        columns, lines = _table(tiles, groups, names)
        write_spreadsheet(temporary / "groups.csv", columns, lines, style)
        write_html(
            temporary / "groups.html",
            "crate_groups.html",
            title=tiles.folder.name if tiles.folder and tiles.folder.name else "Crate",
            panels={name: _shown_tiles(tiles, groups, panel) for panel, name in enumerate(names)},
            strays=_shown_tiles(tiles, groups, STRAY),
        )


def panel_names(tiles: TileSet, groups: Groups) -> list[str]:
    """Return the name of each panel: as ``tiles.csv`` calls it, or its number, from 1."""
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
            for file, panel, likely in _sorted_tiles(tiles, groups)
        ],
    }
    return json_text(data)


def _sorted_tiles(tiles: TileSet, groups: Groups) -> list[tuple[str, int, float]]:
    return list(zip(tiles.files, groups.panel.tolist(), groups.probability.tolist(), strict=True))


def _table(
    tiles: TileSet, groups: Groups, names: list[str]
) -> tuple[list[str], Iterator[list[object]]]:
    """Return columns and cells as ``tiles.csv`` has them, so that the list can take its place."""
    records = tiles.records or (Record(),) * len(tiles)
    from_bottom = any(known.row is not None and known.row < 0 for known in records)
    columns = list(READ if from_bottom else COLUMNS)

    def line(tile: int, panel: int, likely: float) -> list[object]:
        cells = cells_of(tiles.files[tile], records[tile]) | {
            "inventory": tiles.numbers[tile],
            "panel": "" if panel == STRAY else names[panel],
        }
        return [*(cells[column] for column in columns), Decimal(format_probability(likely))]

    found = enumerate(_sorted_tiles(tiles, groups))
    lines = (line(tile, panel, likely) for tile, (_, panel, likely) in found)
    return [*columns, "probability"], lines


def _shown_tiles(tiles: TileSet, groups: Groups, panel: int) -> list[dict[str, Any]]:
    """Return the tiles of a panel with their inventory numbers, least sure first."""
    which = groups.tiles(panel)
    which = which[np.argsort(groups.probability[which], kind="stable")]
    numbers = tiles.numbers
    return [
        {
            "picture": data_uri(tiles.pixels[tile], TILE_PIXELS),
            "number": numbers[tile],
            "probability": format_probability(groups.probability[tile]),
        }
        for tile in which.tolist()
    ]
