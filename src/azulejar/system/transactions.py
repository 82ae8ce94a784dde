"""Transactions of a SQLite file that threads share; each is saved whole or not at all."""

import sqlite3
import threading
from abc import ABC, abstractmethod
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path

PATIENCE = 10.0  # seconds to wait for another process that writes


def connect(path: Path) -> sqlite3.Connection:
    """Open a connection that any thread may use, one at a time."""
    connection = sqlite3.connect(
        path, timeout=PATIENCE, isolation_level=None, check_same_thread=False
    )
    connection.row_factory = sqlite3.Row
    # With FULL, what was reported as saved survives even a power cut.
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
        """Turn errors of the database inside the block into AzulejarError."""

    @contextmanager
    def reading(self) -> Iterator[sqlite3.Connection]:
        """Read in one transaction, so that nobody writes in between."""
        with self._lock, self._transaction("BEGIN") as connection:
            yield connection

    @contextmanager
    def changing(self) -> Iterator[sqlite3.Connection]:
        """Write in one transaction, which is saved only if the block ends well."""
        with self._lock, self._transaction("BEGIN IMMEDIATE") as connection:
            yield connection

    def close(self) -> None:
        """Close the connection, which moves the write-ahead log into the file."""
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
