"""Change the inventory number of a tile in the catalogue and in people's statements."""

import json
from collections.abc import Callable
from typing import Any

from azulejar.collection.storage import overrides
from azulejar.collection.storage.catalogue import STATEMENTS, Collection
from azulejar.collection.storage.database import put_meta, seal_tiles
from azulejar.collection.storage.pictures import FORMER
from azulejar.errors import AzulejarError

UNDER_WAY = "renumbering"  # key in the database: both numbers until all files have the new one

Name = Callable[[str], str]
"""Maps the old inventory number of a tile to its current one."""


def renumber_in_catalogue(collection: Collection, old: str, new: str) -> None:
    """Change the inventory number of a tile in the database, not yet in the files of results.

    Raises:
        AzulejarError: Another tile has the number, be it a removed one.
    """
    check_free(collection, new)
    name = renaming(old, new)
    with collection.database.changing() as db:
        db.execute("UPDATE tiles SET inventory = ? WHERE inventory = ?", (new, old))
        seal_tiles(db, "inventory = ?", (new,))
        for key, rename in _STATED.items():
            row = db.execute("SELECT value FROM meta WHERE key = ?", (key,)).fetchone()
            if row is not None:
                value = rename(json.loads(row["value"]), name)
                put_meta(db, key, json.dumps(value, ensure_ascii=False))
        put_meta(db, UNDER_WAY, json.dumps([old, new]))


def check_free(collection: Collection, number: str) -> None:
    """Raise if any tile, removed ones included, already has this inventory number."""
    if number in overrides.removed_tiles(collection):
        raise AzulejarError(
            "number-of-removed",
            "A removed tile has the inventory number {number}.",
            "Restore that tile and give it another number first, or choose another one here.",
            number=number,
        )
    if number in collection.inventories():
        raise AzulejarError(
            "number-taken",
            "Another tile has the inventory number {number}.",
            "Give each tile a number of its own.",
            number=number,
        )


def renaming(old: str, new: str) -> Name:
    """Return a function that maps ``old`` to ``new`` and leaves other numbers alone."""
    return lambda number: new if number == old else number


def _in_keys(value: dict[str, Any], name: Name) -> dict[str, Any]:
    return {name(number): said for number, said in value.items()}


def _in_values(value: dict[str, str | None], name: Name) -> dict[str, str | None]:
    return {key: None if number is None else name(number) for key, number in value.items()}


def _in_knowns(value: Any, name: Name) -> Any:
    """Rename tiles in the JSON of a ``KnownsFile``, or in part of one."""
    if isinstance(value, list):
        return [_in_knowns(each, name) for each in value]
    if not isinstance(value, dict):
        return value
    renamed = {key: _in_knowns(each, name) for key, each in value.items()}
    renamed |= {key: name(value[key]) for key in ("tile", "other") if key in value}
    if "together" in value:
        renamed["together"] = [[name(tile) for tile in group] for group in value["together"]]
    return renamed


_STATED: dict[str, Callable[[Any, Name], Any]] = {
    STATEMENTS: _in_knowns,
    overrides.ON_TABLES: _in_knowns,
    overrides.OUTLINED: lambda value, name: {
        panel: _in_knowns(each, name) for panel, each in value.items()
    },
    overrides.ASSIGNED: _in_keys,
    overrides.LAID: _in_keys,
    overrides.EDITED: _in_keys,
    overrides.REMOVED: lambda value, name: _in_values(_in_keys(value, name), name),
    FORMER: _in_values,
}
