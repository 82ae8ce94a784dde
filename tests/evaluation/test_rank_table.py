"""The numbers of the table against a slow, obvious count."""

import numpy as np
import pytest

from azulejar.evaluation.contenders import parse_measures
from azulejar.evaluation.protocol import find_panels, make_puzzles
from azulejar.evaluation.rank_table import rank_puzzles
from azulejar.measures import get_measure

LABELS = ["ssd", "l1", "mgc:likelihood+symmetric"]
POST = {"ssd": (), "l1": (), "mgc:likelihood+symmetric": ("likelihood", "symmetric")}


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
