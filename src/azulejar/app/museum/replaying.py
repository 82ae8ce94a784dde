"""Undo and redo changes of a museum by hand, with all that they changed on its tables."""

from azulejar.app.museum.move_records import (
    DONE,
    Changed,
    Done,
    Edited,
    Named,
    Pictured,
    Recorded,
    Removed,
)
from azulejar.app.museum.museum import Museum
from azulejar.app.museum.renumbering import renumber
from azulejar.app.museum.table_changes import (
    follow_moves,
    follow_number,
    follow_picture,
    follow_removal,
)
from azulejar.app.museum.tables import stay_untouched, table_projects
from azulejar.app.projects.history import changed_since
from azulejar.app.workspace import Workspace
from azulejar.collection.reassigning import redo_move, undo_move
from azulejar.collection.storage.catalogue import Collection
from azulejar.collection.storage.overrides import (
    edit_records,
    remove_tiles,
    removed_tiles,
    restore_tiles,
)
from azulejar.collection.storage.pictures import exchange_picture
from azulejar.outputs.collection.stages import replay_naming


def replay_move(workspace: Workspace, museum: Museum, move: str, *, undone: bool) -> Changed:
    """Undo or redo a change of the museum, completely or not at all."""
    desk = workspace.open(museum.id)
    with museum.sorting():
        found = desk.find_move(move, undone=not undone)
        if found is None:
            raise changed_since()
        who, label, data = found
        made = DONE.validate_json(data)
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
        if isinstance(done, Recorded) and not undone:
            # Tiles may have been laid on tables again meanwhile.
            numbers = [museum.collection.entry(name).number for name in done.tiles]
            changed += follow_moves(workspace, museum, numbers, done.to, label, who, move)
        if isinstance(done, Edited) and done.renumbered is not None:
            old, new = done.renumbered.old, done.renumbered.new
            old, new = (new, old) if undone else (old, new)
            changed += follow_number(workspace, museum, old, new, who)
        if isinstance(done, Pictured):
            # Tables that were opened since know nothing of it.
            there = {project for project, _ in changed}
            changed += follow_picture(workspace, museum, done.tile, label, who, None, there)
        if isinstance(done, Removed) and undone == done.restored:
            changed += follow_removal(workspace, museum, done.removed, label, who, move)
    return changed


def _replayed(workspace: Workspace, museum: Museum, made: Done, *, undone: bool) -> Done | None:
    """Undo or redo a change; return None if its tiles have been changed again since."""
    if isinstance(made, Removed):
        return _replay_removal(museum.collection, made, undone=undone)
    if isinstance(made, Pictured):
        old, new = (made.new, made.old) if undone else (made.old, made.new)
        done = exchange_picture(museum.collection, made.tile, old, new, undone=undone)
        return made if done else None
    if isinstance(made, Named):
        return made if replay_naming(museum.collection, made, undone=undone) else None
    if isinstance(made, Edited):
        return _replay_edit(workspace, museum, made, undone=undone)
    moved = undo_move(museum.collection, made) if undone else redo_move(museum.collection, made)
    return None if moved is None else Recorded(**moved.model_dump() | {"move": made.move})


def _replay_edit(
    workspace: Workspace, museum: Museum, made: Edited, *, undone: bool
) -> Edited | None:
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
    renumber(workspace, museum, now, then)
    if not undone and not edit_records(museum.collection, *values):
        renumber(workspace, museum, then, now)
        return None
    return made


def _replay_removal(collection: Collection, made: Removed, *, undone: bool) -> Removed | None:
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
