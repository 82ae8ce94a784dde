"""Ranks of the true neighbours against a slow loop."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from azulejar.core.assembly import Assembly
from azulejar.core.compatibility import Compatibility
from azulejar.evaluation import ranks as ranks_module
from azulejar.evaluation.ranks import best_rivals, rank_1, true_ranks


def grid(rows, cols, seed, turned):
    """A full panel whose tiles lie in a random order."""
    random = np.random.default_rng(seed)
    order = random.permutation(rows * cols)
    turn = random.integers(0, 4, rows * cols) * turned
    return Assembly.of(order // cols, order % cols, turn)


def scores_of(truth, seed, levels):
    """Random scores of so many levels: the fewer, the more ties."""
    edges = 4 * len(truth)
    scores = np.random.default_rng(seed).integers(0, levels, (edges, edges)).astype(np.float32)
    return Compatibility(scores, tuple(f"{i}.png" for i in range(len(truth))), "test")


def slow_ranks(scores, truth, upright):
    ranks = []
    for edge, true in enumerate(truth.neighbours().tolist()):
        if true < 0:
            continue
        above = tied = 0
        for other in range(4 * len(truth)):
            same_tile = other // 4 == edge // 4
            faces = abs(other % 4 - edge % 4) == 2
            if same_tile or other == true or (upright and not faces):
                continue
            above += scores[edge, other] > scores[edge, true]
            tied += scores[edge, other] == scores[edge, true]
        ranks.append(above + (tied + 1) // 2)
    return ranks


panels = st.tuples(st.integers(1, 3), st.integers(1, 3), st.integers(0, 99))


@given(panels, st.booleans(), st.sampled_from([2, 4, 10**6]))
def test_ranks_against_a_slow_loop(size, upright, levels):
    truth = grid(*size, turned=not upright)
    compatibility = scores_of(truth, size[2], levels)
    ranks = true_ranks(compatibility, truth, upright=upright)
    assert ranks.tolist() == slow_ranks(compatibility.scores, truth, upright)


@given(panels, st.booleans(), st.sampled_from([2, 10**6]), st.sampled_from([1, 50, 10**6]))
def test_blocks_do_not_change_the_answer(size, upright, levels, block):
    truth = grid(*size, turned=not upright)
    compatibility = scores_of(truth, size[2], levels)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(ranks_module, "BLOCK", block)
        ranks = true_ranks(compatibility, truth, upright=upright)
    assert ranks.tolist() == slow_ranks(compatibility.scores, truth, upright)


@given(panels, st.booleans())
def test_rivals_against_a_slow_loop(size, upright):
    truth = grid(*size, turned=not upright)
    compatibility = scores_of(truth, size[2], 10**6)
    met = truth.neighbours().tolist()
    expected = []
    for edge, true in enumerate(met):
        rivals = [
            other
            for other in range(len(met))
            if other // 4 != edge // 4
            and other != true
            and (not upright or abs(other % 4 - edge % 4) == 2)
        ]
        if true >= 0 and rivals:
            expected.append(max(rivals, key=lambda other: compatibility.scores[edge, other]))
    found = best_rivals(compatibility, truth, upright=upright).tolist()
    if len(truth) > 2:  # of two upright tiles, each has no partner but the true one
        assert found == expected


def test_rank_1_is_the_share_of_first_places():
    truth = grid(3, 3, 1, turned=True)
    compatibility = scores_of(truth, 1, 10**6)
    slow = slow_ranks(compatibility.scores, truth, upright=False)
    assert 0 < slow.count(0) < len(slow)
    found = rank_1(compatibility, truth, upright=False)
    assert found == pytest.approx(slow.count(0) / len(slow))


@pytest.mark.parametrize(("upright", "expected"), [(True, 8 // 2), (False, 32 // 2)])
def test_equal_scores_put_the_true_neighbour_in_the_middle(upright, expected):
    truth = grid(3, 3, 0, turned=not upright)
    compatibility = scores_of(truth, 0, 1)
    assert set(true_ranks(compatibility, truth, upright=upright).tolist()) == {expected}
    assert rank_1(compatibility, truth, upright=upright) == 0


def test_scores_of_the_truth_rank_it_first():
    truth = grid(2, 4, 5, turned=True)
    compatibility = scores_of(truth, 5, 3)
    met = truth.neighbours()
    edges = np.flatnonzero(met >= 0)
    compatibility.scores[edges, met[edges]] = 3
    assert rank_1(compatibility, truth, upright=False) == 1


def test_edges_of_the_same_tile_are_no_rivals():
    truth = Assembly.of([0, 0], [0, 1], [0, 0])
    scores = np.zeros((8, 8), np.float32)
    scores[1, [0, 2, 3]] = 9
    scores[1, 7] = scores[7, 1] = 1
    assert rank_1(Compatibility(scores, ("a", "b"), "test"), truth, upright=False) == 1


def test_the_best_few_scores_rank_as_all_of_them():
    truth = grid(3, 3, 2, turned=True)
    compatibility = scores_of(truth, 2, 10**6)
    index, value = compatibility.best(32)
    few = Compatibility(value, compatibility.files, "test", index)
    expected = true_ranks(compatibility, truth, upright=False)
    assert true_ranks(few, truth, upright=False).tolist() == expected.tolist()
