"""Scores of edge pairs, dense and top-k, and their file."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from azulejar.core import compatibility as module
from azulejar.core.compatibility import FORMAT, Compatibility
from azulejar.errors import AzulejarError


def names(n):
    return tuple(f"{i}.png" for i in range(n))


def dense(n, seed=0):
    scores = np.random.default_rng(seed).random((4 * n, 4 * n)).astype(np.float32)
    return Compatibility(scores, names(n), "test")


def top(n, k, seed=0):
    """The k best of a dense compatibility's rows, edges of the same tile included."""
    scores = dense(n, seed).scores
    index = np.argsort(-scores, axis=1)[:, :k].astype(np.int32)
    return Compatibility(np.take_along_axis(scores, index, 1), names(n), "test", index)


def slow_best(scores, edge, k, upright, listed=None):
    """Partners of one edge by sorting them all: (edge, score), best first."""
    found = []
    for other in range(len(scores)) if listed is None else listed:
        if other // 4 == edge // 4 or (upright and (edge % 4 + 2) % 4 != other % 4):
            continue
        found.append((other, scores[edge, other]))
    found.sort(key=lambda one: -one[1])
    return (found + [(-1, 0)] * k)[:k]


some = {"n": st.integers(1, 5), "seed": st.integers(0, 99), "upright": st.booleans()}


@given(**some, data=st.data())
def test_best_equals_sorting_every_row(n, seed, upright, data):
    k = data.draw(st.integers(1, 4 * n))
    compatibility = dense(n, seed)
    partner, value = compatibility.best(k, upright)
    assert partner.shape == value.shape == (4 * n, k)
    for edge in range(4 * n):
        expected = slow_best(compatibility.scores, edge, k, upright)
        assert list(zip(partner[edge].tolist(), value[edge], strict=True)) == expected


@given(**some, data=st.data())
def test_best_of_top_k_knows_only_what_is_listed(n, seed, upright, data):
    kept = data.draw(st.integers(1, 4 * n))
    compatibility = top(n, kept, seed)
    k = data.draw(st.integers(1, kept))
    partner, value = compatibility.best(k, upright)
    for edge in range(4 * n):
        listed = compatibility.index[edge]
        expected = slow_best(dense(n, seed).scores, edge, k, upright, listed.tolist())
        assert list(zip(partner[edge].tolist(), value[edge], strict=True)) == expected


def test_best_pads_where_there_are_fewer_scores():
    for compatibility in (dense(2), top(3, 5)):
        partner, value = compatibility.best(99)
        width = compatibility.scores.shape[1]
        assert partner.shape == value.shape == (len(compatibility.scores), 99)
        assert (partner[:, width:] == -1).all()
        assert (value[:, width:] == 0).all()
        assert (partner[:, 0] >= 0).all()


def test_blocks_give_the_same_as_one_block(monkeypatch):
    whole, listed = dense(5), top(5, 7)
    pairs = np.random.default_rng(1).integers(0, 20, (2, 300))
    before = [whole.best(6), listed.best(6, upright=True), listed.pairs(*pairs)]
    monkeypatch.setattr(module, "BLOCK", 45)
    after = [whole.best(6), listed.best(6, upright=True), listed.pairs(*pairs)]
    for one, other in zip(before, after, strict=True):
        np.testing.assert_array_equal(one, other)


@given(n=st.integers(1, 4), seed=st.integers(0, 99), data=st.data())
def test_pairs_that_top_k_lacks_count_as_the_row_s_minimum(n, seed, data):
    kept = data.draw(st.integers(1, 4 * n))
    scores, compatibility = dense(n, seed).scores, top(n, kept, seed)
    a, b = np.indices((4 * n, 4 * n))
    found = compatibility.pairs(a, b)
    assert found.shape == (4 * n, 4 * n)
    for edge in range(4 * n):
        listed = set(compatibility.index[edge].tolist())
        low = min(scores[edge, other] for other in listed)
        for other in range(4 * n):
            assert found[edge, other] == (scores[edge, other] if other in listed else low)
    np.testing.assert_array_equal(compatibility.dense(), found)


def test_pairs_of_dense_scores_are_looked_up_with_the_anchor_first():
    compatibility = dense(3)
    assert compatibility.pairs([1, 4], [6, 0]).tolist() == [
        compatibility.scores[1, 6],
        compatibility.scores[4, 0],
    ]
    assert compatibility.pairs(2, np.arange(12)).tolist() == compatibility.scores[2].tolist()
    assert compatibility.dense() is compatibility.scores


