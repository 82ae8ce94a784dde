"""Each step against an obvious version, and the steps in a row."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from azulejar.core.compatibility import Compatibility
from azulejar.core.joints import Joints
from azulejar.core.tiles import TileSet
from azulejar.errors import AzulejarError
from azulejar.measures import postprocess
from azulejar.measures.loops import weigh_by_loops
from azulejar.measures.postprocess import (
    apply_whole_steps,
    by_loops,
    check_steps,
    fit_power_law,
    is_whole_step,
    likelihood,
    minmax,
    mutual,
    ratio,
    row_steps,
    softmax,
    symmetric,
)

NEVER = math.inf


@st.composite
def dissimilarities(draw, low=0):
    """Rows of whole dissimilarities with ties; some edges are no partners, in some rows none is."""
    rows, cols = draw(st.integers(1, 4)), draw(st.integers(2, 8))
    value = st.integers(low, 9).map(float) | st.just(NEVER)
    return np.array([[draw(value) for _ in range(cols)] for _ in range(rows)])


def slow_ratio(row):
    """1 / (1 + (D / D of the best rival)^8), a tie giving one half."""
    found = []
    for j, own in enumerate(row):
        rival = min(other for i, other in enumerate(row) if i != j)
        if own == NEVER:
            found.append(-NEVER)
        elif own == rival:
            found.append(0.5)
        elif rival == 0:
            found.append(0.0)
        else:
            found.append(1 / (1 + (own / rival) ** 8))
    return found


def slow_minmax(row):
    """From 0, the worst partner, to 1, the best; 1 if all are alike."""
    partners = [score for score in row if score != -NEVER]
    found = []
    for score in row:
        if score == -NEVER:
            found.append(-NEVER)
        elif max(partners) == min(partners):
            found.append(1.0)
        else:
            found.append((score - min(partners)) / (max(partners) - min(partners)))
    return found


@given(dissimilarities())
def test_ratio_equals_a_loop_over_rivals(table):
    expected = [slow_ratio(row) for row in table]
    np.testing.assert_allclose(ratio(-table), expected, atol=1e-12)


@given(dissimilarities())
def test_minmax_equals_a_loop_over_partners(table):
    found = minmax(-table)
    np.testing.assert_allclose(found, [slow_minmax(row) for row in -table])
    partners = found[np.isfinite(table)]
    assert ((partners >= 0) & (partners <= 1)).all()


def mutual_table(n, buddies, seed=0):
    """[4n, 4n] in which a given share of edges are the first choice of their first choice.

    Every row holds the same values, so that only the buddies tell two such tables apart.
    """
    rng = np.random.default_rng(seed)
    edges = 4 * n
    order = rng.permutation(edges)
    paired = 2 * round(buddies * edges / 2)
    first = np.empty(edges, int)
    first[order[:paired:2]], first[order[1:paired:2]] = order[1:paired:2], order[:paired:2]
    first[order[paired:]] = np.roll(order[paired:], 1)  # a ring, in which no choice is mutual
    table = np.empty((edges, edges))
    for edge in range(edges):
        others = rng.permutation([e for e in range(edges) if e != first[edge]])
        table[edge, [first[edge], *others]] = np.linspace(1, 3, edges)
    return table


def share_of_buddies(table):
    choice = table.argmin(axis=1)
    return np.mean([choice[choice[edge]] == edge for edge in range(len(table))])


def likely(table):
    return likelihood(lambda rows: table[rows].copy(), len(table))(-table)


@given(st.integers(2, 5), st.integers(0, 99))
def test_likelihoods_of_a_row_s_partners_add_up_to_1(n, seed):
    table = np.random.default_rng(seed).gamma(3, 5, (4 * n, 4 * n))
    own = np.arange(4 * n)[:, None] // 4 == np.arange(4 * n) // 4
    table[own] = NEVER
    share = likely(table)
    np.testing.assert_allclose(share.sum(axis=1), 1)
    assert (share[own] == 0).all()
    assert (share[~own] > 0).all()
    # The nearer, the likelier.
    np.testing.assert_array_equal(np.argsort(-share, axis=1)[:, 0], table.argmin(axis=1))


@given(st.integers(2, 5), st.integers(0, 99))
def test_likelihoods_are_a_power_of_the_dissimilarity(n, seed):
    table = np.random.default_rng(seed).gamma(3, 5, (4 * n, 4 * n))
    share = likely(table)
    offset = 0.02 * np.median(table.min(axis=1)) + 1e-6
    near, far = np.log(table[:, :1] + offset), np.log(table[:, 1:] + offset)
    power = (np.log(share[:, :1]) - np.log(share[:, 1:])) / (far - near)
    np.testing.assert_allclose(power, power[0, 0], rtol=1e-6)
    assert 0.5 <= power[0, 0] <= 64


@pytest.mark.parametrize("buddies", [0.4, 0.6, 0.8])
def test_first_choices_are_trusted_as_often_as_they_are_mutual(buddies):
    table = mutual_table(6, buddies)
    assert share_of_buddies(table) == pytest.approx(buddies, abs=0.05)
    trust = likely(table).max(axis=1).mean()
    assert trust == pytest.approx(share_of_buddies(table), abs=0.01)


def test_common_best_buddies_raise_the_power():
    trust = [likely(mutual_table(6, share)).max(axis=1).mean() for share in (0, 0.5, 1)]
    assert trust[0] < trust[1] < trust[2]


def test_an_exact_fit_of_plain_edges_is_no_certainty():
    table = np.random.default_rng(0).gamma(3, 5, (16, 16)) + 1
    table[0, 5] = 0
    share = likely(table)
    assert 0 < share[0, 5] < 1


def test_calibration_looks_at_a_sample(monkeypatch):
    asked = []

    def partners(rows):
        asked.append(len(rows))
        return table[rows].copy()

    table = mutual_table(8, 0.7)
    monkeypatch.setattr(postprocess, "SAMPLE", 10)
    likelihood(partners, len(table))
    assert set(asked) == {10}
    asked.clear()
    monkeypatch.setattr(postprocess, "BLOCK", 5 * len(table))
    likelihood(partners, len(table))
    assert set(asked) == {5}


def random_scores(n, seed=0):
    scores = np.random.default_rng(seed).random((4 * n, 4 * n)).astype(np.float32)
    return Compatibility(scores, tuple(f"{i}.png" for i in range(n)), "test")


def top_of(compatibility, k):
    index = np.argsort(-compatibility.scores, axis=1)[:, :k].astype(np.int32)
    value = np.take_along_axis(compatibility.scores, index, 1)
    return Compatibility(value, compatibility.files, "test", index)


@given(st.integers(1, 4), st.integers(0, 99))
def test_symmetric_is_the_mean_of_both_directions(n, seed):
    scores = random_scores(n, seed)
    found = symmetric(scores).scores
    for a in range(4 * n):
        for b in range(4 * n):
            mean = (float(scores.scores[a, b]) + float(scores.scores[b, a])) / 2
            assert found[a, b] == pytest.approx(mean, rel=1e-6)
    np.testing.assert_array_equal(found, found.T)


@given(n=st.integers(1, 4), seed=st.integers(0, 99), data=st.data())
def test_symmetric_top_k_is_so_for_pairs_that_both_edges_keep(n, seed, data):
    kept = top_of(random_scores(n, seed), data.draw(st.integers(1, 4 * n)))
    found = symmetric(kept)
    lists = [set(row) for row in found.index.tolist()]
    assert lists == [set(row) for row in kept.index.tolist()]
    for a, row in enumerate(found.index.tolist()):
        assert sorted(found.scores[a], reverse=True) == found.scores[a].tolist()
        for b in row:
            mean = (float(kept.pairs(a, b)) + float(kept.pairs(b, a))) / 2
            assert found.pairs(a, b) == pytest.approx(mean, rel=1e-6)
            if a in lists[b]:
                assert found.pairs(a, b) == found.pairs(b, a)


def test_symmetric_top_k_does_not_depend_on_the_blocks(monkeypatch):
    kept = top_of(random_scores(6), 5)
    whole = symmetric(kept)
    monkeypatch.setattr(postprocess, "BLOCK", 7 * 25)
    parts = symmetric(kept)
    np.testing.assert_array_equal(parts.scores, whole.scores)
    np.testing.assert_array_equal(parts.index, whole.index)


def run_steps(names, table):
    rows = -table
    for step in row_steps(names, lambda rows: table[rows].copy(), len(table)):
        rows = step(rows)
    return rows


def test_steps_compose_in_the_order_of_their_names():
    table = np.random.default_rng(0).gamma(3, 5, (12, 12))
    table[np.arange(12)[:, None] // 4 == np.arange(12) // 4] = NEVER
    np.testing.assert_array_equal(run_steps([], table), -table)
    np.testing.assert_array_equal(run_steps(["minmax"], table), minmax(-table))
    both = run_steps(["ratio", "minmax"], table)
    np.testing.assert_allclose(both, [slow_minmax(slow_ratio(row)) for row in table], atol=1e-9)
    shares = run_steps(["likelihood", "minmax"], table)
    np.testing.assert_array_equal(shares, minmax(likely(table)))
    assert (shares.max(axis=1) == 1).all()
    np.testing.assert_array_equal(run_steps(["softmax", "minmax"], table), minmax(softmax(-table)))


def test_steps_on_the_whole_are_no_row_steps():
    table = np.ones((8, 8))
    assert row_steps(["mutual", "symmetric"], lambda rows: table[rows], 8) == []


def slow_softmax(row):
    total = sum(math.exp(score) for score in row)
    return [math.exp(score) / total if total else 0.0 for score in row]


@given(dissimilarities())
def test_softmax_equals_a_loop_over_partners(table):
    found = softmax(-table)
    np.testing.assert_allclose(found, [slow_softmax(row) for row in -table], atol=1e-12)
    some = np.isfinite(table).any(axis=1)
    np.testing.assert_allclose(found.sum(axis=1), np.where(some, 1, 0))


@given(dissimilarities(), st.sampled_from([-1e6, 1e6]))
def test_softmax_stands_any_size_of_scores(table, offset):
    np.testing.assert_allclose(softmax(offset - table), softmax(-table), atol=1e-9)


def slow_mutual(kept, lists):
    """By edge, the share of each partner in the row's products of both directions."""
    products = [
        {b: float(kept.pairs(a, b)) * float(kept.pairs(b, a)) for b in lists[a]}
        for a in range(len(lists))
    ]
    return [{b: value / sum(row.values()) for b, value in row.items()} for row in products]


