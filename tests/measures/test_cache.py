"""Scores and features are cached by content, and a cache that fails does no harm."""

import os
import shutil

import numpy as np
import pytest

from azulejar.core.compatibility import Compatibility
from azulejar.core.tiles import TileSet
from azulejar.measures import cache, get_measure
from azulejar.measures.learned import LearnedMeasure
from azulejar.measures.runtime import Runtime


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """Where scores are kept; it is not there yet."""
    path = tmp_path / "kept" / "scores"
    monkeypatch.setenv("AZULEJAR_CACHE", str(path))
    return path


@pytest.fixture
def calls(monkeypatch):
    """The graphs that were run, apart from trying a model out."""
    made, run = [], Runtime.run
    monkeypatch.setattr(LearnedMeasure, "_try_out", lambda self: None)
    monkeypatch.setattr(
        Runtime, "run", lambda self, graph, *a, **k: (made.append(graph), run(self, graph, *a, **k))
    )
    return made


@pytest.fixture
def encoded(monkeypatch):
    """The numbers of edges that the encoder was run on, apart from trying a model out."""
    made, run = [], Runtime.run
    monkeypatch.setattr(LearnedMeasure, "_try_out", lambda self: None)

    def counted(self, graph, items, *rest):
        made.extend([items] if graph == "encoder" else [])
        run(self, graph, items, *rest)

    monkeypatch.setattr(Runtime, "run", counted)
    return made


@pytest.fixture
def tiles(tile_set, painted):
    return tile_set(painted(3))


def twin(model, **settings):
    return get_measure("twin", device="cpu", model=str(model), **settings)


def files_in(folder):
    return sorted(path.name for path in folder.iterdir() if path.is_file())


