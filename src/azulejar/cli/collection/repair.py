"""``azulejar collection repair``: damaged files from the photographs."""

from azulejar.cli.collection.options import Address, CollectionFolder, EngineName, Workers
from azulejar.cli.console import bar, say, warn
from azulejar.collection.engines import get_engine
from azulejar.collection.intake.repair import repair_collection
from azulejar.collection.storage.catalogue import Collection
from azulejar.outputs.wording import count_noun

SHOWN = 10  # tiles that are named


def command(
    folder: CollectionFolder,
    engine: EngineName = "local",
    workers: Workers = None,
    address: Address = None,
) -> None:
    """Rebuild the damaged files of a collection from the photographs that are still there.

    status --check says what is damaged. A damaged database comes back only from a backup
    (azulejar collection restore). A collection of an older version is brought up to date: checksums
    are added, and its tiles are described anew from their stored pictures.

    Example: azulejar collection repair museum
    """
    with (
        Collection.open(folder) as collection,
        get_engine(engine, workers=workers, address=address) as running,
        bar("Rebuilding tiles") as progress,
    ):
        report = repair_collection(collection, engine=running, on_progress=progress)
    if report.indexes:
        say("The indexes of the database were made anew.")
    if report.sealed:
        say(f"Checksums added for {count_noun(report.sealed, 'tile')} of an older version.")
    if report.described:
        say(
            f"{count_noun(report.described, 'tile')} described anew by the network of this version."
        )
    else:
        say(f"{count_noun(report.rebuilt, 'damaged tile')} rebuilt.")
    if report.lost:
        warn(
            f"{count_noun(len(report.lost), 'tile')} could not be rebuilt, as the photographs are "
            "gone. Add them from where they are now and repair again, or restore a backup."
        )
        for entry in report.lost[:SHOWN]:
            say(f"  {entry.inventory} (crate {entry.crate}): {entry.path}")
        if len(report.lost) > SHOWN:
            say(f"  … and {len(report.lost) - SHOWN} more")