@given(st.integers(1, 4), st.integers(0, 99))
def test_mutual_is_the_product_of_both_directions(n, seed):
    scores = random_scores(n, seed)
    found = mutual(scores).scores
    expected = slow_mutual(scores, [range(4 * n)] * (4 * n))
    for a, row in enumerate(expected):
        assert found[a].tolist() == pytest.approx([row[b] for b in range(4 * n)], rel=1e-5)
    np.testing.assert_allclose(found.sum(axis=1), 1, rtol=1e-5)


@given(n=st.integers(1, 4), seed=st.integers(0, 99), data=st.data())
def test_mutual_top_k_is_so_for_the_pairs_that_are_kept(n, seed, data):
    kept = top_of(random_scores(n, seed), data.draw(st.integers(1, 4 * n)))
    found = mutual(kept)
    expected = slow_mutual(kept, kept.index.tolist())
    for a, row in enumerate(expected):
        assert sorted(found.scores[a], reverse=True) == found.scores[a].tolist()
        assert {b: float(found.pairs(a, b)) for b in row} == pytest.approx(row, rel=1e-5)
        assert set(found.index[a].tolist()) == set(row)


def test_mutual_of_a_row_without_partners_is_no_division_by_0():
    scores = Compatibility(np.zeros((4, 4), np.float32), ("a.png",), "test")
    np.testing.assert_array_equal(mutual(scores).scores, np.zeros((4, 4)))


