"""The search over a whole collection, from keys to probabilities."""

import json
import shutil
import sys
from unittest.mock import MagicMock

import numpy as np
import pytest

from azulejar.collection.search import edge_table, index, joint_search
from azulejar.collection.search.edge_table import open_edge_table
from azulejar.collection.search.joint_search import find_joints, search_state
from azulejar.collection.search.odds import CALIBRATION
from azulejar.collection.search.query import find_edge
from azulejar.collection.search.rescoring import rescore_edges
from azulejar.collection.storage.catalogue import Collection
from azulejar.errors import AzulejarError
from azulejar.measures.ensemble import Ensemble
from azulejar.system.atomic import new_folder


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
    table = find_joints(collection, in_turn)
    true = truth.neighbours()
    has = np.flatnonzero(true >= 0)
    ranks = []
    for edge in has:
        listed = table.edge == edge
        likely = table.score[listed]
        own = likely[table.other[listed] == true[edge]]
        ranks.append((likely > own[0]).sum() if len(own) else len(true))
    # The panels share their subject and have painted frames, so that many edges are alike.
    assert np.mean(np.array(ranks) < 1) > 0.5
    assert np.mean(np.array(ranks) < 10) > 0.9


def test_the_table_is_symmetric_and_holds_probabilities(museum, in_turn):
    table = find_joints(museum[0], in_turn)
    there = dict(zip(zip(table.edge, table.other, strict=True), table.score, strict=True))
    for (a, b), likely in there.items():
        assert there[b, a] == likely
        assert 0 < likely <= 1
        assert a // 4 != b // 4


def test_what_was_searched_is_found_again_until_tiles_are_added(museum, in_turn):
    collection, _ = museum
    assert search_state(collection) != "done"
    first = find_joints(collection, in_turn)
    assert search_state(collection) == "done"
    again = Counting()
    np.testing.assert_array_equal(find_joints(collection, again).score, first.score)
    assert again.done == 0


