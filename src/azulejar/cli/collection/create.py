"""``azulejar collection create``: an empty catalogue."""

import shlex

from azulejar.cli.collection.options import CollectionFolder
from azulejar.cli.console import console
from azulejar.collection.storage.catalogue import Collection


def command(folder: CollectionFolder) -> None:
    """Make a new collection, without tiles yet.

    DIR must be new or empty. The pictures stay where they are; the collection keeps a small copy
    and a description of each tile.

    Example: azulejar collection create museum
    """
    Collection.create(folder).close()
    console.print(f"Made the collection {folder}. Add tiles to it:", markup=False, soft_wrap=True)
    console.print(
        f"  azulejar collection add {shlex.quote(str(folder))} TILES", markup=False, soft_wrap=True
    )
