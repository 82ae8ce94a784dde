"""What the commands begin with that work on a collection's tiles."""

from pathlib import Path

from azulejar.cli.console import console
from azulejar.collection.sort_results import SortResult, require_sort
from azulejar.collection.storage.catalogue import Collection
from azulejar.errors import AzulejarError


def opened(folder: Path) -> Collection:
    """Open the collection, which must have tiles."""
    collection = Collection.open(folder)
    try:
        collection.check_not_empty()
    except AzulejarError:
        collection.close()
        raise
    return collection


def last_sort(collection: Collection, folder: Path) -> SortResult:
    """Return the result of the last sort; say so if tiles were added since."""
    found = require_sort(collection)
    new = len(collection) - found.tiles
    if new:
        console.print(
            f"  note: {new} tile{'s' * (new > 1)} came in since the last sort and are not in it. "
            f"To take them in: azulejar collection sort {folder}",
            style="yellow", markup=False, soft_wrap=True,
        )  # fmt: skip
    return found
