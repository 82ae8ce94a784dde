"""What the commands for collections share: options, and how they begin."""

from pathlib import Path
from typing import Annotated

import typer

from azulejar.cli.console import note
from azulejar.collection.sort_results import SortResult, require_sort
from azulejar.collection.storage.catalogue import Collection
from azulejar.errors import AzulejarError

CollectionFolder = Annotated[
    Path, typer.Argument(metavar="DIR", help="Folder of the collection.", show_default=False)
]
EngineName = Annotated[
    str,
    typer.Option("--engine", metavar="NAME", help="local (this computer) or ray (many)."),
]
Workers = Annotated[
    int | None,
    typer.Option(min=1, help="Processes side by side; by default one a core.", show_default=False),
]
Address = Annotated[
    str | None,
    typer.Option(
        metavar="HOST:PORT",
        help="Of the Ray cluster; by default one is started here.",
        show_default=False,
    ),
]


def open_filled(folder: Path) -> Collection:
    """Open a collection, which must have tiles."""
    collection = Collection.open(folder)
    try:
        collection.check_not_empty()
    except AzulejarError:
        collection.close()
        raise
    return collection


def read_last_sort(collection: Collection, folder: Path) -> SortResult:
    """Return the result of the last sort, and note if tiles were added since."""
    found = require_sort(collection)
    new = len(collection) - found.tiles
    if new:
        note(
            f"{new} tile{'s' * (new > 1)} came in since the last sort and are not in it. "
            f"To take them in: azulejar collection sort {folder}"
        )
    return found
