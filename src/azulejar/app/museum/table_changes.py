"""Carry manual changes of a museum over to its tables, as actions there that name the change."""

from collections.abc import Container, Iterator, Mapping, Sequence

from azulejar.app.museum.museum import Museum
from azulejar.app.museum.tables import (
    add_tiles,
    bring_picture,
    find_tables,
    stay_untouched,
    table_projects,
)
from azulejar.app.schemas.boards import LOOSE, BoardState, Edit, Placed
from azulejar.app.schemas.tiles import TileChange
from azulejar.app.uploads.sources import new_name
from azulejar.app.workspace import Workspace
from azulejar.collection.storage.overrides import RecordValues


def follow_moves(
    workspace: Workspace,
    museum: Museum,
    moved: Sequence[int],
    to: str,
    label: str = "move",
    who: str = "",
    move: str | None = None,
) -> Iterator[tuple[str, BoardState]]:
    """Lift tiles that were moved to another panel from the boards on which they lie.

    Yields each project and its new board; this is part of the ``move``, and undone with it.
    """
    gone = {entry.inventory for entry in museum.collection.entries(moved)}
    for folder, panel in find_tables(museum.folder):
        if panel == to:
            continue
        project = workspace.id_of(folder)
        store = workspace.open(project)
        ids = {tile.tile for tile in store.tiles() if tile.number in gone}
        board = store.state().board
        lying = [each for each in board.placed if each.tile in ids and each.panel != LOOSE]
        if lying:
            away = [Placed(tile=each.tile, panel=LOOSE, turn=each.turn) for each in lying]
            placed = [each for each in board.placed if each.tile not in ids] + away
            locked = [tile for tile in board.locked if tile not in ids]
            kept = board.model_copy(update={"placed": placed, "locked": locked})
            with stay_untouched(store):
                state = store.put_board(kept, label, "hand", keep=False, who=who, move=move)[0]
            yield project, state


def follow_edit(
    workspace: Workspace,
    museum: Museum,
    edited: Container[str],
    values: RecordValues,
    label: str,
    who: str,
    move: str,
    own: tuple[str, TileChange] | None = None,
) -> Iterator[tuple[str, BoardState]]:
    """Change the records of tiles, given by their inventory numbers, on boards that have them.

    Yields each project and its board; this is part of the edit ``move``, and undone with it.
    ``own`` is the project on whose table the edit was made, and all that it changes there.
    """
    for project in table_projects(workspace, museum):
        store = workspace.open(project)
        if own is not None and project == own[0]:
            yield project, store.change_tiles(own[1], who, move)
            continue
        here = {each.tile for each in store.state().board.placed}
        known = [each for each in store.tiles() if each.tile in here and each.number in edited]
        if known:
            tiles = [each.tile for each in known]
            change = TileChange.model_validate({"tiles": tiles, "label": label, **values})
            yield project, store.change_tiles(change, who, move)


def follow_number(
    workspace: Workspace, museum: Museum, old: str, new: str, who: str = ""
) -> list[tuple[str, BoardState]]:
    """Update an inventory number on the tables that an edit, or its undo, did not reach.

    The tile was removed there, or the table was opened since. Return each project and its board.
    """
    stores = [(each, workspace.open(each)) for each in table_projects(workspace, museum)]
    return [
        (project, store.state(who).model_copy(update={"tiles_changed": True}))
        for project, store in stores
        if store.renumber(old, new)
    ]


def follow_picture(
    workspace: Workspace,
    museum: Museum,
    inventory: str,
    label: str,
    who: str,
    move: str | None,
    done: Container[str] = (),
) -> Iterator[tuple[str, BoardState]]:
    """Give a tile, by its inventory number, its present picture on the boards that have it.

    Yields each project and its board, except those ``done``; this is part of the ``move``, if
    given, and undone with it.
    """
    entry = museum.collection.entry(inventory)
    for project in table_projects(workspace, museum):
        if project in done:
            continue
        store = workspace.open(project)
        with store.files_lock:
            for tile in store.tiles():
                if tile.number == inventory:
                    file = new_name(store, tile.file, entry.path.suffix.lower())
                    bring_picture(entry, museum.collection, store.folder / "tiles" / file)
                    store.replace_picture(tile.tile, file, label, who, move)
                    state = store.state(who)
                    yield project, state.model_copy(update={"tiles_changed": True})


def follow_removal(
    workspace: Workspace,
    museum: Museum,
    removed: Mapping[str, str | None],
    label: str,
    who: str,
    move: str,
) -> Iterator[tuple[str, BoardState]]:
    """Take removed tiles, given by their inventory numbers, from the boards that have them.

    One that was merged with another gives it its place, if that has none. Yields each project and
    its board; this is part of the ``move``, and undone with it.
    """
    for folder, panel in find_tables(museum.folder):
        project = workspace.id_of(folder)
        store = workspace.open(project)
        lies = {each.tile: each for each in store.state().board.placed}
        here = {tile.number: tile.tile for tile in store.tiles()}
        gone = {name: kept for name, kept in removed.items() if name in here}
        laid = {
            name: kept
            for name, kept in gone.items()
            if kept is not None and lies[here[name]].panel != LOOSE
        }
        new = [museum.collection.entry(kept) for kept in laid.values() if kept not in here]
        new = [each for each in new if museum.group(panel).name == museum.panel_of(each.number)]
        if not gone:
            continue
        add_tiles(store, museum.collection, new)
        here = {tile.number: tile.tile for tile in store.tiles()}
        state = store.state()
        lies = {each.tile: each for each in state.board.placed}
        placed = [
            lies[here[name]].model_copy(update={"tile": here[kept]})
            for name, kept in laid.items()
            if kept in here and lies[here[kept]].panel == LOOSE
        ]
        ids = [here[name] for name in gone]
        held = [tile for tile in ids if tile in state.board.locked]
        change = {"revision": state.revision, "label": label}
        edit = Edit.model_validate({**change, "placed": placed, "unlock": held, "remove": ids})
        with stay_untouched(store):
            added = {here[each.inventory] for each in new}
            yield project, store.edit(edit, who, move, added)


def follow_restoring(
    workspace: Workspace, museum: Museum, names: Container[str], label: str, who: str, move: str
) -> Iterator[tuple[str, BoardState]]:
    """Put restored tiles into the tray of the panel that they belong to, if it was opened.

    Yields each project and its board; this is part of the ``move``, and undone with it.
    """
    for folder, panel in find_tables(museum.folder):
        project = workspace.id_of(folder)
        store = workspace.open(project)
        known = [each for each in store.removed_tiles() if each.number in names]
        own = [
            each.tile
            for each in known
            if museum.panel_of(museum.collection.entry(each.number).number) == panel
        ]
        if own:
            with stay_untouched(store):
                yield project, store.bring_back(own, label, who, move)
