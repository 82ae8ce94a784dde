"""Arrays that the processes of one machine share: as files, mapped into memory."""

import tempfile
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from azulejar.errors import AzulejarError


@dataclass(frozen=True)
class Mapped:
    """Where an array lies in a file; ``offset`` in bytes."""

    path: Path
    dtype: np.dtype
    shape: tuple[int, ...]
    offset: int = 0

    def open(self) -> NDArray:
        """The array, to be read only."""
        if 0 in self.shape:  # nothing cannot be mapped
            return np.empty(self.shape, self.dtype)
        array = np.memmap(self.path, self.dtype, "r", self.offset, self.shape)
        return array.view(np.ndarray)


def mapped_already(array: NDArray) -> Mapped | None:
    """Where a memory-mapped array, or a part of one without gaps, lies in its file."""
    whole = array
    while isinstance(whole.base, np.ndarray):
        whole = whole.base
    # Changes to a private copy (mode "c") are not in the file.
    if not isinstance(whole, np.memmap) or whole.filename is None or whole.mode == "c":
        return None
    if not array.flags.c_contiguous or array.dtype.hasobject:
        return None
    # numpy gives a part the offset of the whole.
    offset = whole.offset + _address(array) - _address(whole)
    return Mapped(Path(whole.filename).absolute(), array.dtype, array.shape, offset)


def _address(array: NDArray) -> int:
    return array.__array_interface__["data"][0]


class Shelf:
    """A temporary folder for arrays that lie in no file yet."""

    def __init__(self) -> None:
        self._folder: tempfile.TemporaryDirectory | None = None
        self._count = 0

    def lay(self, array: NDArray) -> Mapped:
        mapped = mapped_already(array)
        return self._write(array) if mapped is None else mapped

    def _write(self, array: NDArray) -> Mapped:
        array = np.ascontiguousarray(array)
        try:
            if self._folder is None:
                self._folder = tempfile.TemporaryDirectory(
                    prefix="azulejar-", ignore_cleanup_errors=True
                )
            path = Path(self._folder.name) / f"{self._count}.bin"
            self._count += 1
            array.tofile(path)
        except OSError as error:
            raise AzulejarError(
                f"Could not lay {array.nbytes / 1e6:.0f} MB into {tempfile.gettempdir()} for the "
                f"workers: {error.strerror or error}.",
                "Free some space there, or set TMPDIR to a folder on a larger disk.",
            ) from error
        return Mapped(path, array.dtype, array.shape)

    def clear(self) -> None:
        if self._folder is not None:
            self._folder.cleanup()
            self._folder = None
