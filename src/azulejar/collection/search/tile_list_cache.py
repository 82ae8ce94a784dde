"""The database behind the list of tiles: a cache of the catalogue, the last sort and the patterns.

It has an index of all words. Only rows that have changed are written, and it can be deleted.
"""

import json
import re
import sqlite3
from collections.abc import Iterable, Iterator, Mapping, Set
from contextlib import closing, contextmanager
from pathlib import Path
from typing import NamedTuple

import numpy as np

from azulejar.collection.patterns import FOLDER as PATTERNS
from azulejar.collection.patterns import MARK as PATTERNS_MARK
from azulejar.collection.patterns import load_patterns
from azulejar.collection.sort_results import FOLDER as GROUPS
from azulejar.collection.sort_results import MARK, SortResult, load_sort
from azulejar.collection.storage import database
from azulejar.collection.storage.catalogue import Collection
from azulejar.collection.storage.overrides import removed_tiles
from azulejar.system.transactions import connect

FORMAT = "6"
DOUBTFUL = 0.5  # probability below which a tile of a panel is doubtful
SURE = 0.9  # from which on it is sure
MERGED_FROM = 0.02  # share of all rows after whose change the index of words is merged
# The words by which tiles of a status are found, in the languages of the page; a person may type
# the beginning of each. Each stands for its singular too.
STATUS_WORDS = {
    "sure": "sure seguros seguras",
    "doubtful": "doubtful duvidosos duvidosas",
    "stray": "strays avulsos avulsas",
    "new": "new novos novas",
    "double": "twice duplicates duplicados duplicadas",
    "locked": "locked fixos fixados",
    "hole": "holes lacunas",
    "removed": "removed removidos removidas",
}


class Marks(NamedTuple):
    """Tiles that are locked, in panels with a hole, and in a place that is likely wrong."""

    locked: Set[int] = frozenset()
    hole: Set[int] = frozenset()
    doubted: Set[int] = frozenset()


# Digits are indexed by themselves too: a person types 12 for A-0012.
_TABLES = """
CREATE TABLE about (key TEXT PRIMARY KEY, value TEXT NOT NULL);
CREATE TABLE tiles (
    number INTEGER PRIMARY KEY, inventory TEXT NOT NULL, crate TEXT NOT NULL, note TEXT, code TEXT,
    thickness REAL, added TEXT NOT NULL, seal INTEGER, panel TEXT, state TEXT NOT NULL,
    probability REAL, twin INTEGER, pattern TEXT, locked INTEGER NOT NULL, hole INTEGER NOT NULL,
    doubted INTEGER NOT NULL, status TEXT NOT NULL, digits TEXT NOT NULL
);
CREATE INDEX tiles_by_crate ON tiles (crate, number);
CREATE INDEX tiles_by_state ON tiles (state, number);
CREATE INDEX tiles_by_panel ON tiles (panel, number);
CREATE INDEX tiles_by_twin ON tiles (number) WHERE twin IS NOT NULL;
CREATE INDEX tiles_there ON tiles (number) WHERE state <> 'removed';
CREATE INDEX tiles_grouped ON tiles (number) WHERE state IN ('grouped', 'doubtful');
CREATE INDEX tiles_marked ON tiles (number) WHERE locked OR hole OR doubted;
CREATE INDEX tiles_doubtful ON tiles (number) WHERE state = 'doubtful' OR doubted;
CREATE INDEX tiles_by_day ON tiles (substr(added, 1, 10));
CREATE VIRTUAL TABLE words USING fts5 (
    inventory, digits, crate, note, code, panel, pattern, status,
    content = 'tiles', content_rowid = 'number',
    prefix = '1 2 3', tokenize = "unicode61 remove_diacritics 2"
);
CREATE TRIGGER tile_added AFTER INSERT ON tiles BEGIN
    INSERT INTO words (rowid, inventory, digits, crate, note, code, panel, pattern, status) VALUES (
        new.number, new.inventory, new.digits, new.crate, new.note, new.code, new.panel,
        new.pattern, new.status
    );
END;
CREATE TRIGGER tile_removed AFTER DELETE ON tiles BEGIN
    INSERT INTO words (
        words, rowid, inventory, digits, crate, note, code, panel, pattern, status
    ) VALUES (
        'delete', old.number, old.inventory, old.digits, old.crate, old.note, old.code, old.panel,
        old.pattern, old.status
    );
END;
"""


def present_stamp(folder: Path) -> str:
    """Return a stamp of a collection that changes with every transaction and every sort."""
    paths = [folder / database.NAME, folder / f"{database.NAME}-wal"]
    return " ".join([*map(_stamp, paths), _found_stamp(folder)])


def _found_stamp(folder: Path) -> str:
    """Return a stamp that changes with every sort and every search for patterns."""
    return " ".join(map(_stamp, (folder / GROUPS / MARK, folder / PATTERNS / PATTERNS_MARK)))