def test_a_search_that_was_stopped_goes_on(museum, in_turn, monkeypatch):
    collection, _ = museum
    monkeypatch.setattr(joint_search, "EDGES", 32)
    whole = -(-4 * len(collection) // 32)
    first, second = Counting(most=3), Counting()
    with pytest.raises(KeyboardInterrupt):
        find_joints(collection, first)
    table = find_joints(collection, second)
    assert second.done == whole - 3
    shutil.rmtree(collection.folder / "search")
    fresh = find_joints(collection, in_turn)
    np.testing.assert_array_equal(table.score, fresh.score)
    assert not (collection.folder / "search" / "blocks").exists()


@pytest.mark.parametrize("file", ["keys.npy", "outer.npy", "shelf.json"])
def test_a_damaged_index_is_made_again(museum, file):
    collection, _ = museum
    before = open_edge_table(collection)
    path = collection.folder / edge_table.FOLDER / file
    content = bytearray(path.read_bytes())
    content[len(content) // 2] ^= 0xFF
    del before
    path.write_bytes(bytes(content))
    made, scale = open_edge_table(collection)
    shutil.rmtree(collection.folder / "search")
    fresh, fresh_scale = open_edge_table(collection)
    for one, other in zip(made, fresh, strict=True):
        np.testing.assert_array_equal(one, other)
    assert scale == fresh_scale


class First:
    """A collection as it was when it had fewer tiles."""

    def __init__(self, collection, tiles):
        self.database = collection.database
        self.tiles, self.model, self.pixels = tiles, collection.model, collection.pixels[:tiles]
        self.descriptions = collection.descriptions[: 4 * tiles]
        self.scales = collection.scales[: 4 * tiles]

    def __len__(self):
        return self.tiles


@pytest.mark.parametrize("exact", [10_000, 10], ids=["exact", "lists"])
def test_few_new_tiles_are_added_to_the_table_until_all_are_searched(museum, monkeypatch, exact):
    collection, _ = museum
    monkeypatch.setattr(edge_table, "EXTENDED_FROM", 30)
    monkeypatch.setattr(index, "PROBED", 1.0)
    for module in (edge_table, index):
        monkeypatch.setattr(module, "LARGEST_EXACT", exact)
    folder = collection.folder / edge_table.FOLDER
    with new_folder(folder, edge_table.MARK) as temporary:
        edge_table._make(First(collection, 44), temporary)
    before = np.load(folder / "keys.npy")
    # Tile 3 had another picture then.
    monkeypatch.setattr(edge_table, "replaced_pictures", lambda collection: {3: "new"})
    extended, scale = open_edge_table(collection, extended=True)
    assert (len(before), len(extended.keys), len(extended.outer)) == (176, 200, 200)
    np.testing.assert_allclose(extended.keys[:176], before, atol=1e-4)
    np.testing.assert_array_equal(extended.keys[16:176], before[16:])
    opened = find_edge(collection, 47, 1, count=3, opened=(extended, scale))
    keys = folder.joinpath("keys.npy").stat().st_mtime_ns
    open_edge_table(collection, extended=True)  # as it is
    assert folder.joinpath("keys.npy").stat().st_mtime_ns == keys
    fresh, scale = open_edge_table(collection)
    assert (extended.keys[:176] != fresh.keys[:176]).any()  # made anew
    anew = find_edge(collection, 47, 1, count=3, opened=(fresh, scale))
    assert opened[0].entry == anew[0].entry
    assert opened[0].probability == pytest.approx(anew[0].probability, abs=0.1)


def test_an_altered_scale_is_noticed(museum):
    collection, _ = museum
    _, scale = open_edge_table(collection)
    path = collection.folder / edge_table.FOLDER / edge_table.MARK
    note = json.loads(path.read_text(encoding="utf-8"))
    name = next(iter(note["trust"]))
    note["trust"][name] += 1
    path.write_text(json.dumps(note), encoding="utf-8")
    assert open_edge_table(collection)[1] == scale


def test_damaged_joints_are_searched_again(museum, in_turn):
    collection, _ = museum
    first = find_joints(collection, in_turn)
    (collection.folder / "search" / "joints.npz").write_bytes(b"PK nothing")
    assert search_state(collection) != "done"
    np.testing.assert_array_equal(find_joints(collection, in_turn).score, first.score)


def test_norms_are_sums_over_all_edges(museum):
    """In a small collection the sample is all edges, so that nothing is estimated."""
    table, _ = open_edge_table(museum[0])
    edges = np.arange(len(table.keys))
    found = rescore_edges(tuple(table), edges)
    full = table.descriptions.astype(np.float64) * table.scales[..., None]
    score = full[:, 0] @ full[:, 1].T
    score = score + score.T
    score[edges[:, None] // 4 == edges // 4] = -np.inf
    expected = np.logaddexp.reduce(score, axis=1)
    np.testing.assert_allclose(found.norm, expected, atol=0.05)


def test_probabilities_resemble_those_of_all_pairs(museum, in_turn):
    """The slow way: network and MGC on every pair, as in the measure dlcm."""
    collection, _ = museum
    table = find_joints(collection, in_turn)
    full = collection.descriptions.astype(np.float32) * collection.scales[..., None]

    def network(rows):
        scores = full[rows, 0] @ full[:, 1].T + full[rows, 1] @ full[:, 0].T
        return scores.astype(np.float64)

    ensemble = Ensemble(network, np.asarray(collection.pixels), CALIBRATION)
    ensemble.absent = 0.0
    slow = ensemble.probability(np.arange(len(full)))[table.edge, table.other]
    assert np.corrcoef(slow, table.score)[0, 1] > 0.9


@pytest.mark.parametrize("search", [find_joints, find_edge])
def test_without_faiss_nothing_is_begun(monkeypatch, tmp_path, search):
    monkeypatch.setitem(sys.modules, "faiss", None)
    monkeypatch.setattr(joint_search, "_load", lambda path, key: None)
    monkeypatch.setattr(joint_search, "search_key", lambda collection: "key")
    monkeypatch.setattr(edge_table, "check_integrity", lambda collection: pytest.fail("too late"))
    with pytest.raises(AzulejarError, match="needs faiss"):
        search(MagicMock(folder=tmp_path, __len__=lambda museum: 10), 0)
