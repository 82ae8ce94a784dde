"""The lock of a collection: one process at a time changes it; the others learn which."""

import json
import os
import shlex
import socket
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from datetime import datetime
from pathlib import Path

from filelock import FileLock

from azulejar.errors import AzulejarError
from azulejar.system.atomic import replacing
from azulejar.system.file_lock import try_lock

HELD = "lock"  # the lock file, which the system releases when its holder dies
HOLDER = "lock.json"  # names the holder
TRIES, PAUSE = 4, 0.1  # seconds; asking for the holder takes the lock for an instant


@dataclass(frozen=True)
class LockHolder:
    """The process that changes a collection: ``what`` it does, and since when (local time)."""

    what: str
    pid: int
    host: str
    command: str
    since: str

    def __str__(self) -> str:
        where = "this computer" if self.host == socket.gethostname() else self.host
        return f"process {self.pid} on {where}, since {self.since} ({self.command})"


@contextmanager
def locked(folder: Path, what: str) -> Iterator[None]:
    """Lock the collection in ``folder`` during the block; raise if another process has the lock.

    ``what`` says what this process does, as in “adds tiles”. A process that dies leaves no lock
    behind on its own computer. Other computers cannot know that it died, so for them its lock
    stays until its file is deleted.
    """
    lock = _acquire(folder)
    try:
        _refuse_other_host(folder)
        _write_holder(folder, what)
        try:
            yield
        finally:
            (folder / HOLDER).unlink(missing_ok=True)
    finally:
        lock.release()


def find_holder(folder: Path) -> LockHolder | None:
    """Return the process that has the lock, if any."""
    named = _read_holder(folder)
    if named is None or named.host != socket.gethostname():
        return named
    try:
        lock = try_lock(folder / HELD)
    except OSError:  # the folder is read-only for this process
        return named
    if lock is None:
        return named
    lock.release()
    return None


def _acquire(folder: Path) -> FileLock:
    for attempt in range(TRIES):
        if attempt:
            time.sleep(PAUSE)
        try:
            lock = try_lock(folder / HELD)
        except OSError as error:
            raise AzulejarError(
                "collection-read-only",
                "Could not write into {folder}: {reason}.",
                "Check your permissions.",
                folder=str(folder),
                reason=str(error.strerror),
            ) from error
        if lock is not None:
            return lock
    named = _read_holder(folder)
    raise AzulejarError(
        "collection-locked",
        "{folder} is locked; another process {holder}.",
        "Wait until it has ended, or stop it.",
        folder=str(folder),
        holder=f"{named.what} right now: {named}" if named else "changes it right now",
    )


def _refuse_other_host(folder: Path) -> None:
    named = _read_holder(folder)
    if named is not None and named.host != socket.gethostname():
        raise AzulejarError(
            "collection-locked-elsewhere",
            "{folder} is locked; another process {holder}.",
            "Wait until it has ended; if it was stopped, delete {file}.",
            folder=str(folder),
            holder=f"{named.what} right now: {named}",
            file=str(folder / HOLDER),
        )


def _read_holder(folder: Path) -> LockHolder | None:
    try:
        return LockHolder(**json.loads((folder / HOLDER).read_text(encoding="utf-8")))
    except (OSError, ValueError, TypeError):  # missing, damaged, or of another version
        return None


def _write_holder(folder: Path, what: str) -> None:
    """Write down that this process has the lock."""
    command = shlex.join([Path(sys.argv[0]).name, *sys.argv[1:]])
    now = datetime.now().isoformat(" ", "seconds")
    ourselves = LockHolder(what, os.getpid(), socket.gethostname(), command, now)
    try:
        with replacing(folder / HOLDER) as temporary:
            temporary.write_text(json.dumps(asdict(ourselves)), encoding="utf-8")
    except AzulejarError as error:
        raise AzulejarError(
            "collection-lock-unwritable",
            "{problem}",
            "Free some space, and do it again.",
            problem=error.problem,
        ) from error
