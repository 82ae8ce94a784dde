"""Changes of a museum by hand: of tiles (moved, edited, pictured, removed) and names of patterns.

Each person can undo and redo them. Each is an action of the museum's own project, a "move".
What it changes on tables are actions there that name it: whoever undoes one of them, in the museum
or on a table, undoes them all.
"""

import json
import secrets
from collections.abc import Sequence
from contextlib import nullcontext
from dataclasses import replace
from itertools import count
from pathlib import Path
from typing import Any

from pydantic import BaseModel, TypeAdapter

from azulejar.app.http.errors import Conflict
from azulejar.app.museum.museum import Museum
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
    stay_laid,
    stay_untouched,
    suspected_part,
    table_projects,
)
from azulejar.app.projects.history import changed_since
from azulejar.app.projects.tile_store import number_taken
from azulejar.app.schemas.boards import BoardState, Edit
from azulejar.app.schemas.museums import Gift
from azulejar.app.schemas.tiles import CatalogueChange, TileChange
from azulejar.app.workspace import Workspace
from azulejar.collection.intake.replacing import describe_picture
from azulejar.collection.pattern_names import PatternNaming
from azulejar.collection.reassigning import Reassignment, move_tiles, redo_move, undo_move
from azulejar.collection.storage.catalogue import Collection, Entry
from azulejar.collection.storage.overrides import (
    RecordValues,
    edit_records,
    remove_tiles,
    removed_tiles,
    restore_tiles,
)
from azulejar.collection.storage.pictures import (
    StoredPicture,
    exchange_picture,
    stored_picture,
)
from azulejar.collection.storage.renumbering import Name, check_free, renaming
from azulejar.outputs.collection.renumbering import renumber_tile
from azulejar.outputs.collection.stages import name_patterns, replay_naming

LONGEST = 30  # characters of a value in a label

Changed = list[tuple[str, BoardState]]  # projects, and their boards as they are now


class _Recorded(Reassignment):
    """A move with the id by which actions on tables name it."""

    move: str


class _Renumbered(BaseModel):
    """The inventory numbers of a tile before and after a change; ``tile`` is its own number."""

    tile: int
    old: str
    new: str


class _Edited(BaseModel):
    """An edit of records, by inventory number, with the id by which actions on tables name it.

    Where a tile is also ``renumbered``, its record goes by the new number.
    """

    move: str
    renumbered: _Renumbered | None = None
    before: dict[str, RecordValues]
    after: dict[str, RecordValues]


class _Removed(BaseModel):
    """Tiles that were removed, or ``restored``, each with the tile that it was merged with.

    All go by their inventory numbers; ``taken`` is the move of the one that is kept into the panel
    of the other.
    """

    move: str
    removed: dict[str, str | None]
    restored: bool = False
    taken: Reassignment | None = None


class _Pictured(BaseModel):
    """A picture that took the place of another; the tile goes by its inventory number."""

    move: str
    tile: str
    old: StoredPicture
    new: StoredPicture


class _Named(PatternNaming):
    """Patterns that were named; no table is concerned."""

    move: str


_Done = _Recorded | _Edited | _Removed | _Pictured | _Named
_DONE: TypeAdapter[_Done] = TypeAdapter(_Done)


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
        data = _Recorded(move=move, **done.model_dump()).model_dump_json()
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
    made = _Removed(move=move, removed=gone, taken=taken)
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
    made = _Removed(move=secrets.token_hex(8), removed=dict.fromkeys(gone))
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
    made = _Removed(move=secrets.token_hex(8), removed=back, restored=True)
    if not restore_tiles(museum.collection, back):
        raise changed_since()
    label = label_of("label.restore", number=next(iter(back)), count=len(back))
    workspace.open(museum.id).record_move(who, label, made.model_dump_json())
    return list(follow_restoring(workspace, museum, back, label, who, made.move))


