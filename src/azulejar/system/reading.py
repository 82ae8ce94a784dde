"""Reading of small files whole, with one error for those that cannot be read."""

import os
from pathlib import Path

from azulejar.errors import AzulejarError


def read_bytes(path: str | os.PathLike[str]) -> bytes:
    """Return the contents of a file.

    Raises:
        AzulejarError: If the file cannot be read.
    """
    try:
        return Path(path).read_bytes()
    except OSError as error:
        raise unreadable(path, error.strerror or str(error)) from error


def unreadable(path: str | os.PathLike[str], reason: str) -> AzulejarError:
    """Return the error for a file that cannot be read."""
    return AzulejarError(
        "file-unreadable",
        "Cannot read {path}: {reason}.",
        "Check the path.",
        path=str(path),
        reason=reason,
    )