def random_scores(edges=8, seed=0):
    scores = np.random.default_rng(seed).random((edges, edges)).astype(np.float32)
    return Compatibility(scores, tuple(f"{i}.png" for i in range(edges // 4)), "test")


def test_the_second_time_nothing_is_run(folder, calls, tiny, tiles):
    first = twin(tiny).score(tiles)
    assert calls == ["encoder"]
    told = []
    second = twin(tiny).score(tiles, on_progress=told.append)
    assert calls == ["encoder"]
    assert told == [1.0]
    np.testing.assert_array_equal(first.scores, second.scores)
    assert (second.files, second.measure) == (first.files, "twin")
    assert len(files_in(folder)) == 1


def test_a_top_k_compatibility_is_kept_too(folder, calls, tiny, tiles, monkeypatch):
    monkeypatch.setattr("azulejar.measures.measure.LARGEST_DENSE", 4)
    monkeypatch.setattr("azulejar.measures.measure.TOP", 5)
    first, second = twin(tiny).score(tiles), twin(tiny).score(tiles)
    assert calls == ["encoder"]
    np.testing.assert_array_equal(first.index, second.index)
    np.testing.assert_array_equal(first.scores, second.scores)


def changed_pixel(tiles):
    pixels = tiles.pixels.copy()
    pixels[2, 7, 9, 1] ^= 1
    return TileSet(pixels, tiles.files)


@pytest.mark.parametrize(
    "other",
    [
        changed_pixel,
        lambda tiles: TileSet(tiles.pixels, ("other.png", *tiles.files[1:])),
        lambda tiles: TileSet(tiles.pixels[::-1], tiles.files[::-1]),
        lambda tiles: TileSet(tiles.pixels[:2], tiles.files[:2]),
    ],
    ids=["pixel", "name", "order", "fewer"],
)
def test_other_tiles_have_another_key(tiles, other):
    assert cache.key(tiles, "x") == cache.key(TileSet(tiles.pixels.copy(), tiles.files), "x")
    assert cache.key(tiles, "x") != cache.key(other(tiles), "x")


def test_other_settings_are_scored_anew(folder, calls, tiny, tiles):
    scores = [
        twin(tiny).score(tiles),
        twin(tiny).score(tiles, upright=True),
        twin(tiny).score(tiles, post=("softmax",)),
        twin(tiny).score(tiles, post=()),
    ]
    # Steps are quick and taken anew: the third and the fourth start from what the first left.
    assert calls == ["encoder"] * 2
    assert len(files_in(folder)) == 2
    twin(tiny).score(tiles, post=["softmax"])
    assert len(calls) == 2
    assert len({each.scores.tobytes() for each in scores}) == 4


def test_another_version_of_a_measure_is_scored_anew(folder, calls, tiny, tiles, monkeypatch):
    twin(tiny).score(tiles)
    monkeypatch.setattr("azulejar.measures.twin.Twin.version", 99)
    twin(tiny).score(tiles)
    assert len(calls) == 2


def test_another_model_is_scored_anew_and_a_copy_is_not(folder, calls, tiny, tiles, tmp_path):
    twin(tiny).score(tiles)
    twin(shutil.copytree(tiny, tmp_path / "copy")).score(tiles)
    assert len(calls) == 1
    measure = twin(tiny)
    measure.model.card["files"]["model.safetensors"] = "of another model"
    measure.score(tiles)
    assert len(calls) == 2


@pytest.mark.parametrize("damage", ["cut", "empty", "nonsense"])
def test_a_damaged_file_is_passed_over_and_written_anew(folder, calls, tiny, tiles, damage):
    expected = twin(tiny).score(tiles).scores
    (path,) = folder.glob("*.npz")
    whole = path.read_bytes()
    path.write_bytes({"cut": whole[: len(whole) // 2], "empty": b"", "nonsense": b"x" * 99}[damage])
    np.testing.assert_array_equal(twin(tiny).score(tiles).scores, expected)
    assert len(calls) == 2
    twin(tiny).score(tiles)
    assert len(calls) == 2
    assert files_in(folder) == [path.name]


def test_off(folder, calls, tiny, tiles, monkeypatch, tmp_path):
    monkeypatch.setenv("AZULEJAR_CACHE", "off")
    monkeypatch.chdir(tmp_path)
    assert cache.cache_folder() is None
    twin(tiny).score(tiles)
    twin(tiny).score(tiles)
    assert len(calls) == 2
    assert not any(tmp_path.iterdir())


@pytest.mark.parametrize("unset", [True, False])
def test_by_default_the_user_s_cache_folder_is_used(monkeypatch, tmp_path, unset):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.setenv("AZULEJAR_CACHE", "")
    if unset:
        monkeypatch.delenv("AZULEJAR_CACHE")
    found = cache.cache_folder()
    assert found.name == "scores"
    assert "azulejar" in found.parts


def test_what_was_used_longest_ago_goes_when_there_is_no_room(folder, monkeypatch):
    for age, name in enumerate("abcd"):
        cache.store(name, random_scores(40, age))
        os.utime(folder / f"{name}.npz", (1000 + age, 1000 + age))
    (folder / "mine.txt").write_text("no scores")
    size = (folder / "a.npz").stat().st_size
    assert cache.look_up("a") is not None  # which makes it the newest
    monkeypatch.setattr(cache, "LIMIT", 4 * size)
    cache.store("e", random_scores(40, 9))
    assert files_in(folder) == ["a.npz", "c.npz", "d.npz", "e.npz", "mine.txt"]


def test_scores_that_would_fill_the_cache_are_not_kept(folder, monkeypatch):
    scores = random_scores(40)
    monkeypatch.setattr(cache, "LIMIT", 4 * scores.scores.nbytes - 4)
    cache.store("big", scores)
    assert not folder.exists()
    monkeypatch.setattr(cache, "LIMIT", 4 * scores.scores.nbytes)
    cache.store("big", scores)
    assert files_in(folder) == ["big.npz"]


@pytest.mark.parametrize("where", ["file/scores", "x" * 300, "/proc/azulejar"])
def test_a_folder_that_cannot_be_is_no_error(tmp_path, monkeypatch, calls, tiny, tiles, where):
    (tmp_path / "file").write_text("in the way")
    monkeypatch.setenv("AZULEJAR_CACHE", str(tmp_path / where))
    first, second = twin(tiny).score(tiles), twin(tiny).score(tiles)
    np.testing.assert_array_equal(first.scores, second.scores)
    assert len(calls) == 2
    assert [path.name for path in tmp_path.iterdir()] == ["file"]


def test_a_folder_that_can_only_be_read_is_read(folder, calls, tiny, tiles, monkeypatch):
    twin(tiny).score(tiles)

    def forbidden(path, *arguments, **options):
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(cache.Path, "touch", forbidden)
    twin(tiny).score(tiles)
    assert len(calls) == 1


def test_a_full_disk_is_no_error(folder, tiny, tiles, monkeypatch):
    def full(file, **arrays):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(np, "savez", full)
    assert len(twin(tiny).score(tiles)) == 3
    assert files_in(folder) == []


class TestFeaturesOfSingleTiles:
    """Sets of tiles that share some: the encoder looks at each tile once."""

    @staticmethod
    def score(model, tiles):
        return get_measure("dlcm", device="cpu", model=str(model)).score(tiles).scores

    def score_anew(self, model, tiles):
        with pytest.MonkeyPatch.context() as patch:
            patch.setenv("AZULEJAR_CACHE", "off")
            return self.score(model, tiles)

    def test_only_new_tiles_are_encoded_and_no_bit_of_a_score_changes(
        self, folder, encoded, tiny, tile_set, painted
    ):
        more = tile_set(painted(11)[::-1])
        wanted = self.score_anew(tiny, more)
        self.score(tiny, tile_set(painted(9)))
        encoded.clear()
        np.testing.assert_array_equal(self.score(tiny, more), wanted)
        assert encoded == [8, 8]  # two tiles, and the same mirrored

    def test_of_another_model(self, folder, encoded, tiny, tile_set, painted):
        self.score(tiny, tile_set(painted(3)))
        measure = get_measure("dlcm", device="cpu", model=str(tiny))
        measure.model.card["files"]["model.safetensors"] = "of another model"
        encoded.clear()
        measure.score(tile_set(painted(2)))
        assert encoded == [8, 8]

    @pytest.mark.parametrize("damage", [b"", b"x" * 99, "other features"])
    def test_damaged_files_are_passed_over_and_written_anew(
        self, folder, encoded, tiny, tile_set, painted, damage
    ):
        self.score(tiny, tile_set(painted(3)))
        for path in (folder / cache.TILES).iterdir():
            if isinstance(damage, bytes):
                path.write_bytes(damage)
            else:
                np.savez(path, features=np.zeros((4, 2, 25), np.float32))
        encoded.clear()
        fewer = tile_set(painted(2))
        np.testing.assert_array_equal(self.score(tiny, fewer), self.score_anew(tiny, fewer))
        assert encoded[:2] == [8, 8]
        encoded.clear()
        self.score(tiny, tile_set(painted(2)[::-1]))
        assert encoded == [0, 0]

    def test_of_too_many_tiles_are_not_kept(
        self, folder, encoded, tiny, tile_set, painted, monkeypatch
    ):
        monkeypatch.setattr(cache, "LIMIT", 1 << 18)
        self.score(tiny, tile_set(painted(12)))
        assert not (folder / cache.TILES).exists()

    def test_those_used_longest_ago_go_when_there_is_no_room(self, folder, monkeypatch):
        features = np.zeros((4, 8, 25), np.float32)
        for age, name in enumerate("abc"):
            cache.store_features({name: features})
            os.utime(folder / cache.TILES / f"{name}.npz", (1000 + age, 1000 + age))
        size = (folder / cache.TILES / "a.npz").stat().st_size
        assert cache.look_up_features("a") is not None  # which makes it the newest
        monkeypatch.setattr(cache, "LIMIT", 3 * size)
        cache.store("scores", random_scores(8))
        assert files_in(folder / cache.TILES) == ["a.npz", "c.npz"]

    def test_on_a_gpu_nothing_is_kept(self, folder, encoded, tiny, tile_set, painted):
        measure = get_measure("twin", device="cpu", model=str(tiny))
        measure.runtime._function("encoder")
        measure.runtime.device = "cuda"
        measure.score(tile_set(painted(3)))
        assert not (folder / cache.TILES).exists()
