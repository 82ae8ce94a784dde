"""Compiled functions are kept on disk."""

import importlib
import importlib.util
import sys

import numpy as np
import pytest

from azulejar.system.compiling import is_cached

SOURCE = """
from azulejar.system.compiling import lean

@lean
def double(x):
    return 2 * x
"""
CALLS = (
    SOURCE
    + """

@lean
def double_all(numbers):
    return double(numbers[0]) + double(len(numbers)) + double(1) + double(0.5)
"""
)
SHAPE = """
from typing import NamedTuple

class Box(NamedTuple):
    height: int
    width: int
"""
AREA = """
from azulejar.system.compiling import lean

@lean
def area(box):
    return box.height * box.width
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


def test_compiled_code_calls_one_form_for_all_whole_numbers(tmp_path):
    path = tmp_path / "doubling.py"
    path.write_text(CALLS)
    module = load(path)
    assert module.double_all(np.array([3], np.int32)) == 11
    taken = sorted(str(form.args) for form in module.double.nopython_signatures)
    assert taken == ["(float64,)", "(int64,)"]


@pytest.fixture
def shapes(tmp_path, monkeypatch):
    """A function that makes a box as the module of that name has it, the only one there is."""
    monkeypatch.syspath_prepend(tmp_path)
    made = []

    def rename(module, name="Box"):
        for old in made:
            (tmp_path / f"{old}.py").unlink(missing_ok=True)
            del sys.modules[old]
        made[:] = [module]
        (tmp_path / f"{module}.py").write_text(SHAPE.replace("Box", name))
        importlib.invalidate_caches()
        return getattr(importlib.import_module(module), name)(2, 3)

    yield rename
    for old in made:
        sys.modules.pop(old, None)


@pytest.mark.parametrize("name", ["Box", "Frame"])
def test_a_cache_that_names_what_an_update_has_renamed_is_made_anew(tmp_path, shapes, name):
    path = tmp_path / "measuring.py"
    path.write_text(AREA)
    assert load(path).area(shapes("old_shapes")) == 6
    renamed = shapes("new_shapes" if name == "Box" else "old_shapes", name)
    again = load(path).area
    assert again(renamed) == 6
    assert sum(again.stats.cache_misses.values()) == 1
    once_more = load(path).area
    assert once_more(renamed) == 6
    assert sum(once_more.stats.cache_hits.values()) == 1
