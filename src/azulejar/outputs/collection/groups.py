"""The folder that a sort leaves in a collection: groups.json, groups.csv and groups.html."""

import csv
from collections import Counter
from collections.abc import Sequence
from html import escape
from pathlib import Path
from urllib.parse import quote

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from azulejar.collection.sort_results import FOLDER, MARK, Group, SortResult, folder_name, save_sort
from azulejar.collection.storage.catalogue import Collection, Entry
from azulejar.imaging.picture import resize_square
from azulejar.outputs.collection.page import open_page, wall
from azulejar.outputs.collection.words import counted, crates_shown, sureness, trust
from azulejar.outputs.page import section
from azulejar.outputs.pictures import data_uri
from azulejar.outputs.placement import guarded
from azulejar.system.atomic import new_folder

NAME = "groups.html"
PICTURES = "pictures"  # the folder beside the page that holds nothing but its pictures
ACROSS, DOWN = 8, 5  # tiles of a group that are shown
TILE = 48  # pixels
STRAYS = 24 * 8  # shown at most
PAIRS = 60
ORDERS = {
    "merit": "most evidence first",
    "tiles": "largest first",
    "confidence": "likeliest first",
    "name": "by name",
}


def write_groups(collection: Collection, found: SortResult) -> None:
    """Write groups.json, groups.csv and the page with its pictures: all or none."""
    entries = collection.entries(range(found.tiles))
    groups = sorted(found.groups, key=lambda group: -group.priority)
    with new_folder(collection.folder / FOLDER, MARK, overwrite=True) as folder:
        save_sort(folder / MARK, found, [entry.inventory for entry in entries])
        _write_csv(folder / "groups.csv", found, entries)
        (folder / PICTURES).mkdir()
        for group in groups:
            sheet = mosaic(collection.pixels, group.tiles, ACROSS, DOWN)
            path = folder / PICTURES / f"{folder_name(group.name)}.jpg"
            Image.fromarray(sheet).save(path, "JPEG", quality=82, optimize=True)
        cards = "\n".join(_card(group, rank, entries) for rank, group in enumerate(groups))
        body = (
            _header(collection.name, found)
            + wall(cards, ORDERS)
            + _duplicates(collection, found, entries)
            + _strays(collection, found)
        )
        text = open_page(escape(collection.name), body, script="wall.js")
        (folder / NAME).write_text(text, encoding="utf-8")


