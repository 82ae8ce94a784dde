"""``azulejar collection add``: pictures of crates into the catalogue."""

import threading
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer

from azulejar.cli.collection.options import Address, CollectionFolder, EngineName, Workers, counted
from azulejar.cli.console import bar, console, errors
from azulejar.collection.engines import get_engine
from azulejar.collection.intake.adding import add_tiles
from azulejar.collection.intake.deduplicate import IntakeReport
from azulejar.collection.storage.catalogue import Collection
from azulejar.system.interrupts import stopped_by_interrupt

SHOWN = 5  # pictures of each kind that are named


def command(
    folder: CollectionFolder,
    tiles: Annotated[
        list[Path],
        typer.Argument(
            metavar="TILES...",
            help="Folders of tile pictures, one a crate, or folders of such folders.",
            show_default=False,
        ),
    ],
    crate: Annotated[
        str | None,
        typer.Option(
            metavar="NAME",
            help="The crate they lie in; by default as tiles.csv says, or the folder's name.",
            show_default=False,
        ),
    ] = None,
    engine: EngineName = "local",
    workers: Workers = None,
    address: Address = None,
) -> None:
    """Add tiles to a collection; those that are there already are passed over.

    Each finished block of tiles is kept at once: the same command goes on where it was stopped.
    Given again, it also takes over what tiles.csv says now, and where pictures were moved to.

    Example: azulejar collection add museum crates/*
    """
    stop = threading.Event()
    try:
        with Collection.open(folder) as collection:
            with (
                get_engine(engine, workers=workers, address=address) as crew,
                stopped_by_interrupt() as stop,
                bar("Adding tiles") as progress,
            ):
                added = add_tiles(
                    collection, tiles, engine=crew, crate=crate, on_progress=progress, stop=stop
                )
            tell(added)
            has, crates = counted(len(collection), "tile"), len(collection.crates())
            console.print(f"{folder} has {has} in {counted(crates, 'crate')}.",
                          markup=False, soft_wrap=True)  # fmt: skip
    except KeyboardInterrupt:
        stop.set()
    if stop.is_set():
        errors.print(
            "azulejar: stopped; what was added is kept. Continue with the same command.",
            style="red",
        )
        raise typer.Exit(130)


def tell(added: IntakeReport) -> None:
    """How many pictures came to what."""
    others = {
        "there twice": len(added.twice),
        "broken": len(added.broken),
        "refused": len(added.refused),
    }
    counts = [counted(added.new, "new tile"), f"{added.known} known"]
    counts += [f"{count} {what}" for what, count in others.items() if count]
    console.print(", ".join(counts))
    _list(added.notes)
    if added.updated:
        _list([f"{added.updated} known tiles have another place, crate or record now."])
    _list([f"{path} is the same picture as {other}." for path, other in added.twice.items()])
    _list([f"{path} became tile {name}, as its own number is taken."
           for path, name in added.renamed.items()])  # fmt: skip
    _list(list(added.broken.values()))
    _list(list(added.refused.values()))


def _list(notes: Sequence[str]) -> None:
    for note in notes[:SHOWN]:
        console.print(f"  note: {note}", style="yellow", markup=False, soft_wrap=True)
    if len(notes) > SHOWN:
        console.print(f"  note: … and {len(notes) - SHOWN} more like this.", style="yellow")
