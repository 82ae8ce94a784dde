"""The folder of a collection's patterns: patterns.html, two lists, and the repeats as pictures."""

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any

from PIL import Image

from azulejar.collection.patterns import (
    CONDITIONS,
    FOLDER,
    MARK,
    CollectionPatterns,
    condition_of,
    save_patterns,
)
from azulejar.collection.sort_results import folder_name
from azulejar.collection.storage.catalogue import Collection, Entry
from azulejar.outputs.collection.groups_page import draw_sample
from azulejar.outputs.html import write_html
from azulejar.outputs.mosaics import data_uri
from azulejar.outputs.spreadsheets import write_spreadsheet
from azulejar.outputs.wording import describe_module, largest_crates
from azulejar.patterns.repeats import draw_module
from azulejar.system.atomic import new_folder

NAME = "patterns.html"
LIST, TILES = "patterns.csv", "pattern_tiles.csv"
PICTURES = "pictures"
WALL = 6  # tiles that a drawn wall is high and wide at least
DESIGNS = 12  # designs of a pattern that are shown
SIDE = 56  # pixels of a design
SAMPLE = 10  # tiles of a pattern that are shown as they are
ORDERS = {"tiles": "largest first", "name": "by name"}
COLUMNS = (
    "pattern", "tiles", "designs", "module_rows", "module_cols", "drop", "symmetry",
    *CONDITIONS, "crates",
)  # fmt: skip
TILE_COLUMNS = (
    "inventory", "crate", "pattern", "design", "turn_degrees_clockwise", "likeness", "condition",
    "code", "note",
)  # fmt: skip


def write_patterns(collection: Collection, kept: CollectionPatterns) -> None:
    """Write patterns.json, the page with its pictures, and both lists: all or none."""
    entries = collection.entries()
    with new_folder(collection.folder / FOLDER, MARK, overwrite=True) as folder:
        save_patterns(folder / MARK, collection, kept)
        (folder / PICTURES).mkdir()
        for name, pattern in zip(kept.names, kept.found, strict=True):
            times = max(1, -(-WALL // max(pattern.module.rows, pattern.module.cols)))
            wall = draw_module(pattern.module, kept.found.designs.pictures, times)
            path = folder / PICTURES / f"{folder_name(name)}.jpg"
            Image.fromarray(wall).save(path, "JPEG", quality=85, optimize=True)
        write_spreadsheet(folder / LIST, COLUMNS, _pattern_lines(kept, entries))
        write_spreadsheet(folder / TILES, TILE_COLUMNS, _tile_lines(kept, entries))
        write_html(
            folder / NAME,
            "collection_patterns.html",
            title=collection.name,
            facts={
                "patterns": f"{len(kept):,}",
                "pattern tiles": f"{sum(map(len, kept.found)):,}",
                "other tiles": f"{len(entries) - sum(map(len, kept.found)):,}",
            },
            orders=ORDERS,
            pictures=PICTURES,
            lists=(LIST, TILES),
            cards=pattern_cards(collection, kept, entries),
        )


def pattern_cards(
    collection: Collection, kept: CollectionPatterns, entries: Sequence[Entry]
) -> list[dict[str, Any]]:
    """Return what a page shows of each pattern, as plain values; pictures are data URIs."""
    designs = kept.found.designs
    cards = []
    for name, pattern in zip(kept.names, kept.found, strict=True):
        crates = Counter(entries[tile].crate for tile in pattern.tiles)
        shown = [
            {
                "picture": data_uri(designs.pictures[each], SIDE),
                "tiles": int(designs.counts[each]),
                "conditions": kept.conditions(designs.tiles(each)),
            }
            for each in pattern.designs[:DESIGNS]
        ]
        sample = draw_sample(collection.pixels, pattern.tiles.tolist(), SAMPLE, 1)
        cards.append(
            {
                "name": name,
                "picture": f"{folder_name(name)}.jpg",
                "sample": data_uri(sample, sample.shape[1]),
                "tiles": len(pattern),
                "designs": shown,
                "design_count": len(pattern.designs),
                "module": describe_module(pattern.module),
                "symmetry": pattern.symmetry,
                "conditions": kept.conditions(pattern.tiles),
                "crate_count": len(crates),
                "crates": largest_crates(crates, 3),
                "words": " ".join(
                    [name, *crates, *(entries[tile].inventory for tile in pattern.tiles)]
                ),
            }
        )
    return cards


def _pattern_lines(
    kept: CollectionPatterns, entries: Sequence[Entry]
) -> Iterator[Sequence[object]]:
    for name, pattern in zip(kept.names, kept.found, strict=True):
        module = pattern.module
        crates = dict.fromkeys(entries[tile].crate for tile in pattern.tiles)
        yield [
            name, len(pattern), len(pattern.designs), module.rows, module.cols, module.drop,
            pattern.symmetry, *kept.conditions(pattern.tiles).values(), " ".join(crates),
        ]  # fmt: skip


def _tile_lines(kept: CollectionPatterns, entries: Sequence[Entry]) -> Iterator[Sequence[object]]:
    designs = kept.found.designs
    for name, pattern in zip(kept.names, kept.found, strict=True):
        order = {each: i for i, each in enumerate(pattern.designs, 1)}
        for tile in pattern.tiles.tolist():
            entry, likeness = entries[tile], float(designs.likeness[tile])
            yield [
                entry.inventory, entry.crate, name, order[int(designs.design[tile])],
                90 * int(designs.turn[tile]), f"{likeness:.2f}", condition_of(likeness),
                entry.record.code or "", entry.record.note or "",
            ]  # fmt: skip
