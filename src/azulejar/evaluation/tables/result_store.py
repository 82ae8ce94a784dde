"""Results of a benchmark in one SQLite file of a folder, each durable as soon as it is stored."""

import json
import os
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from hashlib import sha256
from pathlib import Path
from typing import Any

from azulejar.errors import AzulejarError
from azulejar.system.atomic import refuse_existing

MARK = "cells.db"


def result_key(*determining: object) -> str:
    """Return the key of a result, which differs whenever something that determines it does."""
    return sha256(repr(determining).encode()).hexdigest()


def check_result_folder(folder: str | os.PathLike[str]) -> None:
    """Raise unless ``folder`` is new, empty, or of an earlier benchmark."""
    folder = Path(folder)
    if (folder / MARK).is_file():
        return
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise AzulejarError(
            "bench-folder-in-use",
            "{folder} exists and is no folder of benchmark results (it has no {mark}).",
            "Give another folder, new or from an earlier run.",
            folder=str(folder),
            mark=MARK,
        )
    refuse_existing(folder, MARK, overwrite=False)


class ResultStore:
    """Results that are known already, by key."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection

    def get(self, key: str) -> dict[str, Any] | None:
        """Return the result of that key, or None."""
        found = self._connection.execute("SELECT value FROM results WHERE key = ?", (key,))
        row = found.fetchone()
        return None if row is None else json.loads(row[0])

    def __contains__(self, key: str) -> bool:
        found = self._connection.execute("SELECT 1 FROM results WHERE key = ?", (key,))
        return found.fetchone() is not None

    def put(self, key: str, value: dict[str, Any]) -> None:
        """Store a result durably."""
        with self._connection:
            self._connection.execute(
                "INSERT OR REPLACE INTO results VALUES (?, ?)", (key, json.dumps(value))
            )


@contextmanager
def open_store(folder: str | os.PathLike[str]) -> Iterator[ResultStore]:
    """Open the store of ``folder``, which is made if it is not there."""
    folder = Path(folder)
    check_result_folder(folder)
    folder.mkdir(parents=True, exist_ok=True)
    connection = sqlite3.connect(folder / MARK, timeout=60)
    try:
        # With a write-ahead log a killed process loses nothing, and others may read meanwhile.
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("PRAGMA synchronous = NORMAL")
        connection.execute("CREATE TABLE IF NOT EXISTS results (key TEXT PRIMARY KEY, value TEXT)")
        yield ResultStore(connection)
    except sqlite3.DatabaseError as error:
        raise AzulejarError(
            "bench-store-unusable",
            "{file} cannot be used: {reason}.",
            "Free some space if the disk is full; otherwise give another folder.",
            file=str(folder / MARK),
            reason=str(error),
        ) from error
    finally:
        connection.close()
