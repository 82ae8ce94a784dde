"""Repair a collection: indexes from their tables, arrays from the photographs or small copies."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from io import BytesIO

import numpy as np
from PIL import Image

from azulejar.collection.engines import Engine
from azulejar.collection.intake.adding import BLOCK, Block, Encode
from azulejar.collection.intake.encoding import Encoded, encode_pictures, model_checksum
from azulejar.collection.storage.arrays import (
    LAYOUTS,
    extend_arrays,
    replace_tiles,
    stored_tile,
    tile_checksums,
)
from azulejar.collection.storage.catalogue import MODEL as MODEL_KEY
from azulejar.collection.storage.catalogue import UNFINISHED, Collection, Entry
from azulejar.collection.storage.database import seal_tiles
from azulejar.collection.storage.integrity import add_checksums, find_damage
from azulejar.collection.storage.lock import locked

DESCRIBED = ("descriptions", "scales")  # what the network says of a tile


@dataclass
class RepairReport:
    """``rebuilt`` counts tiles; those in ``lost`` stay damaged, as their photographs are gone.

    ``sealed`` counts those that had no checksums; ``described`` those that an earlier version had
    described, by another network.
    """

    rebuilt: int = 0
    lost: list[Entry] = field(default_factory=list)
    indexes: bool = False
    sealed: int = 0
    described: int = 0


def repair_collection(
    collection: Collection,
    *,
    engine: Engine,
    on_progress: Callable[[float], None] = lambda fraction: None,
    encode: Encode = encode_pictures,
    model: str | None = None,
) -> RepairReport:
    """Rebuild what is damaged, and bring up to date what an older version has stored.

    A damaged part of an array is made anew from the tile's photograph, as long as that is the one
    that was added; descriptions from the small copy, if that is intact. Indexes of the database are
    made from its tables; a table that is damaged itself cannot be repaired. Missing checksums are
    added, and tiles that another network had described are described anew.

    Args:
        collection: What to repair.
        engine: The workers that describe the pictures.
        on_progress: Called with the fraction of damaged tiles that are dealt with.
        encode: The function that describes a block of pictures.
        model: The checksum of the network that ``encode`` uses.

    Raises:
        AzulejarError: If the database is damaged, or another process changes the collection.

    Examples:
        >>> import azulejar
        >>> with azulejar.Collection.open("museum") as museum:
        ...     with azulejar.get_engine("local", workers=1) as engine:
        ...         azulejar.repair_collection(museum, engine=engine).rebuilt
        0
    """
    report = RepairReport()
    with locked(collection.folder, "repairs it"):
        report.indexes = _repair_database(collection)
        collection.refresh()
        report.sealed = add_checksums(collection)
        wanted = find_damage(collection).tiles
        model = model or model_checksum()
        if collection.model not in (None, model):
            report.described = len(collection)
            wanted |= {name: list(range(len(collection))) for name in DESCRIBED}
            collection.database.put_meta(MODEL_KEY, UNFINISHED)
        if wanted:
            extend_arrays(collection.folder, len(collection))
            _rebuild(collection, wanted, engine, encode, report, on_progress)
        if report.described and not report.lost:
            collection.database.put_meta(MODEL_KEY, model)
        collection.refresh()
    on_progress(1.0)
    return report


def _repair_database(collection: Collection) -> bool:
    """Return whether indexes had to be made anew; raise if that does not suffice."""
    if not collection.database.find_damage():
        return False
    collection.database.rebuild_indexes()
    left = collection.database.find_damage()
    if left:
        raise collection.database.damaged(left[0])
    return True


def _rebuild(
    collection: Collection,
    damaged: dict[str, list[int]],
    engine: Engine,
    encode: Encode,
    report: RepairReport,
    on_progress: Callable[[float], None],
) -> None:
    every = sorted({tile for tiles in damaged.values() for tile in tiles})
    entries = collection.entries(every)
    copies_damaged = set(damaged.get("pixels", ()))
    sent: list[list[Entry]] = []

    def blocks() -> Iterator[Block]:
        for start in range(0, len(entries), BLOCK):
            known, block = [], []
            for entry in entries[start : start + BLOCK]:
                intact = entry.number not in copies_damaged
                if report.described and intact:
                    content: bytes | None = _copy(collection, entry)
                else:
                    content = _content(collection, entry, intact)
                if content is None:
                    report.lost.append(entry)
                else:
                    known.append(entry)
                    block.append((str(entry.path), content))
            if block:
                sent.append(known)
                yield block

    for number, encoded in engine.map(encode, blocks()):
        good = [i for i in range(len(sent[number])) if i not in encoded.broken]
        report.lost += [sent[number][i] for i in encoded.broken]
        _store(collection, damaged, [sent[number][i] for i in good], encoded, good)
        report.rebuilt += len(good)
        on_progress((report.rebuilt + len(report.lost)) / len(entries))
    report.lost.sort(key=lambda entry: entry.number)


def _content(collection: Collection, entry: Entry, copy_intact: bool) -> bytes | None:
    """Return the tile's photograph or, if it is gone, a PNG of the stored copy."""
    try:
        content = entry.path.read_bytes()
        if sha256(content).hexdigest() == entry.sha256:
            return content
    except OSError:
        pass
    return _copy(collection, entry) if copy_intact else None


def _copy(collection: Collection, entry: Entry) -> bytes:
    """Return a PNG of the stored small copy."""
    png = BytesIO()
    Image.fromarray(stored_tile(collection.folder, "pixels", entry.number)[0]).save(png, "PNG")
    return png.getvalue()


def _store(
    collection: Collection,
    damaged: dict[str, list[int]],
    entries: Sequence[Entry],
    encoded: Encoded,
    which: Sequence[int],
) -> None:
    """Write the damaged parts anew; their checksums follow, so that a stop in between is seen."""
    sums: list[tuple[str, int, int]] = []
    for name, tiles in damaged.items():
        rows, wanted = LAYOUTS[name].rows, set(tiles)
        new = {
            entry.number: np.asarray(getattr(encoded, name)[rows * i : rows * (i + 1)])
            for entry, i in zip(entries, which, strict=True)
            if entry.number in wanted
        }
        replace_tiles(collection.folder, name, new)
        sums += [(name, tile_checksums(name, part)[0], tile) for tile, part in new.items()]
    with collection.database.changing() as db:
        for name, checksum, tile in sums:
            db.execute(f"UPDATE tiles SET {name} = ? WHERE number = ?", (checksum, tile))
        for entry in entries:
            seal_tiles(db, "number = ?", (entry.number,))