@pytest.mark.parametrize("step", [mutual, symmetric])
def test_files_and_measure_are_kept(step):
    dense = random_scores(2)
    for scores in (dense, top_of(dense, 3)):
        assert (step(scores).files, step(scores).measure) == (dense.files, "test")


def test_the_fitted_power_law_is_what_likelihood_uses():
    table = mutual_table(6, 0.6)
    offset, power = fit_power_law(lambda rows: table[rows].copy(), len(table))
    # Each row's smallest dissimilarity is 1.
    assert offset == pytest.approx(0.02, abs=1e-5)
    weight = (table + offset) ** -power
    np.testing.assert_allclose(likely(table), weight / weight.sum(axis=1, keepdims=True))


@pytest.mark.parametrize(
    ("names", "learned"),
    [
        ((), False),
        ((), True),
        (("likelihood", "symmetric"), False),
        (("ratio", "minmax", "symmetric"), False),
        (("minmax", "mutual", "symmetric"), False),
        (("softmax", "mutual", "symmetric"), True),
        (("minmax", "symmetric"), True),
        (["softmax", "minmax"], True),
    ],
)
def test_steps_that_make_sense(names, learned):
    assert check_steps(names, learned) is None


@pytest.mark.parametrize("names", [["nonsense"], ["minmax", "MinMax"], [""]])
@pytest.mark.parametrize("learned", [False, True])
def test_an_unknown_step_is_refused_with_the_valid_ones(names, learned):
    with pytest.raises(AzulejarError, match=f"no post-processing step {names[-1]!r}") as refused:
        check_steps(names, learned)
    for name in ("likelihood", "softmax", "ratio", "minmax", "mutual", "symmetric"):
        assert name in refused.value.remedy


