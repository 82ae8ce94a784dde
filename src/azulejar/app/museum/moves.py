"""Moves of tiles between the panels of a museum, and edits of their records.

Each person can undo and redo them. A move, or an edit, is an action of the museum's own project.
What it changes on tables are actions there that name it: whoever undoes one of them, in the museum
or on a table, undoes them all.
"""

import secrets
from collections.abc import Sequence
from itertools import count

from pydantic import BaseModel, TypeAdapter

from azulejar.app.http.errors import Conflict
from azulejar.app.museum.museum import Museum
from azulejar.app.museum.tables import (
    follow_edit,
    follow_moves,
    give_tile,
    stay_untouched,
    table_projects,
)
from azulejar.app.projects.history import changed_since
from azulejar.app.projects.store import ProjectStore
from azulejar.app.schemas.boards import BoardState
from azulejar.app.schemas.museums import Gift
from azulejar.app.schemas.tiles import RecordChange, TileChange
from azulejar.app.workspace import Workspace
from azulejar.collection.reassigning import Reassignment, move_tiles, redo_move, undo_move
from azulejar.collection.storage.overrides import RecordValues, edit_records

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


_DONE: TypeAdapter[_Recorded | _Edited] = TypeAdapter(_Recorded | _Edited)


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


def edit_tiles(
    workspace: Workspace, museum: Museum, change: RecordChange, who: str = ""
) -> Changed:
    """Change fields of the records of tiles, in the museum and on tables."""
    museum.check_tiles(change.tiles)
    entries = museum.collection.entries(list(dict.fromkeys(change.tiles)))
    values = change.values()
    known = {one.inventory: {name: getattr(one.record, name) for name in values}
             for one in entries}  # fmt: skip
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
    return list(follow_edit(workspace, museum, after, values, label, who, move))


def edit_from_table(
    workspace: Workspace, museum: Museum, store: ProjectStore, change: TileChange, who: str = ""
) -> Changed:
    """Change code, thickness or note in the museum too, as far as tiles of a table are its own.

    Raise Conflict if these would get another inventory number or crate, by which it knows them.
    """
    values = change.model_dump(include=change.model_fields_set & RecordChange.FIELDS)
    wanted = set(change.tiles)
    if not wanted <= {each.tile for each in store.state().board.placed}:
        return []  # the table refuses the whole change
    named = {tile.number for tile in store.tiles() if tile.tile in wanted}
    tiles = [tile for tile, name in enumerate(museum.collection.inventories()) if name in named]
    if tiles and (change.number is not None or change.crate is not None):
        raise Conflict(
            "museum-tile-fixed",
            "Inventory number and crate of a museum's tile are not changed here.",
            "Change them in the crate's tiles.csv and add the crate again.",
        )
    if not values or not tiles:
        return []
    return edit_tiles(workspace, museum, RecordChange(tiles=tiles, **values), who)


def split_panel(
    workspace: Workspace, museum: Museum, panel: str, who: str = ""
) -> tuple[str, Changed]:
    """Split off the suspected second panel of a panel; return the name of the new panel."""
    part = museum.group(panel).part
    if not part:
        raise Conflict(
            "museum-panel-whole", "Panel {name} is held for one now.", "Load the page again.",
            name=panel,
        )  # fmt: skip
    taken = {group.name for group in (museum.sort.groups if museum.sort else ())}
    name = next(str(number) for number in count(1) if str(number) not in taken)
    label = label_of("museum.edit.split", count=len(part), panel=name)
    return name, make_move(workspace, museum, part, name, label, who)


def replay_move(workspace: Workspace, museum: Museum, move: str, *, undone: bool) -> Changed:
    """Undo a move or an edit, or redo it, completely or not at all."""
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
    return changed


def _replayed(
    museum: Museum, made: _Recorded | _Edited, *, undone: bool
) -> _Recorded | _Edited | None:
    """Undo or redo a move or an edit; return None if what it changed was changed again since."""
    if isinstance(made, _Edited):
        values = (made.after, made.before) if undone else (made.before, made.after)
        return made if edit_records(museum.collection, *values) else None
    done = undo_move(museum.collection, made) if undone else redo_move(museum.collection, made)
    return None if done is None else _Recorded(**done.model_dump() | {"move": made.move})


def label_of(key: str, **values: object) -> str:
    """Return a label that each page says in its own language, as ``writeLabel`` of the page."""
    short = {name: str(value).replace("|", " ")[:LONGEST] for name, value in values.items()}
    return "|".join([key, *(f"{name}={value}" for name, value in short.items())])
