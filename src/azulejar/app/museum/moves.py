"""Moves of tiles between the panels of a museum, which each person can undo and redo.

A move is an action of the museum's own project. What it changes on tables are actions there that
name it: whoever undoes one of them, in the museum or on a table, undoes them all.
"""

import secrets
from collections.abc import Sequence
from itertools import count

from azulejar.app.http.errors import Conflict
from azulejar.app.museum.museum import Museum
from azulejar.app.museum.tables import follow_moves, give_tile, stay_untouched, table_projects
from azulejar.app.projects.history import changed_since
from azulejar.app.schemas.boards import BoardState
from azulejar.app.schemas.museums import Gift
from azulejar.app.workspace import Workspace
from azulejar.collection.reassigning import Reassignment, move_tiles, redo_move, undo_move

LONGEST = 30  # characters of a value in a label

Changed = list[tuple[str, BoardState]]  # projects, and their boards as they are now


class _Recorded(Reassignment):
    """A move with the id by which actions on tables name it."""

    move: str


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
    """Undo a move, or redo it, completely or not at all."""
    desk = workspace.open(museum.id)
    with museum.sorting():
        found = desk.find_move(move, undone=not undone)
        if found is None:
            raise changed_since()
        who, label, data = found
        made = _Recorded.model_validate_json(data)
        tables = [(each, workspace.open(each)) for each in table_projects(workspace, museum)]
        for _, store in tables:
            store.replay_move(move, undone=undone, check=True)
        done = undo_move(museum.collection, made) if undone else redo_move(museum.collection, made)
        if done is None:
            raise changed_since()
        again = _Recorded(**done.model_dump() | {"move": move})
        desk.mark_move(move, again.model_dump_json(), undone=undone)
        changed: Changed = []
        for project, store in tables:
            with stay_untouched(store):
                state = store.replay_move(move, undone=undone)
            if state is not None:
                changed.append((project, state))
        if not undone:  # tiles that were laid on tables again meanwhile
            numbers = [museum.collection.entry(name).number for name in done.tiles]
            changed += follow_moves(workspace, museum, numbers, done.to, label, who, move)
    return changed


def label_of(key: str, **values: object) -> str:
    """Return a label that each page says in its own language, as ``writeLabel`` of the page."""
    short = {name: str(value).replace("|", " ")[:LONGEST] for name, value in values.items()}
    return "|".join([key, *(f"{name}={value}" for name, value in short.items())])
