"""Open the edge table of a collection, which is kept on disk between searches."""

import json
import shutil
import zlib
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from azulejar.collection.search.index import (
    LARGEST_EXACT,
    Keys,
    extend_index,
    import_faiss,
    pack_index,
)
from azulejar.collection.search.odds import fit_mgc_law
from azulejar.collection.search.rescoring import EdgeTable, mgc_arrays
from azulejar.collection.storage.catalogue import Collection
from azulejar.collection.storage.integrity import check_integrity
from azulejar.collection.storage.pictures import replaced_pictures
from azulejar.measures.calibration import PowerLaw
from azulejar.system.atomic import new_folder

FOLDER = Path("search", "shelf")
MARK = "shelf.json"
VERSION = 2  # raise it when the same tiles would be searched or weighed otherwise
STORED = ("lists", "keys", "signs", "outer", "mean", "inverse")  # the rest is in the catalogue
EXTENDED_BY = ("basis", "crowd")  # what it takes to add tiles to them
EXTENDED_FROM = 2000  # tiles; fewer are searched anew within seconds
MOST_ADDED = 0.25  # share of the tiles by which a table is extended before it is made anew
CHUNK = 1 << 24


def search_key(collection: Collection) -> str:
    """Return what the result of a search depends on; tiles are only added, or get new pictures."""
    return _key_of(len(collection), collection.model, _pictures(collection))


def _key_of(tiles: int, model: str | None, pictures: dict[str, str]) -> str:
    key = f"{tiles} tiles, model {model}, version {VERSION}"
    return f"{key}, pictures {zlib.crc32(repr(pictures).encode())}" if pictures else key


def _pictures(collection: Collection) -> dict[str, str]:
    """Return the checksums of pictures that were replaced, by number, as JSON can hold them."""
    return {str(tile): checksum for tile, checksum in replaced_pictures(collection).items()}


def open_edge_table(
    collection: Collection, *, extended: bool = False
) -> tuple[EdgeTable, PowerLaw]:
    """Open the edge table of a collection, and the scale of MGC on its tiles.

    Both are made anew if tiles were added, pictures were replaced or a stored array is damaged.
    With ``extended``, a few such tiles among many are taken into the table, which takes seconds:
    likely partners are then found along directions that were chosen without them. A search of the
    whole collection makes it anew, so that its result does not depend on how the collection grew.

    Raises:
        AzulejarError: The collection itself is damaged, or faiss is not installed.
    """
    import_faiss()  # before the work that precedes its use
    check_integrity(collection)
    folder = collection.folder / FOLDER
    note = _read_whole(folder)
    if note is None or note["key"] != search_key(collection) or (note["added"] and not extended):
        if extended and note is not None and _can_extend(collection, note):
            with new_folder(folder, MARK, overwrite=True) as temporary:
                _extend(collection, folder, note, temporary)
        else:
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
    checksums = _save(folder, (*arrays, keys.basis, keys.crowd))
    trust = fit_mgc_law(_open_arrays(collection, folder))._asdict()
    _write_note(collection, folder, trust, checksums, added=0)


def _can_extend(collection: Collection, note: dict[str, Any]) -> bool:
    """Whether a table of fewer tiles, or older pictures, can be brought up to date."""
    tiles, before = len(collection), int(note["tiles"])
    added = len(_new_tiles(collection, note)) + int(note["added"])
    crosses = before <= LARGEST_EXACT < tiles  # where an index gets lists
    same = note["key"] == _key_of(before, collection.model, note.get("pictures", {}))
    few = 0 < added <= MOST_ADDED * tiles
    return same and few and not crosses and before >= EXTENDED_FROM


def _new_tiles(collection: Collection, note: dict[str, Any]) -> list[int]:
    """Return the tiles that a table has not, or has with other pictures, in rising order."""
    then, now, before = note.get("pictures", {}), _pictures(collection), int(note["tiles"])
    replaced = [int(tile) for tile in then | now if then.get(tile) != now.get(tile)]
    changed = sorted(tile for tile in replaced if tile < before)
    return [*changed, *range(before, len(collection))]


def _extend(collection: Collection, old: Path, note: dict[str, Any], folder: Path) -> None:
    """Write the table of ``old`` with tiles that are new to it, or have other pictures there."""
    new, names = _new_tiles(collection, note), (*STORED, *EXTENDED_BY)
    edges = (4 * np.array(new)[:, None] + np.arange(4)).ravel()
    known = {name: np.load(old / f"{name}.npy") for name in names}
    keys = Keys(*(known[name] for name in ("keys", "signs", *EXTENDED_BY)))
    further = keys.more(collection.descriptions[edges], collection.scales[edges])
    known["lists"] = extend_index(known["lists"], further, edges)
    added: tuple[NDArray, ...] = (further, *mgc_arrays(collection.pixels[new]))
    for name, array in zip(("keys", "outer", "mean", "inverse"), added, strict=True):
        more = 4 * len(collection) - len(known[name])
        known[name] = np.concatenate([known[name], array[len(array) - more :]])
        known[name][edges] = array
    checksums = _save(folder, [known[name] for name in names])
    _write_note(collection, folder, note["trust"], checksums, len(new) + int(note["added"]))


def _save(folder: Path, arrays: Iterable[NDArray]) -> dict[str, int]:
    """Write all stored arrays, in their order; return their checksums."""
    checksums = {}
    for name, array in zip((*STORED, *EXTENDED_BY), arrays, strict=True):
        np.save(folder / f"{name}.npy", np.asarray(array))
        checksums[name] = _checksum(folder / f"{name}.npy")
    return checksums


def _write_note(
    collection: Collection,
    folder: Path,
    trust: dict[str, float],
    checksums: dict[str, int],
    added: int,
) -> None:
    note = {
        "key": search_key(collection),
        "tiles": len(collection),
        "pictures": _pictures(collection),
        "added": added,  # tiles or pictures, since the table was made
        "trust": trust,
        "sums": checksums | {"trust": _note_checksum(trust)},
    }
    (folder / MARK).write_text(json.dumps(note, indent=1), encoding="utf-8")


def _read_whole(folder: Path) -> dict[str, Any] | None:
    """Return the note on a table; None if there is none, or anything of it is damaged."""
    try:
        note = json.loads((folder / MARK).read_text(encoding="utf-8"))
        sums = note["sums"]
        if sums["trust"] != _note_checksum(note["trust"]) or note["added"] + note["tiles"] < 0:
            return None
        names = (*STORED, *EXTENDED_BY)
        whole = all(_checksum(folder / f"{name}.npy") == sums[name] for name in names)
        return note if whole and "key" in note else None
    except (OSError, ValueError, KeyError, TypeError):
        return None


def _note_checksum(trust: dict[str, float]) -> int:
    return zlib.crc32(json.dumps(trust, sort_keys=True).encode())


def _checksum(path: Path) -> int:
    total = 0
    with path.open("rb") as file:
        while chunk := file.read(CHUNK):
            total = zlib.crc32(chunk, total)
    return total
