"""``azulejar collection sort``: which tiles of the whole collection make a panel."""

from pathlib import Path

from azulejar.cli.collection.opened import opened
from azulejar.cli.collection.options import Address, CollectionFolder, EngineName, Workers
from azulejar.cli.console import bar, console
from azulejar.collection.engines import get_engine
from azulejar.collection.search.joint_search import FOLDER as SEARCH
from azulejar.collection.search.joint_search import find_joints
from azulejar.collection.sort import group_collection
from azulejar.collection.sort_results import FOLDER, SortResult
from azulejar.collection.storage.lock import locked
from azulejar.outputs.collection.groups_page import NAME, write_collection_groups
from azulejar.outputs.wording import count_noun

SHOWN = 12


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
    with opened(folder) as collection:
        crew = get_engine(engine, workers=workers, address=address)
        work = collection.folder / SEARCH
        work.mkdir(exist_ok=True)
        with locked(work, "sorts the tiles"):
            with crew, bar("Searching for joints") as progress:
                joints = find_joints(collection, crew, progress)
            with console.status("Grouping the tiles"):
                found = group_collection(collection, joints)
            write_collection_groups(collection, found)
    tell(found, Path(folder) / FOLDER / NAME)


def tell(found: SortResult, page: Path) -> None:
    """How many tiles went where."""
    grouped = sum(len(group.tiles) for group in found.groups)
    panels, strays = (
        count_noun(len(found.groups), "likely panel"),
        count_noun(len(found.strays), "stray"),
    )
    console.print(f"{grouped:,} of {count_noun(found.tiles, 'tile')} in {panels}, {strays}")
    for group in found.groups[:SHOWN]:
        tiles = count_noun(len(group.tiles), "tile")
        text = f"  panel {group.name}: {tiles}, probability {group.probability:.2f}"
        console.print(text, markup=False)
    if len(found.groups) > SHOWN:
        console.print(f"  … and {len(found.groups) - SHOWN:,} more")
    if found.duplicates:
        pairs = count_noun(len(found.duplicates), "tile")
        console.print(f"Likely photographed twice: {pairs}")
    console.print(f"Pictures: {page}", markup=False, soft_wrap=True)
    console.print(f"List:     {page.with_suffix('.csv')}", markup=False, soft_wrap=True)