def update_list(path: Path, collection: Collection, stamp: str) -> None:
    """Take into the list at ``path`` what has changed in a collection; create it if needed.

    Args:
        path: The database of the list.
        collection: Whose tiles are listed.
        stamp: The collection's ``present_stamp``; nothing is done if the list has it already.

    Raises:
        sqlite3.DatabaseError: If the list is damaged or of another format.
    """
    path.parent.mkdir(exist_ok=True)
    removed = removed_tiles(collection)
    now = {
        "stamp": stamp,
        "groups": _found_stamp(collection.folder),
        "removed": json.dumps(removed),
    }
    with _writing(path) as db:
        catalogue = (collection.folder / database.NAME).as_uri()
        db.execute("ATTACH ? AS museum", (f"{catalogue}?mode=ro",))
        with _transaction(db):
            _create_tables(db)
            about = {row["key"]: row["value"] for row in db.execute("SELECT * FROM about")}
            if about.get("stamp") != stamp:
                before = json.loads(about.get("removed", "{}"))
                every = about.get("groups") != now["groups"]
                sort = _sorted_into(collection, removed, None if every else before)
                _take_in(db, collection.database.has_checksums, sort, every=every)
                db.executemany("INSERT OR REPLACE INTO about VALUES (?, ?)", now.items())


def mark_tiles(path: Path, marks: Marks) -> None:
    """Store the ``marks`` in the list at ``path``, in place of those that were there."""
    with _writing(path) as db, _transaction(db):
        names = Marks._fields
        db.execute(f"CREATE TEMP TABLE marked (number INTEGER PRIMARY KEY, {', '.join(names)})")
        rows = ((tile, *(tile in mark for mark in marks)) for tile in set().union(*marks))
        db.executemany("INSERT INTO marked VALUES (?, ?, ?, ?)", rows)
        changed = " OR ".join(f"t.{name} <> coalesce(m.{name}, 0)" for name in names)
        db.execute(
            "CREATE TEMP TABLE changed AS SELECT t.* FROM tiles t LEFT JOIN marked m "
            "ON m.number = t.number "
            f"WHERE (m.number IS NOT NULL OR t.locked OR t.hole OR t.doubted) AND ({changed})"
        )
        db.execute("DELETE FROM tiles WHERE number IN (SELECT number FROM changed)")
        for column in names:
            db.execute(
                f"UPDATE changed SET {column} = "
                f"coalesce((SELECT {column} FROM marked WHERE number = changed.number), 0)"
            )
        _insert_changed(db)
        db.execute("DROP TABLE marked")


@contextmanager
def _writing(path: Path) -> Iterator[sqlite3.Connection]:
    with closing(connect(path)) as db:
        db.execute("PRAGMA journal_mode = WAL")
        db.execute("PRAGMA synchronous = NORMAL")
        db.create_function("digits", 1, _digits, deterministic=True)
        db.create_function("status_words", 6, _status_words, deterministic=True)
        yield db


@contextmanager
def _transaction(db: sqlite3.Connection) -> Iterator[None]:
    db.execute("BEGIN IMMEDIATE")
    try:
        yield
        db.execute("COMMIT")
    finally:
        if db.in_transaction:
            db.execute("ROLLBACK")


_STATUS = "status_words(state, probability, twin, locked, hole, doubted)"


def _status_words(
    state: str, probability: float | None, twin: int | None, locked: int, hole: int, doubted: int
) -> str:
    """Return the search words for the status of a tile."""
    if state == "removed":
        return STATUS_WORDS[state]
    holds = {
        "sure": state == "grouped" and (probability or 0.0) >= SURE and not doubted,
        "doubtful": state == "doubtful" or bool(doubted),
        "double": twin is not None,
        "locked": bool(locked),
        "hole": bool(hole),
    }
    return " ".join(words for name, words in STATUS_WORDS.items() if holds.get(name, state == name))


_Sorted = list[tuple[int, str | None, str, float | None, int | None, str | None]]


