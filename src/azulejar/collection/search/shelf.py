"""The shelf: all that a close look needs of the whole collection, kept on disk between looks."""

import json
import shutil
import zlib
from pathlib import Path

import numpy as np

from azulejar.collection.search.closeness import Lines
from azulejar.collection.search.index import Keys, pack_index
from azulejar.collection.search.likelihood import Trust, trust_in_mgc
from azulejar.collection.search.looking import Shelf
from azulejar.collection.storage.catalogue import Collection
from azulejar.system.atomic import new_folder

FOLDER = Path("search", "shelf")
MARK = "shelf.json"
VERSION = 2  # to be raised when the same tiles would be searched or weighed otherwise
MADE = ("lists", "keys", "signs", "outer", "mean", "inverse")  # the rest is in the catalogue
CHUNK = 1 << 24


def key_of(collection: Collection) -> str:
    """What a search depends on: tiles are only ever added."""
    return f"{len(collection)} tiles, model {collection.model}, version {VERSION}"


def open_shelf(collection: Collection) -> tuple[Shelf, Trust]:
    """The shelf of all tiles, and how far MGC can be trusted on them.

    It is made anew if tiles were added or what is kept of it is damaged.
    """
    folder = collection.folder / FOLDER
    if not _is_whole(folder, key_of(collection)):
        shutil.rmtree(folder, ignore_errors=True)
        with new_folder(folder, MARK) as temporary:
            _make(collection, temporary)
    note = json.loads((folder / MARK).read_text(encoding="utf-8"))
    return _opened(collection, folder), Trust(**note["trust"])


def _opened(collection: Collection, folder: Path) -> Shelf:
    made = {name: np.load(folder / f"{name}.npy", mmap_mode="r") for name in MADE}
    return Shelf(descriptions=collection.descriptions, scales=collection.scales, **made)


def _make(collection: Collection, folder: Path) -> None:
    keys = Keys.of(collection.descriptions, collection.scales)
    lines = Lines.of(collection.pixels)
    sums = {}
    made = (pack_index(keys), keys.keys, keys.signs, lines.outer, lines.mean, lines.inverse)
    for name, array in zip(MADE, made, strict=True):
        np.save(folder / f"{name}.npy", np.asarray(array))
        sums[name] = _sum(folder / f"{name}.npy")
    trust = trust_in_mgc(_opened(collection, folder))
    note = {"key": key_of(collection), "trust": trust._asdict(), "sums": sums}
    (folder / MARK).write_text(json.dumps(note, indent=1), encoding="utf-8")


def _is_whole(folder: Path, key: str) -> bool:
    try:
        note = json.loads((folder / MARK).read_text(encoding="utf-8"))
        return note["key"] == key and all(
            _sum(folder / f"{name}.npy") == note["sums"][name] for name in MADE
        )
    except (OSError, ValueError, KeyError, TypeError):
        return False


def _sum(path: Path) -> int:
    total = 0
    with path.open("rb") as file:
        while chunk := file.read(CHUNK):
            total = zlib.crc32(chunk, total)
    return total
