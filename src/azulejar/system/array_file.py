"""Arrays of an .npz file, whose sizes are checked before anything is made for them.

``np.load`` trusts the file: a few kilobytes can say that they hold an array of any size, and zeros
can be packed a thousandfold.
"""

import io
import math
import os
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager

import numpy as np
from numpy.lib import format as npy
from numpy.typing import NDArray

_HEADER = 1 << 16  # bytes of an array in which its header must end; numpy writes 128
_PACKED = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)  # as numpy writes; others may need gigabytes


class ArrayFile:
    """The arrays of an open .npz file by name.

    A damaged file raises a ValueError, or an OSError where it names places that no file has.
    """

    def __init__(self, archive: zipfile.ZipFile) -> None:
        self._archive = archive
        self._entries = {each.filename.removesuffix(".npy"): each for each in archive.infolist()}

    def __contains__(self, name: str) -> bool:
        return name in self._entries

    def __iter__(self) -> Iterator[str]:
        return iter(self._entries)

    def layout(self, name: str) -> tuple[tuple[int, ...], np.dtype]:
        """Return the shape and dtype of an array, as its header says."""
        with self._open(name) as file:
            start = io.BytesIO(file.read(_HEADER))
            version = npy.read_magic(start)
            read = npy.read_array_header_1_0 if version == (1, 0) else npy.read_array_header_2_0
            shape, _, dtype = read(start)
            return shape, dtype

    def read(self, name: str, most: int | None = None) -> NDArray:
        """Return an array, without pickled objects.

        Args:
            name: That of the array.
            most: Bytes that it may have; by default as many as it has in the file, for arrays that
                are not packed.
        """
        shape, dtype = self.layout(name)
        size = math.prod(shape) * dtype.itemsize
        if size > (self._entries[name].compress_size if most is None else most):
            raise ValueError(f"{name!r} is said to have {size:,} bytes")
        with self._open(name) as file:
            return npy.read_array(file, allow_pickle=False)

    @contextmanager
    def _open(self, name: str) -> Iterator[zipfile.ZipExtFile]:
        entry = self._entries.get(name)
        if entry is None:
            raise ValueError(f"it has no {name!r}")
        if entry.compress_type not in _PACKED:
            raise ValueError(f"{name!r} is packed in an unknown way")
        with _as_value_error(), self._archive.open(entry) as file:
            yield file  # type: ignore[misc]


@contextmanager
def open_arrays(path: str | os.PathLike[str]) -> Iterator[ArrayFile]:
    """Open an .npz file.

    Raises:
        OSError: If there is no such file, or it cannot be read.
        ValueError: If it is no .npz file.
    """
    with _as_value_error():
        archive = zipfile.ZipFile(path)
    with archive:
        yield ArrayFile(archive)


@contextmanager
def _as_value_error() -> Iterator[None]:
    """Raise a ValueError for a damaged file, which raises errors of almost any class."""
    try:
        yield
    except (OSError, ValueError):
        raise
    except Exception as error:
        raise ValueError(str(error) or "it is damaged") from error
