"""Panels as people want them: tiles that are moved from one group of the last sort to another.

The groups change at once, and every sort to come respects it, until the move is undone.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

import numpy as np
from pydantic import BaseModel

from azulejar.collection.sort_results import (
    FOLDER,
    MARK,
    Group,
    SortResult,
    require_sort,
    save_sort,
)
from azulejar.collection.storage.catalogue import Collection
from azulejar.collection.storage.overrides import assign_tiles, moved_panels
from azulejar.system.atomic import replacing

_Where = tuple[str | None, float]  # the panel of a tile, None for a stray, and its probability


class Reassignment(BaseModel):
    """A move, and all that it takes to undo it; tiles go by their inventory numbers.

    ``tiles``: where each tile was before. ``held``: the panel in which later sorts hold each tile
    of the panel ``to`` and of those that have lost tiles; ``assigned``: the one in which they did
    so before. ``groups``: the groups that have lost tiles, as they were.
    """

    to: str
    tiles: dict[str, _Where]
    held: dict[str, str] = {}
    assigned: dict[str, str | None]
    groups: list[Group]


def move_tiles(collection: Collection, tiles: Sequence[int], to: str) -> Reassignment:
    """Move tiles to the panel called ``to``, which may be new.

    Every sort to come keeps them with the other tiles of the panel, and apart from those that they
    leave behind, which stay together: else the joints between both would unite the two panels.

    Raises:
        AzulejarError: The collection has not been sorted.
    """
    found = require_sort(collection, removed=True)
    to = next((group.name for group in found.groups if group.name.casefold() == to.casefold()), to)
    before = {tile: _where(found, tile) for tile in sorted(set(tiles))}
    left = {panel for panel, _ in before.values()} - {None, to}
    new = [] if to in found.names.values() else [Group(to, (), probability=1.0)]
    now = _regrouped(found, dict.fromkeys(before, (to, 1.0)), new)
    names = collection.inventories()
    assigned = moved_panels(collection)
    held = {
        names[tile]: group.name
        for group in now.groups
        if group.name in {to, *left}
        for tile in group.tiles
    }
    assign_tiles(collection, held)
    _save(collection, now, names)
    return Reassignment(
        to=to,
        tiles={names[tile]: where for tile, where in before.items()},
        held=held,
        assigned={name: assigned.get(name) for name in held},
        groups=[replace(group, tiles=()) for group in found.groups if group.name in left],
    )


def undo_move(collection: Collection, move: Reassignment) -> Reassignment | None:
    """Put the tiles of a move back; return None, and change nothing, if some were moved since."""
    found = require_sort(collection, removed=True)
    names = collection.inventories()
    number = {name: tile for tile, name in enumerate(names)}
    back = {number[name]: where for name, where in move.tiles.items() if name in number}
    if len(back) < len(move.tiles) or any(found.names.get(tile) != move.to for tile in back):
        return None
    assigned = moved_panels(collection)
    old = {
        name: panel
        for name, panel in move.assigned.items()
        if assigned.get(name) == move.held.get(name, move.to)  # and nobody has moved it since
    }
    assign_tiles(collection, old)
    _save(collection, _regrouped(found, back, move.groups), names)
    return move


def redo_move(collection: Collection, move: Reassignment) -> Reassignment | None:
    """Make an undone move again; return None, and change nothing, if its tiles lie elsewhere."""
    found = require_sort(collection, removed=True)
    number = {name: tile for tile, name in enumerate(collection.inventories())}
    tiles = [number.get(name, -1) for name in move.tiles]
    panels = [panel for panel, _ in move.tiles.values()]
    if -1 in tiles or [found.names.get(tile) for tile in tiles] != panels:
        return None
    return move_tiles(collection, tiles, move.to)


def _where(found: SortResult, tile: int) -> _Where:
    likely = float(found.probability[tile]) if tile < found.tiles else 0.0
    return found.names.get(tile), likely


def _regrouped(
    found: SortResult, moved: Mapping[int, _Where], others: Iterable[Group]
) -> SortResult:
    """Return the groups with tiles elsewhere; those in ``others`` are new, or as they were."""
    probability = np.zeros(max(found.tiles, 1 + max(moved)))
    probability[: found.tiles] = found.probability
    panel = dict.fromkeys(set(range(len(probability))) - found.left_out) | found.names
    for tile, (name, likely) in moved.items():
        panel[tile], probability[tile] = name, likely
    tiles: dict[str | None, list[int]] = {}
    for tile, name in panel.items():
        tiles.setdefault(name, []).append(tile)
    known = {group.name: group for group in [*found.groups, *others]}
    named = dict.fromkeys([group.name for group in found.groups] + list(known))
    groups = [_with_tiles(known[name], tiles[name]) for name in named if name in tiles]
    strays = tuple(tiles.get(None, ()))
    alike = tuple(tile for tile in found.pattern_tiles if panel[tile] is None)
    return SortResult(groups, strays, probability, found.duplicates, alike)


def _with_tiles(group: Group, tiles: Sequence[int]) -> Group:
    """Return a group of other tiles; where some were taken away, no part is called apart."""
    if set(group.tiles) <= set(tiles):
        return replace(group, tiles=tuple(tiles))
    return replace(group, tiles=tuple(tiles), apart=0, part=())


def _save(collection: Collection, now: SortResult, names: Sequence[str]) -> None:
    with replacing(collection.folder / FOLDER / MARK) as temporary:
        save_sort(temporary, now, names)
