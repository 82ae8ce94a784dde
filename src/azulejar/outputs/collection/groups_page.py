"""The folder that a sort writes in a collection: groups.json, groups.csv and groups.html."""

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from azulejar.collection.sort_results import FOLDER, MARK, Group, SortResult, folder_name, save_sort
from azulejar.collection.storage.catalogue import Collection, Entry
from azulejar.imaging.picture import resize_square
from azulejar.outputs.html import write_html
from azulejar.outputs.mosaics import data_uri
from azulejar.outputs.spreadsheets import write_spreadsheet
from azulejar.outputs.wording import (
    count_noun,
    format_probability,
    format_sureness,
    largest_crates,
    trust_of,
)
from azulejar.system.atomic import new_folder

NAME = "groups.html"
PICTURES = "pictures"  # the folder beside the page that holds nothing but its pictures
COLUMNS = ("inventory", "crate", "panel", "probability", "code", "note")
ACROSS, DOWN = 8, 5  # tiles of a group that are shown
TILE = 48  # pixels
STRAYS_ACROSS, STRAYS_DOWN = 24, 8  # strays that are shown
PAIRS = 60  # duplicates that are shown
ORDERS = {
    "merit": "most evidence first",
    "tiles": "largest first",
    "confidence": "likeliest first",
    "name": "by name",
}


def write_collection_groups(collection: Collection, found: SortResult) -> None:
    """Write groups.json, groups.csv and the page with its pictures: all or none."""
    entries = collection.entries(range(found.tiles))
    groups = sorted(found.groups, key=lambda group: -group.priority)
    pixels = collection.pixels
    with new_folder(collection.folder / FOLDER, MARK, overwrite=True) as folder:
        save_sort(folder / MARK, found, [entry.inventory for entry in entries])
        write_spreadsheet(folder / "groups.csv", COLUMNS, _lines(found, entries))
        (folder / PICTURES).mkdir()
        for group in groups:
            sheet = draw_group(pixels, group.tiles)
            path = folder / PICTURES / f"{folder_name(group.name)}.jpg"
            Image.fromarray(sheet).save(path, "JPEG", quality=82, optimize=True)
        write_html(
            folder / NAME,
            "collection_groups.html",
            title=collection.name,
            facts=_facts(found),
            orders=ORDERS,
            pictures=PICTURES,
            cards=[_card(group, entries) for group in groups],
            duplicates=len(found.duplicates),
            pairs=[_pair(pixels, entries, pair) for pair in found.duplicates[:PAIRS]],
            strays=len(found.strays),
            strays_shown=STRAYS_ACROSS * STRAYS_DOWN,
            strays_picture=_strays(pixels, found) if found.strays else "",
        )


def _lines(found: SortResult, entries: Sequence[Entry]) -> Iterator[list[str]]:
    for entry, likely in zip(entries, found.probability.tolist(), strict=True):
        if entry.number in found.left_out:
            continue
        record, panel = entry.record, found.names.get(entry.number, "")
        cells = [entry.inventory, entry.crate, panel, format_probability(likely)]
        yield [*cells, record.code or "", record.note or ""]


def draw_group(pixels: NDArray[np.uint8], tiles: Sequence[int]) -> NDArray[np.uint8]:
    """Draw a sample of a group's tiles."""
    return draw_sample(pixels, tiles, ACROSS, DOWN)


def draw_sample(
    pixels: NDArray[np.uint8], tiles: Sequence[int], across: int, down: int
) -> NDArray[np.uint8]:
    """Draw at most ``across`` × ``down`` tiles, evenly chosen, on white: uint8 [h, w, 3]."""
    most = min(len(tiles), across * down)
    chosen = [tiles[i * len(tiles) // most] for i in range(most)]
    rows, gap = -(-most // across), 2
    pitch = TILE + gap
    sheet = np.full((rows * pitch - gap, min(most, across) * pitch - gap, 3), 255, np.uint8)
    for i, tile in enumerate(chosen):
        top, left = i // across * pitch, i % across * pitch
        sheet[top : top + TILE, left : left + TILE] = resize_square(np.array(pixels[tile]), TILE)
    return sheet


def _facts(found: SortResult) -> dict[str, str]:
    grouped = sum(len(group.tiles) for group in found.groups)
    return {
        "likely panels": f"{len(found.groups):,}",
        "tiles in them": f"{grouped:,}",
        "strays": f"{len(found.strays):,}",
        "pattern tiles among them": f"{len(found.pattern_tiles):,}",
        "likely pairs of one tile": f"{len(found.duplicates):,}",
    }


def _card(group: Group, entries: Sequence[Entry]) -> dict[str, Any]:
    """Return what the page shows of a group; ``words`` are those by which it is found."""
    own = [entries[tile] for tile in group.tiles]
    crates = Counter(entry.crate for entry in own)
    return {
        "name": group.name,
        "picture": f"{folder_name(group.name)}.jpg",
        "tiles": len(own),
        "trust": trust_of(group.probability),
        "probability": group.probability,
        "evidence": describe_evidence(group),
        "crate_count": len(crates),
        "crates": largest_crates(crates, 3),
        "words": " ".join([group.name, *crates, *(entry.inventory for entry in own)]),
    }


def describe_evidence(group: Group) -> str:
    """Say what holds a group together."""
    if not group.joints:
        return "Held together by what is on record."
    text = (
        f"{count_noun(group.joints, 'likely joint')} "
        f"(each {format_sureness(group.mean)} on average), "
        f"{count_noun(group.loops, 'closed ring')} of four."
    )
    apart = f" It may hold two panels, one of {group.apart} tiles." if group.apart else ""
    return f"{text} {group.weakest}{apart}".strip()


def _pair(
    pixels: NDArray[np.uint8], entries: Sequence[Entry], pair: tuple[int, int]
) -> dict[str, Any]:
    return {
        "picture": data_uri(draw_sample(pixels, pair, 2, 1), 2 * TILE + 2),
        "tiles": [(entries[tile].inventory, entries[tile].crate) for tile in pair],
    }


def _strays(pixels: NDArray[np.uint8], found: SortResult) -> str:
    picture = draw_sample(pixels, found.strays, STRAYS_ACROSS, STRAYS_DOWN)
    return data_uri(picture, STRAYS_ACROSS * (TILE + 2))
