"""The searchable, paged list of all tiles of a collection.

What the catalogue and the last sort say of each tile stands in a database of its own, with an index
of all words. It is a cache: changes are taken in when the list is read, and it can be deleted.
"""

import re
import sqlite3
import threading
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from azulejar.collection.patterns import FOLDER as PATTERNS
from azulejar.collection.patterns import MARK as PATTERNS_MARK
from azulejar.collection.patterns import load_patterns
from azulejar.collection.search.joint_search import FOLDER
from azulejar.collection.sort_results import FOLDER as GROUPS
from azulejar.collection.sort_results import MARK, load_sort
from azulejar.collection.storage import database
from azulejar.collection.storage.catalogue import Collection
from azulejar.errors import AzulejarError
from azulejar.system.natural_order import natural_order
from azulejar.system.transactions import Transactions, connect

NAME = "tiles.db"
FORMAT = "2"
DOUBTFUL = 0.5  # probability below which a tile of a panel is doubtful
MOST = 500  # tiles of a page
_LONGEST = 200  # letters of a query

State = Literal["grouped", "doubtful", "stray", "new", "double"]

# Digits are indexed by themselves too: a person types 12 for A-0012.
_TABLES = """
CREATE TABLE about (key TEXT PRIMARY KEY, value TEXT NOT NULL);
CREATE TABLE tiles (
    number INTEGER PRIMARY KEY, inventory TEXT NOT NULL, crate TEXT NOT NULL, note TEXT, code TEXT,
    added TEXT NOT NULL, seal INTEGER, panel TEXT, state TEXT NOT NULL, probability REAL,
    twin INTEGER, pattern TEXT, digits TEXT NOT NULL
);
CREATE INDEX tiles_by_crate ON tiles (crate, number);
CREATE INDEX tiles_by_state ON tiles (state, number);
CREATE INDEX tiles_by_panel ON tiles (panel, number);
CREATE INDEX tiles_by_twin ON tiles (number) WHERE twin IS NOT NULL;
CREATE INDEX tiles_by_day ON tiles (substr(added, 1, 10));
CREATE VIRTUAL TABLE words USING fts5 (
    inventory, digits, crate, note, code, panel, pattern,
    content = 'tiles', content_rowid = 'number',
    prefix = '1 2 3', tokenize = "unicode61 remove_diacritics 2"
);
CREATE TRIGGER tile_added AFTER INSERT ON tiles BEGIN
    INSERT INTO words (rowid, inventory, digits, crate, note, code, panel, pattern) VALUES (
        new.number, new.inventory, new.digits, new.crate, new.note, new.code, new.panel, new.pattern
    );
END;
CREATE TRIGGER tile_removed AFTER DELETE ON tiles BEGIN
    INSERT INTO words (words, rowid, inventory, digits, crate, note, code, panel, pattern) VALUES (
        'delete', old.number, old.inventory, old.digits, old.crate, old.note, old.code, old.panel,
        old.pattern
    );
END;
"""
_COLUMNS = "number, inventory, crate, note, code, added, panel, state, probability, twin, pattern"


@dataclass(frozen=True)
class ListedTile:
    """A tile as the list shows it.

    ``state``: grouped, doubtful, stray, or new since the last sort; ``twin`` is the number of a
    tile that is likely the same, photographed twice; ``pattern`` names the one that it shows.
    """

    number: int
    inventory: str
    crate: str
    note: str | None
    code: str | None
    added: str
    panel: str | None
    state: str
    probability: float | None
    twin: int | None
    pattern: str | None


@dataclass(frozen=True)
class ListedCrate:
    """A crate: its tiles, and how many of them are of each state; ``added`` is the last day."""

    crate: str
    tiles: int
    new: int
    strays: int
    doubtful: int
    doubles: int
    added: str


