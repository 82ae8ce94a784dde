"""Scores that a user brings along."""

import numpy as np
import pytest

from azulejar.core.compatibility import Compatibility
from azulejar.core.tiles import TileSet
from azulejar.errors import AzulejarError
from azulejar.measures.scores_file import load_scores


@pytest.fixture
def tiles():
    return TileSet(np.zeros((3, 8, 8, 3), np.uint8), ("a.png", "b.png", "c.png"))


def saved(folder, scores, files):
    Compatibility(scores.astype(np.float32), files, "own").save(folder / "own.npz")
    return folder / "own.npz"


def test_scores_from_0_to_1_are_taken_as_they_are(tmp_path, tiles):
    scores = np.random.default_rng(0).random((12, 12)).astype(np.float32)
    notes = []
    found = load_scores(saved(tmp_path, scores, tiles.files), tiles, on_note=notes.append)
    np.testing.assert_array_equal(found.scores, scores)
    assert found.measure == "own"
    assert notes == []


def test_scores_in_another_order_are_put_in_the_order_of_the_tiles(tmp_path, tiles):
    scores = np.random.default_rng(0).random((12, 12)).astype(np.float32)
    found = load_scores(saved(tmp_path, scores, ("c.png", "a.png", "b.png")), tiles)
    assert found.files == tiles.files
    edges = [*range(4, 12), *range(4)]
    np.testing.assert_array_equal(found.scores, scores[np.ix_(edges, edges)])


def test_other_scales_are_brought_to_0_to_1_edge_by_edge_with_a_note(tmp_path, tiles):
    scores = np.random.default_rng(0).normal(0, 50, (12, 12))
    notes = []
    found = load_scores(saved(tmp_path, scores, tiles.files), tiles, on_note=notes.append)
    assert found.scores.min(axis=1).tolist() == [0] * 12
    assert found.scores.max(axis=1).tolist() == [1] * 12
    order = np.argsort(scores.astype(np.float32), axis=1)
    np.testing.assert_array_equal(np.argsort(found.scores, axis=1), order)
    assert notes == ["scores are not from 0 to 1; min-max was applied per edge."]


@pytest.mark.parametrize(
    "files, other",
    [
        (("a.png", "b.png"), "c.png"),
        (("a.png", "b.png", "d.png"), "c.png"),
        (("a.png", "b.png", "c.png", "c.png"), "a.png"),
    ],
)
def test_scores_of_other_tiles_are_refused(tmp_path, tiles, files, other):
    path = saved(tmp_path, np.zeros((4 * len(files),) * 2), files)
    with pytest.raises(AzulejarError, match=f"{other} is only in one of the two"):
        load_scores(path, tiles)
