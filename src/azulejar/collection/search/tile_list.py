"""The searchable, paged list of all tiles of a collection; it is brought up to date when read."""

import re
import sqlite3
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Literal

from azulejar.collection.search.joint_search import FOLDER
from azulejar.collection.search.tile_list_cache import (
    STATUS_WORDS,
    Marks,
    mark_tiles,
    present_stamp,
    update_list,
)
from azulejar.collection.storage.catalogue import Collection
from azulejar.errors import AzulejarError
from azulejar.system.natural_order import natural_order
from azulejar.system.transactions import Transactions

NAME = "tiles.db"
MOST = 500  # tiles of a page
_LONGEST = 200  # letters of a query
_LEAST = 3  # letters of a word that names a status
_REMOVED = STATUS_WORDS["removed"].split()
# Words before the name of a panel or of a crate, in the languages of the page.
_FIELDS = {"panel": "panel", "painel": "panel", "crate": "crate", "caixa": "crate"}

State = Literal["grouped", "doubtful", "stray", "new", "double", "removed"]

_COLUMNS = (
    "number, inventory, crate, note, code, thickness, added, "
    "panel, state, probability, twin, pattern"
)


@dataclass(frozen=True)
class ListedTile:
    """A tile as the list shows it.

    ``thickness`` is in millimetres; ``state``: grouped, doubtful (whether it belongs to its panel),
    stray, new since the last sort, or removed; ``twin`` is the number of a tile that is likely the
    same, photographed twice, or with which a removed one was merged; ``pattern`` names the one that
    it shows.
    """

    number: int
    inventory: str
    crate: str
    note: str | None
    code: str | None
    thickness: float | None
    added: str
    panel: str | None
    state: str
    probability: float | None
    twin: int | None
    pattern: str | None


@dataclass(frozen=True)
class ListedCrate:
    """A crate: its tiles, and how many of them are of each state; ``added`` is the last day.

    The ``removed`` ones are not counted among its tiles.
    """

    crate: str
    tiles: int
    new: int
    strays: int
    doubtful: int
    doubles: int
    removed: int
    added: str


