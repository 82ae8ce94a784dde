"""Change the inventory number of a tile, also in what the museum's moves have recorded."""

import json
from collections.abc import Sequence
from typing import Any

from azulejar.app.http.errors import Conflict
from azulejar.app.museum.move_records import Renumbered
from azulejar.app.museum.museum import Museum
from azulejar.app.museum.tables import stay_laid, table_projects
from azulejar.app.projects.tile_store import number_taken
from azulejar.app.workspace import Workspace
from azulejar.collection.storage.catalogue import Entry
from azulejar.collection.storage.overrides import removed_tiles
from azulejar.collection.storage.renumbering import Name, check_free, renaming
from azulejar.outputs.collection.renumbering import renumber_tile


def find_renumbering(
    workspace: Workspace, museum: Museum, entries: Sequence[Entry], number: str | None
) -> Renumbered | None:
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
    return Renumbered(tile=entry.number, old=entry.inventory, new=number)


def renumber(workspace: Workspace, museum: Museum, old: str, new: str) -> None:
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
