"""The state of a collection: its size, processes at work on it, pictures that were moved."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from hashlib import file_digest
from pathlib import Path

from azulejar.collection.storage.catalogue import Collection, Entry, stamp_of
from azulejar.collection.storage.lock import HELD, LockHolder, find_holder


@dataclass(frozen=True)
class PictureCheck:
    """Tiles whose pictures have ``vanished`` from their place, or were ``changed``."""

    vanished: list[Entry]
    changed: list[Entry]


def size_on_disk(collection: Collection) -> int:
    """Return the bytes of all files in the collection's folder."""
    return sum(path.stat().st_size for path in collection.folder.rglob("*") if path.is_file())


def find_holders(collection: Collection) -> list[LockHolder]:
    """Return the processes that are changing the collection."""
    homes = {path.parent for path in _locks(collection.folder)}
    return [found for home in sorted(homes) if (found := find_holder(home)) is not None]


def check_pictures(
    collection: Collection, on_progress: Callable[[float], None] = lambda fraction: None
) -> PictureCheck:
    """Check the original picture of every tile; only those that seem changed are read."""
    with collection.database.reading() as db:
        rows = db.execute(
            "SELECT number, path, stamp, sha256 FROM tiles WHERE number < ? ORDER BY number",
            (len(collection),),
        ).fetchall()
    vanished, changed = [], []
    for done, row in enumerate(rows, 1):
        path = collection.original(row["path"])
        try:
            if stamp_of(path) != row["stamp"] and _checksum(path) != row["sha256"]:
                changed.append(row["number"])
        except (OSError, ValueError):  # as for a path with a NUL byte
            vanished.append(row["number"])
        on_progress(done / len(rows))
    return PictureCheck(collection.entries(vanished), collection.entries(changed))


def _locks(folder: Path) -> Iterator[Path]:
    """Yield the locks of the collection and of its parts that have their own."""
    yield from folder.glob(HELD)
    yield from folder.glob(f"*/{HELD}")


def _checksum(path: Path) -> str:
    with path.open("rb") as file:
        return file_digest(file, "sha256").hexdigest()
