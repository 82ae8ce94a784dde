"""What people state about the tiles of a collection: stored once, respected by every solve."""

import json
import sqlite3
from collections.abc import Iterable, Mapping
from dataclasses import replace

from pydantic import ValidationError

from azulejar.collection.storage.catalogue import Collection, stored_record
from azulejar.collection.storage.database import put_meta, seal_tiles
from azulejar.core.solution import Solution
from azulejar.core.tiles import Record
from azulejar.errors import AzulejarError
from azulejar.knowledge.knowns_file import KnownsFile, LockedTile

SIZES = "sizes"  # keys in the database
ASSIGNED = "assigned"
LAID = "laid"
ON_TABLES = "on_tables"
OUTLINED = "outlined"
EDITED = "edited"
REMOVED = "removed"

RecordValues = dict[str, str | float | None]  # by the names of fields of a record


def add_statements(collection: Collection, new: KnownsFile) -> None:
    """Store statements besides those from before; the last place and turn of a tile count."""
    if new.rows or new.cols or new.empty:
        raise AzulejarError(
            "statement-of-one-panel",
            "Rows, cols and empty places are those of one panel, not of a collection.",
            "Leave them out, and state the size of a panel by itself.",
        )
    _check_names(collection, new)
    old = collection.statements
    again = {one.tile for one in new.locked}
    collection.save_statements(
        KnownsFile(
            upright=old.upright if new.upright is None else new.upright,
            locked=[one for one in old.locked if one.tile not in again] + new.locked,
            joined=old.joined + [one for one in new.joined if one not in old.joined],
            apart=old.apart + [one for one in new.apart if one not in old.apart],
            together=old.together + [one for one in new.together if one not in old.together],
        )
    )


def panel_sizes(collection: Collection) -> dict[str, tuple[int, int]]:
    """Return the stated rows and cols of panels, by name."""
    try:
        stated = json.loads(collection.database.meta(SIZES) or "{}")
        return {name: (int(rows), int(cols)) for name, (rows, cols) in stated.items()}
    except (ValueError, TypeError, AttributeError) as error:
        raise collection.database.damaged("sizes of panels cannot be read") from error


def save_panel_size(collection: Collection, name: str, rows: int, cols: int) -> None:
    """Store the rows and cols of a panel."""
    stated = panel_sizes(collection) | {name: (rows, cols)}
    collection.database.put_meta(SIZES, json.dumps(stated))


def assigned_panels(collection: Collection) -> dict[str, str]:
    """Return the panel into which people have moved or laid a tile, by its inventory number."""
    return moved_panels(collection) | _panels(collection, LAID)


def moved_panels(collection: Collection) -> dict[str, str]:
    """Return the panel into which people have moved a tile, by its inventory number."""
    return _panels(collection, ASSIGNED)


def assign_tiles(collection: Collection, panels: Mapping[str, str | None]) -> None:
    """Store the panels into which people have moved tiles, by their inventory numbers.

    Every sort respects them as it does panels that ``tiles.csv`` names. None takes a tile out.
    """
    known = set(collection.inventories())
    for name in panels:
        if name not in known:
            collection.entry(name)  # raises, and says which may be meant
    panels = {**moved_panels(collection), **panels}
    stored = {name: panel for name, panel in panels.items() if panel is not None}
    collection.database.put_meta(ASSIGNED, json.dumps(stored, ensure_ascii=False))


def save_laid_panels(collection: Collection, panels: Mapping[str, str]) -> None:
    """Replace the stored panels of tiles that people placed on tables."""
    collection.database.put_meta(LAID, json.dumps(dict(panels), ensure_ascii=False))


def _panels(collection: Collection, key: str) -> dict[str, str]:
    try:
        return {str(k): str(v) for k, v in json.loads(_stored(collection, key)).items()}
    except (ValueError, AttributeError) as error:
        raise collection.database.damaged("panels of tiles cannot be read") from error


def save_table_statements(collection: Collection, statements: KnownsFile) -> None:
    """Replace the stored locks and refusals that people made on the tables."""
    collection.database.put_meta(ON_TABLES, statements.model_dump_json(exclude_none=True))


