"""Add pictures of crates to a collection as tiles, block by block."""

import os
import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from azulejar.collection.engines import Engine
from azulejar.collection.intake.crates import check_crate, find_crates, find_half_tiles
from azulejar.collection.intake.deduplicate import Deduplicator, IntakeReport, NewPicture
from azulejar.collection.intake.encoding import Encoded, encode_pictures, model_checksum
from azulejar.collection.storage.arrays import LAYOUTS
from azulejar.collection.storage.catalogue import Collection
from azulejar.collection.storage.writer import TileRow, Writer, open_writer
from azulejar.system.natural_order import natural_order

BLOCK = 64  # pictures that are described, and stored, together
BLOCK_BYTES = 32 * 2**20  # at which a block of large pictures ends early

Block = list[tuple[str, bytes]]  # names of pictures and the contents of their files
Encode = Callable[[tuple[NDArray, ...], Block], Encoded]


def add_tiles(
    collection: Collection,
    sources: Sequence[str | os.PathLike[str]],
    *,
    engine: Engine,
    crate: str | None = None,
    any_shape: bool = False,
    on_progress: Callable[[float], None] | None = None,
    stop: threading.Event | None = None,
    report: IntakeReport | None = None,
    encode: Encode = encode_pictures,
    model: str | None = None,
) -> IntakeReport:
    """Add the pictures that a collection does not have yet.

    Tiles are numbered in the order of the files, however the engine works. Each finished block is
    stored at once, so that the same call goes on where another was stopped.

    Args:
        collection: Where to add them.
        sources: Folders of pictures, folders of such folders, or pictures.
        engine: The workers that describe the pictures.
        crate: The crate of all these tiles; by default as ``tiles.csv`` says, or the folder's name.
        any_shape: Take every picture for a tile, whatever its size and shape.
        on_progress: Called with the fraction of pictures that are dealt with.
        stop: Once it is set, the blocks under way are finished and no more are begun.
        report: An empty report to fill, for callers that read it meanwhile.
        encode: The function that describes a block of pictures.
        model: The checksum of the network that ``encode`` uses.

    Returns:
        How many tiles are new, known already, or could not be added, and why.

    Raises:
        AzulejarError: If there are no pictures, a crate has tiles of two sizes, or another process
            changes the collection.

    Examples:
        >>> import azulejar
        >>> with azulejar.Collection.create("museum") as museum:
        ...     with azulejar.get_engine("local", workers=1) as engine:
        ...         report = azulejar.add_tiles(museum, ["crate"], engine=engine)
        ...     report.new, museum.crates()
        (16, {'crate': 16})
    """
    crates = find_crates([Path(source) for source in sources])
    total = sum(len(each.files) for each in crates)
    report = IntakeReport() if report is None else report
    if not any_shape:
        halves = [find_half_tiles(each) for each in crates]
        crates = [each.without(some) for each, some in zip(crates, halves, strict=True)]
        for each, some in zip(crates, halves, strict=True):
            check_crate(each)
            report.halves += [each.folder / name for name in sorted(some, key=natural_order)]
    report.notes += [note for each in crates for note in each.notes]

    def tell() -> None:
        if on_progress:
            on_progress(report.pictures / total)

    with open_writer(collection, model or model_checksum()) as writer:
        pictures = Deduplicator(writer, crate, report, any_shape).read(
            crates, stop or threading.Event()
        )
        queue = _BlockQueue(writer, report)
        for number, encoded in engine.map(encode, queue.blocks(pictures, tell)):
            queue.finish(number, encoded)
            tell()
    return report


class _BlockQueue:
    """Hands out new pictures in blocks, and stores the tiles that they become, in order."""

    def __init__(self, writer: Writer, report: IntakeReport) -> None:
        self._writer = writer
        self._report = report
        self._sent: dict[int, list[NewPicture]] = {}  # by the number of their block
        self._waiting: dict[int, Encoded] = {}  # done before a block that precedes them
        self._blocks = self._stored = 0

    def blocks(
        self, pictures: Iterable[NewPicture | None], tell: Callable[[], None]
    ) -> Iterator[Block]:
        """Yield up to 64 pictures at a time; ``tell`` is called after each picture."""
        block: list[NewPicture] = []
        for picture in pictures:
            tell()
            if picture is None:
                continue
            block.append(picture)
            if len(block) == BLOCK or sum(len(each.content) for each in block) >= BLOCK_BYTES:
                yield self._send(block)
                block = []
        if block:
            yield self._send(block)

    def finish(self, number: int, encoded: Encoded) -> None:
        """Store a block, and those that waited for it: tiles keep the order of their files."""
        self._waiting[number] = encoded
        while self._stored in self._waiting:
            self._store(self._sent.pop(self._stored), self._waiting.pop(self._stored))
            self._stored += 1

    def _send(self, block: list[NewPicture]) -> Block:
        self._sent[self._blocks] = block
        self._blocks += 1
        return [(str(one.path), one.content) for one in block]

    def _store(self, block: list[NewPicture], encoded: Encoded) -> None:
        tiles: dict[int, TileRow] = {}  # by their index in the block
        taken: set[str] = set()
        for i, one in enumerate(block):
            if i in encoded.broken:
                self._report.broken[one.path] = encoded.broken[i]
            elif inventory := self._choose_inventory(one, taken):
                taken.add(inventory)
                tiles[i] = TileRow(inventory, one.sha256, one.picture)
        if tiles:
            self._writer.add(list(tiles.values()), _take_rows(encoded, list(tiles)))
        self._report.new += len(tiles)

    def _choose_inventory(self, one: NewPicture, taken: set[str]) -> str | None:
        """Return its own number, or, if another tile has that, with the crate's name before it."""
        number = one.picture.record.inventory or one.path.stem
        longer = f"{one.picture.crate}-{number}"
        for inventory in (number, longer):
            if inventory not in taken and not self._writer.is_taken(inventory):
                if inventory != number:
                    self._report.renamed[one.path] = inventory
                return inventory
        self._report.refused[one.path] = (
            f"{one.path} was not added: other tiles are {number} and {longer} already; give it an "
            "inventory number of its own, as its name or in tiles.csv."
        )
        return None


def _take_rows(encoded: Encoded, which: list[int]) -> dict[str, NDArray]:
    """Return the rows of the arrays that belong to some tiles of a block."""
    return {
        name: np.concatenate(
            [getattr(encoded, name)[layout.rows * i : layout.rows * (i + 1)] for i in which]
        )
        for name, layout in LAYOUTS.items()
    }
