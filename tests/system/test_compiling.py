"""Compiled functions are kept on disk."""

import importlib.util

from azulejar.system.compiling import is_cached

SOURCE = """
from azulejar.system.compiling import lean

@lean
def double(x):
    return 2 * x
"""


def load(path):
    spec = importlib.util.spec_from_file_location("doubling", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_a_function_is_cached_once_it_was_called(tmp_path):
    path = tmp_path / "doubling.py"
    path.write_text(SOURCE)
    double = load(path).double
    assert not is_cached(double)
    assert double(21) == 42
    assert is_cached(double)
    again = load(path).double
    assert is_cached(again)
    assert again(4) == 8
    assert sum(again.stats.cache_hits.values()) == 1
    assert not is_cached(again, forms=2)
    assert again(0.5) == 1.0
    assert is_cached(again, forms=2)
