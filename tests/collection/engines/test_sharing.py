"""Arrays in files: those that lie in one stay there, at the right place."""

import tempfile

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from azulejar.collection.engines.sharing import Shelf, mapped_already
from azulejar.errors import AzulejarError


@pytest.fixture
def stored(tmp_path):
    """6 × 4 numbers in a file, after 16 bytes of something else."""
    array = np.memmap(tmp_path / "a.bin", np.int16, "w+", 16, (6, 4))
    array[:] = np.arange(24).reshape(6, 4)
    return array


@pytest.mark.parametrize(
    "part",
    [
        lambda a: a,
        lambda a: a[2:5],
        lambda a: a[3],
        lambda a: a[1:][2:4],
        lambda a: np.asarray(a)[4:],
        lambda a: a.reshape(3, 8)[1:],
        lambda a: a.view(np.uint8)[1:3],
    ],
)
def test_parts_of_a_file_are_found_in_it(stored, part):
    mapped = mapped_already(part(stored))
    assert mapped.path.name == "a.bin"
    assert np.array_equal(mapped.open(), part(stored))
    assert mapped.open().dtype == part(stored).dtype
    assert not mapped.open().flags.writeable


def test_what_is_read_is_the_file_as_it_is_now(stored):
    mapped = mapped_already(stored[2:])
    stored[2, 0] = -7
    assert mapped.open()[0, 0] == -7


@pytest.mark.parametrize(
    "part",
    [lambda a: a[::2], lambda a: a.T, lambda a: a[:, 1:], lambda a: a + 1, lambda a: a[[0, 5]]],
)
def test_what_lies_in_no_file_without_gaps_is_written_to_one(stored, part):
    assert mapped_already(part(stored)) is None
    shelf = Shelf()
    mapped = shelf.lay(part(stored))
    assert np.array_equal(mapped.open(), part(stored))
    shelf.clear()
    assert not mapped.path.exists()


def test_private_changes_are_not_lost(stored):
    stored.flush()
    private = np.memmap(stored.filename, np.int16, "c", 16, (6, 4))
    private[0, 0] = 99
    shelf = Shelf()
    assert shelf.lay(private).open()[0, 0] == 99
    shelf.clear()


@given(
    shape=st.lists(st.integers(0, 4), min_size=1, max_size=3).map(tuple),
    kind=st.sampled_from(["u1", "i1", "f4", "f8", "?"]),
)
def test_any_array_comes_back_as_it_was(shape, kind):
    array = (np.random.default_rng(0).random(shape) * 100).astype(kind)
    shelf = Shelf()
    back = shelf.lay(array).open()
    assert (back.shape, back.dtype) == (array.shape, array.dtype)
    assert np.array_equal(back, array)
    shelf.clear()


def test_a_full_disk_is_told(monkeypatch, tmp_path):
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "none"))
    with pytest.raises(AzulejarError, match=r"Could not lay 8 MB into .* set TMPDIR"):
        Shelf().lay(np.zeros(1_000_000))
