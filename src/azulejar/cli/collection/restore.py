"""``azulejar collection restore``: a collection from its backup."""

import shlex
from pathlib import Path
from typing import Annotated

import typer

from azulejar.cli.collection.options import CollectionFolder
from azulejar.cli.console import bar, say
from azulejar.collection.storage.backup import restore_collection
from azulejar.outputs.wording import count_noun


def command(
    file: Annotated[
        Path,
        typer.Argument(
            metavar="FILE.zip", help="What azulejar collection backup wrote.", show_default=False
        ),
    ],
    folder: CollectionFolder,
) -> None:
    """Restore a collection from its backup, after comparing everything with its checksums.

    DIR must be new or empty: a damaged collection stays as it is until you remove it.

    Example: azulejar collection restore museum.zip restored
    """
    with (
        bar("Restoring") as progress,
        restore_collection(file, folder, on_progress=progress) as collection,
    ):
        tiles, crates = len(collection), len(collection.crates())
    say(f"{folder} has {count_noun(tiles, 'tile')} in {count_noun(crates, 'crate')}.")
    say(f"Are their pictures there? azulejar collection status {shlex.quote(str(folder))} --check")
