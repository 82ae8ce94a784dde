"""Locks on files, which the system releases when their process ends, however it ends."""

import os

from filelock import FileLock, Timeout


def try_lock(path: str | os.PathLike[str]) -> FileLock | None:
    """Take the lock on a file at once, or return None where another process has it.

    Any thread may release it. Raises OSError if the file cannot be made.
    """
    lock = FileLock(path, thread_local=False)
    try:
        lock.acquire(blocking=False)
    except Timeout:
        return None
    return lock
