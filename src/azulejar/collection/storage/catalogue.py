"""Collection: the catalogue of all tiles of a museum, and what is stored of each, for reading."""

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
from pydantic import ValidationError

from azulejar.collection.storage import database
from azulejar.collection.storage.arrays import LAYOUTS, create_arrays, read_array
from azulejar.collection.storage.database import CatalogueDatabase, damaged_catalogue
from azulejar.core.tiles import Record, TileSet
from azulejar.errors import AzulejarError
from azulejar.knowledge.knowns_file import KnownsFile
from azulejar.system.atomic import new_folder
from azulejar.system.natural_order import natural_order

STATEMENTS = "statements"  # keys in the database
MODEL = "model"
UNFINISHED = "unfinished"  # in its place while tiles are described anew
_AT_ONCE = 500  # rows of one query


@dataclass(frozen=True)
class Entry:
    """One tile of a collection.

    ``number`` is its index in the arrays, ``path`` its original picture, ``record`` what
    ``tiles.csv`` said or people have changed since, and ``added`` the time it was added, ISO 8601
    in UTC.
    """

    number: int
    inventory: str
    crate: str
    path: Path
    sha256: str
    record: Record
    added: str


class Collection:
    """All tiles of a museum: a catalogue in a folder, as it was when it was opened.

    ``folder`` is its absolute path, ``given`` the path as it was given, for messages. Other
    processes may add tiles meanwhile; ``refresh`` takes them in. Use it in a ``with`` statement,
    or ``close`` it.

    Examples:
        >>> from tempfile import TemporaryDirectory
        >>> import azulejar
        >>> with TemporaryDirectory() as home:
        ...     with azulejar.Collection.create(f"{home}/museum") as museum:
        ...         len(museum), museum.crates()
        (0, {})
    """

    def __init__(self, folder: str | os.PathLike[str]) -> None:
        self.folder = Path(folder).resolve()
        self.given = str(folder)
        if not (self.folder / database.NAME).is_file():
            if (self.folder / LAYOUTS["pixels"].file).is_file():
                raise damaged_catalogue(self.folder / database.NAME, "the file is missing")
            raise AzulejarError(
                "collection-missing",
                "There is no collection in {folder}.",
                "Check the path, or create a collection.",
                folder=str(folder),
            )
        self.database = CatalogueDatabase(self.folder / database.NAME)
        self.refresh()

    @classmethod
    def create(cls, folder: str | os.PathLike[str]) -> "Collection":
        """Create a collection without tiles, in a folder that is new or empty."""
        folder = Path(folder)
        refuse_existing_collection(folder)
        try:
            with new_folder(folder, database.NAME) as temporary:
                CatalogueDatabase.create(temporary / database.NAME)
                create_arrays(temporary)
        except AzulejarError as error:
            raise AzulejarError(
                "collection-not-created",
                "{problem}",
                "Choose another place.",
                problem=error.problem,
            ) from error
        return cls(folder)

    @classmethod
    def open(cls, folder: str | os.PathLike[str]) -> "Collection":
        """Open an existing collection."""
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
        """Close the database."""
        self.database.close()

    def refresh(self) -> None:
        """Take in tiles that were added since the collection was opened."""
        with self.database.reading() as db:
            row = db.execute("SELECT count(*) AS count, max(number) AS last FROM tiles").fetchone()
        if row["count"] and row["last"] != row["count"] - 1:
            raise self.database.damaged("some tiles are missing")
        self._tiles: int = row["count"]
        self.intact = False  # until it is checked
        for name in ("pixels", "descriptions", "scales"):
            self.__dict__.pop(name, None)

    def check_not_empty(self) -> None:
        """Raise if the collection has no tiles yet."""
        if not len(self):
            raise AzulejarError(
                "collection-empty",
                "{folder} has no tiles yet.",
                "Add some tiles.",
                folder=self.given,
            )

    @property
    def name(self) -> str:
        """The name of its folder."""
        return self.folder.name

    @property
    def model(self) -> str | None:
        """The checksum of the network that described the tiles; None before the first."""
        return self.database.meta(MODEL)

    # Tiles

    def entries(self, which: Sequence[int] | None = None) -> list[Entry]:
        """Return the tiles of these numbers, in the order given, or all tiles."""
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
        """Return the tile of an inventory number."""
        with self.database.reading() as db:
            row = db.execute(
                "SELECT * FROM tiles WHERE inventory = ? AND number < ?", (inventory, len(self))
            ).fetchone()
        if row is None:
            near = difflib.get_close_matches(inventory, self.inventories(), n=3)
            if near:
                raise AzulejarError(
                    "tile-misspelt",
                    "{collection} has no tile {tile}.",
                    "Did you mean {near}?",
                    collection=self.name,
                    tile=inventory,
                    near=" or ".join(near),
                )
            raise AzulejarError(
                "tile-not-in-collection",
                "{collection} has no tile {tile}.",
                "Check its inventory number.",
                collection=self.name,
                tile=inventory,
            )
        return self._entry(row)

    def inventories(self) -> list[str]:
        """Return the inventory numbers of all tiles, in order."""
        with self.database.reading() as db:
            found = db.execute("SELECT inventory FROM tiles ORDER BY number LIMIT ?", (len(self),))
            return [row["inventory"] for row in found]

    def crates(self) -> dict[str, int]:
        """Return the number of tiles of each crate, in natural order of their names."""
        with self.database.reading() as db:
            found = db.execute(
                "SELECT crate, count(*) AS tiles FROM tiles WHERE number < ? GROUP BY crate",
                (len(self),),
            )
            counts = {row["crate"]: row["tiles"] for row in found}
        return {crate: counts[crate] for crate in sorted(counts, key=natural_order)}

    def tiles(self, which: Sequence[int]) -> TileSet:
        """Return tiles at the network's size; their files are their inventory numbers."""
        entries = self.entries(which)
        return TileSet(
            np.array(self.pixels[list(which)]),
            tuple(entry.inventory for entry in entries),
            records=tuple(replace(entry.record, inventory=entry.inventory) for entry in entries),
        )

    # Arrays over all tiles, mapped into memory

    @cached_property
    def pixels(self) -> NDArray[np.uint8]:
        """All tiles at the network's size: [n, 50, 50, 3]."""
        return read_array(self.folder, "pixels", len(self))

    @cached_property
    def descriptions(self) -> NDArray[np.int8]:
        """The descriptions of each edge as anchor and as partner: [4n, 2, 1600].

        Raises:
            AzulejarError: If only part of them are by the present network.
        """
        if self.model == UNFINISHED:
            raise AzulejarError(
                "collection-half-described",
                "The tiles of {name} are being described anew, or this was interrupted.",
                "Wait for it to end, or repair the collection again.",
                name=self.name,
            )
        return read_array(self.folder, "descriptions", len(self))

    @cached_property
    def scales(self) -> NDArray[np.float32]:
        """The factor from each description to the network's output: [4n, 2]."""
        return read_array(self.folder, "scales", len(self))

    # What people know beyond the record of each tile

    @property
    def statements(self) -> KnownsFile:
        """All statements; tiles go by their inventory numbers."""
        text = self.database.meta(STATEMENTS)
        try:
            return KnownsFile() if text is None else KnownsFile.model_validate_json(text)
        except ValidationError as error:
            raise self.database.damaged("what was stated cannot be read") from error

    def save_statements(self, statements: KnownsFile) -> None:
        """Store statements in place of those from before."""
        self.database.put_meta(STATEMENTS, statements.model_dump_json(exclude_none=True))

    def _entry(self, row: sqlite3.Row) -> Entry:
        path = self.original(row["path"])
        try:
            record = Record(**json.loads(row["record"]))
        except (TypeError, ValueError) as error:
            raise self.database.damaged(f"the row of {row['inventory']} was altered") from error
        return Entry(
            row["number"],
            row["inventory"],
            row["crate"],
            path,
            row["sha256"],
            record,
            row["added"],
        )

    def original(self, path: str) -> Path:
        """Return where a picture lies, from its path in the catalogue.

        Raises:
            AzulejarError: The catalogue is damaged: that is no path.
        """
        try:
            return Path(os.path.normpath(self.folder / path))
        except TypeError as error:
            raise self.database.damaged("the path of a picture was altered") from error


def refuse_existing_collection(folder: Path) -> None:
    """Raise unless a folder is new or empty."""
    if (folder / database.NAME).exists():
        raise AzulejarError(
            "collection-exists",
            "There is a collection in {folder} already.",
            "Add to it, or give a new folder.",
            folder=str(folder),
        )
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise AzulejarError(
            "collection-folder-not-empty",
            "{folder} holds other things.",
            "Give a new or an empty folder.",
            folder=str(folder),
        )


def stored_record(record: Record) -> str:
    """Return a record as the catalogue stores it: JSON of what is known."""
    said = {name: value for name, value in vars(record).items() if value is not None}
    return json.dumps(said, ensure_ascii=False)


def stored_path(path: Path, home: Path) -> str:
    """Return a path as a catalogue in ``home`` stores it, so that both may be moved together."""
    try:
        return Path(os.path.relpath(path, home)).as_posix()
    except ValueError:  # on another drive
        return path.as_posix()


def stamp_of(path: Path) -> str:
    """Return size and time of a file, which show whether it was changed."""
    found = path.stat()
    return f"{found.st_size}-{found.st_mtime_ns}"
