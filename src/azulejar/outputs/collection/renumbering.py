"""Change the inventory number of a tile in the catalogue and in all stored results."""

import json
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import Any

from azulejar.collection import patterns, sort_results
from azulejar.collection.storage.backup import STAGING
from azulejar.collection.storage.catalogue import Collection
from azulejar.collection.storage.lock import locked
from azulejar.collection.storage.renumbering import (
    UNDER_WAY,
    Name,
    renaming,
    renumber_in_catalogue,
)
from azulejar.outputs.collection.panels import MARK, PANELS, renumber_mark
from azulejar.system.atomic import replacing
from azulejar.system.json_text import json_text


def renumber_tile(collection: Collection, old: str, new: str) -> None:
    """Change the inventory number of a tile; the caller must keep sorts and searches away.

    Pages and lists that were written keep the old one until they are written again.

    Raises:
        AzulejarError: Another tile has the number, be it a removed one, or another process changes
            the collection, backs it up or puts panels together.
    """
    with _writing(collection):
        _finish(collection)
        renumber_in_catalogue(collection, old, new)
        _finish(collection)


def recover_renumbering(collection: Collection) -> None:
    """Finish a change that was cut off when its process was killed."""
    if collection.database.meta(UNDER_WAY):
        with _writing(collection):
            _finish(collection)


def _finish(collection: Collection) -> None:
    under_way = collection.database.meta(UNDER_WAY)
    if not under_way:
        return
    name, home = renaming(*json.loads(under_way)), collection.folder
    _rewrite(home / sort_results.FOLDER / sort_results.MARK, _in_groups, name)
    _rewrite(home / patterns.FOLDER / patterns.MARK, _in_tiles, name)
    for mark in (home / PANELS).glob(f"panel_*/{MARK}"):
        renumber_mark(mark, name)
    collection.database.put_meta(UNDER_WAY, "")


def _rewrite(path: Path, rename: Callable[[dict[str, Any], Name], None], name: Name) -> None:
    with suppress(FileNotFoundError, ValueError, KeyError, TypeError):  # there is none to be read
        data = json.loads(path.read_text(encoding="utf-8"))
        rename(data, name)
        with replacing(path) as temporary:
            temporary.write_text(json_text(data), encoding="utf-8")


def _in_groups(data: dict[str, Any], name: Name) -> None:
    _in_tiles(data, name)
    data["duplicates"] = [[name(tile) for tile in pair] for pair in data["duplicates"]]


def _in_tiles(data: dict[str, Any], name: Name) -> None:
    for line in data["tiles"]:
        line["tile"] = name(line["tile"])


@contextmanager
def _writing(collection: Collection) -> Iterator[None]:
    """Lock out adding tiles, backups and solves meanwhile."""
    homes = [collection.folder, collection.folder / STAGING, collection.folder / PANELS]
    with ExitStack() as locks:
        for home in homes:
            home.mkdir(exist_ok=True)
            locks.enter_context(locked(home, "changes an inventory number"))
        yield
