"""``azulejar collection create``: an empty catalogue."""

import shlex

from azulejar.cli.collection.options import CollectionFolder
from azulejar.cli.console import say
from azulejar.collection.storage.catalogue import Collection


def command(folder: CollectionFolder) -> None:
    """Make a new collection, without tiles yet.

    DIR must be new or empty. The pictures stay where they are; the collection keeps a small copy
    and a description of each tile.

    Example: azulejar collection create museum
    """
    Collection.create(folder).close()
    say(f"Made the collection {folder}. Add tiles to it:")
    say(f"  azulejar collection add {shlex.quote(str(folder))} TILES")