def _sorted_into(
    collection: Collection,
    removed: Mapping[str, str | None],
    before: Mapping[str, str | None] | None,
) -> _Sorted:
    """Return number, panel, state, probability, twin and pattern of tiles, as far as known.

    With ``before``, the tiles that were removed then, only of those to which that made a
    difference.
    """
    changed = None if before is None else _changed_tiles(collection, removed, before)
    if changed is not None and not changed:
        return []
    found = load_sort(collection, ignore_damage=True) or SortResult([], (), np.zeros(0))
    kept = load_patterns(collection, ignore_damage=True, drawn=False)
    patterns = {} if kept is None else kept.by_tile()
    gone, strays = _merged(collection, removed), set(found.strays)
    twins = {one: other for pair in found.duplicates for one, other in (pair, pair[::-1])}
    rows: _Sorted = []
    every = {*range(found.tiles), *gone, *patterns}
    for tile in sorted(every if changed is None else changed):
        panel = found.names.get(tile)
        likely = float(found.probability[tile]) if tile < found.tiles else None
        if tile in gone:
            rows.append((tile, None, "removed", None, gone[tile], None))
            continue
        if panel is not None:
            state = "doubtful" if (likely or 0.0) < DOUBTFUL else "grouped"
        elif tile in strays:
            state = "stray"
        else:  # it came, or was restored, after the sort
            state, likely = "new", None
        rows.append((tile, panel, state, likely, twins.get(tile), patterns.get(tile)))
    return rows


def _changed_tiles(
    collection: Collection, removed: Mapping[str, str | None], before: Mapping[str, str | None]
) -> set[int]:
    """Return the tiles that were removed, merged or restored, and their twins."""
    unlike = set(removed.items()) ^ set(before.items())
    changed = set(_numbers(collection, {name for name, _ in unlike}).values())
    found = load_sort(collection, ignore_damage=True, removed=True)
    pairs = [set(pair) for pair in found.duplicates] if found is not None else []
    return changed.union(*(pair for pair in pairs if pair & changed))


def _merged(collection: Collection, removed: Mapping[str, str | None]) -> dict[int, int | None]:
    """Return the removed tiles, each with the tile that it was merged with, by their numbers."""
    number = _numbers(collection, {*removed, *filter(None, removed.values())})
    return {
        number[name]: None if kept is None else number.get(kept)
        for name, kept in removed.items()
        if name in number
    }


def _numbers(collection: Collection, names: Iterable[str]) -> dict[str, int]:
    """Return the numbers of tiles by their inventory numbers; unknown ones are left out."""
    with collection.database.reading() as db:
        found = db.execute(
            "SELECT inventory, number FROM tiles "
            "WHERE inventory IN (SELECT value FROM json_each(?))",
            (json.dumps(list(names)),),
        )
        return {row["inventory"]: row["number"] for row in found}


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


def _take_in(db: sqlite3.Connection, sealed: bool, sort: _Sorted, *, every: bool) -> None:
    """Write all rows that have changed.

    ``sort`` says it of ``every`` tile that is known, or of some, while the others stay as they are.
    """
    seal = "t.checksum" if sealed else "NULL"
    changed = f"l.number IS NULL OR l.seal IS NOT {seal}" if sealed else "true"
    columns = ("panel", "state", "probability", "twin", "pattern")
    db.execute(f"CREATE TEMP TABLE sorted (number INTEGER PRIMARY KEY, {', '.join(columns)})")
    db.executemany("INSERT INTO sorted VALUES (?, ?, ?, ?, ?, ?)", sort)
    told = "true" if every else "s.number IS NOT NULL"
    new = {name: f"iif({told}, s.{name}, l.{name})" for name in columns}
    new["state"] = f"coalesce({new['state']}, 'new')"
    changed += f" OR {told} AND ({' OR '.join(f'l.{n} IS NOT {v}' for n, v in new.items())})"
    state = ", ".join(f"{value} AS {name}" for name, value in new.items())
    db.execute(
        "CREATE TEMP TABLE changed AS SELECT t.number, t.inventory, t.crate, "
        "json_extract(t.record, '$.note') AS note, json_extract(t.record, '$.code') AS code, "
        f"json_extract(t.record, '$.thickness') AS thickness, t.added, {seal} AS seal, {state}, "
        "coalesce(l.locked, 0) AS locked, coalesce(l.hole, 0) AS hole, "
        "coalesce(l.doubted, 0) AS doubted, '' AS status, "
        "digits(t.inventory) FROM museum.tiles t "
        "LEFT JOIN tiles l ON l.number = t.number LEFT JOIN sorted s ON s.number = t.number "
        f"WHERE {changed}"
    )
    db.execute(
        "DELETE FROM tiles WHERE number IN (SELECT number FROM changed) "
        "OR number > (SELECT coalesce(max(number), -1) FROM museum.tiles)"
    )
    _insert_changed(db)
    db.execute("DROP TABLE sorted")


def _insert_changed(db: sqlite3.Connection) -> None:
    """Move the rows of ``changed`` into the list; the index of words is merged after many."""
    db.execute(f"UPDATE changed SET status = {_STATUS}")
    many = db.execute("INSERT INTO tiles SELECT * FROM changed").rowcount
    total = db.execute("SELECT max(number) + 1 FROM tiles").fetchone()[0] or 0
    if many > MERGED_FROM * total:  # else three words would be searched three times as long
        db.execute("INSERT INTO words (words) VALUES ('optimize')")
    db.execute("DROP TABLE changed")


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
