"""The progress of a collection over time: one entry after each sort and each solve."""

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass

from azulejar.collection.storage.catalogue import Collection
from azulejar.collection.storage.overrides import removed_tiles
from azulejar.system.transactions import now

KEY = "history"  # in the database
MOST = 2000  # lines that are kept


@dataclass(frozen=True)
class Moment:
    """How far the work was at a time (ISO 8601 in UTC), after ``what``: sort or solve.

    Of the ``panels`` of the last sort, ``solved`` are put together, of ``laid`` tiles.
    """

    when: str
    what: str
    tiles: int
    crates: int
    panels: int
    solved: int
    laid: int
    strays: int


def read_history(collection: Collection) -> list[Moment]:
    """Return all entries, oldest first."""
    try:
        return [Moment(**line) for line in json.loads(collection.database.meta(KEY) or "[]")]
    except (ValueError, TypeError) as error:
        raise collection.database.damaged("the history cannot be read") from error


def add_moment(
    collection: Collection, what: str, panels: int, strays: int, laid: Sequence[int]
) -> None:
    """Add an entry; ``laid`` lists the number of tiles of each solved panel."""
    moment = Moment(
        now(),
        what,
        len(collection) - len(removed_tiles(collection)),
        len(collection.crates()),
        panels,
        len(laid),
        sum(laid),
        strays,
    )
    lines = [asdict(one) for one in [*read_history(collection), moment]][-MOST:]
    collection.database.put_meta(KEY, json.dumps(lines))
