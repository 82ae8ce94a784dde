"""A file that one process holds; the system lets it go when the process ends, however it ends."""

import os
import sys
from pathlib import Path


class FileLock:
    """Tries once; ``taken`` says whether we hold it."""

    def __init__(self, path: Path) -> None:
        self._file = path.open("a")
        try:
            _lock(self._file.fileno())
        except OSError:
            self._file.close()
        self.taken = not self._file.closed

    def release(self) -> None:
        """Let others take it."""
        self._file.close()
        self.taken = False


if sys.platform == "win32":
    import msvcrt

    def _lock(handle: int) -> None:
        os.lseek(handle, 0, os.SEEK_SET)
        msvcrt.locking(handle, msvcrt.LK_NBLCK, 1)

else:
    import fcntl

    def _lock(handle: int) -> None:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
