"""Changes of a museum by hand: of tiles (moved, edited, pictured, removed) and names of patterns.

Each is an action of the museum's own project, a "move", which each person can undo and redo
(``replaying``). What it changes on tables are actions there that name it: whoever undoes one of
them, in the museum or on a table, undoes them all.
"""

import secrets
from collections.abc import Sequence
from contextlib import nullcontext
from dataclasses import replace
from itertools import count
from pathlib import Path

from azulejar.app.http.errors import Conflict
from azulejar.app.museum.move_records import Changed, Edited, Named, Pictured, Recorded, Removed
from azulejar.app.museum.museum import Museum
from azulejar.app.museum.renumbering import find_renumbering, renumber
from azulejar.app.museum.table_changes import (
    follow_edit,
    follow_moves,
    follow_number,
    follow_picture,
    follow_removal,
    follow_restoring,
)
from azulejar.app.museum.tables import (
    give_tile,
    suspected_part,
)
from azulejar.app.projects.history import changed_since
from azulejar.app.schemas.boards import Edit
from azulejar.app.schemas.museums import Gift
from azulejar.app.schemas.tiles import CatalogueChange, TileChange
from azulejar.app.workspace import Workspace
from azulejar.collection.intake.replacing import describe_picture
from azulejar.collection.reassigning import move_tiles
from azulejar.collection.storage.overrides import (
    edit_records,
    remove_tiles,
    removed_tiles,
    restore_tiles,
)
from azulejar.collection.storage.pictures import (
    exchange_picture,
    stored_picture,
)
from azulejar.outputs.collection.stages import name_patterns

LONGEST = 30  # characters of a value in a label


def make_move(
    workspace: Workspace,
    museum: Museum,
    tiles: Sequence[int],
    to: str,
    label: str,
    who: str = "",
    gift: Gift | None = None,
) -> Changed:
    """Move tiles to a panel, and a ``gift`` into its place on the table."""
    museum.check_tiles(tiles)
    move = secrets.token_hex(8)
    changed: Changed = []
    with museum.sorting():
        if gift is not None:
            state = give_tile(museum, workspace.open(gift.project), gift, label, who, move)
            changed.append((gift.project, state))
        done = move_tiles(museum.collection, tiles, to)
        data = Recorded(move=move, **done.model_dump()).model_dump_json()
        workspace.open(museum.id).record_move(who, label, data)
        changed += follow_moves(workspace, museum, tiles, done.to, label, who, move)
    return changed


def remove_from_museum(
    workspace: Workspace,
    museum: Museum,
    tiles: Sequence[int],
    who: str = "",
    kept: int | None = None,
) -> Changed:
    """Remove tiles from the museum and its tables, or merge one into another, which is ``kept``.

    The tile that is kept takes over the place of the other if it has none.
    """
    museum.check_tiles([*tiles, *([] if kept is None else [kept])])
    numbers = {each.inventory: each.number for each in museum.collection.entries(tiles)}
    same = None if kept is None else museum.collection.entries([kept])[0].inventory
    removed = removed_tiles(museum.collection)
    if same is not None and (len(numbers) > 1 or same in numbers or same in removed):
        raise Conflict(
            "museum-merge-unfit", "Only one tile is merged with another that is kept.",
            "Choose two tiles.",
        )  # fmt: skip
    gone: dict[str, str | None] = {name: same for name in numbers if name not in removed}
    if not gone:
        return []
    label = label_of("label.remove", number=next(iter(gone)), count=len(gone))
    if same is not None:
        label = label_of("label.merge", number=next(iter(gone)), other=same)
    move = secrets.token_hex(8)
    taken = None
    if kept is not None and museum.panel_of(kept) is None:
        panel = museum.panel_of(numbers[next(iter(gone))])
        with museum.sorting():
            taken = None if panel is None else move_tiles(museum.collection, [kept], panel)
    made = Removed(move=move, removed=gone, taken=taken)
    return _remove(workspace, museum, made, label, who)


def remove_from_table(
    workspace: Workspace, museum: Museum, project: str, edit: Edit, who: str = ""
) -> Changed:
    """Make an edit that removes tiles from a table; those of the museum are removed there too."""
    store = workspace.open(project)
    known = set(museum.collection.inventories()) - removed_tiles(museum.collection).keys()
    named = {each.tile: each.number for each in store.tiles()}
    gone = [named[tile] for tile in edit.remove if named.get(tile) in known]
    if not gone:
        return [(project, store.edit(edit, who))]
    made = Removed(move=secrets.token_hex(8), removed=dict.fromkeys(gone))
    state = store.edit(edit, who, made.move)
    return [(project, state), *_remove(workspace, museum, made, edit.label, who)]


def restore_to_museum(
    workspace: Workspace, museum: Museum, tiles: Sequence[int], who: str = ""
) -> Changed:
    """Restore removed tiles in the museum and on its tables."""
    museum.check_tiles(tiles)
    removed = removed_tiles(museum.collection)
    names = [each.inventory for each in museum.collection.entries(tiles)]
    back = {name: removed[name] for name in names if name in removed}
    if not back:
        return []
    made = Removed(move=secrets.token_hex(8), removed=back, restored=True)
    if not restore_tiles(museum.collection, back):
        raise changed_since()
    label = label_of("label.restore", number=next(iter(back)), count=len(back))
    workspace.open(museum.id).record_move(who, label, made.model_dump_json())
    return list(follow_restoring(workspace, museum, back, label, who, made.move))


