"""How a collection stands: its size, who is at work on it, which pictures are still in place."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from hashlib import file_digest
from pathlib import Path

from azulejar.collection.storage.catalogue import Collection, Entry, stamp_of
from azulejar.collection.storage.lock import HELD, Holder, holder


@dataclass(frozen=True)
class Displaced:
    """Tiles whose pictures ``vanished`` from where they were, or show something else now."""

    vanished: list[Entry]
    changed: list[Entry]


def size_on_disk(collection: Collection) -> int:
    """Bytes of all that lies in its folder."""
    return sum(path.stat().st_size for path in collection.folder.rglob("*") if path.is_file())


def at_work(collection: Collection) -> list[Holder]:
    """The processes that change it right now."""
    homes = {path.parent for path in _locks(collection.folder)}
    return [found for home in sorted(homes) if (found := holder(home)) is not None]


def check_pictures(
    collection: Collection, on_progress: Callable[[float], None] = lambda fraction: None
) -> Displaced:
    """Look for the original picture of every tile; only those that seem changed are read."""
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
        except OSError:
            vanished.append(row["number"])
        on_progress(done / len(rows))
    return Displaced(collection.entries(vanished), collection.entries(changed))


def _locks(folder: Path) -> Iterator[Path]:
    """Of the collection itself, and of parts that are locked for themselves."""
    yield from folder.glob(HELD)
    yield from folder.glob(f"*/{HELD}")


def _checksum(path: Path) -> str:
    with path.open("rb") as file:
        return file_digest(file, "sha256").hexdigest()
