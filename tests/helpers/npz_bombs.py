"""Small .npz files that say that they are huge."""

import contextlib
import tracemalloc
import zipfile

import numpy as np


class NpzBomb:
    """Small .npz files that say that they are huge."""

    zeros = np.broadcast_to(np.zeros(1, np.uint8), (1 << 24,))  # packed in 16 kB

    def said(self, shape, kind="<f4", length=None):
        """An array without content whose header says this; it may be ``length`` bytes long."""
        text = repr({"descr": kind, "fortran_order": False, "shape": shape}).encode()
        if length is None:
            return b"\x93NUMPY\x01\x00" + len(text).to_bytes(2, "little") + text
        filling = b" " * min(length, 1 << 24)
        return b"\x93NUMPY\x02\x00" + length.to_bytes(4, "little") + text + filling

    def write(self, path, **arrays):
        with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
            for name, array in arrays.items():
                with archive.open(f"{name}.npy", "w") as file:
                    if isinstance(array, bytes):
                        file.write(array)
                    else:
                        np.lib.format.write_array(file, np.asanyarray(array))
        assert path.stat().st_size < 1 << 20
        return path

    @contextlib.contextmanager
    def little_memory(self, most=4 << 20):
        """Demand that no more than ``most`` bytes are taken at any time."""
        tracemalloc.start()
        try:
            yield
            assert tracemalloc.get_traced_memory()[1] < most
        finally:
            tracemalloc.stop()