class TileList:
    """The list of a collection's tiles; its methods may be called from any thread.

    ``stamp`` changes whenever a refresh has found something new.
    """

    def __init__(self, collection: Collection) -> None:
        self._collection = collection
        self._path = collection.folder / FOLDER / NAME
        self._turn = threading.Lock()
        self.stamp: str | None = None
        self._counts: dict[tuple, int] = {}
        self._crates: list[ListedCrate] | None = None
        self._crates_of: dict[str, dict[str, dict[str, int]]] = {}
        self._database: _ListDatabase | None = None

    def close(self) -> None:
        """Close the database."""
        if self._database is not None:
            self._database.close()

    def refresh(self) -> bool:
        """Update from the catalogue and the last sort; return whether anything changed."""
        if present_stamp(self._collection.folder) == self.stamp:
            return False  # without waiting for marks that are being stored
        with self._turn:
            stamp = present_stamp(self._collection.folder)
            if stamp == self.stamp:
                return False
            try:
                update_list(self._path, self._collection, stamp)
            except sqlite3.DatabaseError:  # a damaged cache is made anew
                if self._database is not None:
                    self._database.close()
                    self._database = None
                for left in self._path.parent.glob(f"{NAME}*"):
                    left.unlink()
                update_list(self._path, self._collection, stamp)
            if self._database is None:
                self._database = _ListDatabase(self._path)
            self.stamp, self._counts = stamp, {}
            self._crates, self._crates_of = None, {}
            return True

    def find(
        self,
        words: str = "",
        *,
        crate: str | None = None,
        state: State | None = None,
        panel: str | None = None,
        pattern: str | None = None,
        first: int = 0,
        count: int = 100,
    ) -> tuple[int, list[ListedTile]]:
        """Return the total number of matching tiles, and ``count`` of them from ``first`` on.

        Args:
            words: Beginnings of words in inventory number, crate, note, code, panel or pattern,
                or of those that name a status (``STATUS_WORDS``); all must be found. "panel 3" and
                "crate 06" find the panel and the crates of that name. Removed tiles are found only
                by a status, or by their state.
            crate: Only tiles of this crate.
            state: Only tiles of this state; as doubtful count also those whose place is.
            panel: Only tiles of this panel of the last sort.
            pattern: Only tiles of this pattern.
            first: The first to return, from 0.
            count: The most to return, up to 500.
        """
        joined, where, values = _condition(words, state, crate=crate, panel=panel, pattern=pattern)
        with self._reading() as db:
            key = (joined, where, *values)
            if key not in self._counts:
                sql = f"SELECT count(*) FROM {joined} WHERE {where}"
                self._counts[key] = db.execute(sql, values).fetchone()[0]
            rows = db.execute(
                f"SELECT {_COLUMNS} FROM tiles WHERE number IN (SELECT {_number(joined)} "
                f"FROM {joined} WHERE {where} ORDER BY 1 LIMIT ? OFFSET ?) ORDER BY number",
                (*values, min(count, MOST), first),
            ).fetchall()
            return self._counts[key], [ListedTile(**row) for row in rows]

    def tiles(self, numbers: Sequence[int]) -> list[ListedTile]:
        """Return the tiles of these numbers, in the order given; unknown ones are left out."""
        numbers = [int(each) for each in numbers[:MOST]]
        marks = ", ".join("?" * len(numbers))
        with self._reading() as db:
            rows = db.execute(f"SELECT {_COLUMNS} FROM tiles WHERE number IN ({marks})", numbers)
            found = {row["number"]: ListedTile(**row) for row in rows}
        return [found[number] for number in numbers if number in found]

    def crates(self) -> list[ListedCrate]:
        """Return all crates in natural order of their names."""
        with self._reading() as db:
            if self._crates is None:
                rows = db.execute(
                    "SELECT crate, sum(state <> 'removed') AS tiles, sum(state = 'new') AS new, "
                    "sum(state = 'stray') AS strays, "
                    "sum(state = 'doubtful' OR doubted) AS doubtful, "
                    "sum(twin IS NOT NULL AND state <> 'removed') AS doubles, "
                    "sum(state = 'removed') AS removed, max(added) AS added "
                    "FROM tiles GROUP BY crate"
                )
                found = [ListedCrate(**row) for row in rows]
                self._crates = sorted(found, key=lambda each: natural_order(each.crate))
            return self._crates

    def states(self) -> dict[str, int]:
        """Return how many tiles are of each state."""
        crates = self.crates()
        tiles = sum(each.tiles for each in crates)
        counts = {
            "new": sum(each.new for each in crates),
            "stray": sum(each.strays for each in crates),
            "doubtful": sum(each.doubtful for each in crates),
            "double": sum(each.doubles for each in crates),
            "removed": sum(each.removed for each in crates),
        }
        return {"grouped": tiles - counts["new"] - counts["stray"], **counts}

    def mark(self, marks: Marks) -> None:
        """Store what tables and solved panels say of tiles, to be found by words."""
        self.refresh()
        with self._turn:
            mark_tiles(self._path, marks)
            self._counts, self._crates = {}, None

    def days(self) -> list[tuple[str, int]]:
        """Return the days on which tiles were added (ISO 8601), each with how many."""
        with self._reading() as db:
            rows = db.execute(
                "SELECT substr(added, 1, 10) AS day, count(*) AS tiles FROM tiles "
                "GROUP BY substr(added, 1, 10) ORDER BY 1"
            )
            return [(row["day"], row["tiles"]) for row in rows]

    def panel_crates(self) -> dict[str, dict[str, int]]:
        """Return for each panel how many of its tiles lie in each crate, most first."""
        return self._count_crates("panel")

    def pattern_crates(self) -> dict[str, dict[str, int]]:
        """Return for each pattern how many of its tiles lie in each crate, most first."""
        return self._count_crates("pattern")

    def _count_crates(self, column: str) -> dict[str, dict[str, int]]:
        with self._reading() as db:
            if column not in self._crates_of:
                found: dict[str, dict[str, int]] = {}
                for row in db.execute(
                    f"SELECT {column} AS name, crate, count(*) AS tiles FROM tiles "
                    f"WHERE {column} IS NOT NULL GROUP BY 1, 2 ORDER BY count(*) DESC, crate"
                ):
                    found.setdefault(row["name"], {})[row["crate"]] = row["tiles"]
                self._crates_of[column] = found
            return self._crates_of[column]

    def panels_with(self, words: str) -> set[str]:
        """Return the panels that contain a tile found by these words."""
        tables, where, values = _condition(words, "grouped")
        with self._reading() as db:
            sql = f"SELECT DISTINCT tiles.panel AS panel FROM {tables} WHERE {where}"
            rows = db.execute(sql, values)
            return {row["panel"] for row in rows}

    @contextmanager
    def _reading(self) -> Iterator[sqlite3.Connection]:
        self.refresh()
        assert self._database is not None
        with self._database.reading() as db:
            yield db


