"""Writer: the one that adds to a collection; what it was told to keep is never lost."""

import json
import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime

from numpy.typing import NDArray

from azulejar.collection.storage.arrays import append, cut_back
from azulejar.collection.storage.catalogue import MODEL, Collection
from azulejar.collection.storage.lock import locked
from azulejar.core.tiles import Record
from azulejar.errors import AzulejarError
from azulejar.version import __version__

_RENEWALS = 1000  # that wait to be saved together


@dataclass(frozen=True)
class Picture:
    """Where a picture lies, and what that place says of its tile.

    ``path`` is as the catalogue stores it; ``stamp`` changes whenever the file does.
    """

    path: str
    stamp: str
    crate: str
    record: Record

    @property
    def columns(self) -> tuple[str, str, str, str]:
        """As the database has them: path, stamp, crate, record."""
        said = {name: value for name, value in vars(self.record).items() if value is not None}
        return self.path, self.stamp, self.crate, json.dumps(said, ensure_ascii=False)


@dataclass(frozen=True)
class NewTile:
    """A tile that is to be added."""

    inventory: str
    sha256: str
    picture: Picture


@contextmanager
def writing(collection: Collection, model: str) -> Iterator["Writer"]:
    """The writer of a collection, alone with it; ``model`` is the checksum of the network.

    The collection knows of what was added once the block ends, however it ends.
    """
    with locked(collection.folder, "adds tiles"):
        writer = Writer(collection, model)
        try:
            yield writer
            writer.save_renewals()
        finally:
            collection.refresh()


class Writer:
    """Adds tiles block by block, and renews what is known of others."""

    def __init__(self, collection: Collection, model: str) -> None:
        if collection.model not in (None, model):
            raise AzulejarError(
                f"The tiles of {collection.name} were described by another network.",
                "Use the azulejar that made the collection, or create a new one and add all "
                "crates to it.",
            )
        self.collection = collection
        self._model = model
        self._database = collection.database
        self._renewals: list[tuple[str | int, ...]] = []
        # After a transaction of our own, none that failed before can come back from the log:
        # from here on, what the arrays hold beyond the catalogue belongs to nobody.
        self._database.put_meta("version", __version__)
        collection.refresh()
        self._tiles = len(collection)
        cut_back(collection.folder, self._tiles)

    def at(self, path: str) -> sqlite3.Row | None:
        """The tile whose picture lies there, if any."""
        return self._find("path", path)

    def of_picture(self, sha256: str) -> sqlite3.Row | None:
        """The tile of a picture with that checksum, if any."""
        return self._find("sha256", sha256)

    def is_taken(self, inventory: str) -> bool:
        """Whether some tile has that number."""
        return self._find("inventory", inventory) is not None

    def add(self, tiles: Sequence[NewTile], arrays: Mapping[str, NDArray]) -> None:
        """Add tiles with what the arrays hold of them; all are kept from now on, or none is.

        The arrays come first, and count only once the database tells of their tiles. Where that
        fails they stay: of a commit that failed nobody knows how far it came.
        """
        append(self.collection.folder, self._tiles, arrays)
        added = datetime.now(UTC).isoformat(timespec="seconds")
        rows = [
            (number, tile.inventory, tile.sha256, added, *tile.picture.columns)
            for number, tile in enumerate(tiles, self._tiles)
        ]
        with self._database.changing() as db:
            db.executemany(
                "INSERT INTO tiles (number, inventory, sha256, added, path, stamp, crate, record) "
                "VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
                rows,
            )
            db.execute("INSERT OR REPLACE INTO meta VALUES (?, ?)", (MODEL, self._model))
        self._tiles += len(tiles)

    def renew(self, number: int, picture: Picture) -> None:
        """Note what is said now of a tile that is there; saved before long."""
        self._renewals.append((*picture.columns, number))
        if len(self._renewals) >= _RENEWALS:
            self.save_renewals()

    def save_renewals(self) -> None:
        """Save all that were noted."""
        if self._renewals:
            with self._database.changing() as db:
                db.executemany(
                    "UPDATE tiles SET path = ?, stamp = ?, crate = ?, record = ? WHERE number = ?",
                    self._renewals,
                )
            self._renewals.clear()

    def _find(self, column: str, value: str) -> sqlite3.Row | None:
        with self._database.reading() as db:
            return db.execute(f"SELECT * FROM tiles WHERE {column} = ?", (value,)).fetchone()
