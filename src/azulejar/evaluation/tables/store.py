"""Store: results in one file of a folder, each safe as soon as it is there."""

import json
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from hashlib import sha256
from pathlib import Path
from typing import Any

from azulejar.errors import AzulejarError
from azulejar.system.atomic import refuse_existing

MARK = "cells.db"


def key_of(*what: object) -> str:
    """Under which a result is stored: differs whenever something that determines it does."""
    return sha256(repr(what).encode()).hexdigest()


def refuse_other_folder(folder: Path) -> None:
    """Raise unless ``folder`` is new, empty, or one of ours."""
    if (folder / MARK).is_file():
        return
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise AzulejarError(
            f"{folder} exists and is no folder of azulejar bench (it has no {MARK}).",
            "Give another -o, new or from an earlier run.",
        )
    refuse_existing(folder, MARK, overwrite=False)


class Store:
    """What is known already, by key."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection

    def recall(self, key: str) -> dict[str, Any] | None:
        """The result of that key, if it is there."""
        found = self._connection.execute("SELECT value FROM results WHERE key = ?", (key,))
        row = found.fetchone()
        return None if row is None else json.loads(row[0])

    def __contains__(self, key: str) -> bool:
        found = self._connection.execute("SELECT 1 FROM results WHERE key = ?", (key,))
        return found.fetchone() is not None

    def keep(self, key: str, value: dict[str, Any]) -> None:
        """Store a result; it outlives this process from now on."""
        with self._connection:
            self._connection.execute(
                "INSERT OR REPLACE INTO results VALUES (?, ?)", (key, json.dumps(value))
            )


@contextmanager
def opened(folder: Path) -> Iterator[Store]:
    """The store of ``folder``, which is made if it is not there."""
    refuse_other_folder(folder)
    folder.mkdir(parents=True, exist_ok=True)
    connection = sqlite3.connect(folder / MARK, timeout=60)
    try:
        # A log that is written ahead: a killed process loses nothing, and others may read.
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("PRAGMA synchronous = NORMAL")
        connection.execute("CREATE TABLE IF NOT EXISTS results (key TEXT PRIMARY KEY, value TEXT)")
        yield Store(connection)
    except sqlite3.DatabaseError as error:
        raise AzulejarError(
            f"{folder / MARK} cannot be used: {error}.",
            "Free some space if the disk is full; otherwise give another -o.",
        ) from error
    finally:
        connection.close()
