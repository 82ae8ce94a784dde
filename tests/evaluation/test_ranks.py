"""Ranks of the true neighbours, and tables of them, against slow, obvious counts."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from azulejar.core.assembly import Assembly
from azulejar.core.compatibility import Compatibility
from azulejar.evaluation import ranks as ranks_module
from azulejar.evaluation.labelled_measures import parse_measures
from azulejar.evaluation.protocol import find_panels, make_puzzles
from azulejar.evaluation.ranks import best_rivals, rank_puzzles, true_ranks
from azulejar.measures import get_measure

LABELS = ["ssd", "l1", "mgc:likelihood+symmetric"]
POST = {"ssd": (), "l1": (), "mgc:likelihood+symmetric": ("likelihood", "symmetric")}


def rank_1(compatibility, truth, upright):
    """The share of edges whose best-scored partner is the true neighbour."""
    return (true_ranks(compatibility, truth, upright=upright) == 0).mean()


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


def slow_places(puzzle, label):
    """The place of the true neighbour among all partners, sorted, one list entry an edge."""
    measure = get_measure(label.partition(":")[0])
    scores = measure.score(puzzle.tiles, upright=puzzle.upright, post=POST[label]).scores
    places = []
    for edge, true in enumerate(puzzle.truth.neighbours().tolist()):
        if true < 0:
            continue
        partners = [
            other
            for other in range(len(scores))
            if other // 4 != edge // 4 and (not puzzle.upright or (other - edge) % 4 == 2)
        ]
        higher = sum(scores[edge, other] > scores[edge, true] for other in partners)
        level = sum(scores[edge, other] == scores[edge, true] for other in partners)
        places.append(higher + level // 2 + 1)
    return places


def test_names_come_in_the_order_given(table):
    assert table.measures == LABELS
    assert table.trims == [0.0, 0.1]
    assert table.panels == ["a__4x5", "b__5x4"]
    assert len(table.rankings) == 2 * 2 * 2 * 3


def test_ranks_of_every_puzzle(table):
    for ranking in table.rankings:
        places = slow_places(ranking.puzzle, ranking.measure)
        assert (ranking.rank + 1).tolist() == places
        assert len(places) == 2 * 31
        assert ranking.rank_1 == pytest.approx(100 * places.count(1) / len(places))
        expected = [100 * places.count(i) / len(places) for i in range(1, 11)]
        assert ranking.shares() == pytest.approx(expected)


@pytest.mark.parametrize("upright", [True, False])
@pytest.mark.parametrize("measure", LABELS)
def test_means_are_over_panels(table, measure, upright):
    puzzles = [
        each.puzzle
        for each in table.rankings
        if (each.measure, each.puzzle.trim, each.puzzle.upright) == (measure, 0.1, upright)
    ]
    assert [puzzle.panel.name for puzzle in puzzles] == table.panels
    shares = []
    for puzzle in puzzles:
        places = slow_places(puzzle, measure)
        shares.append([100 * places.count(i) / len(places) for i in range(1, 11)])
    mean = np.mean(shares, axis=0)
    assert 0 < mean[0] < 100
    assert table.shares(measure, 0.1, upright) == pytest.approx(mean)
    assert table.rank_1(measure, 0.1, upright) == pytest.approx(mean[0])


def test_a_choice_is_the_best_partner_and_true_only_if_ranked_first(table):
    for ranking in table.rankings:
        puzzle = ranking.puzzle
        name = ranking.measure.partition(":")[0]
        scores = get_measure(name).score(
            puzzle.tiles, upright=puzzle.upright, post=POST[ranking.measure]
        )
        best, value = scores.best(1, puzzle.upright)
        np.testing.assert_array_equal(
            scores.pairs(ranking.edge, ranking.choice), value[ranking.edge, 0]
        )
        assert ((ranking.choice == ranking.true) == (ranking.rank == 0)).all()
        first = ranking.rank == 0
        assert (best[ranking.edge, 0] == ranking.choice)[first].all()


def test_progress_goes_from_0_to_1(folder):
    fractions = []
    puzzles = make_puzzles(find_panels(folder), [0.0], size=8)
    rank_puzzles(puzzles, parse_measures("ssd,l1"), fractions.append)
    assert fractions == sorted(fractions)
    assert fractions[-1] == 1
    assert len(fractions) >= 8