def save_outlines(collection: Collection, outlines: Mapping[str, KnownsFile]) -> None:
    """Replace the stored outlines that people drew on tables, by panel.

    Each is the mask of a panel, its empty places and its locked tiles, in rows and cols of the
    mask.
    """
    stored = {name: one.model_dump(exclude_none=True) for name, one in outlines.items()}
    collection.database.put_meta(OUTLINED, json.dumps(stored, ensure_ascii=False))


def drawn_outlines(collection: Collection) -> dict[str, KnownsFile]:
    """Return the outlines that people drew on tables, by panel (see ``save_outlines``)."""
    try:
        stored = json.loads(_stored(collection, OUTLINED))
        return {name: KnownsFile.model_validate(one) for name, one in stored.items()}
    except (ValueError, AttributeError) as error:
        raise collection.database.damaged("outlines of panels cannot be read") from error


def edit_records(
    collection: Collection, old: Mapping[str, RecordValues], new: Mapping[str, RecordValues]
) -> bool:
    """Change fields of records, by inventory number; return False if they are not the old ones.

    Then nothing is changed. What was edited is kept when ``tiles.csv`` is read again, until it is
    edited back to what the file said. The crate is that in which a tile is, whoever said so.
    """
    with collection.database.changing() as db:
        filed = {name: _read_record(db, name) for name in new}
        records = {name: replace(filed[name], crate=_read_crate(db, name)) for name in new}
        for name, record in records.items():
            if any(getattr(record, field) != was for field, was in old[name].items()):
                return False
        edited = edited_fields(db)
        for name, values in new.items():
            said = {field: getattr(records[name], field) for field in values}
            said |= edited.get(name, {})
            record = Record(**vars(records[name]) | values)
            edited[name] = {
                field: was for field, was in said.items() if was != getattr(record, field)
            }
            db.execute(
                "UPDATE tiles SET crate = ?, record = ? WHERE inventory = ?",
                (record.crate, stored_record(replace(record, crate=filed[name].crate)), name),
            )
            seal_tiles(db, "inventory = ?", (name,))
        stored = {name: fields for name, fields in edited.items() if fields}
        put_meta(db, EDITED, json.dumps(stored, ensure_ascii=False))
    return True


def edited_fields(db: sqlite3.Connection) -> dict[str, RecordValues]:
    """Return what ``tiles.csv`` said where people have edited a record, by inventory number."""
    row = db.execute("SELECT value FROM meta WHERE key = ?", (EDITED,)).fetchone()
    return {} if row is None else _read_json(row["value"])


def keep_edits(record: Record, present: str, fields: Iterable[str]) -> Record:
    """Return a record with some fields as they are in the ``present`` one, which is stored JSON."""
    known = _read_json(present) if fields else {}
    return replace(record, **{field: known.get(field) for field in fields})


def removed_tiles(collection: Collection) -> dict[str, str | None]:
    """Return the tiles that people have removed, each with the tile that it was merged with.

    Both go by their inventory numbers. A removed tile keeps its place in the catalogue, but no
    search, sort or solve sees it until it is restored.
    """
    with collection.database.reading() as db:
        return _read_removed(db)


def removed_numbers(collection: Collection) -> list[int]:
    """Return the numbers of the tiles that people have removed, in rising order."""
    with collection.database.reading() as db:
        found = db.execute(
            "SELECT number FROM tiles WHERE inventory IN (SELECT key FROM json_each(?)) "
            "ORDER BY number",
            (json.dumps(_read_removed(db)),),
        )
        return [row["number"] for row in found]


def remove_tiles(collection: Collection, tiles: Mapping[str, str | None]) -> bool:
    """Remove tiles, each of them with the tile that it was merged with, if any.

    Return False, and change nothing, if some are removed already.
    """
    with collection.database.changing() as db:
        known = _read_removed(db)
        if known.keys() & tiles.keys():
            return False
        put_meta(db, REMOVED, json.dumps(known | dict(tiles), ensure_ascii=False))
    return True


