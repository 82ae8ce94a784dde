"""Writer: the only way to add tiles to a collection; what it has stored is never lost."""

import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace

from numpy.typing import NDArray

from azulejar.collection.storage.arrays import (
    LAYOUTS,
    append_arrays,
    tile_checksums,
    truncate_arrays,
)
from azulejar.collection.storage.catalogue import MODEL, Collection, stored_record
from azulejar.collection.storage.database import put_meta, seal_tiles
from azulejar.collection.storage.integrity import add_checksums
from azulejar.collection.storage.lock import locked
from azulejar.collection.storage.overrides import edited_fields, keep_edits
from azulejar.collection.storage.pictures import former_pictures
from azulejar.core.tiles import Record
from azulejar.errors import AzulejarError
from azulejar.system.transactions import now
from azulejar.version import __version__

_UPDATES = 1000  # updates that are saved together


@dataclass(frozen=True)
class Picture:
    """Where a picture lies, and what its folder says about its tile.

    ``path`` is as the catalogue stores it; ``stamp`` changes whenever the file does.
    """

    path: str
    stamp: str
    crate: str
    record: Record

    @property
    def columns(self) -> tuple[str, str, str, str]:
        """Path, stamp, crate and record, as the database stores them."""
        return self.path, self.stamp, self.crate, stored_record(self.record)


@dataclass(frozen=True)
class TileRow:
    """A tile to be added to the catalogue."""

    inventory: str
    sha256: str
    picture: Picture


@contextmanager
def open_writer(collection: Collection, model: str) -> Iterator["Writer"]:
    """Lock a collection for writing; ``model`` is the checksum of the network.

    When the block ends, however it ends, the collection is refreshed.
    """
    with locked(collection.folder, "adds tiles"):
        writer = Writer(collection, model)
        try:
            yield writer
            writer.save_updates()
        finally:
            collection.refresh()


class Writer:
    """Adds tiles block by block, and updates what is stored of others."""

    def __init__(self, collection: Collection, model: str) -> None:
        check_model(collection, model)
        self.collection = collection
        self._model = model
        self._database = collection.database
        self._updates: dict[int, Picture] = {}
        # After a transaction of our own, none that failed before can come back from the log:
        # from here on, what the arrays hold beyond the catalogue belongs to no tile.
        self._database.put_meta("version", __version__)
        collection.refresh()
        self._tiles = len(collection)
        truncate_arrays(collection.folder, self._tiles)
        add_checksums(collection)
        with self._database.reading() as db:
            self._edited = edited_fields(db)
            self._former = former_pictures(db)

    def at(self, path: str) -> sqlite3.Row | None:
        """Return the tile whose picture has this path, if any."""
        return self._find("path", path)

    def of_picture(self, sha256: str) -> sqlite3.Row | None:
        """Return the tile whose picture has this checksum, if any."""
        return self._find("sha256", sha256)

    def of_former_picture(self, sha256: str) -> sqlite3.Row | None:
        """Return the tile whose picture had this checksum before it was replaced, if any."""
        return self._find("inventory", self._former[sha256]) if sha256 in self._former else None

    def is_taken(self, inventory: str) -> bool:
        """Return whether a tile has this inventory number."""
        return self._find("inventory", inventory) is not None

    def with_edits(self, tile: sqlite3.Row, picture: Picture) -> Picture:
        """Return what a folder says of a known tile, except where people have edited it."""
        fields = set(self._edited.get(tile["inventory"], ()))
        crate = tile["crate"] if "crate" in fields else picture.crate
        record = keep_edits(picture.record, tile["record"], fields - {"crate"})
        return replace(picture, crate=crate, record=record)

    def add(self, tiles: Sequence[TileRow], arrays: Mapping[str, NDArray]) -> None:
        """Add tiles and their arrays; either all are stored, or none.

        The arrays are written first, and count only once the database has their tiles. If that
        fails they stay: how far a failed commit came cannot be known.
        """
        append_arrays(self.collection.folder, self._tiles, arrays)
        added = now()
        checksums = zip(*(tile_checksums(name, arrays[name]) for name in LAYOUTS), strict=True)
        rows = [
            (number, tile.inventory, tile.sha256, added, *tile.picture.columns, *sums)
            for number, (tile, sums) in enumerate(zip(tiles, checksums, strict=True), self._tiles)
        ]
        with self._database.changing() as db:
            db.executemany(
                "INSERT INTO tiles (number, inventory, sha256, added, path, stamp, crate, record, "
                f"{', '.join(LAYOUTS)}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
                rows,
            )
            seal_tiles(db, "number >= ?", (self._tiles,))
            put_meta(db, MODEL, self._model)
        self._tiles += len(tiles)

    def update(self, number: int, picture: Picture) -> None:
        """Change what is stored of a tile's picture; saved together with other updates.

        What people have edited stays, even if they do so meanwhile.
        """
        self._updates[number] = picture
        if len(self._updates) >= _UPDATES:
            self.save_updates()

    def save_updates(self) -> None:
        """Save all pending updates."""
        if self._updates:
            with self._database.changing() as db:
                self._edited = edited_fields(db)
                for number, picture in self._updates.items():
                    row = db.execute("SELECT * FROM tiles WHERE number = ?", (number,)).fetchone()
                    db.execute(
                        "UPDATE tiles SET path = ?, stamp = ?, crate = ?, record = ? "
                        "WHERE number = ?",
                        (*self.with_edits(row, picture).columns, number),
                    )
                    seal_tiles(db, "number = ?", (number,))
            self._updates.clear()

    def _find(self, column: str, value: str) -> sqlite3.Row | None:
        with self._database.reading() as db:
            return db.execute(f"SELECT * FROM tiles WHERE {column} = ?", (value,)).fetchone()


def check_model(collection: Collection, model: str) -> None:
    """Raise if the tiles were described by another network than the one of this checksum."""
    if collection.model not in (None, model):
        raise AzulejarError(
            "collection-other-network",
            "The tiles of {name} were described by another network.",
            "Repair the collection, which describes them anew from what is stored.",
            name=collection.name,
        )
