"""What people state of a collection's tiles: given once, it stays."""

from azulejar.collection.catalogue import Collection
from azulejar.errors import AzulejarError
from azulejar.knowledge.statements import Statements


def add_statements(collection: Collection, new: Statements) -> None:
    """Keep what is stated, beside what was before; of a tile's place and turn the last counts."""
    if new.rows or new.cols or new.empty:
        raise AzulejarError(
            "Rows, cols and empty places are those of one panel, not of a collection.",
            "Leave them out of the knowns.",
        )
    _check_names(collection, new)
    old = collection.statements
    again = {one.tile for one in new.locked}
    collection.save_statements(
        Statements(
            upright=old.upright if new.upright is None else new.upright,
            locked=[one for one in old.locked if one.tile not in again] + new.locked,
            joined=old.joined + [one for one in new.joined if one not in old.joined],
            apart=old.apart + [one for one in new.apart if one not in old.apart],
            together=old.together + [one for one in new.together if one not in old.together],
        )
    )


def of_group(statements: Statements, names: set[str]) -> Statements:
    """What is stated of these tiles among themselves."""
    joined = [[one for one in held if one.tile in names] for held in statements.joined]
    return Statements(
        upright=statements.upright,
        locked=[one for one in statements.locked if one.tile in names],
        joined=[held for held in joined if len(held) > 1],
        apart=[one for one in statements.apart if {one.tile, one.other} <= names],
    )


def _check_names(collection: Collection, stated: Statements) -> None:
    known = set(collection.inventories())
    named = [one.tile for one in stated.locked]
    named += [one.tile for held in stated.joined for one in held]
    named += [name for one in stated.apart for name in (one.tile, one.other)]
    named += [name for group in stated.together for name in group]
    for name in named:
        if name not in known:
            collection.entry(name)  # says which is meant
