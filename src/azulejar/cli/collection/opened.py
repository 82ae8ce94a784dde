"""What the commands begin with that work on a collection's tiles."""

from pathlib import Path

from azulejar.cli.console import console
from azulejar.collection.sort_results import SortResult, load_sort
from azulejar.collection.storage.catalogue import Collection
from azulejar.errors import AzulejarError


def opened(folder: Path) -> Collection:
    """The collection, which must have tiles."""
    collection = Collection.open(folder)
    if not len(collection):
        collection.close()
        raise AzulejarError(f"{folder} has no tiles yet.", "Add some: azulejar collection add.")
    return collection


def last_sort(collection: Collection, folder: Path) -> SortResult:
    """What the last sort found; it is told if tiles were added since."""
    found = load_sort(collection)
    if found is None:
        raise AzulejarError(
            f"{folder} has not been sorted yet.", f"Sort it: azulejar collection sort {folder}."
        )
    new = len(collection) - found.tiles
    if new:
        console.print(
            f"  note: {new} tile{'s' * (new > 1)} came in since the last sort and are not in it. "
            f"To take them in: azulejar collection sort {folder}",
            style="yellow", markup=False, soft_wrap=True,
        )  # fmt: skip
    return found
