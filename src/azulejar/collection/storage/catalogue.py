"""Collection: the catalogue of all tiles, and what is stored of each, for reading."""

import difflib
import json
import os
import sqlite3
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from types import TracebackType

import numpy as np
from numpy.typing import NDArray

from azulejar.collection.storage import database
from azulejar.collection.storage.arrays import create_arrays, read_array
from azulejar.collection.storage.database import Database
from azulejar.core.tiles import Record, TileSet
from azulejar.errors import AzulejarError
from azulejar.imaging.folder import natural_order
from azulejar.knowledge.knowns_file import KnownsFile
from azulejar.system.atomic import new_folder

STATEMENTS = "statements"  # under which the database has them
MODEL = "model"
_AT_ONCE = 500  # rows asked for in one question to the database


@dataclass(frozen=True)
class Entry:
    """One tile; ``number`` is its place in the arrays, ``path`` that of the original picture.

    ``record`` is what ``tiles.csv`` said; ``added`` the time, ISO 8601 in UTC.
    """

    number: int
    inventory: str
    crate: str
    path: Path
    sha256: str
    record: Record
    added: str


class Collection:
    """The collection in ``folder``, as it was when it was opened; others may add meanwhile."""

    def __init__(self, folder: Path) -> None:
        self.folder = Path(folder).resolve()
        if not (self.folder / database.NAME).is_file():
            raise AzulejarError(
                f"There is no collection in {folder}.",
                "Check the path, or make one: azulejar collection create.",
            )
        self.database = Database(self.folder / database.NAME)
        self.refresh()

    @classmethod
    def create(cls, folder: Path) -> "Collection":
        """A new one without tiles, in a folder that is new or empty."""
        folder = Path(folder)
        _refuse_existing(folder)
        try:
            with new_folder(folder, database.NAME) as temporary:
                Database.create(temporary / database.NAME)
                create_arrays(temporary)
        except AzulejarError as error:
            raise AzulejarError(error.problem, "Choose another place.") from error
        return cls(folder)

    @classmethod
    def open(cls, folder: Path) -> "Collection":
        """One that is there."""
        return cls(folder)

    def __len__(self) -> int:
        return self._tiles

    def __enter__(self) -> "Collection":
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def close(self) -> None:
        """Let go of the database."""
        self.database.close()

    def refresh(self) -> None:
        """Take in what was added since it was opened."""
        with self.database.reading() as db:
            row = db.execute("SELECT count(*) AS count, max(number) AS last FROM tiles").fetchone()
        if row["count"] and row["last"] != row["count"] - 1:
            raise AzulejarError(
                f"{self.database.path} is damaged: some tiles are missing.",
                "Take the whole folder from a copy.",
            )
        self._tiles: int = row["count"]
        for name in ("pixels", "descriptions", "scales"):
            self.__dict__.pop(name, None)

    @property
    def name(self) -> str:
        """What people call it: as its folder."""
        return self.folder.name

    @property
    def model(self) -> str | None:
        """Checksum of the network that described the tiles; None before the first."""
        return self.database.meta(MODEL)

    # Tiles

    def entries(self, which: Sequence[int] | None = None) -> list[Entry]:
        """Some tiles, in the order given, or all."""
        if which is None:
            with self.database.reading() as db:
                found = db.execute(
                    "SELECT * FROM tiles WHERE number < ? ORDER BY number", (len(self),)
                )
                return [self._entry(row) for row in found]
        numbers = [int(number) for number in which]
        rows: dict[int, sqlite3.Row] = {}
        with self.database.reading() as db:
            for first in range(0, len(numbers), _AT_ONCE):
                asked = numbers[first : first + _AT_ONCE]
                marks = ", ".join("?" * len(asked))
                found = db.execute(f"SELECT * FROM tiles WHERE number IN ({marks})", asked)
                rows |= {row["number"]: row for row in found}
        return [self._entry(rows[number]) for number in numbers]

    def entry(self, inventory: str) -> Entry:
        """The tile of an inventory number."""
        with self.database.reading() as db:
            asked = (inventory, len(self))
            row = db.execute(
                "SELECT * FROM tiles WHERE inventory = ? AND number < ?", asked
            ).fetchone()
        if row is None:
            near = difflib.get_close_matches(inventory, self.inventories(), n=3)
            meant = f"Did you mean {' or '.join(near)}?" if near else "Check its inventory number."
            raise AzulejarError(f"{self.name} has no tile {inventory}.", meant)
        return self._entry(row)

    def inventories(self) -> list[str]:
        """The inventory numbers of all tiles, in order."""
        with self.database.reading() as db:
            found = db.execute("SELECT inventory FROM tiles ORDER BY number LIMIT ?", (len(self),))
            return [row["inventory"] for row in found]

    def crates(self) -> dict[str, int]:
        """How many tiles each crate holds, in natural order of their names."""
        with self.database.reading() as db:
            found = db.execute(
                "SELECT crate, count(*) AS tiles FROM tiles WHERE number < ? GROUP BY crate",
                (len(self),),
            )
            counts = {row["crate"]: row["tiles"] for row in found}
        return {crate: counts[crate] for crate in sorted(counts, key=natural_order)}

    def tiles(self, which: Sequence[int]) -> TileSet:
        """Some tiles at the network's size; their files are their inventory numbers."""
        entries = self.entries(which)
        return TileSet(
            np.array(self.pixels[list(which)]),
            tuple(entry.inventory for entry in entries),
            records=tuple(replace(entry.record, inventory=entry.inventory) for entry in entries),
        )

    # What is stored of each tile, read in place

    @cached_property
    def pixels(self) -> NDArray[np.uint8]:
        """The tiles at the network's size: [n, 50, 50, 3]."""
        return read_array(self.folder, "pixels", len(self))

    @cached_property
    def descriptions(self) -> NDArray[np.int8]:
        """Of each edge as anchor and as partner: [4n, 2, 1600]."""
        return read_array(self.folder, "descriptions", len(self))

    @cached_property
    def scales(self) -> NDArray[np.float32]:
        """What one step of each description stands for: [4n, 2]."""
        return read_array(self.folder, "scales", len(self))

    # What people know beyond the record of each tile

    @property
    def statements(self) -> KnownsFile:
        """As they were given last; tiles go by their inventory numbers."""
        text = self.database.meta(STATEMENTS)
        return KnownsFile() if text is None else KnownsFile.model_validate_json(text)

    def save_statements(self, statements: KnownsFile) -> None:
        """Keep them, in the place of those that were there."""
        self.database.put_meta(STATEMENTS, statements.model_dump_json(exclude_none=True))

    def _entry(self, row: sqlite3.Row) -> Entry:
        return Entry(
            row["number"],
            row["inventory"],
            row["crate"],
            self.original(row["path"]),
            row["sha256"],
            Record(**json.loads(row["record"])),
            row["added"],
        )

    def original(self, path: str) -> Path:
        """Where a picture lies whose path is stored so."""
        return Path(os.path.normpath(self.folder / path))


def _refuse_existing(folder: Path) -> None:
    if (folder / database.NAME).exists():
        raise AzulejarError(
            f"There is a collection in {folder} already.",
            "Add to it with azulejar collection add, or give a new folder.",
        )
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise AzulejarError(f"{folder} holds other things.", "Give a new or an empty folder.")


def stamp_of(path: Path) -> str:
    """Size and time of a file, which tell whether it was changed."""
    found = path.stat()
    return f"{found.st_size}-{found.st_mtime_ns}"