class TileList:
    """The list of a collection's tiles; its methods may be called from any thread."""

    def __init__(self, collection: Collection) -> None:
        self._collection = collection
        self._path = collection.folder / FOLDER / NAME
        self._turn = threading.Lock()
        self._stamp: str | None = None
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
        with self._turn:
            stamp = self._present_stamp()
            if stamp == self._stamp:
                return False
            try:
                self._update(stamp)
            except sqlite3.DatabaseError:  # a damaged cache is made anew
                if self._database is not None:
                    self._database.close()
                    self._database = None
                for left in self._path.parent.glob(f"{NAME}*"):
                    left.unlink()
                self._update(stamp)
            if self._database is None:
                self._database = _ListDatabase(self._path)
            self._stamp, self._counts = stamp, {}
            self._crates, self._crates_of = None, {}
            return True

    def find(
        self,
        words: str = "",
        *,
        crate: str | None = None,
        state: State | None = None,
        panel: str | None = None,
        first: int = 0,
        count: int = 100,
    ) -> tuple[int, list[ListedTile]]:
        """Return the total number of matching tiles, and ``count`` of them from ``first`` on.

        Args:
            words: Beginnings of words in inventory number, crate, note, code, panel or pattern;
                all must be found.
            crate: Only tiles of this crate.
            state: Only tiles of this state.
            panel: Only tiles of this panel of the last sort.
            first: The first to return, from 0.
            count: The most to return, up to 500.
        """
        joined, where, values = _condition(words, crate, state, panel)
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
                    "SELECT crate, count(*) AS tiles, sum(state = 'new') AS new, "
                    "sum(state = 'stray') AS strays, sum(state = 'doubtful') AS doubtful, "
                    "sum(twin IS NOT NULL) AS doubles, max(added) AS added "
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
        }
        return {"grouped": tiles - counts["new"] - counts["stray"], **counts}

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
        tables, where, values = _condition(words, None, "grouped", None)
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

    def _present_stamp(self) -> str:
        """Return a stamp that changes with every catalogue transaction and every sort."""
        folder = self._collection.folder
        paths = [folder / database.NAME, folder / f"{database.NAME}-wal"]
        return " ".join([*map(_stamp, paths), self._found_stamp()])

    def _found_stamp(self) -> str:
        """Return a stamp that changes with every sort and every search for patterns."""
        folder = self._collection.folder
        return " ".join(map(_stamp, (folder / GROUPS / MARK, folder / PATTERNS / PATTERNS_MARK)))

    def _update(self, stamp: str) -> None:
        self._path.parent.mkdir(exist_ok=True)
        groups = self._found_stamp()
        with closing(connect(self._path)) as db:
            db.execute("PRAGMA journal_mode = WAL")
            db.execute("PRAGMA synchronous = NORMAL")
            db.create_function("digits", 1, _digits, deterministic=True)
            catalogue = (self._collection.folder / database.NAME).as_uri()
            db.execute("ATTACH ? AS museum", (f"{catalogue}?mode=ro",))
            db.execute("BEGIN IMMEDIATE")
            try:
                _create_tables(db)
                about = {row["key"]: row["value"] for row in db.execute("SELECT * FROM about")}
                if about.get("stamp") != stamp:
                    sealed = self._collection.database.has_checksums
                    sort = None if about.get("groups") == groups else _sorted_into(self._collection)
                    _take_in(db, sealed, sort)
                    values = {"stamp": stamp, "groups": groups}
                    db.executemany("INSERT OR REPLACE INTO about VALUES (?, ?)", values.items())
                db.execute("COMMIT")
            finally:
                if db.in_transaction:
                    db.execute("ROLLBACK")


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


_Sorted = list[tuple[int, str | None, str, float | None, int | None, str | None]]


def _sorted_into(collection: Collection) -> _Sorted:
    """Return number, panel, state, probability, twin and pattern of tiles, as far as known."""
    found = load_sort(collection, ignore_damage=True)
    kept = load_patterns(collection, ignore_damage=True, drawn=False)
    patterns = {} if kept is None else kept.by_tile()
    sorted_tiles = 0 if found is None else found.tiles
    rows: _Sorted = [
        (tile, None, "new", None, None, name)
        for tile, name in patterns.items()
        if tile >= sorted_tiles
    ]
    if found is None:
        return rows
    twins = {one: other for pair in found.duplicates for one, other in (pair, pair[::-1])}
    for tile, likely in enumerate(found.probability.tolist()):
        panel = found.names.get(tile)
        state = "stray" if panel is None else "doubtful" if likely < DOUBTFUL else "grouped"
        rows.append((tile, panel, state, likely, twins.get(tile), patterns.get(tile)))
    return rows


