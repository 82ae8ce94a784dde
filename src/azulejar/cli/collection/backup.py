"""``azulejar collection backup``: the whole collection in one file."""

from datetime import datetime
from pathlib import Path
from typing import Annotated

import typer
from rich.filesize import decimal

from azulejar.cli.collection.options import CollectionFolder
from azulejar.cli.console import bar, say
from azulejar.cli.options import Overwrite
from azulejar.collection.storage.backup import backup_collection
from azulejar.collection.storage.catalogue import Collection
from azulejar.outputs.wording import count_noun


def command(
    folder: CollectionFolder,
    output: Annotated[
        Path | None,
        typer.Option(
            "--output",
            "-o",
            metavar="FILE.zip",
            help="The file to write; by default the folder's name and today's date.",
            show_default=False,
        ),
    ] = None,
    overwrite: Overwrite = False,
) -> None:
    """Write a collection into one file, as it is at this moment; others may go on working.

    The file holds the catalogue, the arrays, groups and panels. Photographs are not in it: they
    need a backup of their own.

    Example: azulejar collection backup museum -o museum.zip
    """
    with Collection.open(folder) as collection:
        path = output or Path(f"{collection.name}-{datetime.now():%Y-%m-%d}.zip")
        with bar("Writing the backup") as progress:
            backup_collection(collection, path, overwrite=overwrite, on_progress=progress)
        tiles = count_noun(len(collection), "tile")
    say(f"Backup: {path} ({tiles}, {decimal(path.stat().st_size)})")
