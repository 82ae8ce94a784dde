"""Whether a collection is intact: its database, and each tile's part of the arrays."""

from collections.abc import Callable
from dataclasses import dataclass

from azulejar.collection.storage.arrays import LAYOUTS, stored_checksums
from azulejar.collection.storage.catalogue import Collection
from azulejar.collection.storage.database import NAME, is_index_damage, seal_tiles
from azulejar.errors import AzulejarError


@dataclass(frozen=True)
class Damage:
    """What is wrong with a collection of ``total`` tiles.

    ``database`` says in words what is wrong with the database. ``tiles`` holds, by array, the
    numbers of the tiles whose part is damaged; ``unchecked`` counts the tiles that were added by a
    version without checksums, of which only the length is known.
    """

    total: int
    database: list[str]
    tiles: dict[str, list[int]]
    unchecked: int = 0

    def __bool__(self) -> bool:
        return bool(self.database or self.tiles)

    @property
    def repairable(self) -> bool:
        """Whether a repair may help: arrays are made from photographs, indexes from tables."""
        return bool(self) and all(map(is_index_damage, self.database))

    def __str__(self) -> str:
        return "; ".join(self.lines())

    def lines(self) -> list[str]:
        """Return one line for each file that is damaged."""
        found = [f"{NAME} ({reason})" for reason in self.database[:1]]
        for name, tiles in self.tiles.items():
            file = LAYOUTS[name].file
            found.append(f"{file} ({len(tiles):,} of {self.total:,} tiles)")
        return found


def find_damage(
    collection: Collection, on_progress: Callable[[float], None] = lambda fraction: None
) -> Damage:
    """Compare everything that is stored with its checksum."""
    total = len(collection)
    wrong = collection.database.find_damage()
    if wrong:
        return Damage(total, wrong, {})
    tiles = {}
    unchecked: set[int] = set()
    for done, name in enumerate(LAYOUTS):
        known = _known_checksums(collection, name)
        bad = []
        for tile, stored in enumerate(stored_checksums(collection.folder, name, total)):
            if stored is None or (known[tile] is not None and stored != known[tile]):
                bad.append(tile)
            elif known[tile] is None:
                unchecked.add(tile)
            if tile % 100 == 0:
                on_progress((done + tile / total) / len(LAYOUTS))
        if bad:
            tiles[name] = bad
    on_progress(1.0)
    return Damage(total, [], tiles, len(unchecked))


def check_integrity(collection: Collection) -> None:
    """Raise if anything is damaged; what was found intact is not read again until a refresh."""
    if collection.intact:
        return
    damage = find_damage(collection)
    if damage.database:
        raise collection.database.damaged(damage.database[0])
    if damage:
        raise AzulejarError(
            "collection-damaged",
            "{folder} is damaged: {damage}.",
            "Repair it from its photographs, or restore a backup.",
            folder=collection.given,
            damage=str(damage),
        )
    collection.intact = True


def add_checksums(collection: Collection) -> int:
    """Store the checksums of arrays that an older version has written, as they are now.

    Return the number of tiles that had none. The collection must be locked for writing.
    """
    found: set[int] = set()
    for name in LAYOUTS:
        known = _known_checksums(collection, name)
        if None not in known:
            continue
        stored = stored_checksums(collection.folder, name, len(collection))
        new = [(sum_, i) for i, sum_ in enumerate(stored) if known[i] is None and sum_ is not None]
        with collection.database.changing() as db:
            db.executemany(f"UPDATE tiles SET {name} = ? WHERE number = ?", new)
            seal_tiles(db)
        found.update(number for _, number in new)
    return len(found)


def _known_checksums(collection: Collection, name: str) -> list[int | None]:
    if not collection.database.has_checksums:
        return [None] * len(collection)
    with collection.database.reading() as db:
        rows = db.execute(
            f"SELECT {name} FROM tiles WHERE number < ? ORDER BY number", (len(collection),)
        )
        return [row[0] for row in rows]
