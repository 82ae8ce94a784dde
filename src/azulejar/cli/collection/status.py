"""``azulejar collection status``: what a collection holds, and what was done with it."""

import shlex
from collections.abc import Sequence
from typing import Annotated

import typer
from rich.filesize import decimal

from azulejar.cli.collection.options import CollectionFolder
from azulejar.cli.console import bar, say, warn
from azulejar.collection.intake.encoding import model_checksum
from azulejar.collection.search.joint_search import search_state
from azulejar.collection.sort_results import SortResult, load_sort
from azulejar.collection.storage.catalogue import Collection, Entry
from azulejar.collection.storage.integrity import Damage, find_damage
from azulejar.collection.storage.overrides import removed_tiles
from azulejar.collection.storage.status import check_pictures, find_holders, size_on_disk
from azulejar.outputs.collection.panels import read_panels
from azulejar.outputs.wording import count_noun

SHOWN = 10  # pictures that are named
SEARCHED = {
    "outdated": "before the last tiles were added",
    "damaged": "yes, but the result is damaged",
    "missing": "not yet",
}


def command(
    folder: CollectionFolder,
    check: Annotated[
        bool,
        typer.Option(
            "--check", help="Compare all that is stored with its checksums, and look for pictures."
        ),
    ] = False,
) -> None:
    """Tell how many tiles a collection has, and what has been done with them.

    Example: azulejar collection status museum --check
    """
    with Collection.open(folder) as collection:
        removed = len(removed_tiles(collection))
        tiles, crates = (
            count_noun(len(collection) - removed, "tile"),
            count_noun(len(collection.crates()), "crate"),
        )
        told = f", {removed} removed" if removed else ""
        say(f"{folder}: {tiles} in {crates}{told}, {decimal(size_on_disk(collection))} on disk")
        for holder in find_holders(collection):
            warn(f"Another process {holder.what} right now: {holder}.")
        command = f"azulejar collection {{}} {shlex.quote(str(folder))}"
        damage = _print_damage(collection, command) if check else None
        if len(collection) and not (damage and damage.database):
            _print_stages(collection, command)
        if check and not damage:
            _print_pictures(collection)
    if damage:
        raise typer.Exit(1)


def _print_damage(collection: Collection, command: str) -> Damage:
    """Print what is damaged and how to repair it."""
    with bar("Comparing checksums") as progress:
        damage = find_damage(collection, progress)
    for line in damage.lines():
        warn(f"Damaged: {line}")
    if damage.repairable:
        warn(f"To rebuild it: {command.format('repair')}")
    if damage:
        warn("From a backup: azulejar collection restore")
    elif damage.unchecked:
        tiles = count_noun(damage.unchecked, "tile")
        warn(
            f"Files: {tiles} of an older version have no checksums yet. To add them: "
            f"{command.format('repair')}"
        )
    else:
        say("Files: all are intact.")
    return damage


def _print_stages(collection: Collection, command: str) -> None:
    """Print what has been done and, where something is left to do, the ``command`` for it."""
    sort, solve = f"To do so: {command.format('sort')}", f"To do so: {command.format('solve')}"
    if collection.model != model_checksum():
        warn(
            "Described: by the network of another version. To describe all tiles anew: "
            f"{command.format('repair')}"
        )
    searched = search_state(collection)
    if searched == "done":
        say("Searched: all tiles.")
    else:
        warn(f"Searched: {SEARCHED[searched]}. {sort}")
    found = load_sort(collection)
    if found is None:
        warn(f"Sorted: not yet. {sort}")
        return
    new = len(collection) - found.tiles
    panels, strays = (
        count_noun(len(found.groups), "likely panel"),
        count_noun(len(found.strays), "stray"),
    )
    told = f"Sorted: {panels}, {strays}"
    if new:
        warn(
            f"{told}; {count_noun(new, 'tile')} {'was' if new == 1 else 'were'} added since. {sort}"
        )
    else:
        say(f"{told}.")
    _print_solved(collection, found, solve)


def _print_solved(collection: Collection, found: SortResult, solve: str) -> None:
    panels = read_panels(collection, found.groups)
    outdated = sum(panel.outdated for panel in panels)
    told = f"Solved: {len(panels)} of {count_noun(len(found.groups), 'likely panel')}"
    if not panels:
        warn(f"Solved: not yet. {solve}")
    elif outdated:
        warn(f"{told}, {outdated} of them from other tiles than they have now. {solve}")
    else:
        say(f"{told}.")


def _print_pictures(collection: Collection) -> None:
    with bar("Looking for pictures") as progress:
        displaced = check_pictures(collection, progress)
    if not displaced.vanished and not displaced.changed:
        say("Pictures: all are where they were.")
    _print_entries(
        "vanished; if they were moved, add them from their new place", displaced.vanished
    )
    _print_entries("changed since they were added; the tiles stay as they were", displaced.changed)


def _print_entries(what: str, entries: Sequence[Entry]) -> None:
    if entries:
        warn(f"Pictures: {len(entries)} {what}:")
    for entry in entries[:SHOWN]:
        say(f"  {entry.inventory} (crate {entry.crate}): {entry.path}")
    if len(entries) > SHOWN:
        say(f"  … and {len(entries) - SHOWN} more")
