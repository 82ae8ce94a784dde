"""Transactions of a SQLite file that threads share: each is kept whole, or nothing of it."""

import sqlite3
import threading
from abc import ABC, abstractmethod
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path

PATIENCE = 10.0  # seconds to wait for another process that writes


def connect(path: Path) -> sqlite3.Connection:
    """A connection that any thread may use, one at a time."""
    connection = sqlite3.connect(
        path, timeout=PATIENCE, isolation_level=None, check_same_thread=False
    )
    connection.row_factory = sqlite3.Row
    # With FULL, what was told as saved outlives even a power cut.
    connection.execute("PRAGMA synchronous = FULL")
    return connection


class Transactions(ABC):
    """One connection behind a lock, so that threads take turns."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._lock = threading.RLock()
        self._connection = connect(path)

    @abstractmethod
    def explained(self) -> AbstractContextManager[None]:
        """Errors of the database inside the block become sentences with a remedy."""

    @contextmanager
    def reading(self) -> Iterator[sqlite3.Connection]:
        """Rows that belong together: nobody writes in between."""
        with self._lock, self._transaction("BEGIN") as connection:
            yield connection

    @contextmanager
    def changing(self) -> Iterator[sqlite3.Connection]:
        """All of the block is saved once it ends well, or nothing."""
        with self._lock, self._transaction("BEGIN IMMEDIATE") as connection:
            yield connection

    def close(self) -> None:
        """Everything goes into the one file; the log beside it is emptied."""
        with self._lock:
            self._connection.close()

    @contextmanager
    def _transaction(self, begin: str) -> Iterator[sqlite3.Connection]:
        connection = self._connection
        with self.explained():
            connection.execute(begin)
            try:
                yield connection
                connection.execute("COMMIT")
            finally:
                if connection.in_transaction:
                    connection.execute("ROLLBACK")
