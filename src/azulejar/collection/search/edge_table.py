"""Open the edge table of a collection, which is kept on disk between searches."""

import json
import shutil
import zlib
from pathlib import Path

import numpy as np

from azulejar.collection.search.index import Keys, pack_index
from azulejar.collection.search.odds import fit_mgc_law
from azulejar.collection.search.rescoring import EdgeTable, mgc_arrays
from azulejar.collection.storage.catalogue import Collection
from azulejar.collection.storage.integrity import check_integrity
from azulejar.measures.calibration import PowerLaw
from azulejar.system.atomic import new_folder

FOLDER = Path("search", "shelf")
MARK = "shelf.json"
VERSION = 2  # raise it when the same tiles would be searched or weighed otherwise
STORED = ("lists", "keys", "signs", "outer", "mean", "inverse")  # the rest is in the catalogue
CHUNK = 1 << 24


def search_key(collection: Collection) -> str:
    """Return what the result of a search depends on; tiles are only ever added."""
    return f"{len(collection)} tiles, model {collection.model}, version {VERSION}"


def open_edge_table(collection: Collection) -> tuple[EdgeTable, PowerLaw]:
    """Open the edge table of a collection, and the scale of MGC on its tiles.

    Both are made anew if tiles were added or a stored array is damaged. Raises if the collection
    itself is damaged.
    """
    check_integrity(collection)
    folder = collection.folder / FOLDER
    if not _is_whole(folder, search_key(collection)):
        shutil.rmtree(folder, ignore_errors=True)
        with new_folder(folder, MARK) as temporary:
            _make(collection, temporary)
    note = json.loads((folder / MARK).read_text(encoding="utf-8"))
    return _open_arrays(collection, folder), PowerLaw(**note["trust"])


def _open_arrays(collection: Collection, folder: Path) -> EdgeTable:
    stored = {name: np.load(folder / f"{name}.npy", mmap_mode="r") for name in STORED}
    return EdgeTable(descriptions=collection.descriptions, scales=collection.scales, **stored)


def _make(collection: Collection, folder: Path) -> None:
    keys = Keys.of(collection.descriptions, collection.scales)
    arrays = (pack_index(keys), keys.keys, keys.signs, *mgc_arrays(collection.pixels))
    checksums = {}
    for name, array in zip(STORED, arrays, strict=True):
        np.save(folder / f"{name}.npy", np.asarray(array))
        checksums[name] = _checksum(folder / f"{name}.npy")
    scale = fit_mgc_law(_open_arrays(collection, folder))
    trust = scale._asdict()
    checksums["trust"] = _note_checksum(trust)
    note = {"key": search_key(collection), "trust": trust, "sums": checksums}
    (folder / MARK).write_text(json.dumps(note, indent=1), encoding="utf-8")


def _is_whole(folder: Path, key: str) -> bool:
    try:
        note = json.loads((folder / MARK).read_text(encoding="utf-8"))
        if note["key"] != key or note["sums"]["trust"] != _note_checksum(note["trust"]):
            return False
        return all(_checksum(folder / f"{name}.npy") == note["sums"][name] for name in STORED)
    except (OSError, ValueError, KeyError, TypeError):
        return False


def _note_checksum(trust: dict[str, float]) -> int:
    return zlib.crc32(json.dumps(trust, sort_keys=True).encode())


def _checksum(path: Path) -> int:
    total = 0
    with path.open("rb") as file:
        while chunk := file.read(CHUNK):
            total = zlib.crc32(chunk, total)
    return total
