"""``azulejar collection status``: how a collection stands."""

import shlex
from collections.abc import Sequence
from typing import Annotated

import typer
from rich.filesize import decimal

from azulejar.cli.collection.options import CollectionFolder, counted
from azulejar.cli.console import bar, console
from azulejar.collection.search.joint_search import FOLDER, JOINTS, is_searched
from azulejar.collection.sort_results import SortResult, load_sort
from azulejar.collection.storage.catalogue import Collection, Entry
from azulejar.collection.storage.status import check_pictures, find_holders, size_on_disk
from azulejar.outputs.collection.panels import read_panels

SHOWN = 10  # pictures that are named


def command(
    folder: CollectionFolder,
    check: Annotated[
        bool, typer.Option("--check", help="Look whether every tile's picture is still there.")
    ] = False,
) -> None:
    """Tell how many tiles a collection has, and what has been done with them.

    Example: azulejar collection status museum --check
    """
    with Collection.open(folder) as collection:
        tiles, crates = counted(len(collection), "tile"), counted(len(collection.crates()), "crate")
        _say(f"{folder}: {tiles} in {crates}, {decimal(size_on_disk(collection))} on disk")
        for holder in find_holders(collection):
            _warn(f"Another process {holder.what} right now: {holder}.")
        if len(collection):
            _tell_stages(collection, f"azulejar collection {{}} {shlex.quote(str(folder))}")
        if check:
            _tell_pictures(collection)


def _tell_stages(collection: Collection, command: str) -> None:
    """What has been done, and, where something is left to do, the ``command`` for it."""
    sort, solve = f"To do so: {command.format('sort')}", f"To do so: {command.format('solve')}"
    if is_searched(collection):
        _say("Searched: all tiles.")
    elif (collection.folder / FOLDER / JOINTS).exists():
        _warn(f"Searched: before the last tiles were added. {sort}")
    else:
        _warn(f"Searched: not yet. {sort}")
    found = load_sort(collection)
    if found is None:
        _warn(f"Sorted: not yet. {sort}")
        return
    new = len(collection) - found.tiles
    panels, strays = counted(len(found.groups), "likely panel"), counted(len(found.strays), "stray")
    told = f"Sorted: {panels}, {strays}"
    if new:
        _warn(f"{told}; {counted(new, 'tile')} {'was' if new == 1 else 'were'} added since. {sort}")
    else:
        _say(f"{told}.")
    _tell_solved(collection, found, solve)


def _tell_solved(collection: Collection, found: SortResult, solve: str) -> None:
    panels = read_panels(collection, found.groups)
    outdated = sum(panel.outdated for panel in panels)
    told = f"Solved: {len(panels)} of {counted(len(found.groups), 'likely panel')}"
    if not panels:
        _warn(f"Solved: not yet. {solve}")
    elif outdated:
        _warn(f"{told}, {outdated} of them from other tiles than they have now. {solve}")
    else:
        _say(f"{told}.")


def _tell_pictures(collection: Collection) -> None:
    with bar("Looking for pictures") as progress:
        displaced = check_pictures(collection, progress)
    if not displaced.vanished and not displaced.changed:
        _say("Pictures: all are where they were.")
    _list("vanished; if they were moved, add them from their new place", displaced.vanished)
    _list("changed since they were added; the tiles stay as they were", displaced.changed)


def _list(what: str, entries: Sequence[Entry]) -> None:
    if entries:
        _warn(f"Pictures: {len(entries)} {what}:")
    for entry in entries[:SHOWN]:
        _say(f"  {entry.inventory} (crate {entry.crate}): {entry.path}")
    if len(entries) > SHOWN:
        _say(f"  … and {len(entries) - SHOWN} more")


def _say(text: str) -> None:
    console.print(text, markup=False, soft_wrap=True)


def _warn(text: str) -> None:
    console.print(text, style="yellow", markup=False, soft_wrap=True)