def _remove(workspace: Workspace, museum: Museum, made: _Removed, label: str, who: str) -> Changed:
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
    renumbered = _renumbering(workspace, museum, entries, change.number)
    if not before and renumbered is None:
        return []
    names = set(before) if renumbered is None else {renumbered.old}
    label = label_of("label.fields", number=next(iter(before or names)), count=len(names))
    if renumbered is not None:
        label = label_of("museum.edit.number", old=renumbered.old, new=renumbered.new)
    move = secrets.token_hex(8)
    with museum.sorting() if renumbered else nullcontext():
        if renumbered is not None:
            _renumber(workspace, museum, renumbered.old, renumbered.new)
            before = dict.fromkeys([renumbered.new], before.get(renumbered.old, {}))
        after = dict.fromkeys(before, values)
        made = _Edited(move=move, before=before, after=after, renumbered=renumbered)
        if not edit_records(museum.collection, before, after):
            raise changed_since()
        workspace.open(museum.id).record_move(who, label, made.model_dump_json())
        if renumbered is not None:
            values = values | {"number": renumbered.new}
        changed = list(follow_edit(workspace, museum, names, values, label, who, move, own))
        if renumbered is not None:
            follow_number(workspace, museum, renumbered.old, renumbered.new)
        return changed


def _renumbering(
    workspace: Workspace, museum: Museum, entries: Sequence[Entry], number: str | None
) -> _Renumbered | None:
    """Return the requested change of an inventory number, or None; raise if it is impossible."""
    number = (number or "").strip()
    if not number or (len(entries) == 1 and entries[0].inventory == number):
        return None
    if len(entries) > 1:
        raise number_taken(number)
    (entry,) = entries
    if entry.inventory in removed_tiles(museum.collection):
        raise Conflict(
            "museum-tile-removed",
            "{number} is removed; a removed tile keeps its inventory number.",
            "Restore it first.",
            number=entry.inventory,
        )
    check_free(museum.collection, number)
    for project in table_projects(workspace, museum):
        if workspace.open(project).has_number(number):  # one that was added to the table alone
            raise number_taken(number)
    return _Renumbered(tile=entry.number, old=entry.inventory, new=number)


def _renumber(workspace: Workspace, museum: Museum, old: str, new: str) -> None:
    """Change the inventory number of a tile in the museum and in all earlier moves.

    Its records on tables are updated as part of the same move.
    """
    with stay_laid(workspace, museum):
        renumber_tile(museum.collection, old, new)
        museum.refresh()
    name = renaming(old, new)
    workspace.open(museum.id).rewrite_moves(lambda data: _renamed(data, name))


def _renamed(move: str, name: Name) -> str:
    """Update the inventory numbers in the JSON of a move."""

    def rename(made: dict[str, Any]) -> dict[str, Any]:
        keyed = ("tiles", "held", "assigned", "before", "after", "removed", "records")
        new: dict[str, Any] = {
            field: {name(number): said for number, said in made[field].items()}
            for field in keyed
            if isinstance(made.get(field), dict)
        }
        if "removed" in new:
            new["removed"] = {k: v and name(v) for k, v in new["removed"].items()}
        if isinstance(made.get("tile"), str):
            new["tile"] = name(made["tile"])
        if isinstance(made.get("taken"), dict):
            new["taken"] = rename(made["taken"])
        return made | new

    return json.dumps(rename(json.loads(move)), ensure_ascii=False)


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
        made = _Pictured(move=secrets.token_hex(8), tile=entry.inventory, old=old, new=new)
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
        data = _Named(move=secrets.token_hex(8), **naming.model_dump()).model_dump_json()
        label = label_of("museum.edit.name", pattern=pattern, name=name)
        workspace.open(museum.id).record_move(who, label, data)


