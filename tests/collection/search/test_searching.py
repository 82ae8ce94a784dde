"""The search over a whole collection, from keys to probabilities."""

import shutil

import numpy as np
import pytest

from azulejar.collection.search import searching, shelf
from azulejar.collection.search.likelihood import calibration
from azulejar.collection.search.looking import look_closely
from azulejar.collection.search.searching import is_searched, search
from azulejar.collection.search.shelf import open_shelf
from azulejar.collection.storage.catalogue import Collection
from azulejar.measures.voices import Voices


@pytest.fixture
def museum(painted_museum, tmp_path):
    """A copy that may be searched, and its truth."""
    collection, truth = painted_museum
    shutil.copytree(collection.folder, tmp_path / "museum")
    with Collection.open(tmp_path / "museum") as copy:
        yield copy, truth


class Counting:
    """An engine that counts blocks, and may be stopped after some."""

    def __init__(self, most=1000):
        self.done, self.most = 0, most

    def share(self, array):
        return array

    def map(self, task, blocks, shared=(), on_done=None):
        for number, block in enumerate(blocks):
            if self.done == self.most:
                raise KeyboardInterrupt
            self.done += 1
            yield number, task(tuple(shared), block)


def test_true_neighbours_are_found(museum, in_turn):
    collection, truth = museum
    table = search(collection, in_turn)
    true = truth.neighbours()
    has = np.flatnonzero(true >= 0)
    ranks = []
    for edge in has:
        listed = table.edge == edge
        likely = table.probability[listed]
        own = likely[table.other[listed] == true[edge]]
        ranks.append((likely > own[0]).sum() if len(own) else len(true))
    # The panels share their subject and have painted frames, so that many edges are alike.
    assert np.mean(np.array(ranks) < 1) > 0.5
    assert np.mean(np.array(ranks) < 10) > 0.9


def test_the_table_is_symmetric_and_holds_probabilities(museum, in_turn):
    table = search(museum[0], in_turn)
    there = dict(zip(zip(table.edge, table.other, strict=True), table.probability, strict=True))
    for (a, b), likely in there.items():
        assert there[b, a] == likely
        assert 0 < likely <= 1
        assert a // 4 != b // 4


def test_what_was_searched_is_found_again_until_tiles_are_added(museum, in_turn):
    collection, _ = museum
    assert not is_searched(collection)
    first = search(collection, in_turn)
    assert is_searched(collection)
    again = Counting()
    np.testing.assert_array_equal(search(collection, again).probability, first.probability)
    assert again.done == 0


def test_a_search_that_was_stopped_goes_on(museum, in_turn, monkeypatch):
    collection, _ = museum
    monkeypatch.setattr(searching, "EDGES", 32)
    whole = -(-4 * len(collection) // 32)
    first, second = Counting(most=3), Counting()
    with pytest.raises(KeyboardInterrupt):
        search(collection, first)
    table = search(collection, second)
    assert second.done == whole - 3
    shutil.rmtree(collection.folder / "search")
    fresh = search(collection, in_turn)
    np.testing.assert_array_equal(table.probability, fresh.probability)
    assert not (collection.folder / "search" / "blocks").exists()


@pytest.mark.parametrize("file", ["keys.npy", "outer.npy", "shelf.json"])
def test_a_damaged_index_is_made_again(museum, file):
    collection, _ = museum
    before = open_shelf(collection)
    path = collection.folder / shelf.FOLDER / file
    content = bytearray(path.read_bytes())
    content[len(content) // 2] ^= 0xFF
    del before
    path.write_bytes(bytes(content))
    made, trust = open_shelf(collection)
    shutil.rmtree(collection.folder / "search")
    fresh, fresh_trust = open_shelf(collection)
    for one, other in zip(made, fresh, strict=True):
        np.testing.assert_array_equal(one, other)
    assert trust == fresh_trust


def test_damaged_joints_are_searched_again(museum, in_turn):
    collection, _ = museum
    first = search(collection, in_turn)
    (collection.folder / "search" / "joints.npz").write_bytes(b"PK nothing")
    assert not is_searched(collection)
    np.testing.assert_array_equal(search(collection, in_turn).probability, first.probability)


def test_norms_are_sums_over_all_edges(museum):
    """In a small collection the crowd is everybody, so that nothing is estimated."""
    shelf_, _ = open_shelf(museum[0])
    edges = np.arange(len(shelf_.keys))
    looks = look_closely(tuple(shelf_), edges)
    full = shelf_.descriptions.astype(np.float64) * shelf_.scales[..., None]
    score = full[:, 0] @ full[:, 1].T
    score = score + score.T
    score[edges[:, None] // 4 == edges // 4] = -np.inf
    expected = np.logaddexp.reduce(score, axis=1)
    np.testing.assert_allclose(looks.norm, expected, atol=0.05)


def test_probabilities_resemble_those_of_all_pairs(museum, in_turn):
    """The slow way: both voices on every pair, as the measure dlcm hears them."""
    collection, _ = museum
    table = search(collection, in_turn)
    full = collection.descriptions.astype(np.float32) * collection.scales[..., None]

    def network(rows):
        scores = full[rows, 0] @ full[:, 1].T + full[rows, 1] @ full[:, 0].T
        return scores.astype(np.float64)

    voices = Voices(network, np.asarray(collection.pixels), calibration())
    voices.absent = 0.0
    slow = voices.probability(np.arange(len(full)))[table.edge, table.other]
    assert np.corrcoef(slow, table.probability)[0, 1] > 0.9
