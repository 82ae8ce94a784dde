"""Adding: pictures of crates become tiles of a collection, block by block."""

import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from azulejar.collection.engines import Engine
from azulejar.collection.intake.crates import find_crates
from azulejar.collection.intake.encoding import MODEL, Encoded, encode_pictures
from azulejar.collection.intake.sifting import Added, Fresh, Sieve
from azulejar.collection.storage.arrays import LAYOUTS
from azulejar.collection.storage.catalogue import Collection
from azulejar.collection.storage.writer import NewTile, Writer, writing
from azulejar.weights import load_model

BLOCK = 64  # pictures that are described, and kept, together
BLOCK_BYTES = 32 * 2**20  # at which a block of large pictures ends early

Block = list[tuple[str, bytes]]  # names of pictures and what their files hold
Encode = Callable[[tuple[NDArray, ...], Block], Encoded]


def add_tiles(
    collection: Collection,
    sources: Sequence[Path],
    *,
    engine: Engine,
    crate: str | None = None,
    on_progress: Callable[[float], None] | None = None,
    stop: threading.Event | None = None,
    encode: Encode = encode_pictures,
    model: str | None = None,
) -> Added:
    """Add what the collection does not have yet of folders of pictures, or folders of such.

    A tile's crate is ``crate``, or what ``tiles.csv`` says, or its folder's name. Tiles are
    numbered in the order of the files, however the engine works. Once ``stop`` is set, what is
    under way is finished and no more begun. ``model`` is the checksum of the network that
    ``encode`` uses, by default of our own.
    """
    crates = find_crates([Path(source) for source in sources])
    total = sum(len(each.files) for each in crates)
    added = Added(notes=[note for each in crates for note in each.notes])

    def tell() -> None:
        if on_progress:
            on_progress(added.pictures / total)

    with writing(collection, model or load_model(MODEL).checksum) as writer:
        sifted = Sieve(writer, crate, added).sift(crates, stop or threading.Event())
        keeper = _Keeper(writer, added)
        for number, encoded in engine.map(encode, keeper.blocks(sifted, tell)):
            keeper.finish(number, encoded)
            tell()
    return added


class _Keeper:
    """Hands out new pictures in blocks, and keeps as tiles what becomes of them."""

    def __init__(self, writer: Writer, added: Added) -> None:
        self._writer = writer
        self._added = added
        self._sent: dict[int, list[Fresh]] = {}  # by the number of their block
        self._waiting: dict[int, Encoded] = {}  # done before a block that precedes them
        self._blocks = self._kept = 0

    def blocks(self, sifted: Iterable[Fresh | None], tell: Callable[[], None]) -> Iterator[Block]:
        """Up to 64 pictures at a time; ``tell`` is called after each picture."""
        block: list[Fresh] = []
        for one in sifted:
            tell()
            if one is None:
                continue
            block.append(one)
            if len(block) == BLOCK or sum(len(each.content) for each in block) >= BLOCK_BYTES:
                yield self._send(block)
                block = []
        if block:
            yield self._send(block)

    def finish(self, number: int, encoded: Encoded) -> None:
        """Keep a block, and those that waited for it: tiles come in the order of their files."""
        self._waiting[number] = encoded
        while self._kept in self._waiting:
            self._keep(self._sent.pop(self._kept), self._waiting.pop(self._kept))
            self._kept += 1

    def _send(self, block: list[Fresh]) -> Block:
        self._sent[self._blocks] = block
        self._blocks += 1
        return [(str(one.path), one.content) for one in block]

    def _keep(self, block: list[Fresh], encoded: Encoded) -> None:
        tiles: dict[int, NewTile] = {}  # by their place in the block
        taken: set[str] = set()
        for i, one in enumerate(block):
            if i in encoded.broken:
                self._added.broken[one.path] = encoded.broken[i]
            elif inventory := self._inventory(one, taken):
                taken.add(inventory)
                tiles[i] = NewTile(inventory, one.sha256, one.picture)
        if tiles:
            self._writer.add(list(tiles.values()), _rows(encoded, list(tiles)))
        self._added.new += len(tiles)

    def _inventory(self, one: Fresh, taken: set[str]) -> str | None:
        """Its own number, or, where another tile has that, the crate's name before it."""
        number = one.picture.record.inventory or one.path.stem
        longer = f"{one.picture.crate}-{number}"
        for inventory in (number, longer):
            if inventory not in taken and not self._writer.is_taken(inventory):
                if inventory != number:
                    self._added.renamed[one.path] = inventory
                return inventory
        self._added.refused[one.path] = (
            f"{one.path} was not added: other tiles are {number} and {longer} already; give it an "
            "inventory number of its own, as its name or in tiles.csv."
        )
        return None


def _rows(encoded: Encoded, which: list[int]) -> dict[str, NDArray]:
    """What the arrays hold of some tiles of a block."""
    return {
        name: np.concatenate(
            [getattr(encoded, name)[layout.rows * i : layout.rows * (i + 1)] for i in which]
        )
        for name, layout in LAYOUTS.items()
    }
