"""``azulejar collection add``: pictures of crates into the catalogue."""

import threading
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer

from azulejar.cli.collection.options import Address, CollectionFolder, EngineName, Workers
from azulejar.cli.console import bar, console, exit_stopped, note, say
from azulejar.cli.options import AnyShape
from azulejar.collection.engines import get_engine
from azulejar.collection.intake.adding import add_tiles
from azulejar.collection.intake.crates import half_tiles_error
from azulejar.collection.intake.deduplicate import IntakeReport
from azulejar.collection.storage.catalogue import Collection
from azulejar.errors import AzulejarError
from azulejar.imaging.orientation import orientation_warning
from azulejar.outputs.wording import count_noun
from azulejar.system.interrupts import stopped_by_interrupt

SHOWN = 5  # pictures of each kind that are named


def command(
    folder: CollectionFolder,
    tiles: Annotated[
        list[Path],
        typer.Argument(
            metavar="TILES...",
            help="Folders of tile pictures, one per crate, or folders of such folders.",
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
    these_are_tiles: AnyShape = False,
    engine: EngineName = "local",
    workers: Workers = None,
    address: Address = None,
) -> None:
    """Add tiles to a collection; those that are there already are passed over.

    Each finished block of tiles is kept at once: the same command goes on where it was stopped.
    Given again, it also takes over what tiles.csv says now, and where pictures were moved to. The
    exit status is 0 if every picture is in the collection then; it is 2 if some could not be added,
    which are named, while the others are kept.

    Example: azulejar collection add museum crates/*
    """
    stop = threading.Event()
    try:
        with Collection.open(folder) as collection:
            with (
                get_engine(engine, workers=workers, address=address) as running,
                stopped_by_interrupt() as stop,
                bar("Adding tiles") as progress,
            ):
                added = add_tiles(
                    collection,
                    tiles,
                    engine=running,
                    crate=crate,
                    any_shape=these_are_tiles,
                    on_progress=progress,
                    stop=stop,
                )
            _print_report(added)
            has, crates = count_noun(len(collection), "tile"), len(collection.crates())
            say(f"{folder} has {has} in {count_noun(crates, 'crate')}.")
    except KeyboardInterrupt:
        stop.set()
    if stop.is_set():
        exit_stopped("what was added is kept. Continue with the same command.")
    if failed := len(added.broken) + len(added.refused) + len(added.halves):
        raise AzulejarError(
            "pictures-not-added",
            "{failed} of {total} pictures could not be added; see above.",
            "Correct them or leave them out, and run the same command again. azulejar import finds "
            "the tiles in photographs of a table; --these-are-tiles takes each picture for one "
            "tile.",
            failed=failed,
            total=added.pictures,
        )


def _print_report(added: IntakeReport) -> None:
    """Print how many pictures were new, known or refused, and name some of each kind."""
    others = {
        "there twice": len(added.twice),
        "broken": len(added.broken),
        "refused": len(added.refused) + len(added.halves),
    }
    counts = [count_noun(added.new, "new tile"), f"{added.known} known"]
    counts += [f"{count} {what}" for what, count in others.items() if count]
    console.print(", ".join(counts))
    _print_notes(added.notes)
    if added.updated:
        _print_notes([f"{added.updated} known tiles have another place, crate or record now."])
    _print_notes([f"{path} is the same picture as {other}." for path, other in added.twice.items()])
    _print_notes([f"{path} became tile {name}, as its own number is taken."
           for path, name in added.renamed.items()])  # fmt: skip
    if added.sideways:
        note(str(orientation_warning([path.name for path in added.sideways])))
    _print_notes(list(added.broken.values()))
    _print_notes(list(added.refused.values()))
    if added.halves:
        note(str(half_tiles_error(added.halves)))


def _print_notes(notes: Sequence[str]) -> None:
    for text in notes[:SHOWN]:
        note(text)
    if len(notes) > SHOWN:
        note(f"… and {len(notes) - SHOWN} more like this.")
