"""What people state of a collection's tiles: given once, it stays."""

import json

from azulejar.collection.storage.catalogue import Collection
from azulejar.core.solution import Solution
from azulejar.errors import AzulejarError
from azulejar.knowledge.knowns_file import KnownsFile, LockedTile

SIZES = "sizes"  # under which the database has them


def add_statements(collection: Collection, new: KnownsFile) -> None:
    """Keep what is stated, beside what was before; of a tile's place and turn the last counts."""
    if new.rows or new.cols or new.empty:
        raise AzulejarError(
            "Rows, cols and empty places are those of one panel, not of a collection.",
            "Leave them out, and state the size of a panel with --panel, --rows and --cols.",
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


def sizes(collection: Collection) -> dict[str, tuple[int, int]]:
    """Rows and cols of the panels of which they are stated, by name."""
    stated = json.loads(collection.database.meta(SIZES) or "{}")
    return {name: (rows, cols) for name, (rows, cols) in stated.items()}


def state_size(collection: Collection, name: str, rows: int, cols: int) -> None:
    """Keep how large a panel is."""
    stated = sizes(collection) | {name: (rows, cols)}
    collection.database.put_meta(SIZES, json.dumps(stated))


def turn_panel(collection: Collection, name: str, solution: Solution, quarters: int) -> None:
    """Keep that a solved panel is to hang so many clockwise quarters further than it does."""
    own = {tile.number for tile in solution.tiles}
    known = [one for one in collection.statements.locked if one.tile in own]
    if collection.statements.upright or any(one.row is not None or one.col is not None
                                            for one in known):  # fmt: skip
        raise AzulejarError(
            "The panel cannot be turned: it is known where tiles of it lie.", "Leave it as it is."
        )
    turned = [(one.tile, one.turn) for one in known if one.turn is not None]
    if not turned:
        surest = max(solution.tiles, key=lambda tile: tile.confidence or 0.0)
        turned = [(surest.number, surest.turn)]
    turn = {name: (turn + 90 * quarters) % 360 for name, turn in turned}
    stated = [LockedTile.model_validate({"tile": name, "turn": turn[name]}) for name in turn]
    add_statements(collection, KnownsFile(locked=stated))
    if quarters % 2 and name in (known_sizes := sizes(collection)):
        state_size(collection, name, *reversed(known_sizes[name]))


def of_group(statements: KnownsFile, names: set[str]) -> KnownsFile:
    """What is stated of these tiles among themselves."""
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
            collection.entry(name)  # says which is meant