def _write_csv(path: Path, found: SortResult, entries: Sequence[Entry]) -> None:
    # utf-8-sig: without its byte-order mark, Excel garbles accents.
    with path.open("w", encoding="utf-8-sig", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(["inventory", "crate", "panel", "probability", "code", "note"])
        for entry, likely in zip(entries, found.probability.tolist(), strict=True):
            record = entry.record
            panel = found.names.get(entry.number, "")
            cells = [entry.inventory, entry.crate, panel, f"{likely:.2f}"]
            writer.writerow(map(guarded, [*cells, record.code or "", record.note or ""]))


def mosaic(
    pixels: NDArray[np.uint8], tiles: Sequence[int], across: int, down: int
) -> NDArray[np.uint8]:
    """Some of the tiles, evenly chosen, side by side in a picture [h, w, 3] on white."""
    most = min(len(tiles), across * down)
    chosen = [tiles[i * len(tiles) // most] for i in range(most)]
    rows, gap = -(-most // across), 2
    pitch = TILE + gap
    sheet = np.full((rows * pitch - gap, min(most, across) * pitch - gap, 3), 255, np.uint8)
    for i, tile in enumerate(chosen):
        top, left = i // across * pitch, i % across * pitch
        sheet[top : top + TILE, left : left + TILE] = resize_square(np.array(pixels[tile]), TILE)
    return sheet


def _header(title: str, found: SortResult) -> str:
    grouped = sum(len(group.tiles) for group in found.groups)
    facts = {
        "likely panels": f"{len(found.groups):,}",
        "tiles in them": f"{grouped:,}",
        "strays": f"{len(found.strays):,}",
        "likely the same tile twice": f"{len(found.duplicates):,}",
    }
    items = "".join(f"<div><dt>{name}</dt><dd>{value}</dd></div>" for name, value in facts.items())
    lead = (
        "Tiles that likely belong to one panel, of which some are shown as they were photographed. "
        "Nothing is put together yet: azulejar collection solve does that. The whole list is "
        "groups.csv, beside this page."
    )
    return (
        f'<header class="opening"><p class="kicker">Sorted tiles of</p><h1>{escape(title)}</h1>'
        f'<dl class="facts">{items}</dl><p class="lead small">{lead}</p></header>'
    )


def _card(group: Group, rank: int, entries: Sequence[Entry]) -> str:
    own = [entries[tile] for tile in group.tiles]
    crates = Counter(entry.crate for entry in own)
    words = escape(" ".join([group.name, *crates, *(entry.inventory for entry in own)]))
    kind = trust(group.probability)
    return (
        f'<article class="card group" data-trust="{kind}" data-merit="{-rank}" '
        f'data-tiles="{len(own)}" data-confidence="{group.probability:.4f}" '
        f'data-name="{escape(group.name)}" data-words="{words}">'
        f'<div class="mat"><img loading="lazy" alt="Some tiles of panel {escape(group.name)}" '
        f'src="{PICTURES}/{quote(folder_name(group.name))}.jpg"></div>'
        f"<h3>Panel {escape(group.name)}</h3>"
        f'<p class="trust"><span>{counted(len(own), "tile")}</span>'
        f"<span>{escape(sureness(group.probability))}</span></p>"
        f'<div class="bar"><i class="{kind}" style="width:{100 * group.probability:.0f}%"></i>'
        "</div>"
        f'<p class="from">{held_by(group)}</p>'
        f'<p class="from">{counted(len(crates), "crate")}: {crates_shown(crates, 3)}</p></article>'
    )


def held_by(group: Group) -> str:
    """What links the group, as a sentence, escaped."""
    if not group.joints:
        return "Held together by what is on record."
    text = (
        f"{counted(group.joints, 'likely joint')} (each {sureness(group.mean)} on average), "
        f"{counted(group.loops, 'closed ring')} of four."
    )
    return escape(f"{text} {group.weakest}".strip())


def _duplicates(collection: Collection, found: SortResult, entries: Sequence[Entry]) -> str:
    items = "".join(
        f'<li><img loading="lazy" alt="" src="{_pair(collection, pair)}">'
        + "".join(
            f"<b>{escape(entries[tile].inventory)}</b> <small>crate "
            f"{escape(entries[tile].crate)}</small><br>"
            for tile in pair
        )
        + "</li>"
        for pair in found.duplicates[:PAIRS]
    )
    if not items:
        return ""
    more = f" The first {PAIRS} are shown." if len(found.duplicates) > PAIRS else ""
    lead = f"Two photographs that likely show the same tile. Check which one to keep.{more}"
    return section(
        f"Taken twice: {len(found.duplicates):,}", lead, f'<ol class="pairs">{items}</ol>'
    )


def _pair(collection: Collection, pair: tuple[int, int]) -> str:
    return data_uri(mosaic(collection.pixels, pair, 2, 1), 2 * TILE + 2)


def _strays(collection: Collection, found: SortResult) -> str:
    if not found.strays:
        return ""
    picture = data_uri(mosaic(collection.pixels, found.strays, 24, 8), 24 * (TILE + 2))
    some = " Some of them:" if len(found.strays) > STRAYS else ""
    lead = f"They fit no panel well enough; each may be the last of its panel.{some}"
    image = f'<img class="panel" src="{picture}" alt="Stray tiles">'
    return section(f"Strays: {len(found.strays):,}", lead, image)
