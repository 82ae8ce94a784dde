"""Transactions of a SQLite file that threads share; each is saved whole or not at all."""

import os
import sqlite3
import threading
from abc import ABC, abstractmethod
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from datetime import UTC, datetime
from pathlib import Path

PATIENCE = 10.0  # seconds to wait for another process that writes


def connect(path: Path, *, create: bool = True) -> sqlite3.Connection:
    """Open a connection that threads may share, one at a time; read-only if the disk is."""
    connection = sqlite3.connect(
        f"{path.absolute().as_uri()}?{_mode(path, create)}",
        uri=True,
        timeout=PATIENCE,
        isolation_level=None,
        check_same_thread=False,
    )
    connection.row_factory = sqlite3.Row
    # With FULL, what was reported as saved survives even a power cut.
    connection.execute("PRAGMA synchronous = FULL")
    return connection


def _mode(path: Path, create: bool) -> str:
    if create:
        return "mode=rwc"
    if os.access(path.parent, os.W_OK) or path.with_name(f"{path.name}-wal").exists():
        return "mode=rw"
    # SQLite would make files beside a database with a write-ahead log, even to read it.
    return "mode=ro&immutable=1"


def create_database(path: Path, script: str) -> None:
    """Create a SQLite file and run a script of statements on it, in one transaction."""
    connection = connect(path)
    connection.executescript(f"BEGIN;{script}COMMIT;")
    connection.close()


def now() -> str:
    """Return the present time (UTC) as ISO 8601, to the second."""
    return datetime.now(UTC).isoformat(timespec="seconds")


class ConnectionLimit:
    """Keeps at most ``most`` files connected; the least recently used are released.

    A connection takes three descriptors, of which a process may have only a few hundred.
    """

    def __init__(self, most: int) -> None:
        self._most = most
        self._lock = threading.Lock()
        self._used: dict[Transactions, None] = {}  # the latest last

    def use(self, transactions: "Transactions") -> None:
        """Note that a connection is in use, and release others beyond the limit."""
        with self._lock:
            self._used.pop(transactions, None)
            self._used[transactions] = None
            for each in list(self._used)[: max(0, len(self._used) - self._most)]:
                if each.release():
                    del self._used[each]

    def forget(self, transactions: "Transactions") -> None:
        """Drop one that is closed for good."""
        with self._lock:
            self._used.pop(transactions, None)


class Transactions(ABC):
    """One connection behind a lock, so that threads take turns.

    With a ``limit`` the connection may be closed while it is not used, and is opened again when it
    is needed.
    """

    def __init__(self, path: Path, limit: ConnectionLimit | None = None) -> None:
        self.path = path
        self._lock = threading.RLock()
        self._limit = limit
        self._closed = False
        self._present: sqlite3.Connection | None = self._connect()

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
        """Close the connection for good, which moves the write-ahead log into the file."""
        with self._lock:
            self._closed = True
            if self._present is not None:
                self._present.close()
                self._present = None
        if self._limit is not None:
            self._limit.forget(self)

    def release(self) -> bool:
        """Close the connection until it is needed again; return False if it is in use."""
        if not self._lock.acquire(blocking=False):
            return False
        try:
            if self._present is not None:
                if self._present.in_transaction:  # of this thread, which has the lock already
                    return False
                self._present.close()
                self._present = None
            return True
        finally:
            self._lock.release()

    @property
    def connected(self) -> bool:
        """Whether the file is open at present."""
        return self._present is not None

    @property
    def _connection(self) -> sqlite3.Connection:
        if self._present is None:
            if self._closed:
                raise sqlite3.ProgrammingError("Cannot operate on a closed database.")
            self._present = self._connect()
        return self._present

    def _connect(self) -> sqlite3.Connection:
        """Open a connection with its settings."""
        return connect(self.path, create=False)

    @contextmanager
    def _transaction(self, begin: str) -> Iterator[sqlite3.Connection]:
        with self.explained():
            connection = self._connection
            connection.execute(begin)
            if self._limit is not None:
                self._limit.use(self)
            try:
                yield connection
                connection.execute("COMMIT")
            finally:
                if connection.in_transaction:
                    connection.execute("ROLLBACK")