def restore_tiles(collection: Collection, names: Iterable[str]) -> bool:
    """Restore removed tiles; return False, and change nothing, if some are not removed."""
    with collection.database.changing() as db:
        known = _read_removed(db)
        if not set(names) <= known.keys():
            return False
        for name in names:
            known.pop(name, None)
        put_meta(db, REMOVED, json.dumps(known, ensure_ascii=False))
    return True


def _read_removed(db: sqlite3.Connection) -> dict[str, str | None]:
    row = db.execute("SELECT value FROM meta WHERE key = ?", (REMOVED,)).fetchone()
    return {} if row is None else _read_json(row["value"])


def _read_record(db: sqlite3.Connection, name: str) -> Record:
    row = db.execute("SELECT record FROM tiles WHERE inventory = ?", (name,)).fetchone()
    return Record(**_read_json(row["record"]))


def _read_crate(db: sqlite3.Connection, name: str) -> str:
    row = db.execute("SELECT crate FROM tiles WHERE inventory = ?", (name,)).fetchone()
    return str(row["crate"])


def _read_json(text: str) -> dict:
    try:
        return dict(json.loads(text))
    except (TypeError, ValueError) as error:
        raise sqlite3.DatabaseError("what was edited cannot be read") from error


def all_statements(collection: Collection) -> KnownsFile:
    """Return what was stated of the collection, and what people have done on its tables."""
    stated = collection.statements
    try:
        tables = KnownsFile.model_validate_json(_stored(collection, ON_TABLES))
    except ValidationError as error:
        raise collection.database.damaged("what was done on tables cannot be read") from error
    known = {one.tile for one in stated.locked}
    return stated.model_copy(
        update={
            "locked": stated.locked + [one for one in tables.locked if one.tile not in known],
            "joined": stated.joined + [one for one in tables.joined if one not in stated.joined],
            "apart": stated.apart + [one for one in tables.apart if one not in stated.apart],
        }
    )


def _stored(collection: Collection, key: str) -> str:
    return collection.database.meta(key) or "{}"


def turn_panel(collection: Collection, name: str, solution: Solution, quarters: int) -> None:
    """Store that a solved panel is to hang so many clockwise quarters further than it does."""
    own = {tile.number for tile in solution.tiles}
    known = [one for one in collection.statements.locked if one.tile in own]
    if collection.statements.upright or any(one.row is not None or one.col is not None
                                            for one in known):  # fmt: skip
        raise AzulejarError(
            "panel-turn-known",
            "The panel cannot be turned: it is known where tiles of it lie.",
            "Leave it as it is.",
        )
    turned = [(one.tile, one.turn) for one in known if one.turn is not None]
    if not turned:
        surest = max(solution.tiles, key=lambda tile: tile.confidence or 0.0)
        turned = [(surest.number, surest.turn)]
    turn = {name: (turn + 90 * quarters) % 360 for name, turn in turned}
    stated = [LockedTile.model_validate({"tile": name, "turn": turn[name]}) for name in turn]
    add_statements(collection, KnownsFile(locked=stated))
    if quarters % 2 and name in (known_sizes := panel_sizes(collection)):
        save_panel_size(collection, name, *reversed(known_sizes[name]))


def statements_among(statements: KnownsFile, names: set[str]) -> KnownsFile:
    """Return the statements that concern only these tiles."""
    joined = [[one for one in held if one.tile in names] for held in statements.joined]
    return KnownsFile(
        upright=statements.upright,
        locked=[one for one in statements.locked if one.tile in names],
        joined=[held for held in joined if len(held) > 1],
        apart=[one for one in statements.apart if {one.tile, one.other} <= names],
    )


def _check_names(collection: Collection, stated: KnownsFile) -> None:
    known = set(collection.inventories())
    named = [one.tile for one in stated.locked]
    named += [one.tile for held in stated.joined for one in held]
    named += [name for one in stated.apart for name in (one.tile, one.other)]
    named += [name for group in stated.together for name in group]
    for name in named:
        if name not in known:
            collection.entry(name)  # raises, and says which may be meant
