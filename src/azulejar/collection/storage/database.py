"""The database of a collection: its tables, their checksums, and what errors mean to a user."""

import re
import sqlite3
import zlib
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path

from azulejar.errors import AzulejarError
from azulejar.system.transactions import Transactions, connect
from azulejar.version import __version__

NAME = "collection.db"
FORMAT = 2  # format 1 had no checksums; it is read, and changed to 2 when something is written
_REPORTS = "SQLite reports:"
_NAMELESS = "a row was altered that has lost its name"
_FORMAT = re.compile(r"azulejar-collection/(\d{1,9})")

# A path is relative to the collection's folder; a stamp holds size and time of the picture's file.
# Each row ends with a checksum of its other columns, and has one of the tile's part of each array.
_TABLES = """
CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL);
CREATE TABLE tiles (
    number INTEGER PRIMARY KEY, inventory TEXT NOT NULL UNIQUE, crate TEXT NOT NULL,
    path TEXT NOT NULL, stamp TEXT NOT NULL, sha256 TEXT NOT NULL UNIQUE, record TEXT NOT NULL,
    added TEXT NOT NULL
);
CREATE INDEX tiles_by_path ON tiles (path);
CREATE INDEX tiles_by_crate ON tiles (crate);
"""
_CHECKSUMS = """
ALTER TABLE meta ADD COLUMN checksum INTEGER;
ALTER TABLE tiles ADD COLUMN pixels INTEGER;
ALTER TABLE tiles ADD COLUMN descriptions INTEGER;
ALTER TABLE tiles ADD COLUMN scales INTEGER;
ALTER TABLE tiles ADD COLUMN checksum INTEGER;
"""
_COLUMNS = {
    "meta": ("key", "value"),
    "tiles": (
        *("number", "inventory", "crate", "path", "stamp", "sha256", "record", "added"),
        *("pixels", "descriptions", "scales"),
    ),
}
# As bytes, so that a text that is no longer UTF-8 has a checksum too.
_SUMS = {
    table: f"checksum({', '.join(f'CAST({column} AS BLOB)' for column in columns)})"
    for table, columns in _COLUMNS.items()
}
# The system's fault, not the file's; any other error of SQLite means that the file is damaged.
_NOT_DAMAGE = (
    sqlite3.SQLITE_BUSY,
    sqlite3.SQLITE_CANTOPEN,
    sqlite3.SQLITE_FULL,
    sqlite3.SQLITE_IOERR,
    sqlite3.SQLITE_LOCKED,
    sqlite3.SQLITE_NOMEM,
    sqlite3.SQLITE_PERM,
    sqlite3.SQLITE_READONLY,
)


class CatalogueDatabase(Transactions):
    """The database in a collection's folder."""

    def __init__(self, path: Path) -> None:
        with _explained(path):
            super().__init__(path)
            self._format = 0
            try:
                self._check_format()
            except BaseException:
                self.close()
                raise

    def _connect(self) -> sqlite3.Connection:
        connection = super()._connect()
        _add_function(connection)
        return connection

    @classmethod
    def create(cls, path: Path) -> None:
        """Create a database with empty tables, all of it in one file."""
        with _explained(path), closing(connect(path)) as connection:
            connection.execute("PRAGMA journal_mode = WAL")
            connection.executescript(f"BEGIN;{_TABLES}{_CHECKSUMS}COMMIT;")
            _add_function(connection)
            put_meta(connection, "format", f"azulejar-collection/{FORMAT}")
            put_meta(connection, "version", __version__)

    @contextmanager
    def changing(self) -> Iterator[sqlite3.Connection]:
        """See ``Transactions``; a database of an older format gets the present one first."""
        with super().changing() as db:
            if not self.has_checksums:
                self._upgrade(db)
            yield db
        self._format = FORMAT

    def meta(self, key: str) -> str | None:
        """Return the value that is stored under a key, if any."""
        with self.reading() as db:
            row = db.execute("SELECT value FROM meta WHERE key = ?", (key,)).fetchone()
        return None if row is None else str(row["value"])

    def put_meta(self, key: str, value: str) -> None:
        """Store a value under a key, in place of the one before."""
        with self.changing() as db:
            put_meta(db, key, value)

    @property
    def has_checksums(self) -> bool:
        """Whether it is of a format with checksums."""
        return self._format == FORMAT

    def find_damage(self) -> list[str]:
        """Return what is wrong with the file, in words; nothing where it is sound.

        Raises:
            AzulejarError: A newer azulejar has written it, so that nobody here can tell.
        """
        try:
            with self.reading() as db:
                if self.has_checksums:
                    altered = [*_altered(db, "tiles", "inventory"), *_altered(db, "meta", "key")]
                    if altered:
                        return altered
                found = [str(row[0]) for row in db.execute("PRAGMA integrity_check(10)")]
                return [f"{_REPORTS} {each}" for each in found if each != "ok"]
        except AzulejarError as error:
            if error.code == "collection-format-newer":
                raise
            return [str(error.values["reason"])]

    def rebuild_indexes(self) -> None:
        """Make the indexes anew from the tables."""
        with self.changing() as db:
            db.execute("REINDEX")

    def copy_to(self, path: Path) -> None:
        """Copy the database as it is between two transactions, all of it into one file."""
        with self._lock, _explained(path), closing(sqlite3.connect(path)) as copy:
            self._connection.backup(copy)

    def damaged(self, reason: str) -> AzulejarError:
        """Return the error for a damaged database, which says whether a repair may help."""
        if not is_index_damage(reason):
            return damaged_catalogue(self.path, reason)
        return AzulejarError(
            "catalogue-index-damaged",
            "{path} is damaged: {reason}.",
            "Repair the collection, which makes indexes anew.",
            path=str(self.path),
            reason=reason,
        )

    @contextmanager
    def _transaction(self, begin: str) -> Iterator[sqlite3.Connection]:
        """See ``Transactions``; the format is read each time, as another version may write too."""
        with super()._transaction(begin) as db:
            self._read_format(db)
            yield db

    def _read_format(self, db: sqlite3.Connection) -> None:
        """Note the present format; raise if a newer azulejar has written it.

        One that cannot be understood is left to the checksums.
        """
        found = db.execute("SELECT value FROM meta WHERE key = 'format'").fetchone()
        match = _FORMAT.fullmatch(found["value"] or "") if found is not None else None
        number = int(match[1]) if match else 0
        if number > FORMAT:
            wrote = db.execute("SELECT value FROM meta WHERE key = 'version'").fetchone()
            raise AzulejarError(
                "collection-format-newer",
                "The collection in {folder} was written by azulejar {wrote}, which is newer than "
                "this one ({here}): its format is {found}.",
                "Install azulejar {wrote} or a later one, and restart the server if one runs.",
                folder=str(self.path.parent),
                wrote=wrote["value"] if wrote is not None else "of an unknown version",
                here=__version__,
                found=number,
            )
        self._format = number or self._format

    def _check_format(self) -> None:
        found, wrote = self.meta("format"), self.meta("version")
        if not self._format:
            raise AzulejarError(
                "collection-format-unknown",
                "The collection in {folder} has the format {found!r}, which azulejar {here} does "
                "not know.",
                "Open it with the version that wrote it ({wrote}), restore a backup, or create a "
                "new collection and add the crates again.",
                folder=str(self.path.parent),
                found=found or "",
                here=__version__,
                wrote=wrote or "unknown",
            )

    def _upgrade(self, db: sqlite3.Connection) -> None:
        """Add the checksums of all rows; those of arrays are added by ``integrity``."""
        for statement in filter(str.strip, _CHECKSUMS.split(";")):
            db.execute(statement)
        db.execute(f"UPDATE meta SET checksum = {_SUMS['meta']}")
        put_meta(db, "format", f"azulejar-collection/{FORMAT}")
        put_meta(db, "version", __version__)
        seal_tiles(db)

    @contextmanager
    def explained(self) -> Iterator[None]:
        """See ``Transactions``."""
        with _explained(self.path):
            yield