@pytest.mark.parametrize(
    ("names", "learned"),
    [
        (("minmax", "ratio"), False),
        (("likelihood", "ratio"), False),
        (("symmetric", "likelihood"), False),
        (("minmax", "softmax"), True),
    ],
)
def test_a_step_that_takes_what_the_measure_gives_must_come_first(names, learned):
    with pytest.raises(AzulejarError, match=names[-1]) as refused:
        check_steps(names, learned)
    assert refused.value.remedy == "Name it first."


@pytest.mark.parametrize(
    ("name", "learned", "kind", "instead"),
    [
        ("likelihood", True, "pixel", "softmax or minmax"),
        ("ratio", True, "pixel", "softmax or minmax"),
        ("softmax", False, "learned", "likelihood, ratio or minmax"),
    ],
)
def test_a_step_for_the_other_kind_of_measure_is_refused(name, learned, kind, instead):
    with pytest.raises(AzulejarError, match=f"{name!r} is for {kind} measures") as refused:
        check_steps((name, "symmetric"), learned)
    assert refused.value.remedy == f"Use {instead}."


@pytest.mark.parametrize("upright", [False, True])
def test_loops_weigh_the_joints(noise_scores, upright):
    scores = noise_scores(6, seed=3)
    table = weigh_by_loops(Joints.of(scores, upright), rounds=5, partners=32)
    expected = np.zeros_like(scores.scores)
    for edge in range(24):
        for at in range(table.start[edge], table.start[edge + 1]):
            expected[edge, table.other[at]] = table.score[at]
    found = by_loops(scores, upright)
    assert found.index is None and found.files == scores.files
    assert np.array_equal(found.scores, expected)


def test_loops_of_top_k_are_those_of_all(noise_scores):
    scores = noise_scores(6, seed=4)
    partner, value = scores.best(20)
    top = by_loops(Compatibility(value, scores.files, "x", partner), upright=False)
    whole = by_loops(scores, upright=False).scores
    assert top.index is not None
    assert (np.diff(top.scores, axis=1) <= 0).all()
    # All 20 partners that an edge can have are kept, so nothing is lost.
    assert np.allclose(np.take_along_axis(whole, top.index, 1), top.scores, atol=1e-6)


def test_whole_steps_follow_one_another(noise_scores):
    scores = noise_scores(5)
    tiles = TileSet(np.zeros((5, 8, 8, 3), np.uint8), scores.files)
    found = apply_whole_steps(("minmax", "symmetric", "loops"), scores, tiles, upright=False)
    expected = by_loops(symmetric(scores), upright=False)
    assert np.array_equal(found.scores, expected.scores)
    assert [is_whole_step(name) for name in ("softmax", "minmax", "mutual", "symmetric", "loops",
                                               "dnn-buddies")] \
        == [False, False, True, True, True, True]  # fmt: skip