def _remove(workspace: Workspace, museum: Museum, made: Removed, label: str, who: str) -> Changed:
    if not remove_tiles(museum.collection, made.removed):
        raise changed_since()
    workspace.open(museum.id).record_move(who, label, made.model_dump_json())
    return list(follow_removal(workspace, museum, made.removed, label, who, made.move))


def edit_tiles(
    workspace: Workspace,
    museum: Museum,
    change: CatalogueChange,
    who: str = "",
    own: tuple[str, TileChange] | None = None,
) -> Changed:
    """Change fields of the records of tiles, in the museum and on tables.

    ``own`` is the project on whose table that was done, and all that it changes there.
    """
    museum.check_tiles(change.tiles)
    entries = museum.collection.entries(list(dict.fromkeys(change.tiles)))
    values = change.values()
    records = {one.inventory: replace(one.record, crate=one.crate) for one in entries}
    known = {number: {name: getattr(record, name) for name in values}
             for number, record in records.items()}  # fmt: skip
    before = {name: old for name, old in known.items() if old != values}
    renumbered = find_renumbering(workspace, museum, entries, change.number)
    if not before and renumbered is None:
        return []
    names = set(before) if renumbered is None else {renumbered.old}
    label = label_of("label.fields", number=next(iter(before or names)), count=len(names))
    if renumbered is not None:
        label = label_of("museum.edit.number", old=renumbered.old, new=renumbered.new)
    move = secrets.token_hex(8)
    with museum.sorting() if renumbered else nullcontext():
        if renumbered is not None:
            renumber(workspace, museum, renumbered.old, renumbered.new)
            before = dict.fromkeys([renumbered.new], before.get(renumbered.old, {}))
        after = dict.fromkeys(before, values)
        made = Edited(move=move, before=before, after=after, renumbered=renumbered)
        if not edit_records(museum.collection, before, after):
            raise changed_since()
        workspace.open(museum.id).record_move(who, label, made.model_dump_json())
        if renumbered is not None:
            values = values | {"number": renumbered.new}
        changed = list(follow_edit(workspace, museum, names, values, label, who, move, own))
        if renumbered is not None:
            follow_number(workspace, museum, renumbered.old, renumbered.new)
        return changed


def edit_from_table(
    workspace: Workspace, museum: Museum, project: str, change: TileChange, who: str = ""
) -> Changed:
    """Change records in the museum too, where tiles of a table are its own.

    Whatever else changes on the table is part of it; nothing is changed if the museum is not
    concerned. Raise Conflict if its tiles would get an inventory number that another has, or no
    crate.
    """
    store = workspace.open(project)
    fields = CatalogueChange.FIELDS | {"number"}
    values = change.model_dump(include=change.model_fields_set & fields)
    wanted = set(change.tiles)
    if not wanted <= {each.tile for each in store.state().board.placed}:
        return []  # the table refuses the whole change
    named = {tile.number for tile in store.tiles() if tile.tile in wanted}
    tiles = [tile for tile, name in enumerate(museum.collection.inventories()) if name in named]
    if tiles and not (values.get("crate", "-") or "").strip():
        raise Conflict("museum-crate-needed", "Each tile of a museum is in a crate.", "Name it.")
    if not values or not tiles:
        return []
    record = CatalogueChange(tiles=tiles, **values)
    return edit_tiles(workspace, museum, record, who, (project, change))


def replace_picture(
    workspace: Workspace, museum: Museum, tile: int, picture: Path, label: str, who: str = ""
) -> Changed:
    """Replace the picture of a tile in the museum and on its tables.

    It is described at once; the panel and the likely joints of the tile count as outdated until
    the next solve and sort.
    """
    museum.check_tiles([tile])
    (entry,) = museum.collection.entries([tile])
    with museum.sorting():
        new = describe_picture(museum.collection, picture)
        old = stored_picture(museum.collection, entry.inventory)
        if not exchange_picture(museum.collection, entry.inventory, old, new):
            raise changed_since()
        made = Pictured(move=secrets.token_hex(8), tile=entry.inventory, old=old, new=new)
        workspace.open(museum.id).record_move(who, label, made.model_dump_json())
        followed = follow_picture(workspace, museum, entry.inventory, label, who, made.move)
        return list(followed)


def split_panel(
    workspace: Workspace, museum: Museum, panel: str, who: str = ""
) -> tuple[str, Changed]:
    """Split off the suspected second panel of a panel; return the name of the new panel."""
    part, _ = suspected_part(museum, panel)
    if not part:
        raise Conflict(
            "museum-panel-whole", "Panel {name} is held for one now.", "Load the page again.",
            name=panel,
        )  # fmt: skip
    taken = {group.name for group in (museum.sort.groups if museum.sort else ())}
    name = next(str(number) for number in count(1) if str(number) not in taken)
    label = label_of("museum.edit.split", count=len(part), panel=name)
    return name, make_move(workspace, museum, part, name, label, who)


def name_pattern(
    workspace: Workspace, museum: Museum, pattern: str, name: str, who: str = ""
) -> None:
    """Give a pattern another name; later searches for patterns keep it."""
    naming = name_patterns(museum.collection, {pattern: name})
    if naming.after:
        data = Named(move=secrets.token_hex(8), **naming.model_dump()).model_dump_json()
        label = label_of("museum.edit.name", pattern=pattern, name=name)
        workspace.open(museum.id).record_move(who, label, data)


def label_of(key: str, **values: object) -> str:
    """Return a label that each page says in its own language, as ``writeLabel`` of the page."""
    short = {name: str(value).replace("|", " ")[:LONGEST] for name, value in values.items()}
    return "|".join([key, *(f"{name}={value}" for name, value in short.items())])
