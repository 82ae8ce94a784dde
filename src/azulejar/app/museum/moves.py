"""Changes of a museum by hand: of tiles (moved, edited, pictured, removed) and names of patterns.

Each person can undo and redo them. Each is an action of the museum's own project, a "move".
What it changes on tables are actions there that name it: whoever undoes one of them, in the museum
or on a table, undoes them all.
"""

import secrets
from collections.abc import Sequence
from dataclasses import replace
from itertools import count
from pathlib import Path

from pydantic import BaseModel, TypeAdapter

from azulejar.app.http.errors import Conflict
from azulejar.app.museum.museum import Museum
from azulejar.app.museum.table_changes import (
    follow_edit,
    follow_moves,
    follow_picture,
    follow_removal,
    follow_restoring,
)
from azulejar.app.museum.tables import (
    give_tile,
    stay_untouched,
    suspected_part,
    table_projects,
)
from azulejar.app.projects.history import changed_since
from azulejar.app.schemas.boards import BoardState, Edit
from azulejar.app.schemas.museums import Gift
from azulejar.app.schemas.tiles import CatalogueChange, TileChange
from azulejar.app.workspace import Workspace
from azulejar.collection.intake.replacing import describe_picture
from azulejar.collection.pattern_names import PatternNaming
from azulejar.collection.reassigning import Reassignment, move_tiles, redo_move, undo_move
from azulejar.collection.storage.catalogue import Collection
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
from azulejar.outputs.collection.stages import name_patterns, replay_naming

LONGEST = 30  # characters of a value in a label

Changed = list[tuple[str, BoardState]]  # projects, and their boards as they are now


class _Recorded(Reassignment):
    """A move with the id by which actions on tables name it."""

    move: str


class _Edited(BaseModel):
    """An edit of records, by inventory number, with the id by which actions on tables name it."""

    move: str
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
    if not before:
        return []
    after = dict.fromkeys(before, values)
    move = secrets.token_hex(8)
    made = _Edited(move=move, before=before, after=after)
    if not edit_records(museum.collection, before, after):
        raise changed_since()
    label = label_of("label.fields", number=next(iter(after)), count=len(after))
    workspace.open(museum.id).record_move(who, label, made.model_dump_json())
    return list(follow_edit(workspace, museum, after, values, label, who, move, own))


def edit_from_table(
    workspace: Workspace, museum: Museum, project: str, change: TileChange, who: str = ""
) -> Changed:
    """Change crate, code, thickness or note in the museum too, where tiles of a table are its own.

    Whatever else changes on the table is part of it; nothing is changed if the museum is not
    concerned. Raise Conflict if its tiles would get another inventory number, by which it knows
    them, or no crate.
    """
    store = workspace.open(project)
    values = change.model_dump(include=change.model_fields_set & CatalogueChange.FIELDS)
    wanted = set(change.tiles)
    if not wanted <= {each.tile for each in store.state().board.placed}:
        return []  # the table refuses the whole change
    named = {tile.number for tile in store.tiles() if tile.tile in wanted}
    tiles = [tile for tile, name in enumerate(museum.collection.inventories()) if name in named]
    if tiles and change.number is not None:
        raise Conflict(
            "museum-tile-fixed",
            "The inventory number of a museum's tile is not changed here.",
            "Change it in the crate's tiles.csv before the crate is added.",
        )
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
        done = _replayed(museum, made, undone=undone)
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
        if isinstance(done, _Pictured):
            # Tables that were opened since know nothing of it.
            there = {project for project, _ in changed}
            changed += follow_picture(workspace, museum, done.tile, label, who, None, there)
        if isinstance(done, _Removed) and undone == done.restored:
            changed += follow_removal(workspace, museum, done.removed, label, who, move)
    return changed


def _replayed(museum: Museum, made: _Done, *, undone: bool) -> _Done | None:
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
        values = (made.after, made.before) if undone else (made.before, made.after)
        return made if edit_records(museum.collection, *values) else None
    moved = undo_move(museum.collection, made) if undone else redo_move(museum.collection, made)
    return None if moved is None else _Recorded(**moved.model_dump() | {"move": made.move})


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
