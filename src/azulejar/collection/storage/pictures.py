"""Replace the picture of a tile, so that this can be undone.

The folder ``pictures`` holds new pictures, and what the arrays held or will hold of each picture
that was exchanged. Pictures that a tile had before are remembered: a crate that is added again
brings no tile twice.
"""

import json
import os
import sqlite3
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from pydantic import BaseModel

from azulejar.collection.storage.arrays import LAYOUTS, replace_tiles, stored_tile, tile_checksums
from azulejar.collection.storage.backup import STAGING
from azulejar.collection.storage.catalogue import Collection
from azulejar.collection.storage.database import put_meta, seal_tiles
from azulejar.collection.storage.lock import locked
from azulejar.errors import AzulejarError
from azulejar.system.array_file import open_arrays
from azulejar.system.atomic import replacing

FOLDER = "pictures"
FORMER = "former_pictures"  # keys in the database
_UNDER_WAY = "replacing"


class StoredPicture(BaseModel):
    """The picture of a tile, in the columns of the catalogue."""

    path: str
    stamp: str
    sha256: str


def former_pictures(db: sqlite3.Connection) -> dict[str, str]:
    """Return the pictures that were replaced, by their checksums, each with its inventory number.

    A picture that a tile has again is not among them.
    """
    row = db.execute("SELECT value FROM meta WHERE key = ?", (FORMER,)).fetchone()
    try:
        return {} if row is None else dict(json.loads(row["value"]))
    except (TypeError, ValueError) as error:
        raise sqlite3.DatabaseError("former pictures cannot be read") from error


def replaced_pictures(collection: Collection) -> dict[int, str]:
    """Return the checksums of the present pictures of tiles that had another before."""
    with collection.database.reading() as db:
        former = former_pictures(db)
        if not former:
            return {}
        found = db.execute(
            "SELECT number, sha256 FROM tiles WHERE inventory IN (SELECT value FROM json_each(?)) "
            "ORDER BY number",
            (json.dumps(list(former.values())),),
        )
        return {row["number"]: row["sha256"] for row in found}


def stored_picture(collection: Collection, inventory: str) -> StoredPicture:
    """Return the present picture of a tile."""
    with collection.database.reading() as db:
        row = db.execute("SELECT * FROM tiles WHERE inventory = ?", (inventory,)).fetchone()
    return StoredPicture(path=row["path"], stamp=row["stamp"], sha256=row["sha256"])


def keep_description(collection: Collection, sha256: str, arrays: Mapping[str, NDArray]) -> None:
    """Keep the arrays of a picture, so that ``exchange_picture`` can give it to a tile."""
    path = _kept(collection, sha256)
    path.parent.mkdir(exist_ok=True)
    with replacing(path) as temporary, temporary.open("wb") as file:
        kept: dict[str, Any] = {name: arrays[name] for name in LAYOUTS}
        np.savez(file, **kept)
        file.flush()
        os.fsync(file.fileno())


def exchange_picture(
    collection: Collection,
    inventory: str,
    old: StoredPicture,
    new: StoredPicture,
    *,
    undone: bool = False,
) -> bool:
    """Give a tile another picture, whose arrays are kept.

    If the tile does not have the old picture, or another tile has the new one, False is returned
    and nothing is changed. The search for likely joints and the panel of the tile count as
    outdated until the next sort and solve.

    Args:
        collection: The collection that has the tile.
        inventory: The inventory number of the tile.
        old: The picture that it has.
        new: The picture that it gets, described by ``describe_picture`` or exchanged before.
        undone: Whether this undoes an exchange: the old picture is then forgotten.

    Raises:
        AzulejarError: Another process changes the collection or backs it up, or the arrays of the
            picture are lost.
    """
    with _writing(collection):
        _recover(collection)
        entry = collection.entry(inventory)
        with collection.database.reading() as db:
            holder = db.execute("SELECT 1 FROM tiles WHERE sha256 = ?", (new.sha256,)).fetchone()
        if entry.sha256 != old.sha256 or holder is not None:
            return False
        arrays = _read_kept(collection, new.sha256)
        present = {name: stored_tile(collection.folder, name, entry.number) for name in LAYOUTS}
        keep_description(collection, old.sha256, present)
        collection.database.put_meta(_UNDER_WAY, inventory)
        _put(collection, entry.number, arrays)
        with collection.database.changing() as db:
            sums = [tile_checksums(name, arrays[name])[0] for name in LAYOUTS]
            db.execute(
                "UPDATE tiles SET path = ?, stamp = ?, sha256 = ?, "
                f"{', '.join(f'{name} = ?' for name in LAYOUTS)} WHERE number = ?",
                (new.path, new.stamp, new.sha256, *sums, entry.number),
            )
            seal_tiles(db, "number = ?", (entry.number,))
            former = former_pictures(db) | ({} if undone else {old.sha256: inventory})
            former.pop(new.sha256, None)
            put_meta(db, FORMER, json.dumps(former, ensure_ascii=False))
            put_meta(db, _UNDER_WAY, "")
    return True


def recover_exchange(collection: Collection) -> None:
    """Take back what a process that was killed has written of an exchange."""
    if collection.database.meta(_UNDER_WAY):
        with _writing(collection):
            _recover(collection)


def _recover(collection: Collection) -> None:
    inventory = collection.database.meta(_UNDER_WAY)
    if inventory:
        entry = collection.entry(inventory)
        _put(collection, entry.number, _read_kept(collection, entry.sha256))
        collection.database.put_meta(_UNDER_WAY, "")


@contextmanager
def _writing(collection: Collection) -> Iterator[None]:
    """Lock the collection, also for backups, which rely on arrays that only grow."""
    staging = collection.folder / STAGING
    staging.mkdir(exist_ok=True)
    what = "replaces a picture"
    with locked(collection.folder, what), locked(staging, what):
        yield


def _put(collection: Collection, tile: int, arrays: Mapping[str, NDArray]) -> None:
    for name in LAYOUTS:
        replace_tiles(collection.folder, name, {tile: arrays[name]})
    collection.intact = False


def _kept(collection: Collection, sha256: str) -> Path:
    return collection.folder / FOLDER / f"{sha256}.npz"


def _read_kept(collection: Collection, sha256: str) -> dict[str, NDArray]:
    path = _kept(collection, sha256)
    try:
        with open_arrays(path) as found:
            arrays = {name: found.read(name) for name in LAYOUTS}
        if any(arrays[name].nbytes != layout.tile_bytes for name, layout in LAYOUTS.items()):
            raise ValueError(path.name)
        return arrays
    except (OSError, ValueError) as error:
        raise AzulejarError(
            "picture-description-lost",
            "What was stored of the other picture is lost.",
            "Replace the picture by its file instead.",
        ) from error