def _condition(words: str, state: str | None, **columns: str | None) -> tuple[str, str, list[str]]:
    """Return tables, condition and values of a query, with values that columns have."""
    where, values = ["true"], []
    typed = re.findall(r"[^\W_]+", words[:_LONGEST])
    hidden = state != "removed" and not any(map(_names_removed, typed))
    if typed:
        where.append("words MATCH ?")
        found = " AND ".join(_terms(typed))
        values.append(f"({found}) NOT status : {_REMOVED[0]}" if hidden else found)
    for column, value in columns.items():
        if value is not None:
            where.append(f"tiles.{column} = ?")
            values.append(value)
    if state == "double":
        where.append("tiles.twin IS NOT NULL")
    elif state == "grouped":
        where.append("tiles.state IN ('grouped', 'doubtful')")
    elif state == "doubtful":
        where.append("(tiles.state = 'doubtful' OR tiles.doubted)")
    elif state is not None:
        where.append("tiles.state = ?")
        values.append(state)
    if hidden and not typed and state in (None, "double"):
        where.append("tiles.state <> 'removed'")
    filtered = len(where) > 1 + bool(typed)
    tables = "tiles" if not typed else "words"
    if not typed and state == "grouped" and not values:
        tables = "tiles INDEXED BY tiles_grouped"  # otherwise SQLite sorts all of them
    if typed and filtered:
        # CROSS: otherwise SQLite may search the words anew for each tile.
        tables = "words CROSS JOIN tiles ON tiles.number = words.rowid"
    return tables, " AND ".join(where), values


def _terms(typed: Sequence[str]) -> Iterator[str]:
    """Yield a condition for each word, or for each pair such as "panel 3" and "crate 06"."""
    words = iter(typed)
    for word in words:
        field = _FIELDS.get(word.casefold())
        name = next(words, None) if field is not None else None
        if name is None:
            yield _term(word)
        else:
            called = f'{field} : "{name}"' + "*" * (field == "crate")
            yield f"(({called}) OR ({_term(word)} AND {_term(name)}))"


def _term(word: str) -> str:
    """Return what finds a word; one or two letters stand for no status."""
    return f'"{word}"*' if len(word) >= _LEAST else f'(- status : "{word}"*)'


def _names_removed(word: str) -> bool:
    return len(word) >= _LEAST and any(each.startswith(word.casefold()) for each in _REMOVED)


def _number(tables: str) -> str:
    return "words.rowid" if tables.startswith("words") else "number"


class _ListDatabase(Transactions):
    """Read access to the database."""

    @contextmanager
    def explained(self) -> Iterator[None]:
        try:
            yield
        except sqlite3.Error as error:
            raise AzulejarError(
                "tile-list-unreadable",
                "{path} could not be read: {reason}.",
                "Delete it; it is made again.",
                path=str(self.path),
                reason=str(error),
            ) from error