def _create_tables(db: sqlite3.Connection) -> None:
    known = db.execute("SELECT 1 FROM sqlite_master WHERE name = 'about'").fetchone()
    if known:
        row = db.execute("SELECT value FROM about WHERE key = 'format'").fetchone()
        if row is not None and row["value"] == FORMAT:
            return
        raise sqlite3.DatabaseError("another format")
    for statement in re.split(r";\n(?=CREATE)", _TABLES):
        db.execute(statement)
    db.execute("INSERT INTO about VALUES ('format', ?)", (FORMAT,))


def _take_in(db: sqlite3.Connection, sealed: bool, sort: _Sorted | None) -> None:
    """Write all rows that have changed; ``sort`` is None where the last one is in the list."""
    seal = "t.checksum" if sealed else "NULL"
    changed = f"l.number IS NULL OR l.seal IS NOT {seal}" if sealed else "true"
    state = "l.panel, coalesce(l.state, 'new'), l.probability, l.twin, l.pattern"
    joined = ""
    if sort is not None:
        db.execute(
            "CREATE TEMP TABLE sorted "
            "(number INTEGER PRIMARY KEY, panel, state, probability, twin, pattern)"
        )
        db.executemany("INSERT INTO sorted VALUES (?, ?, ?, ?, ?, ?)", sort)
        joined = "LEFT JOIN sorted s ON s.number = t.number"
        state = "s.panel, coalesce(s.state, 'new'), s.probability, s.twin, s.pattern"
        changed += (
            " OR l.panel IS NOT s.panel OR l.state IS NOT coalesce(s.state, 'new') "
            "OR l.probability IS NOT s.probability OR l.twin IS NOT s.twin "
            "OR l.pattern IS NOT s.pattern"
        )
    db.execute(
        "CREATE TEMP TABLE changed AS SELECT t.number, t.inventory, t.crate, "
        "json_extract(t.record, '$.note') AS note, json_extract(t.record, '$.code') AS code, "
        f"t.added, {seal} AS seal, {state}, digits(t.inventory) FROM museum.tiles t "
        f"LEFT JOIN tiles l ON l.number = t.number {joined} WHERE {changed}"
    )
    db.execute(
        "DELETE FROM tiles WHERE number IN (SELECT number FROM changed) "
        "OR number > (SELECT coalesce(max(number), -1) FROM museum.tiles)"
    )
    db.execute("INSERT INTO tiles SELECT * FROM changed")
    db.execute("DROP TABLE changed")
    if sort is not None:
        db.execute("DROP TABLE sorted")


def _condition(
    words: str, crate: str | None, state: str | None, panel: str | None
) -> tuple[str, str, list[str]]:
    """Return tables, condition and values of a query."""
    where, values = ["true"], []
    typed = re.findall(r"[^\W_]+", words[:_LONGEST])
    if typed:
        where.append("words MATCH ?")
        values.append(" ".join(f'"{word}"*' for word in typed))
    columns = {"crate": crate, "panel": panel}
    for column, value in columns.items():
        if value is not None:
            where.append(f"tiles.{column} = ?")
            values.append(value)
    if state == "double":
        where.append("tiles.twin IS NOT NULL")
    elif state == "grouped":
        where.append("tiles.state IN ('grouped', 'doubtful')")
    elif state is not None:
        where.append("tiles.state = ?")
        values.append(state)
    filtered = len(where) > 1 + bool(typed)
    tables = "tiles" if not typed else "words"
    if typed and filtered:
        # CROSS: otherwise SQLite may search the words anew for each tile.
        tables = "words CROSS JOIN tiles ON tiles.number = words.rowid"
    return tables, " AND ".join(where), values


def _number(tables: str) -> str:
    return "words.rowid" if tables.startswith("words") else "number"


def _digits(inventory: str) -> str:
    """Return the digit groups of an inventory number, with and without leading zeros."""
    found = re.findall(r"\d+", inventory)
    return " ".join(dict.fromkeys([*found, *(each.lstrip("0") for each in found)]))


def _stamp(path: Path) -> str:
    try:
        about = path.stat()
    except OSError:
        return "-"
    return f"{about.st_size}-{about.st_mtime_ns}"
