"""Compilation of hot loops.

``allocating`` is for functions that make arrays. ``lean`` is for all others: it leaves out numba's
reference counting, which costs inner loops up to two thirds of their time.
Both cache what they compiled on disk and release the GIL.
"""

from collections.abc import Callable
from pathlib import Path

import numba

allocating = numba.njit(cache=True, nogil=True)
lean = numba.njit(cache=True, nogil=True, _nrt=False)  # type: ignore[call-overload]


def is_cached(function: Callable, forms: int = 1) -> bool:
    """Return whether at least so many compiled forms of a function are cached on disk already."""
    cache = function._cache  # type: ignore[attr-defined]
    return len(list(Path(cache.cache_path).glob(f"{cache._impl.filename_base}*.nbc"))) >= forms
