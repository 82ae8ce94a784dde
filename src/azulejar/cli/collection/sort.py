"""``azulejar collection sort``: which tiles of the whole collection make a panel."""

from contextlib import ExitStack
from pathlib import Path

from azulejar.cli.collection.options import (
    Address,
    CollectionFolder,
    EngineName,
    Workers,
    open_filled,
)
from azulejar.cli.console import bar, console, say
from azulejar.collection.engines import get_engine
from azulejar.collection.sort_results import FOLDER, SortResult
from azulejar.outputs.collection.groups_page import NAME
from azulejar.outputs.collection.stages import sort_collection
from azulejar.outputs.wording import count_noun, format_probability

SHOWN = 12  # panels that are listed


def command(
    folder: CollectionFolder,
    engine: EngineName = "local",
    workers: Workers = None,
    address: Address = None,
) -> None:
    """Tell the panels of a collection apart, and write DIR/groups.

    Searches first, if tiles were added since the last search. Panels that tiles.csv names keep
    their names, and a panel keeps its number from one sort to the next. groups/groups.html shows
    the groups, groups/groups.csv lists all tiles.

    Example: azulejar collection sort museum
    """
    with open_filled(folder) as collection, ExitStack() as shown:
        running = shown.enter_context(get_engine(engine, workers=workers, address=address))
        progress = shown.enter_context(bar("Searching for joints"))

        def on_searched() -> None:
            shown.close()
            shown.enter_context(console.status("Grouping the tiles"))

        found = sort_collection(collection, running, on_progress=progress, on_searched=on_searched)
    _print_groups(found, Path(folder) / FOLDER / NAME)


def _print_groups(found: SortResult, page: Path) -> None:
    """Print how many tiles went where."""
    grouped = sum(len(group.tiles) for group in found.groups)
    panels = count_noun(len(found.groups), "likely panel")
    strays = count_noun(len(found.strays), "stray")
    console.print(f"{grouped:,} of {count_noun(found.tiles, 'tile')} in {panels}, {strays}")
    for group in found.groups[:SHOWN]:
        tiles = count_noun(len(group.tiles), "tile")
        say(f"  panel {group.name}: {tiles}, probability {format_probability(group.probability)}")
    if len(found.groups) > SHOWN:
        console.print(f"  … and {len(found.groups) - SHOWN:,} more")
    if found.pattern_tiles:
        alike = count_noun(len(found.pattern_tiles), "stray")
        console.print(f"Alike in great number: {alike}, see azulejar collection patterns")
    if found.duplicates:
        pairs = count_noun(len(found.duplicates), "pair")
        console.print(f"Likely one tile photographed twice: {pairs} of pictures")
    say(f"Pictures: {page}")
    say(f"List:     {page.with_suffix('.csv')}")
