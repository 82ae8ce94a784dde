"""Arrays of .npz files, checked before they are read."""

import contextlib
import zipfile

import numpy as np
import pytest

from azulejar.system.array_file import open_arrays


def test_what_numpy_wrote_is_read(tmp_path):
    arrays = {"a": np.arange(6).reshape(2, 3), "b": np.array("text"), "c": np.empty((0, 4), "f4")}
    np.savez(tmp_path / "plain.npz", **arrays)
    np.savez_compressed(tmp_path / "packed.npz", **arrays)
    for name in ("plain", "packed"):
        with open_arrays(tmp_path / f"{name}.npz") as found:
            assert list(found) == ["a", "b", "c"]
            assert "d" not in found
            assert found.layout("a") == ((2, 3), arrays["a"].dtype)
            for each, array in arrays.items():
                np.testing.assert_array_equal(found.read(each, 1000), array)
            with pytest.raises(ValueError, match="'a' is said to have 48 bytes"):
                found.read("a", 47)
            with pytest.raises(ValueError, match="it has no 'd'"):
                found.read("d")


def test_an_array_of_ours_is_as_large_as_in_the_file(tmp_path, npz_bomb):
    np.savez(tmp_path / "plain.npz", a=np.arange(6))
    with open_arrays(tmp_path / "plain.npz") as found:
        assert found.read("a").sum() == 15
    npz_bomb.write(tmp_path / "bomb.npz", a=npz_bomb.zeros)
    with (
        open_arrays(tmp_path / "bomb.npz") as found,
        npz_bomb.little_memory(),
        pytest.raises(ValueError, match="is said to have"),
    ):
        found.read("a")


def test_a_long_header_is_not_read(tmp_path, npz_bomb):
    npz_bomb.write(tmp_path / "long.npz", a=npz_bomb.said((1,), length=2**31))
    with (
        open_arrays(tmp_path / "long.npz") as found,
        npz_bomb.little_memory(),
        pytest.raises(ValueError, match="EOF"),
    ):
        found.layout("a")


def test_other_ways_of_packing_are_refused(tmp_path):
    with zipfile.ZipFile(tmp_path / "a.npz", "w", zipfile.ZIP_LZMA) as archive:
        archive.writestr("a.npy", b"x" * 500)
    with open_arrays(tmp_path / "a.npz") as found, pytest.raises(ValueError, match="unknown way"):
        found.read("a")


def test_damage_raises_errors_of_two_classes(tmp_path):
    """One byte changed anywhere, or the end cut off."""
    np.savez_compressed(tmp_path / "whole.npz", a=np.arange(50), b=np.array("text"))
    whole = (tmp_path / "whole.npz").read_bytes()
    rng = np.random.default_rng(0)
    path = tmp_path / "damaged.npz"
    for turn in range(300):
        damaged = bytearray(whole)
        damaged[rng.integers(len(whole))] = rng.integers(256)
        path.write_bytes(damaged[: rng.integers(len(whole))] if turn % 3 == 0 else damaged)
        with contextlib.suppress(ValueError, OSError), open_arrays(path) as found:
            for name in found:
                found.read(name, 1000)
