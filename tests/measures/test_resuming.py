"""Scoring that was interrupted goes on where it stopped, with the same scores."""

import weakref

import numpy as np
import pytest

from azulejar.measures import get_measure
from azulejar.measures.learned import LearnedMeasure
from azulejar.measures.resuming import InterruptedRuns, resuming
from azulejar.measures.runtime import Runtime


@pytest.fixture(autouse=True)
def cache(tmp_path, monkeypatch):
    # Trying a model out runs batches too.
    monkeypatch.setattr(LearnedMeasure, "_try_out", lambda self: None)
    monkeypatch.setenv("AZULEJAR_CACHE", str(tmp_path))
    return tmp_path


def count_batches(monkeypatch, stop_at=None):
    """Count the batches that networks run, and interrupt one of them."""
    batches = []
    original = Runtime._function

    def counting(self, graph):
        run = original(self, graph)

        def counted(arrays):
            batches.append(graph)
            if len(batches) == stop_at:
                raise KeyboardInterrupt
            return run(arrays)

        return counted

    monkeypatch.setattr(Runtime, "_function", counting)
    return batches


def test_where_nothing_is_stored_nothing_is_kept():
    """Or a collection of 100,000 tiles would fill the memory while they are added."""
    runs, outputs = InterruptedRuns(None), [np.zeros(3)]
    seen = weakref.ref(outputs[0])
    assert runs.begin(outputs) == [0]
    del outputs
    assert seen() is None


def files_in(folder):
    return [path for path in folder.iterdir() if path.is_file()]


@pytest.mark.parametrize("stop_at", [3, 5, 7])
def test_what_was_scored_is_kept(tiny, tile_set, pixels_of, cache, monkeypatch, stop_at):
    tiles = tile_set(pixels_of(30, 50))

    def score():
        return get_measure("dlcm", model=str(tiny)).score(tiles).scores

    with monkeypatch.context() as patch:
        patch.setenv("AZULEJAR_CACHE", "off")
        batches = count_batches(patch)
        wanted, whole = score(), len(batches)
    with monkeypatch.context() as patch, pytest.raises(KeyboardInterrupt):
        count_batches(patch, stop_at)
        score()
    assert [path.suffixes for path in files_in(cache)] == [[".runs", ".npz"]]
    with monkeypatch.context() as patch:
        batches = count_batches(patch)
        np.testing.assert_array_equal(score(), wanted)
    assert len(batches) <= whole - stop_at + 2  # two were under way
    assert [path.suffixes for path in files_in(cache)] == [[".npz"]]


def test_a_damaged_file_is_not_used(cache):
    (cache / "a.runs.npz").write_bytes(b"damaged")
    with resuming("a") as runs:
        assert runs.begin([np.zeros(3)]) == [0]
    assert not any(cache.iterdir())


def test_runs_with_another_label_are_not_used():
    with pytest.raises(KeyboardInterrupt), resuming("b") as runs:
        runs.begin([np.ones(3)], "tiles a and b")[0] = 2
        raise KeyboardInterrupt
    with pytest.raises(KeyboardInterrupt), resuming("b") as runs:
        assert runs.begin([np.zeros(3)], "tiles a and c") == [0]
        raise KeyboardInterrupt
    with resuming("b") as runs:
        assert runs.begin([np.zeros(3)], "tiles a and b") == [0]


def test_runs_of_other_shapes_are_not_used():
    with pytest.raises(KeyboardInterrupt), resuming("a") as runs:
        runs.begin([np.ones(3)])[0] = 2
        raise KeyboardInterrupt
    with resuming("a") as runs:
        assert runs.begin([np.zeros(4)]) == [0]
    with pytest.raises(KeyboardInterrupt), resuming("a") as runs:
        runs.begin([np.ones(3)])[0] = 2
        raise KeyboardInterrupt
    with resuming("a") as runs:
        output = np.zeros(3)
        assert runs.begin([output]) == [2]
        assert output.tolist() == [1, 1, 0]
