"""Compilation of hot loops.

``allocating`` is for functions that make arrays. ``lean`` is for all others: it leaves out numba's
reference counting, which costs inner loops up to two thirds of their time.
Both cache what they compiled on disk and release the GIL. Compiled code that calls them passes
whole numbers as int64, so that there is not one form for each mixture of int32 and constants.
"""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numba
from numba.core import types
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
        dispatcher = numba.njit(nogil=True, **options)(function)
        dispatcher._cache = _FunctionCache(function)
        choose_form = dispatcher.get_call_template

        def choose_widest_form(args: Any, kws: Any) -> Any:
            return choose_form(
                tuple(map(_widen, args)), {name: _widen(each) for name, each in kws.items()}
            )

        dispatcher.get_call_template = choose_widest_form
        return dispatcher

    return compile_function


def _widen(argument: Any) -> Any:
    """Return int64 for the type of a shorter signed integer, and no constants."""
    argument = types.unliteral(argument)
    return types.int64 if argument in (types.int8, types.int16, types.int32) else argument


allocating = _compiled()
lean = _compiled(_nrt=False)


def is_cached(function: Callable, forms: int = 1) -> bool:
    """Return whether at least so many compiled forms of a function are cached on disk already."""
    cache = function._cache  # type: ignore[attr-defined]
    return len(list(Path(cache.cache_path).glob(f"{cache._impl.filename_base}*.nbc"))) >= forms