@given(st.permutations(range(4)), st.booleans())
def test_ordered_moves_tiles_and_keeps_their_scores(order, listed):
    compatibility = top(4, 6) if listed else dense(4)
    files = tuple(compatibility.files[i] for i in order)
    moved = compatibility.ordered(files)
    assert moved.files == files
    for a in range(16):
        for b in range(16):
            before = compatibility.pairs(4 * order[a // 4] + a % 4, 4 * order[b // 4] + b % 4)
            assert moved.pairs(a, b) == before
    assert moved.ordered(compatibility.files).pairs(3, 9) == compatibility.pairs(3, 9)


def test_ordered_as_it_is_gives_itself():
    compatibility = dense(3)
    assert compatibility.ordered(names(3)) is compatibility


@pytest.mark.parametrize("compatibility", [dense(3), top(3, 5)], ids=["dense", "top-k"])
def test_saved_scores_come_back(tmp_path, compatibility):
    path = tmp_path / "new folder" / "scores.npz"
    compatibility.save(path)
    loaded = Compatibility.load(path)
    assert (loaded.files, loaded.measure) == (compatibility.files, "test")
    np.testing.assert_array_equal(loaded.scores, compatibility.scores)
    assert (loaded.index is None) == (compatibility.index is None)
    if compatibility.index is not None:
        np.testing.assert_array_equal(loaded.index, compatibility.index)
        assert loaded.index.dtype == np.int32


def test_the_file_is_as_the_contract_has_it(tmp_path):
    dense(2).save(tmp_path / "dense.npz")
    top(2, 3).save(tmp_path / "top.npz")
    with np.load(tmp_path / "dense.npz", allow_pickle=False) as data:
        assert set(data.files) == {"scores", "files", "measure", "format"}
        assert (data["scores"].dtype, data["scores"].shape) == (np.float32, (8, 8))
        assert data["files"].tolist() == ["0.png", "1.png"]
        assert (str(data["measure"]), str(data["format"])) == ("test", FORMAT)
    with np.load(tmp_path / "top.npz", allow_pickle=False) as data:
        assert set(data.files) == {"index", "value", "files", "measure", "format"}
        assert data["index"].shape == data["value"].shape == (8, 3)


def test_a_researcher_s_own_scores_need_only_files_and_scores(tmp_path):
    path = tmp_path / "own.npz"
    scores = np.random.default_rng(0).random((8, 8))
    np.savez(path, scores=scores, files=["a.png", "b.png"])
    loaded = Compatibility.load(path)
    assert loaded.measure == "unknown"
    assert loaded.scores.dtype == np.float32
    np.testing.assert_allclose(loaded.scores, scores, rtol=1e-6)


EDGES = {"files": ["a", "b"], "value": np.zeros((8, 2))}
BAD = {
    "nothing": ({}, "lacks 'files'"),
    "no scores": ({"files": ["a", "b"]}, "lacks 'files' and 'scores'"),
    "no files": ({"scores": np.zeros((8, 8))}, "lacks 'files'"),
    "too small": ({"files": ["a", "b"], "scores": np.zeros((4, 4))}, "2 files need"),
    "not a number": ({"files": ["a"], "scores": np.full((4, 4), np.nan)}, "not finite"),
    "complex": ({"files": ["a"], "scores": np.full((4, 4), 1 + 1j)}, "not finite real"),
    "durations": ({"files": ["a"], "scores": np.ones((4, 4), "m8[s]")}, "not finite real"),
    "beyond float32": ({"files": ["a"], "scores": np.full((4, 4), 1e300)}, "not finite real"),
    "infinite": ({"files": ["a"], "scores": np.full((4, 4), np.inf)}, "not finite"),
    "index too high": (EDGES | {"index": np.full((8, 2), 8)}, "edge numbers from 0 to 7"),
    "index too low": (EDGES | {"index": np.full((8, 2), -1)}, "edge numbers from 0 to 7"),
    "index not whole": (EDGES | {"index": np.zeros((8, 2))}, "edge numbers from 0 to 7"),
    "index too wide": (EDGES | {"index": np.zeros((8, 3), int)}, "of shape"),
    "index too short": (EDGES | {"index": np.zeros((7, 2), int)}, "edge numbers from 0 to 7"),
    "value alone": (EDGES, "lacks 'files' and 'scores'"),
}


@pytest.mark.parametrize("case", BAD)
def test_bad_scores_are_refused_with_a_reason(tmp_path, case):
    data, reason = BAD[case]
    path = tmp_path / "bad.npz"
    np.savez(path, **data)
    with pytest.raises(AzulejarError, match=reason) as refused:
        Compatibility.load(path)
    assert str(path) in refused.value.problem
    assert refused.value.remedy


def test_a_file_that_is_not_there(tmp_path):
    with pytest.raises(AzulejarError, match="There is no file"):
        Compatibility.load(tmp_path / "none.npz")


@pytest.mark.parametrize("content", [b"", b"a,b,c\n1,2,3\n", b"PK\x03\x04 torn"])
def test_a_file_of_another_kind(tmp_path, content):
    path = tmp_path / "scores.npz"
    path.write_bytes(content)
    with pytest.raises(AzulejarError, match=r"not a readable \.npz"):
        Compatibility.load(path)


def test_a_newer_format_is_not_taken_for_this_one(tmp_path):
    path = tmp_path / "scores.npz"
    np.savez(path, files=np.array(["a"]), scores=np.zeros((4, 4)), format="azulejar-scores/9")
    with pytest.raises(AzulejarError, match="its format is 'azulejar-scores/9'"):
        Compatibility.load(path)


def test_pickled_objects_are_not_loaded(tmp_path):
    path = tmp_path / "scores.npz"
    np.savez(path, files=np.array(["a"], object), scores=np.zeros((4, 4)))
    with pytest.raises(AzulejarError, match="not a readable"):
        Compatibility.load(path)


def test_a_small_file_that_says_it_is_huge_is_refused_without_its_memory(tmp_path, npz_bomb):
    """However it is refused; the shapes are looked at before anything is read."""
    names = np.array(["a", "b"])
    for number, arrays in enumerate(
        (
            {"files": names, "scores": npz_bomb.zeros},
            {"files": npz_bomb.zeros, "scores": np.zeros((8, 8))},
            {"files": names, "scores": npz_bomb.said((10**6, 10**6))},
            {"files": names, "scores": npz_bomb.said((8, 8), "<f16", length=2**31)},
            {"files": npz_bomb.said((10**12,), "<U9"), "scores": np.zeros((8, 8))},
            {"files": names, "index": npz_bomb.said((8, 10**9)), "value": np.zeros((8, 2))},
            {"files": names, "scores": np.zeros((8, 8)), "measure": npz_bomb.said((), "<U999999")},
        )
    ):
        path = npz_bomb.write(tmp_path / f"{number}.npz", **arrays)
        with npz_bomb.little_memory(), pytest.raises(AzulejarError, match=r"\.npz "):
            Compatibility.load(path)


def test_scores_of_many_other_tiles_are_refused_before_they_are_read(tmp_path, npz_bomb):
    names = np.array([f"{i}.png" for i in range(1500)])
    path = npz_bomb.write(tmp_path / "a.npz", files=names, scores=npz_bomb.said((6000, 6000)))
    with npz_bomb.little_memory(), pytest.raises(AzulejarError, match="only in one of the two"):
        Compatibility.load(path, ["1.png", "2.png"])


def test_packed_scores_are_read(tmp_path):
    np.savez_compressed(tmp_path / "packed.npz", files=["a", "b"], scores=np.eye(8))
    np.testing.assert_array_equal(Compatibility.load(tmp_path / "packed.npz").scores, np.eye(8))


def test_some_of_the_tiles_keep_their_scores(noise_scores):
    scores = noise_scores(6)
    taken = scores.take([4, 1])
    assert taken.files == ("4.png", "1.png")
    edges = [16, 17, 18, 19, 4, 5, 6, 7]
    np.testing.assert_array_equal(taken.scores, scores.scores[np.ix_(edges, edges)])


def test_some_of_the_tiles_of_top_k_scores_rank_as_dense_ones_do(noise_scores):
    scores = noise_scores(6)
    index, value = scores.best(24)
    kept = index >= 0
    top = Compatibility(value[:, :20], scores.files, "test", index[:, :20])
    assert kept[:, :20].all()
    taken, dense = top.take([5, 0, 3]), scores.take([5, 0, 3])
    assert (np.diff(taken.scores, axis=1) <= 0).all()
    for one, other in zip(taken.best(8), dense.best(8), strict=True):
        np.testing.assert_array_equal(one, other)


def test_a_part_replaces_the_scores_among_its_tiles():
    whole = dense(4)
    part = Compatibility(dense(3, seed=1).scores, ("2.png", "gone.png", "0.png"), "test")
    both = whole.with_part(part)
    old, new = both.take([0, 2]), part.take([2, 0])
    np.testing.assert_array_equal(old.scores, new.scores)
    np.testing.assert_array_equal(both.take([1, 3]).scores, whole.take([1, 3]).scores)
    np.testing.assert_array_equal(both.scores[:4, 4:8], whole.scores[:4, 4:8])


def test_a_part_of_listed_scores_replaces_all_or_nothing():
    listed, other = top(4, 3), top(4, 3, seed=1)
    assert listed.with_part(other) is other
    assert listed.with_part(other.take([0, 1])) is listed


@pytest.mark.parametrize("odd", [np.nan, np.inf, -np.inf, 1j])
def test_scores_that_are_no_finite_real_numbers_are_refused(odd):
    scores = np.zeros((8, 8), np.result_type(np.float32, type(odd)))
    scores[0, 5] = odd
    with pytest.raises(AzulejarError) as refused:
        Compatibility(scores, names(2), "test")
    assert refused.value.code == "scores-not-real"


def test_large_scores_are_taken():
    largest = np.full((8, 8), np.finfo(np.float32).max)
    assert Compatibility(largest, names(2), "test").scores is largest
