"""Scores of a panel of a museum on its table: those by which the museum has put it together.

They are made from what the collection stores of the tiles, without a network, so that a table shows
the same confidence as the list of panels before anybody scores its tiles again.
"""

import hashlib
import json
import threading
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from azulejar.app.museum.museum import TABLES, is_museum
from azulejar.app.projects.score_files import MUSEUM, TURNED, UPRIGHT, read_stamp
from azulejar.app.schemas.tiles import ProjectTile
from azulejar.collection.solve import make_job, score_job
from azulejar.collection.storage.catalogue import Collection
from azulejar.collection.storage.overrides import all_statements
from azulejar.core.knowns import Knowns
from azulejar.errors import AzulejarError
from azulejar.patterns.laying import find_copies
from azulejar.system.atomic import replacing

_making = threading.Lock()


def museum_scores(folder: Path, tiles: Sequence[ProjectTile]) -> Path | None:
    """Return the scores of those tiles of a table that are in its museum; they are made if needed.

    None if the project in ``folder`` is no table of a museum, or has fewer than two such tiles.
    """
    museum = folder.parent.parent
    if folder.parent.name != TABLES or not is_museum(museum):
        return None
    with _making:
        named = [(tile.file, tile.number) for tile in tiles]
        stamp = hashlib.sha256(json.dumps(named).encode()).hexdigest()
        for path in (folder / "scores").glob(f"{MUSEUM}_*.npz"):
            if read_stamp(path) == stamp:
                return path
        try:
            return _score(folder, museum, tiles, stamp)
        except (AzulejarError, OSError):  # damaged, or a disk that is full: it is not scored then
            return None


def _score(folder: Path, museum: Path, tiles: Sequence[ProjectTile], stamp: str) -> Path | None:
    with Collection.open(museum) as collection:
        number = {name: i for i, name in enumerate(collection.inventories())}
        known = [tile for tile in tiles if tile.number in number]
        known.sort(key=lambda tile: number[tile.number])  # as the museum has solved them
        if len(known) < 2:
            return None
        which = [number[tile.number] for tile in known]
        upright = all_statements(collection).upright
        job = make_job(collection, which, Knowns(upright=bool(upright)), "fast", 0)
        found, copies = score_job(job), find_copies(job.pixels)
    path = folder / "scores" / f"{MUSEUM}_{UPRIGHT if upright else TURNED}.npz"
    replace(found, files=tuple(tile.file for tile in known)).save(path)
    about = {"stamp": stamp} | ({} if copies is None else {"copies": copies.tolist()})
    with replacing(path.with_suffix(".json")) as temporary:
        temporary.write_text(json.dumps(about), encoding="utf-8")
    return path
