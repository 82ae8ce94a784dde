"""Panels as people want them: tiles that are moved from one group of the last sort to another.

The groups change at once, and every sort to come respects it.
"""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from azulejar.collection.sort_results import (
    FOLDER,
    MARK,
    Group,
    SortResult,
    require_sort,
    save_sort,
)
from azulejar.collection.storage.catalogue import Collection
from azulejar.collection.storage.overrides import assign_tiles
from azulejar.system.atomic import replacing


def move_tiles(collection: Collection, tiles: Sequence[int], to: str) -> SortResult:
    """Move tiles to the panel called ``to``, which may be new; return the groups as they are now.

    The other tiles of the panel are kept with them by every sort to come.

    Raises:
        AzulejarError: The collection has not been sorted.
    """
    found = require_sort(collection)
    moved = set(tiles)
    to = next((group.name for group in found.groups if group.name.casefold() == to.casefold()), to)
    groups = []
    for group in found.groups:
        left = tuple(tile for tile in group.tiles if tile not in moved)
        if group.name == to:
            group = replace(group, tiles=tuple(sorted({*left, *moved})))
            moved_to = group
        elif len(left) < len(group.tiles):
            group = replace(group, tiles=left)
        groups.append(group)
    if all(group.name != to for group in groups):
        groups.append(moved_to := Group(to, tuple(sorted(moved)), probability=1.0))
    probability = np.zeros(max([found.tiles, *(tile + 1 for tile in moved)]))
    probability[: found.tiles] = found.probability
    probability[sorted(moved)] = 1.0
    strays = {*found.strays, *range(found.tiles, len(probability))} - moved
    now = SortResult(
        [group for group in groups if group.tiles],
        tuple(sorted(strays)),
        probability,
        found.duplicates,
    )
    inventories = collection.inventories()
    assign_tiles(collection, {inventories[tile]: to for tile in moved_to.tiles})
    with replacing(collection.folder / FOLDER / MARK) as temporary:
        save_sort(temporary, now, inventories)
    return now
