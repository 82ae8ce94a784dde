"""One process at a time changes a collection; the others are told which."""

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

HELD = "lock"  # what the system lets go when its holder dies
HOLDER = "lock.json"  # who it is
TRIES, PAUSE = 4, 0.1  # who asks for the holder has the lock for an instant


@dataclass(frozen=True)
class Holder:
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
    """Nobody else changes the collection in ``folder`` during the block; raise if somebody does.

    ``what`` says what we do, as in “adds tiles”. Whoever died leaves no lock behind on the same
    computer. Of another one nobody can know, so that its lock stays until it is taken away.
    """
    lock = _taken(folder)
    try:
        _refuse_other_host(folder)
        _sign(folder, what)
        try:
            yield
        finally:
            (folder / HOLDER).unlink(missing_ok=True)
    finally:
        lock.release()


def holder(folder: Path) -> Holder | None:
    """Who changes the collection right now."""
    named = _named(folder)
    if named is None or named.host != socket.gethostname():
        return named
    try:
        lock = try_lock(folder / HELD)
    except OSError:  # we may only read here
        return named
    if lock is None:
        return named
    lock.release()
    return None


def _taken(folder: Path) -> FileLock:
    for attempt in range(TRIES):
        if attempt:
            time.sleep(PAUSE)
        try:
            lock = try_lock(folder / HELD)
        except OSError as error:
            raise AzulejarError(
                f"Could not write into {folder}: {error.strerror}.", "Check your permissions."
            ) from error
        if lock is not None:
            return lock
    named = _named(folder)
    who = f"{named.what} right now: {named}" if named else "changes it right now"
    raise AzulejarError(
        f"{folder} is locked; another process {who}.", "Wait until it has ended, or stop it."
    )


def _refuse_other_host(folder: Path) -> None:
    named = _named(folder)
    if named is not None and named.host != socket.gethostname():
        raise AzulejarError(
            f"{folder} is locked; another process {named.what} right now: {named}.",
            f"Wait until it has ended; if it was stopped, delete {folder / HOLDER}.",
        )


def _named(folder: Path) -> Holder | None:
    try:
        return Holder(**json.loads((folder / HOLDER).read_text(encoding="utf-8")))
    except (OSError, ValueError, TypeError):  # none, or nobody that we know how to name
        return None


def _sign(folder: Path, what: str) -> None:
    """Write down that it is us."""
    command = shlex.join([Path(sys.argv[0]).name, *sys.argv[1:]])
    now = datetime.now().isoformat(" ", "seconds")
    ourselves = Holder(what, os.getpid(), socket.gethostname(), command, now)
    try:
        with replacing(folder / HOLDER) as temporary:
            temporary.write_text(json.dumps(asdict(ourselves)), encoding="utf-8")
    except AzulejarError as error:
        raise AzulejarError(error.problem, "Free some space, and do it again.") from error
