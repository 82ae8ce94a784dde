"""Compilation of hot loops.

``allocating`` is for functions that make arrays. ``lean`` is for all others: it leaves out numba's
reference counting, which costs inner loops up to two thirds of their time.
Both cache what they compiled on disk and release the GIL.
"""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numba
from numba.core.caching import FunctionCache


class _FunctionCache(FunctionCache):
    """numba's cache, emptied where it names modules or classes that an update has renamed."""

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        try:
            return super().load_overload(sig, target_context)
        except (ImportError, AttributeError):
            self.flush()
            return None


def _compiled(**options: Any) -> Callable[[Callable], Any]:
    def compile_function(function: Callable) -> Any:
        dispatcher = numba.njit(cache=True, nogil=True, **options)(function)
        dispatcher._cache = _FunctionCache(function)
        return dispatcher

    return compile_function


allocating = _compiled()
lean = _compiled(_nrt=False)


def is_cached(function: Callable, forms: int = 1) -> bool:
    """Return whether at least so many compiled forms of a function are cached on disk already."""
    cache = function._cache  # type: ignore[attr-defined]
    return len(list(Path(cache.cache_path).glob(f"{cache._impl.filename_base}*.nbc"))) >= forms