def replay_move(workspace: Workspace, museum: Museum, move: str, *, undone: bool) -> Changed:
    """Undo or redo a change of the museum, completely or not at all."""
    desk = workspace.open(museum.id)
    with museum.sorting():
        found = desk.find_move(move, undone=not undone)
        if found is None:
            raise changed_since()
        who, label, data = found
        made = _DONE.validate_json(data)
        tables = [(each, workspace.open(each)) for each in table_projects(workspace, museum)]
        for _, store in tables:
            store.replay_move(move, undone=undone, check=True)
        done = _replayed(workspace, museum, made, undone=undone)
        if done is None:
            raise changed_since()
        desk.mark_move(move, done.model_dump_json(), undone=undone)
        changed: Changed = []
        for project, store in tables:
            with stay_untouched(store):
                state = store.replay_move(move, undone=undone)
            if state is not None:
                changed.append((project, state))
        if isinstance(done, _Recorded) and not undone:
            # Tiles may have been laid on tables again meanwhile.
            numbers = [museum.collection.entry(name).number for name in done.tiles]
            changed += follow_moves(workspace, museum, numbers, done.to, label, who, move)
        if isinstance(done, _Edited) and done.renumbered is not None:
            old, new = done.renumbered.old, done.renumbered.new
            old, new = (new, old) if undone else (old, new)
            changed += follow_number(workspace, museum, old, new, who)
        if isinstance(done, _Pictured):
            # Tables that were opened since know nothing of it.
            there = {project for project, _ in changed}
            changed += follow_picture(workspace, museum, done.tile, label, who, None, there)
        if isinstance(done, _Removed) and undone == done.restored:
            changed += follow_removal(workspace, museum, done.removed, label, who, move)
    return changed


def _replayed(workspace: Workspace, museum: Museum, made: _Done, *, undone: bool) -> _Done | None:
    """Undo or redo a change; return None if its tiles have been changed again since."""
    if isinstance(made, _Removed):
        return _replay_removal(museum.collection, made, undone=undone)
    if isinstance(made, _Pictured):
        old, new = (made.new, made.old) if undone else (made.old, made.new)
        done = exchange_picture(museum.collection, made.tile, old, new, undone=undone)
        return made if done else None
    if isinstance(made, _Named):
        return made if replay_naming(museum.collection, made, undone=undone) else None
    if isinstance(made, _Edited):
        return _replay_edit(workspace, museum, made, undone=undone)
    moved = undo_move(museum.collection, made) if undone else redo_move(museum.collection, made)
    return None if moved is None else _Recorded(**moved.model_dump() | {"move": made.move})


def _replay_edit(
    workspace: Workspace, museum: Museum, made: _Edited, *, undone: bool
) -> _Edited | None:
    values = (made.after, made.before) if undone else (made.before, made.after)
    if made.renumbered is None:
        known = set(museum.collection.inventories())
        done = made.after.keys() <= known and edit_records(museum.collection, *values)
        return made if done else None
    tile, old, new = made.renumbered.tile, made.renumbered.old, made.renumbered.new
    now, then = (new, old) if undone else (old, new)
    names = museum.collection.inventories()
    if names[tile] != now or then in names or not made.after.keys() <= {new}:
        return None
    if undone and not edit_records(museum.collection, *values):
        return None
    _renumber(workspace, museum, now, then)
    if not undone and not edit_records(museum.collection, *values):
        _renumber(workspace, museum, then, now)
        return None
    return made


def _replay_removal(collection: Collection, made: _Removed, *, undone: bool) -> _Removed | None:
    removing = undone == made.restored
    known = made.removed.keys() & removed_tiles(collection).keys()
    if len(known) != (0 if removing else len(made.removed)):
        return None
    if made.taken is not None:
        taken = (undo_move if undone else redo_move)(collection, made.taken)
        if taken is None:
            return None
        made = made.model_copy(update={"taken": taken})
    (remove_tiles if removing else restore_tiles)(collection, made.removed)
    return made


def label_of(key: str, **values: object) -> str:
    """Return a label that each page says in its own language, as ``writeLabel`` of the page."""
    short = {name: str(value).replace("|", " ")[:LONGEST] for name, value in values.items()}
    return "|".join([key, *(f"{name}={value}" for name, value in short.items())])