def put_meta(db: sqlite3.Connection, key: str, value: str) -> None:
    """Store a value and its checksum under a key."""
    db.execute("INSERT OR REPLACE INTO meta (key, value) VALUES (?, ?)", (key, value))
    db.execute(f"UPDATE meta SET checksum = {_SUMS['meta']} WHERE key = ?", (key,))


def seal_tiles(
    db: sqlite3.Connection, where: str = "true", values: Sequence[str | int] = ()
) -> None:
    """Store the checksums of rows that were written; ``where`` is a condition with ``values``."""
    db.execute(f"UPDATE tiles SET checksum = {_SUMS['tiles']} WHERE {where}", values)


def is_index_damage(reason: str) -> bool:
    """Whether this is wrong with an index, which can be made again from its table."""
    return reason.startswith(_REPORTS) and " index " in reason


def _altered(db: sqlite3.Connection, table: str, name: str) -> list[str]:
    """Say which rows of a table do not agree with their checksums.

    No column holds a blob; one that does has the bytes of its text, and their checksum.
    """
    kinds = ", ".join(f"typeof({column})" for column in _COLUMNS[table])
    rows = db.execute(
        f"SELECT CAST({name} AS BLOB) FROM {table} NOT INDEXED "
        f"WHERE checksum IS NOT {_SUMS[table]} OR 'blob' IN ({kinds}) LIMIT 10"
    )
    names = [bytes(row[0] or b"").decode("utf-8", "replace") for row in rows]
    return [f"the row of {name} was altered" if name else _NAMELESS for name in names]


def _add_function(connection: sqlite3.Connection) -> None:
    connection.create_function("checksum", -1, _checksum, deterministic=True)


def _checksum(*columns: bytes | None) -> int:
    return zlib.crc32(repr(columns).encode())


@contextmanager
def _explained(path: Path) -> Iterator[None]:
    """Turn errors of SQLite into AzulejarError."""
    try:
        yield
    except UnicodeDecodeError as error:  # in a message of SQLite that quotes damaged names
        raise damaged_catalogue(path, "it has names that are not UTF-8") from error
    except sqlite3.Error as error:
        if getattr(error, "sqlite_errorcode", 0) & 0xFF not in _NOT_DAMAGE:
            raise damaged_catalogue(path, str(error)) from error
        raise AzulejarError(
            "catalogue-unusable",
            "{path} could not be read or written: {reason}.",
            "What was added before is kept. Check that the disk has room and can be written "
            "to, and do it again.",
            path=str(path),
            reason=str(error),
        ) from error


def damaged_catalogue(path: Path, reason: str) -> AzulejarError:
    return AzulejarError(
        "catalogue-damaged",
        "{path} is damaged: {reason}.",
        "Restore a backup, or create a new collection and add the crates again.",
        path=str(path),
        reason=reason,
    )
